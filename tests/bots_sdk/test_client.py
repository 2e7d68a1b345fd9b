"""The API client and the commands that use it, against a real HTTP server."""

import json
import stat

import pytest

from bots_sdk.client.api import MAX_BYTES, Client, NoLeague, Refused
from tests.bots_sdk.small_league import FAILED, KEY, small_league
from tests.bots_sdk.test_cli import karat

BOT = """
from bots_sdk import Bot

class Newcomer(Bot):
    def decide(self, view, options):
        return options[0]
"""

WRONG = """
from bots_sdk import Bot

class Wrong(Bot):
    def decide(self, view, options):
        raise LookupError
"""


@pytest.fixture
def league():
    with small_league() as (league, url):
        league.url = url
        yield league


@pytest.fixture
def run(league, tmp_path):
    """A karat of a user who has no key yet, in a folder with a bot."""
    (tmp_path / "newcomer.py").write_text(BOT, encoding="utf-8")

    def run(*arguments, **environment):
        home = {"XDG_CONFIG_HOME": str(tmp_path / "config"), **environment}
        return karat(*arguments, cwd=tmp_path, environment=home)

    return run


def test_a_version_is_uploaded_and_its_checks_are_followed(league):
    client = Client(league.url, KEY)
    uploaded = client.upload("elder", BOT, "a note")
    assert (uploaded.number, uploaded.status, uploaded.done) == (1, "waiting", False)
    assert league.asked[-1] == (
        *("POST", "bots/elder/versions"),
        {"source": BOT, "note": "a note"},
    )
    assert not client.version("elder", 1).done
    assert client.version("elder", 1).status == "accepted"


def test_a_refusal_comes_with_the_code_and_the_words_of_the_league(league):
    with pytest.raises(Refused) as refused:
        Client(league.url, "wrong").me()
    assert (refused.value.status, refused.value.code) == (401, "L007")
    assert str(refused.value) == "L007 Access refused. The access key is unknown. Try another."


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        pytest.param((200, {}, b"<html>"), "did not answer as a league does", id="no JSON"),
        pytest.param((200, {}, b"[1]"), "did not answer as a league does", id="no object"),
        pytest.param((200, {}, b"[" * 99_999), "did not answer as a league", id="nested deeply"),
        pytest.param((502, {}, b"Bad gateway"), "The answer was 502", id="a proxy"),
        pytest.param(
            (200, {"Content-Length": "999"}, b"{"), "broke off", id="an answer that is cut"
        ),
        pytest.param(
            (302, {"Location": "http://elsewhere.example/"}, b""),
            "The league moved to http://elsewhere.example/",
            id="a key is never carried elsewhere",
        ),
        pytest.param((200, {}, b"x" * (MAX_BYTES + 1)), "larger than any record", id="too much"),
    ],
)
def test_whatever_is_not_a_league_is_said_in_a_sentence(league, answer, sentence):
    league.answer_instead = answer
    with pytest.raises(NoLeague, match=sentence):
        Client(league.url, KEY).me()


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"number": "1", "status": "x", "url": "y"},
        {"number": 1, "status": "x", "url": "y", "steps": [1]},
        {"number": 1, "status": "x", "url": "y", "steps": [{"text": "t", "message": "no"}]},
    ],
)
def test_a_version_without_its_fields_is_not_taken_for_one(league, answer):
    league.answer_instead = 200, {}, json.dumps(answer).encode()
    with pytest.raises(NoLeague):
        Client(league.url, KEY).version("elder", 1)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "league.example", "ftp://x", ""])
def test_only_addresses_of_the_web_are_asked(url):
    with pytest.raises(NoLeague, match="is not the address of a league"):
        Client(url)


def test_a_league_that_is_not_there_cannot_be_reached():
    with pytest.raises(NoLeague, match="cannot be reached: Connection refused"):
        Client("http://127.0.0.1:9", KEY).me()


