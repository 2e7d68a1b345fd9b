"""Uploading bundles: only what the league lacks, on through broken connections, to old leagues."""

import pytest

from bots_sdk.client.api import Client, ConnectionLost, NoLeague, Refused
from bots_sdk.client.bundle_uploads import PAUSES_SECONDS, BundleUpload, TooOld
from runners.bundles.bundle import Bundle
from tests.bots_sdk.small_league import KEY, small_league
from tests.bots_sdk.test_cli import karat
from tests.runners.bundles.local_bundles import FIRST, write

WEIGHTS = bytes(range(256)) * 1000
BUNDLE = Bundle({"bot.py": FIRST.encode(), "data/a.npy": WEIGHTS, "data/b.npy": WEIGHTS, "x": b""})


@pytest.fixture
def league():
    with small_league() as (league, url):
        league.url = url
        yield league


@pytest.fixture
def upload(league):
    """An upload that does not really wait; what it would have waited is in `pauses`."""

    def upload(bundle=BUNDLE, **how):
        made = BundleUpload(
            Client(league.url, KEY), "elder", bundle, "a note", pause=pauses.append, **how
        )
        made.pauses = pauses
        return made

    pauses = []
    return upload


def contents_sent(league):
    return [body for method, _, body in league.asked if method == "PUT"]


def test_every_content_is_sent_once_and_the_version_is_told(league, upload):
    version = upload().send()
    assert (version.number, version.status) == (1, "waiting")
    method, path, announced = league.asked[0]
    assert (method, path) == ("POST", "bots/elder/uploads")
    assert announced["note"] == "a note"
    assert [(file["path"], file["size"]) for file in announced["files"]] == [
        *(("bot.py", len(FIRST)), ("data/a.npy", 256_000), ("data/b.npy", 256_000), ("x", 0))
    ]
    assert sorted(contents_sent(league)) == sorted([FIRST.encode(), WEIGHTS, b""])
    assert league.asked[-1][:2] == ("POST", "uploads/1/finish")


def test_what_the_league_has_already_is_not_sent_again(league, upload):
    upload().send()
    changed = Bundle({**BUNDLE.files, "bot.py": FIRST.encode() + b"# changed\n"})
    league.asked.clear()
    upload(changed).send()
    assert contents_sent(league) == [FIRST.encode() + b"# changed\n"]


def test_progress_counts_the_bytes_that_are_sent_and_ends_at_the_whole(upload):
    steps = []
    upload(report=lambda sent, total: steps.append((sent, total))).send()
    total = len(FIRST) + len(WEIGHTS)
    assert {total} == {whole for _, whole in steps}
    counts = [sent for sent, _ in steps]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, total)
    assert len(set(counts)) > 10


def test_a_broken_connection_goes_on_where_it_stopped(league, upload):
    league.broken_requests = 2
    sending = upload()
    assert sending.send().number == 1
    assert sending.pauses == [*PAUSES_SECONDS[:2]]
    assert len(league.uploads) == 1
    assert len(contents_sent(league)) == 3


def test_a_league_that_is_busy_is_asked_again(league, upload):
    league.busy_answers = 1
    sending = upload()
    assert sending.send().number == 1
    assert sending.pauses == [PAUSES_SECONDS[0]]


def test_it_gives_up_when_nothing_gets_through_any_more(league, upload):
    league.broken_requests = 100
    sending = upload()
    with pytest.raises(ConnectionLost):
        sending.send()
    assert sending.pauses == [*PAUSES_SECONDS]


def test_a_refusal_is_not_tried_again(league, upload):
    sending = upload()
    sending._client = Client(league.url, "another key")
    with pytest.raises(Refused):
        sending.send()
    assert sending.pauses == []


def test_a_league_without_bundles_is_too_old(league, upload):
    league.knows_bundles = False
    with pytest.raises(TooOld):
        upload().send()


@pytest.mark.parametrize("missing", ['["00"]', "[[]]", "{}", "null"])
def test_an_answer_that_is_no_upload_is_not_taken_for_one(league, upload, missing):
    body = f'{{"id": "1", "missing": {missing}}}'.encode()
    league.answer_instead = 201, {"Content-Length": str(len(body))}, body
    with pytest.raises(NoLeague):
        upload().send()


@pytest.fixture
def push(league, tmp_path):
    """`karat push` in a folder with a bundle, by a user with a key."""
    write(tmp_path / "newcomer", {"bot.py": FIRST, "w.npy": WEIGHTS})

    def push(*arguments):
        account = {"KARAT_URL": league.url, "KARAT_TOKEN": KEY, "XDG_CONFIG_HOME": str(tmp_path)}
        return karat("push", *arguments, cwd=tmp_path, environment=account)

    return push


@pytest.mark.parametrize("form", ["newcomer", "newcomer.zip"])
def test_push_sends_a_folder_or_a_zip_and_follows_its_checks(league, push, tmp_path, form):
    if form.endswith(".zip"):
        assert karat("pack", "newcomer", "--compress", cwd=tmp_path).returncode == 0
    pushed = push(form, "--bot", "Elder")
    assert pushed.returncode == 0, pushed.stderr
    assert pushed.stdout.startswith("Uploaded First v1. Checks passed in 3 s.")
    assert sorted(contents_sent(league)) == sorted([FIRST.encode(), WEIGHTS])


def test_push_says_that_a_league_is_too_old_for_bundles(league, push):
    league.knows_bundles = False
    pushed = push("newcomer", "--bot", "elder", "--no-check")
    assert (pushed.returncode, pushed.stdout) == (1, "")
    assert pushed.stderr.startswith(
        "This league takes bots of a single .py file only: it is too old"
    )


def test_push_does_not_send_a_folder_that_is_no_bundle(league, push, tmp_path):
    (tmp_path / "newcomer" / "fast.so").touch()
    pushed = push("newcomer")
    assert pushed.returncode == 2
    assert "`newcomer/fast.so`: compiled modules cannot be loaded in a box" in pushed.stderr
    assert not league.asked
