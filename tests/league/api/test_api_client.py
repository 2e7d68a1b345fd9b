"""The authors' client and command against the league itself, over HTTP."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bots_sdk.client.api import Client, Refused
from league.bots import checks
from tests.league import factories

pytestmark = pytest.mark.django_db(transaction=True)

# Reading alone rejects it, so that this needs no box.
REJECTED = f"import socket\n{factories.SOURCE}"


def test_what_the_client_expects_is_what_the_league_answers(live_server):
    client = Client(
        live_server.url, factories.make_key(factories.make_user("mira"), "upload", "read")
    )
    slug = client.create_bot("Tin Cup")
    uploaded = client.upload(slug, REJECTED, "first")
    assert (uploaded.number, uploaded.place_in_queue, uploaded.done) == (1, 1, False)
    assert checks.run(checks.claim())
    checked = client.version(slug, 1)
    assert (checked.status, checked.steps[-1]["message"]["code"]) == ("rejected", "E105")
    assert checked.url.startswith(live_server.url)
    assert client.me()["bots"] == [{"slug": "tin-cup", "name": "Tin Cup"}]
    match = factories.make_match([factories.make_player() for _ in range(3)])
    assert b'"digest"' in client.record(str(match.pk))


def test_a_refusal_comes_in_the_words_of_the_league(live_server):
    client = Client(live_server.url, factories.make_key(factories.make_user(), "read"))
    with pytest.raises(Refused, match=r"L007 Access refused.*scope `upload`") as refused:
        client.create_bot("Tin Cup")
    assert refused.value.status == 403


@pytest.mark.parametrize(
    ("scopes", "explained"),
    [
        pytest.param(["upload", "read"], "`import socket`", id="a key that may read"),
        pytest.param(["upload"], "a key with the scope `read` sees more", id="one that may not"),
    ],
)
def test_karat_push_founds_the_bot_uploads_the_file_and_tells_what_the_checks_said(
    live_server, tmp_path, scopes, explained
):
    file = tmp_path / "my_bot.py"
    file.write_text(REJECTED)
    key = factories.make_key(factories.make_user("mira"), *scopes)
    account = {"KARAT_URL": live_server.url, "KARAT_TOKEN": key, "XDG_CONFIG_HOME": str(tmp_path)}
    pushing = subprocess.Popen(
        [Path(sys.executable).with_name("karat"), "push", file, "-m", "first try", "--no-check"],
        env={**os.environ, **account},
        stdout=subprocess.PIPE,
        text=True,
    )
    while (lease := checks.claim()) is None and pushing.poll() is None:
        time.sleep(0.05)
    version = checks.run(lease) if lease else None
    said, _ = pushing.communicate(timeout=60)
    assert pushing.returncode == 1
    assert "Uploaded MyBot v1. It did not pass its checks." in said
    assert "E105" in said
    assert explained in said
    assert (version.bot.slug, version.note, version.status) == ("mybot", "first try", "rejected")
