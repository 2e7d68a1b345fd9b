"""Bots with files from `karat push` to the league's checks: the client against the real API."""

import time

import pytest

from bots_sdk.client.api import Client
from bots_sdk.client.bundle_uploads import BundleUpload
from league.bots import checks
from runners.bundles.bundle import Bundle
from tests import programs
from tests.bots_sdk.test_cli import KARAT, ROOT
from tests.league import factories

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    "bot.py": factories.SOURCE.encode() + b"\nimport model\n",
    "model.py": b"",
    "data/a.bin": bytes(300_000),
    "data/b.bin": b"b" * 1000,
}


@pytest.fixture
def client(live_server):
    key = factories.make_key(factories.make_user("mira"), "upload", "read")
    client = Client(live_server.url, key)
    client.key = key
    return client


def test_a_bundle_is_uploaded_in_parts_and_the_same_again_is_the_same_version(client):
    slug = client.create_bot("Tin Cup")
    uploaded = BundleUpload(client, slug, Bundle(FILES), "first").send()
    assert (uploaded.number, uploaded.done) == (1, False)
    assert checks.run(checks.claim())
    assert client.version(slug, 1).status == "accepted"
    sent = []
    changed = Bundle({**FILES, "model.py": b"A = 1\n"})
    report = lambda done, total: sent.append(total)  # noqa: E731
    assert BundleUpload(client, slug, changed, report=report).send().number == 2
    assert set(sent) == {6}
    again = BundleUpload(client, slug, Bundle(FILES)).send()
    assert (again.number, again.reused) == (1, True)


def test_karat_push_sends_a_folder_and_follows_its_checks(client, tmp_path):
    for name, data in FILES.items():
        path = tmp_path / "my_bot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    account = {"KARAT_URL": client.url, "KARAT_TOKEN": client.key, "XDG_CONFIG_HOME": str(tmp_path)}
    command = [*KARAT, "push", "my_bot", "--no-check"]
    environment = {"PYTHONPATH": str(ROOT), **account}
    with programs.running(command, cwd=tmp_path, env=environment, stdout=-1, text=True) as pushing:
        while (lease := checks.claim()) is None and pushing.poll() is None:
            time.sleep(0.05)
        version = checks.run(lease) if lease else None
        shown, _ = pushing.communicate(timeout=60)
    assert pushing.returncode == 0, shown
    assert shown.startswith("Uploaded MyBot v1. Checks passed in ")
    assert version.source.bundle
