"""Settings reach a command as they reach the services, and a check says where they lead."""

import os
import pwd
import runpy
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.league.home import ROOT
from tests.league.operate.test_operate_site import server

read_env = SimpleNamespace(**runpy.run_path(str(ROOT / "deploy" / "read_env.py")))

URL = "postgres:///karat?host=/run/postgresql&user=karat"

# As systemd 252 reads them; compared with its own parser for a hundred thousand random files.
CASES = [
    (f"DATABASE_URL={URL}", {"DATABASE_URL": URL}),
    ("A=x&y", {"A": "x&y"}),
    ("A=$HOME `id` $(id)", {"A": "$HOME `id` $(id)"}),
    ("A=two  words \t", {"A": "two  words"}),
    ("A= x", {"A": "x"}),
    ("A =x", {"A": "x"}),
    ("  A=x", {"A": "x"}),
    ("A=a#b # c", {"A": "a#b # c"}),
    ("A=a;b", {"A": "a;b"}),
    ("# A=1\n;B=2\nC=3", {"C": "3"}),
    ("A='a \"b\" $c \\n'", {"A": 'a "b" $c \\n'}),
    ('A="a \'b\' \\$c \\"d\\" \\\\ \\n"', {"A": "a 'b' $c \"d\" \\ \\n"}),
    ('A="two\nlines"\nB=1', {"A": "two\nlines", "B": "1"}),
    ('A="one\\\nline"', {"A": "oneline"}),
    ("A=one\\\n line\nB=1", {"A": "one line", "B": "1"}),
    ("A=\\'x\\ ", {"A": "'x "}),
    ("A='a' 'b'c", {"A": "abc"}),
    ("A=a'b'", {"A": "a'b'"}),
    ("A=", {"A": ""}),
    ("A=1\nA=2", {"A": "2"}),
    ("A=x=y==", {"A": "x=y=="}),
    ("export A=1\nB=2", {"B": "2"}),
    ("1A=1\nno assignment\nB=2", {"B": "2"}),
    ("A=1\r\nB=2\r\n", {"A": "1", "B": "2"}),
    ("A=ä€", {"A": "ä€"}),
]


@pytest.mark.parametrize(("text", "read"), CASES, ids=[repr(text)[:30] for text, _ in CASES])
def test_a_file_of_settings_is_read_as_systemd_reads_it(text, read):
    assert read_env.read(text)[0] == read


def test_what_versions_of_systemd_read_differently_is_refused():
    with pytest.raises(read_env.Unclear):
        read_env.read("# a comment \\\nA=1")


def as_karat(file, *command):
    return subprocess.run(
        [ROOT / "deploy" / "as-karat.sh", *command],
        env={
            "PATH": os.environ["PATH"],
            "KARAT_ENV": str(file),
            "KARAT_USER": pwd.getpwuid(os.getuid()).pw_name,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_command_gets_every_setting_as_it_was_written(tmp_path):
    file = tmp_path / "karat.env"
    file.write_text(
        f"KARAT_VAR={tmp_path / 'var'}\nDATABASE_URL={URL}\n"
        "SECRET_KEY='a$b &c #d'\nEMAIL_FROM=A B\n"
    )
    names = ("DATABASE_URL", "SECRET_KEY", "EMAIL_FROM")
    done = as_karat(
        file, sys.executable, "-c", f"import os; print(*map(os.environ.get, {names!r}))"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{URL} a$b &c #d A B\n"
    file.write_text("# unclear \\\nA=1\n")
    assert as_karat(file, "true").returncode == 2


def test_the_deployment_check_names_database_and_broker_without_their_passwords():
    done = server("manage.py", "check", "--deploy", REDIS_URL="redis://:secret-of-redis@r:6379/0")
    told = done.stdout + done.stderr
    assert done.returncode == 0, told
    assert "PostgreSQL, karat at localhost as karat" in told
    assert "Redis at r:6379/0, with a password" in told
    assert "secret-of" not in told


@pytest.mark.parametrize(("env", "status"), [({}, 1), ({"ALLOW_SQLITE": "1"}, 0)])
def test_the_deployment_check_refuses_sqlite_unless_it_is_meant(env, status):
    done = server("manage.py", "check", "--deploy", DATABASE_URL="", HTTPS="1", **env)
    assert done.returncode == status, done.stdout + done.stderr
    assert ("karat.E001" in done.stderr) is bool(status)
    assert "SQLite, the file" in done.stdout + done.stderr
