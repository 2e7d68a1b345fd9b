"""The league serves its own SDK, and it installs and runs on its own."""

import csv
import io
import os
import subprocess
import sys
import venv
import zipfile
from base64 import urlsafe_b64encode
from email.parser import Parser
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings

from league.pages import sdk
from league.pages.wheel import build

NAME = sdk.facts().file_name


def built():
    return build(sdk.packages(), settings.ROOT / "LICENSE", sdk.facts())


@pytest.fixture(scope="module")
def archive():
    return zipfile.ZipFile(io.BytesIO(built()))


def test_the_same_code_makes_the_same_bytes():
    assert built() == sdk.wheel().read_bytes()


def test_the_record_names_every_file_with_its_digest(archive):
    (record,) = [name for name in archive.namelist() if name.endswith("/RECORD")]
    rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
    assert [row[0] for row in rows] == archive.namelist()
    assert rows[-1] == [record, "", ""]
    for name, digest, size in rows[:-1]:
        data = archive.read(name)
        code = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
        assert (digest, size) == (f"sha256={code}", str(len(data)))


def test_it_holds_the_code_of_authors_and_nothing_of_the_site(archive):
    names = archive.namelist()
    assert {name.split("/")[0] for name in names} == {
        "engine",
        "runners",
        "bots_sdk",
        f"{NAME.removesuffix('-py3-none-any.whl')}.dist-info",
    }
    assert {"bots_sdk/viewer/viewer.js", "engine/games/basari/RULES.md"} <= set(names)
    assert not [name for name in names if "__pycache__" in name]


def test_it_needs_what_the_command_and_a_box_need_and_not_what_a_league_needs(archive):
    (name,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
    about = Parser().parsestr(archive.read(name).decode())
    needs = about.get_all("Requires-Dist")
    always = {need.partition(">")[0] for need in needs if "extra" not in need}
    assert always == {"rich", "trueskill", "typer", "numpy"}
    assert about.get_all("Provides-Extra") == ["cli", "box", "rl"]
    assert not [need for need in needs if need.startswith("django")]


def test_the_site_leads_from_the_short_address_to_the_file(client, db):
    short = client.get("/sdk/karat.whl")
    assert short.url == f"/sdk/{NAME}"
    file = client.get(short.url)
    assert file.content == sdk.wheel().read_bytes()
    again = client.get(short.url, headers={"If-None-Match": file["ETag"]})
    assert again.status_code == 304
    assert client.get("/sdk/karat_league-9.9-py3-none-any.whl").status_code == 404
    assert NAME in client.get("/sdk/").content.decode()


def test_it_installs_into_a_fresh_environment_and_plays_there(tmp_path):
    home = tmp_path / "venv"
    venv.create(home, symlinks=True)
    install = [
        "install",
        "--no-index",
        "--no-deps",
        "--quiet",
        "--no-compile",
        "--disable-pip-version-check",
    ]
    python = home / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, *install, sdk.wheel()], check=True
    )
    # What the SDK needs is taken from here; the SDK itself must not be.
    packages = home / "needs"
    packages.mkdir()
    for path in Path(sys.prefix).glob("lib/python3*/site-packages/*"):
        if "karat" not in path.name.lower() and path.suffix != ".pth":
            (packages / path.name).symlink_to(path)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(packages)}

    def run(*command):
        done = subprocess.run(
            [home / "bin" / command[0], *command[1:]],
            cwd=tmp_path,
            env=env,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = run("python", "-c", "import bots_sdk; print(bots_sdk.__file__)")
    assert where.startswith(str(home))
    assert "push" in run("karat", "--help")
    run("karat", "new", "my_bot.py", "--game", "basari")
    assert "Result:" in run("karat", "play", "my_bot.py")
