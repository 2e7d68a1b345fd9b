"""The story of a bot with files, with real processes: it is sent, checked, plays, and is rated."""

import json
import os
import urllib.error
import urllib.request
from hashlib import sha256

import pytest

from runners.bundles.bundle import Bundle
from runners.bundles.pack import pack
from tests.league.home import free_port
from tests.test_story import Site

pytestmark = pytest.mark.stack

BOT = b"""import model
from bots_sdk import Bot


class Network(Bot):
    games = ["basari"]

    def __init__(self):
        with self.open_data("weights/layer.bin") as file:
            self.layer = file.read()

    def decide(self, view, options):
        return model.choose(options, self.layer)
"""
MODEL = b"""def choose(options, layer):
    return options[layer[len(options) % len(layer)] % len(options)]
"""
WEIGHTS = os.urandom(3 << 20)
"""More than any other request may have."""
BUNDLE = Bundle({"bot.py": BOT, "model.py": MODEL, "weights/layer.bin": WEIGHTS})
CHECKED = {"accepted", "rejected", "stuck"}


def send(site, method, path, data, kind):
    """The answer to one request with a body of bytes: its status, and what it says."""
    request = urllib.request.Request(
        site.address + path,
        data=data,
        method=method,
        headers={"Authorization": f"Bearer {site.key}", "Content-Type": kind},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            body = answer.read()
            return answer.status, json.loads(body) if body else None
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def as_form(name, data):
    """A form with one file, and its content type."""
    head = (
        f'--rim\r\nContent-Disposition: form-data; name="source"; filename="{name}"\r\n'
        "Content-Type: application/zip\r\n\r\n"
    )
    return head.encode() + data + b"\r\n--rim--\r\n", "multipart/form-data; boundary=rim"


@pytest.fixture
def site(home):
    key = home.python(
        "from league.accounts.services import create_token\n"
        "user = factories.make_user('mira')\n"
        "tell(create_token(user, 'story', ['read', 'upload'])[1])"
    )
    port = free_port()
    home.start("run", "--port", str(port), "--workers", "1")
    site = Site(port, key)
    site.until("status", lambda status: status["control"] is not None)
    return site


def test_a_bot_with_files_is_checked_plays_and_is_rated(home, site):
    site.ask("bots", {"name": "Network"})
    answer = send(site, "POST", "bots/network/versions", *as_form("bot.zip", pack(BUNDLE)))
    assert answer[0] == 202, answer
    assert answer[1]["digest"] == BUNDLE.digest
    checked = site.until("bots/network/versions/1", lambda version: version["status"] in CHECKED)
    assert checked["status"] == "accepted", checked
    played = site.until("matches?bot=network&status=finished", lambda page: page["items"])
    site.until(
        "leaderboards/basari?show=provisional",
        lambda page: any(row["matches"] for row in page["items"] if row["bot"] == "network"),
    )
    log = site.ask(f"matches/{played['items'][0]['id']}/log")
    assert all(not seat["faults"] for seat in log), log

    better = Bundle({**BUNDLE.files, "weights/layer.bin": WEIGHTS[::-1]})
    files = [
        {"path": file.path, "size": file.size, "digest": file.digest}
        for file in better.listing.files
    ]
    upload = site.ask("bots/network/uploads", {"files": files})
    (missing,) = upload["missing"]
    assert missing == sha256(WEIGHTS[::-1]).hexdigest()
    binary = "application/octet-stream"
    blob = f"uploads/{upload['id']}/blobs/{missing}"
    assert send(site, "PUT", blob, WEIGHTS[::-1], binary) == (204, None)
    assert send(site, "POST", f"uploads/{upload['id']}/finish", b"", binary)[0] == 202
    checked = site.until("bots/network/versions/2", lambda version: version["status"] in CHECKED)
    assert (checked["status"], checked["active"]) == ("accepted", True), checked

    # What is no upload of a member is cut off as ever.
    assert send(site, "POST", "bots", WEIGHTS, "application/json")[0] == 413
    stranger = Site(0, "karat_nobody")
    stranger.address = site.address
    assert send(stranger, "PUT", blob, WEIGHTS, binary)[0] == 401