def test_login_keeps_a_key_that_works_for_its_owner_alone(league, run, tmp_path):
    refused = run("login", "--url", league.url, "--token", "wrong")
    assert refused.returncode == 1
    assert refused.stderr == "L007 Access refused. The access key is unknown. Try another.\n"
    assert not (tmp_path / "config").exists()
    signed_in = run("login", "--url", league.url, KARAT_TOKEN=KEY)
    assert signed_in.returncode == 0, signed_in.stderr
    path = tmp_path / "config" / "karat" / "league.json"
    assert signed_in.stdout == (
        f"Hello Ada. The key is saved in {path}.\nNext:  karat push my_bot.py\n"
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert KEY not in signed_in.stdout + signed_in.stderr


def test_push_founds_the_bot_follows_the_checks_and_tells_the_result(league, run):
    run("login", "--url", league.url, "--token", KEY)
    pushed = run("push", "newcomer.py", "-m", "first try")
    assert pushed.returncode == 0, pushed.stderr
    assert pushed.stdout == (
        "Uploaded Newcomer v1. Checks passed in 3 s. Smoke match: 2nd of 4.\n"
        "Watch it:   https://league.example/uploads/9/smoke/basari/\n"
        "Follow it:  https://league.example/bots/newcomer/versions/1/\n"
    )
    sent = [(method, path, body) for method, path, body in league.asked if method == "POST"]
    assert sent == [
        ("POST", "bots", {"name": "Newcomer"}),
        ("POST", "bots/newcomer/versions", {"source": BOT, "note": "first try"}),
    ]
    league.reused = True
    again = run("push", "newcomer.py", "--bot", "newcomer", "--json")
    assert json.loads(again.stdout)["reused"] is True


def test_push_without_a_key_shows_the_way_to_one(league, run):
    pushed = run("push", "newcomer.py", KARAT_URL=league.url)
    assert pushed.returncode == 1
    assert pushed.stdout == (
        f"No access key yet. Open {league.url}/me/tokens/ , create a key and run:\n  karat login\n"
    )
    assert league.asked == []


def test_push_explains_what_the_league_does_not_take(league, run):
    league.steps = FAILED
    pushed = run("push", "newcomer.py", KARAT_URL=league.url, KARAT_TOKEN=KEY)
    assert pushed.returncode == 1
    assert "no  2 E105 This import is not allowed\nnewcomer.py:2\n" in pushed.stdout
    assert "Line 2: `import requests`. Bots run without network" in pushed.stdout


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        pytest.param(
            {"status": "stuck"},
            "Uploaded Newcomer v1. S002 We cannot read our own answer. Something on our side"
            " broke. Your upload is stored. Staff have been told.\n",
            id="the league itself failed",
        ),
        pytest.param(
            {"status": "accepted", "reused": True, "benched_because": "3 faults"},
            "The league has this code already: Newcomer v1 is benched: 3 faults. Unbench it if"
            " you think it was our fault, or change the code.\n",
            id="the very code that sits on the bench",
        ),
    ],
)
def test_push_ends_with_1_when_the_version_does_not_play(league, run, facts, told):
    league.steps, league.facts = [], facts
    pushed = run("push", "newcomer.py", KARAT_URL=league.url, KARAT_TOKEN=KEY)
    assert (pushed.returncode, pushed.stderr) == (1, "")
    assert pushed.stdout.startswith(told)


def test_push_does_not_send_a_file_that_holds_no_bot(league, run, tmp_path):
    (tmp_path / "nothing.py").write_text("print(1)\n", encoding="utf-8")
    key = {"KARAT_URL": league.url, "KARAT_TOKEN": KEY}
    pushed = run("push", "nothing.py", "--no-check", **key)
    assert pushed.returncode == 1
    assert pushed.stderr.startswith("E102 No bot class found.")
    assert league.asked == []


def test_push_checks_here_first_and_says_how_to_skip_it(league, run, tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    key = {"KARAT_URL": league.url, "KARAT_TOKEN": KEY}
    pushed = run("push", "wrong.py", **key)
    assert pushed.returncode == 1
    assert "no  6 E303 " in pushed.stdout
    assert pushed.stdout.endswith(
        "Not uploaded. To upload it nevertheless:  karat push wrong.py --no-check\n"
    )
    as_json = run("push", "wrong.py", "--json", **key)
    assert as_json.returncode == 1
    assert json.loads(as_json.stdout)["status"] == "not uploaded"
    assert league.asked == []
    assert run("push", "wrong.py", "--no-check", **key).returncode == 0
    assert [body["name"] for method, path, body in league.asked if path == "bots"] == ["Wrong"]


def test_without_boxes_push_reads_the_file_and_says_so(league, run, tmp_path):
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    key = {"KARAT_URL": league.url, "KARAT_TOKEN": KEY, "SANDBOX": "bwrap", "PATH": "/nowhere"}
    pushed = run("push", "wrong.py", **key)
    assert pushed.returncode == 0, pushed.stdout
    assert pushed.stderr == (
        "This machine has no boxes, so the bot was only read, not started; the league does all.\n"
    )
    (tmp_path / "nothing.py").write_text("print(1)\n", encoding="utf-8")
    assert "E102 No bot class found" in run("push", "nothing.py", **key).stdout


def test_a_bot_is_named_as_in_its_address_or_by_its_name(league, run):
    league.bots = [{"name": "Sapphire Shark", "slug": "sapphire-shark"}]
    key = {"KARAT_URL": league.url, "KARAT_TOKEN": KEY}
    for word in ("sapphire-shark", "Sapphire Shark", "sapphire shark"):
        pushed = run("push", "newcomer.py", "--no-check", "--bot", word, "--json", **key)
        assert json.loads(pushed.stdout)["bot"] == "sapphire-shark"
    wrong = run("push", "newcomer.py", "--no-check", "--bot", "saphire-shark", **key)
    assert wrong.returncode == 1
    assert wrong.stderr == (
        "You have no bot 'saphire-shark'; you have sapphire-shark. Did you mean sapphire-shark?\n"
    )


def test_a_kept_key_is_not_sent_to_another_league(league, run):
    run("login", "--url", league.url, "--token", KEY)
    with small_league() as (other, url):
        pushed = run("push", "newcomer.py", KARAT_URL=url)
        assert pushed.returncode == 1
        assert "No access key yet" in pushed.stdout
        assert other.asked == []


def test_a_step_of_a_match_of_the_league_is_asked_again(league, run, tmp_path):
    run("play", "edelsteinsuche", "--bots", "newcomer.py,random", "--record", "x.json")
    league.record = (tmp_path / "x.json").read_bytes()
    first = next(
        step
        for step in json.loads(league.record)["steps"]
        if step.get("seat") == 0 and not step["forced"]
    )
    asked = run(
        *("rerun", "48211", "--step", first["i"], "newcomer.py", "--json"), KARAT_URL=league.url
    )
    assert asked.returncode == 0, asked.stderr
    assert league.asked[-1][1] == "matches/48211/record"
    answer = json.loads(asked.stdout)
    assert answer["move"] == answer["recorded"] == first["move"]
