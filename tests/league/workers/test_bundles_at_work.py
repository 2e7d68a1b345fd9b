"""Workers play bundles: fetched into an empty cache, and never at a bot's cost if one is lost."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.stack

PLAYERS = """
from league.blobs.models import Blob
from league.bots.bundles import playing as bundles
from tests.league.factories import make_bundle
owner = factories.make_user('mira')
ladder.ensure()
players = [factories.make_bot(name=f"Player {n}") for n in range(2)]
for n, bot in enumerate(players):
    factories.make_version(bot, games=["basari"])
    bot.refresh_from_db()
network = factories.make_bot(owner, "Network")
factories.make_version(network, make_bundle(b"%(weights)s"), games=["basari"])
network.refresh_from_db()
ladder.enrol()
def queue():
    return factories.queue_match([network, *players])
"""
WORK = """
assert worker.walls.hold()
for _ in range(%(jobs)s): worker.work_once()
worker.pool().close()
"""
TOLD = """
match = Match.objects.get()
network = Bot.objects.get(name="Network").active
tell({
    "status": match.status,
    "attempt": match.attempt,
    "void": match.void_because,
    "faults": list(Fault.objects.values_list("code", flat=True)),
    "folder": str(bundles.code(network.source_id).folder),
})
"""


@pytest.fixture
def stage(home):
    """A folder for boxes of its own, whose cache is empty. Boxes get there as another user."""
    folder = Path(tempfile.mkdtemp(prefix="karat-stage-"))
    folder.chmod(0o755)
    home.env["KARAT_STAGE"] = str(folder / "stage")
    yield folder
    home.end()
    subprocess.run(["chmod", "--recursive", "u+rwX", folder], check=True)
    shutil.rmtree(folder)


def test_a_worker_with_an_empty_cache_fetches_the_files_and_keeps_them(home, stage):
    told = home.python(PLAYERS % {"weights": "empty cache"} + "queue()" + WORK % {"jobs": 1} + TOLD)
    assert (told["status"], told["faults"]) == ("finished", []), told
    folder = Path(told["folder"])
    assert folder.is_relative_to(stage)
    assert (folder / "data" / "weights.bin").read_bytes() == b"empty cache"

    # What is in the cache plays although the store has lost it.
    second = home.python(
        "from league.blobs.models import Blob\n"
        "Blob.objects.update(data=None)\n"
        "players = list(Bot.objects.exclude(active=None).select_related('active'))\n"
        "factories.queue_match(players)\n"
        + WORK % {"jobs": 1}
        + "tell(list(Match.objects.values_list('status', flat=True)))"
    )
    assert second == ["finished", "finished"]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        pytest.param("data=None", "is missing", id="missing"),
        pytest.param("data=b'somebody else'", "is damaged", id="damaged"),
    ],
)
def test_a_lost_file_gives_the_match_back_and_blames_nobody(home, damage, reason):
    weights = f"lost: {damage}"
    told = home.python(
        PLAYERS % {"weights": weights.replace("'", "")}
        + f"queue()\nBlob.objects.update({damage})\n"
        + WORK % {"jobs": 4}
        + "match = Match.objects.get()\n"
        + "network.active.refresh_from_db()\n"
        + "benched = network.active.benched_at\n"
        + "tell([match.status, match.attempt, match.void_because, Fault.objects.count(), benched])"
    )
    assert told[:2] == ["void", 3]
    assert reason in told[2]
    assert told[3:] == [0, None]


def test_a_lost_file_lets_a_check_wait_for_staff_and_rejects_nobody(home):
    told = home.python(
        PLAYERS % {"weights": "unchecked"}
        + "bots.upload(network, make_bundle(b'lost before its check'))\n"
        + "Blob.objects.filter(size=21).update(data=None)\n"
        + WORK % {"jobs": 4}
        + "version = BotVersion.objects.get(bot=network, number=2)\n"
        + "tell([version.status, version.code])"
    )
    assert told == ["stuck", ""]


def test_an_old_tree_makes_room_for_a_new_one(home, stage):
    home.env["BUNDLE_CACHE_MIB"] = "1"
    told = home.python(
        PLAYERS % {"weights": "x"} + "folders = []\n"
        "for n in range(4):\n"
        "    version = factories.make_version(network, make_bundle(bytes([n]) * (700 << 10)))\n"
        "    bundles._bundle.cache_clear()\n"
        "    folders.append(str(bundles.code(version.source_id).folder))\n"
        "tell(folders)"
    )
    assert len(set(told)) == 4
    assert [Path(folder).exists() for folder in told] == [False, False, False, True]
