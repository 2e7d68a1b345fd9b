"""Backups and archives are worth what restoring them shows."""

import gzip
import json
import os
import subprocess
import time

import psycopg
import pytest
from django.core.management import CommandError, call_command

from league.blobs import store
from league.blobs.models import Blob
from league.bots.bundles import sources
from league.ladder.ratings.rebuild import rebuild
from league.matches.models import Match
from league.operate import archive
from tests.league.blobs.stores import blob_store, s3_address
from tests.league.factories import (
    make_bot,
    make_bundle,
    make_key,
    make_match,
    make_player,
    make_user,
    make_version,
    queue_match,
    rate_all,
)
from tests.league.home import ROOT, SERVER, Home

__all__ = ["blob_store", "s3_address"]

BUNDLE = make_bundle(bytes(range(256)) * 8000)
"""More than one line of an archive."""
PLAY = """
mira = factories.make_user('mira')
players = [factories.make_player(mira, name=f"Player {n}") for n in range(3)]
factories.make_version(players[0], factories.make_bundle())
for number in range(4): factories.make_match(players)
factories.rate_all()
"""
GO_ON = """
players = list(Bot.objects.select_related("active"))
for number in range(10_000):
    factories.make_match(players)
    writer.rate("basari")
    print("played", number, flush=True)
"""
COUNTS = """
tell({model.__name__: model.objects.count() for model in (User, Bot, Match, RatingChange)})
"""


def counts():
    return {model._meta.label: model._default_manager.count() for model in archive.tables()}


def script(name, *arguments, env, ok=True):
    done = subprocess.run(
        [ROOT / "deploy" / name, *map(str, arguments)],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is ok, done.stderr
    return done.stdout + done.stderr


def wait_for(home, words):
    until = time.monotonic() + 90
    while words not in home.errors():
        assert time.monotonic() < until, home.errors()
        time.sleep(0.1)


@pytest.fixture
def another(tmp_path):
    """A league whose database is there and has nothing in it."""
    folder = tmp_path / "another"
    folder.mkdir()
    league = Home(folder)
    if SERVER:
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(f"create database {league.name}")
    yield league
    league.end()


@pytest.mark.stack
def test_a_backup_of_a_running_league_is_one_moment_of_it_and_proves_itself(
    home, another, tmp_path
):
    before = home.python(PLAY + COUNTS)
    busy = home.start_python(GO_ON)
    wait_for(home, "played 1")
    backups = tmp_path / "backups"
    said = script("backup.sh", backups, env=home.env)
    assert busy.poll() is None, home.errors()
    busy.terminate()
    busy.wait(20)
    (file,) = [path for path in backups.iterdir() if path.suffix != ".sha256"]
    assert str(file) in said
    assert file.stat().st_mode & 0o077 == 0
    noted = json.loads(home.manage("status", "--json").stdout)["maintenance"]["backup"]
    assert (noted["detail"], noted["bytes"]) == (file.name, file.stat().st_size)

    # It migrates, plays records again and computes all ratings anew.
    shown = script("restore.sh", file, env=another.env)
    assert shown.count(" 0 wrong") == 5
    after, restored = home.python(COUNTS), another.python(COUNTS)
    assert restored["User"] == before["User"]
    assert before["Match"] < restored["Match"] <= after["Match"]

    assert "restore:" in script("restore.sh", file, env=another.env, ok=False)
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert "checksum" in script("restore.sh", file, env=another.env, ok=False)


@pytest.mark.skipif(not SERVER, reason="needs both kinds of database: STACK=server")
@pytest.mark.stack
def test_a_league_moves_from_one_machine_to_a_server(another, tmp_path):
    source = Home(tmp_path)
    source.env.pop("DATABASE_URL")
    source.manage("migrate", "-v0")
    before = source.python(PLAY + COUNTS)
    file = tmp_path / "league.jsonl.gz"
    source.manage("export_league", file)
    another.manage("migrate", "-v0")
    another.manage("import_league", file)
    assert another.python(COUNTS) == before
    another.manage("inspect_data")
    # It goes on: numbers of new rows follow those that were read.
    another.python("factories.make_match(list(Bot.objects.select_related('active')))")
    source.end()


@pytest.fixture
def league(transactional_db):
    """A league with everything in it, and a key of somebody."""
    mira = make_user("mira", email="mira@example.org")
    players = [make_player(mira) for _ in range(3)]
    for _ in range(2):
        make_match(players, printed={0: "hello"}, notes={1: "a note"})
    queue_match(players)
    rate_all()
    make_version(players[0], BUNDLE)
    make_version(make_bot(make_user()), make_bundle(note="shares its weights"))
    return make_key(mira)


def test_an_archive_holds_the_league_and_none_of_its_secrets(league, tmp_path):
    file = tmp_path / "league.jsonl.gz"
    before = counts()
    call_command("export_league", file)
    assert file.stat().st_mode & 0o077 == 0
    text = gzip.decompress(file.read_bytes()).decode()
    assert "mira@example.org" in text
    for secret in (league, "password", "md5$", "accounts.token", "matches.worker"):
        assert secret not in text

    with pytest.raises(CommandError, match="not empty"):
        call_command("import_league", file)
    call_command("flush", interactive=False, verbosity=0)
    call_command("import_league", file)
    assert counts() == before
    assert rebuild("basari", write=False).differences == 0
    assert make_match([make_player() for _ in range(3)]).pk > 3
    assert not archive.User.objects.get(username="mira").has_usable_password()


def test_an_archive_brings_the_files_of_bots_to_wherever_they_are_to_be(
    league, tmp_path, blob_store
):
    file = tmp_path / "league.jsonl.gz"
    before = list(Blob.objects.order_by("pk").values_list("pk", "size", "created_at"))
    call_command("export_league", file)
    lines = gzip.decompress(file.read_bytes()).splitlines()
    assert max(map(len, lines)) < 2 << 20
    call_command("flush", interactive=False, verbosity=0)
    call_command("import_league", file)
    assert list(Blob.objects.order_by("pk").values_list("pk", "size", "created_at")) == before
    assert sources.load(BUNDLE.digest) == BUNDLE
    assert (store.outside() is None) is (blob_store == "database")


def test_an_archive_with_a_damaged_file_of_a_bot_changes_nothing(league, tmp_path):
    file = tmp_path / "league.jsonl.gz"
    call_command("export_league", file)
    text = gzip.decompress(file.read_bytes()).replace(b'{"piece": "AAEC', b'{"piece": "AAED')
    file.write_bytes(gzip.compress(text))
    call_command("flush", interactive=False, verbosity=0)
    with pytest.raises(CommandError, match="not what its digest says"):
        call_command("import_league", file)
    assert not Blob.objects.exists()


def test_a_league_that_lost_a_file_of_a_bot_says_so_when_it_is_exported(league, tmp_path):
    Blob.objects.update(data=None)
    with pytest.raises(CommandError, match="inspect_data --only blobs"):
        call_command("export_league", tmp_path / "league.jsonl.gz")


def test_half_an_archive_changes_nothing(league, tmp_path):
    file = tmp_path / "league.jsonl.gz"
    call_command("export_league", file)
    whole = file.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    call_command("flush", interactive=False, verbosity=0)
    for broken in (
        gzip.compress(b"".join(lines[:-1])),
        gzip.compress(b"".join(lines[:-2] + lines[-1:])),
        gzip.compress(b"[]\n"),
        gzip.compress(b"no archive"),
        whole[:-200],
        b"no archive",
    ):
        file.write_bytes(broken)
        with pytest.raises(CommandError):
            call_command("import_league", file)
        assert not Match.objects.exists()
