"""The league serves its own SDK, and it installs and runs on its own."""

import csv
import io
import os
import re
import subprocess
import sys
import threading
import venv
import zipfile
from base64 import urlsafe_b64encode
from email.parser import Parser
from hashlib import sha256
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.conf import settings

from bots_sdk import house
from engine.registry import GAMES
from league.pages import sdk
from league.pages.wheel import build
from runners.bundles.pack import read_folder

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


def test_it_holds_the_files_of_trained_house_bots(archive):
    names = set(archive.namelist())
    for game in GAMES:
        for folder in filter(None, (house.folder(game, name) for name in house.names(game))):
            place = folder.relative_to(settings.ROOT).as_posix()
            for path in read_folder(folder).files:
                assert f"{place}/{path}" in names


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


def test_the_page_shows_the_exact_commands_and_the_python_in_words(client, db, settings):
    settings.SITE_URL = "https://league.example"
    page = unescape(client.get("/sdk/").content.decode())
    address = f"https://league.example/sdk/{NAME}"
    assert f'id="install">pip install "karat-league @ {address}"</pre>' in page
    assert f'id="install-learning">pip install "karat-league[rl] @ {address}"</pre>' in page
    assert page.count(">Copy</button>") == 2
    assert re.search(r"Requires Python\s+3\.11 or newer", page)
    assert ">=" not in page


@pytest.fixture(scope="module")
def league_address():
    """A loopback server with the wheel at the address that the site would give it."""
    folder = sdk.wheel().parent

    class Handler(SimpleHTTPRequestHandler):
        def translate_path(self, path):
            return str(folder / path.removeprefix("/sdk/"))

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/sdk/{NAME}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def author(tmp_path_factory, league_address):
    """A fresh environment in which an author installed the SDK by the line of the page."""
    folder = tmp_path_factory.mktemp("author")
    home = folder / "venv"
    venv.create(home, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", home / "bin" / "python", "install"]
    options = ["--no-index", "--no-deps", "--quiet", "--no-compile", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, *options, f"karat-league @ {league_address}"],
        check=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "NO_PROXY": "127.0.0.1"},
    )
    # What the SDK needs is taken from here; the SDK itself must not be.
    packages = home / "needs"
    packages.mkdir()
    for path in Path(sys.prefix).glob("lib/python3*/site-packages/*"):
        if path.suffix != ".pth" and not path.name.lower().startswith(NOT_LINKED):
            (packages / path.name).symlink_to(path)
    env = {"PATH": os.environ["PATH"], "HOME": str(folder)}

    def run(*command, status=0, packages=packages):
        done = subprocess.run(
            [home / "bin" / command[0], *command[1:]],
            cwd=folder,
            env=env | {"PYTHONPATH": str(packages)},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    return run


NOT_LINKED = ("karat", "gymnasium", "pettingzoo")
"""The SDK itself, and what only its extra `rl` needs."""


def test_it_installs_into_a_fresh_environment_and_plays_there(author):
    where = author("python", "-c", "import bots_sdk; print(bots_sdk.__file__)")
    assert "/venv/" in where
    assert "push" in author("karat", "--help")
    author("karat", "new", "my_bot.py", "--game", "basari")
    assert "Result:" in author("karat", "play", "my_bot.py")


def test_what_is_missing_is_named_with_the_line_that_installs_it(author, league_address):
    line = f'pip install "karat-league[rl] @ {league_address}"'
    missing = author("python", "-c", "from bots_sdk.rl import env", status=1)
    assert f"bots_sdk.rl.env needs pettingzoo; install it with: {line}" in missing
    created = author("karat", "new", "learning_bot.py").splitlines()
    assert created[1:] == [
        f"For reinforcement learning:  {line}",
        "Next:  karat play learning_bot.py",
    ]
    bare = author("karat", "--help", status=1, packages="")
    assert bare == (
        "The karat command needs typer; install it with: "
        f'pip install "karat-league[cli] @ {league_address}"\n'
    )
