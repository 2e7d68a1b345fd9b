"""Live connections of a real server: what they tell, how many there are, and how they end."""

import gzip
import json
import time

import pytest

from tests.league.home import free_port
from tests.league.stage.listening import Listener, ask

MADE = """
from league.tournaments.models import Tournament
players = [factories.make_player(None, f"Player {n}") for n in range(3)]
for _ in range(2):
    factories.make_match(players)
organiser = factories.make_user("mira")
for name, state in (("Draft", "draft"), ("Open", "open"), ("Gone", "cancelled")):
    cup = factories.make_tournament(organiser, name)
    published = None if state == "draft" else cup.created_at
    Tournament.objects.filter(pk=cup.pk).update(state=state, published_at=published)
"""
ROW = """
from league.stage.models import Stage
tell(Stage.objects.filter(tournament=None).values().get())
"""


@pytest.fixture(scope="module")
def league(empty_home, tmp_path_factory):
    """A served league with room for three streams; behind one proxy of its own."""
    home = type(empty_home)(tmp_path_factory.mktemp("live"))
    home.create(like=empty_home)
    home.env |= {"LIVE_CONNECTIONS": "3", "PROXIES": "1"}
    home.python(MADE)
    home.port = free_port()
    home.web = home.start_web(home.port)
    home.wait_for(f"http://127.0.0.1:{home.port}/healthz")
    yield home
    home.end()


@pytest.fixture
def listen(league):
    """Open streams that end with the test."""
    listeners = []

    def opened(*args, **facts):
        # A stream that was just closed may take the server a moment.
        for _ in range(50):
            listeners.append(Listener(league.port, *args, **facts))
            if listeners[-1].status != 503 or facts.pop("full", False):
                break
            time.sleep(0.05)
        return listeners[-1]

    yield opened
    for listener in listeners:
        listener.close()


def test_a_stream_and_whoever_asks_are_told_the_same(league, listen):
    stream = listen()
    assert stream.headers["content-type"] == "text/event-stream"
    assert stream.headers["x-accel-buffering"] == "no"
    assert stream.headers["x-content-type-options"] == "nosniff"
    state = stream.state()
    status, headers, body = ask(league.port)
    asked = json.loads(body)
    assert status == 200
    assert asked["premiere"]["take"] == state["premiere"]["take"]
    assert asked["pane"] == state["pane"] == "premiere"
    assert asked["premiere"]["head"]["seats"][0]["name"].startswith("Player")
    assert abs(asked["now"] - time.time() * 1000) < 5000
    assert int(headers["x-server-time"]) > 0


def test_everything_so_far_is_one_answer_and_compressed_if_wished(league):
    plain = ask(league.port, "/tv/live?whole")[2]
    _, headers, packed = ask(league.port, "/tv/live?whole", Accept_Encoding="gzip")
    assert headers["content-encoding"] == "gzip"
    for body in (plain, gzip.decompress(packed)):
        whole = json.loads(body)["premiere"]
        assert (whole["from"], whole["steps"][0]["step"]["i"]) == (0, 0)
        assert len(whole["steps"]) == whole["to"] == whole["steps"][-1]["step"]["i"] + 1


def test_a_panel_is_there_with_the_word_that_changes_with_it(league):
    digests = json.loads(ask(league.port)[2])["panels"]
    assert set(digests) >= {"join"}
    for name, digest in digests.items():
        status, headers, plain = ask(league.port, f"/tv/live?panel={name}")
        _, packed_headers, packed = ask(
            league.port, f"/tv/live?panel={name}&event=", Accept_Encoding="gzip"
        )
        assert (status, headers["x-digest"], packed_headers["x-digest"]) == (200, digest, digest)
        assert headers["content-type"].startswith("text/html")
        assert b"<h2>" in plain
        assert gzip.decompress(packed) == plain
    assert "Open" in ask(league.port, "/tv/live?panel=next&event=open")[2].decode()
    assert ask(league.port, "/tv/live?panel=standings")[0] == 404


def test_what_has_not_changed_is_not_sent_again(league):
    league.python("from league.stage.models import Stage; Stage.objects.update(running_since=None)")
    time.sleep(1.1)
    _, headers, _ = ask(league.port)
    # A proxy that compresses answers weakens their tags.
    for tag in (headers["etag"], f"W/{headers['etag']}"):
        status, again, body = ask(league.port, If_None_Match=tag)
        assert (status, body) == (304, b"")
        assert int(again["x-server-time"]) > 0


def test_a_stream_goes_on_as_the_match_does_and_tells_of_a_change_within_a_second_or_two(
    league, listen
):
    league.python(
        "from django.utils import timezone\nfrom league.stage.models import Stage\n"
        "Stage.objects.update(running_since=timezone.now(), position_ms=0, take=F('take') + 1)"
    )
    stream = listen()
    counts = [stream.state()["premiere"]["to"] for _ in range(3)]
    assert counts == sorted(set(counts))
    league.python("from league.stage.models import Stage; Stage.objects.update(speed=4.0)")
    changed_at = time.monotonic()
    while stream.state()["premiere"]["speed"] != 4.0:
        pass
    assert time.monotonic() - changed_at < 8


def test_nothing_is_read_while_nobody_listens(league, listen):
    stream = listen()
    stream.state()
    stream.close()
    # The match would be over long ago, so whoever looked would begin another.
    league.python(
        "from league.stage.models import Stage\n"
        "Stage.objects.update(position_ms=10**8, revision=F('revision') + 1)"
    )
    time.sleep(2.5)
    before = league.python(ROW)
    assert before["position_ms"] == 10**8
    listen().state()
    assert league.python(ROW)["revision"] > before["revision"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/tv/live?event=open", 200),
        ("/tv/live?event=draft", 404),
        ("/tv/live?event=nobody", 404),
        ("/tv/live?event=gone", 410),
        ("/tv/live?event=%00", 404),
        ("/tv/live/", 404),
    ],
)
def test_an_event_that_is_not_public_is_as_if_it_were_not_there(league, path, status):
    assert ask(league.port, path)[0] == status
    if status == 404:
        assert ask(league.port, path, Accept="text/event-stream")[0] == status


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        pytest.param({"method": "POST"}, 405, id="writing"),
        pytest.param({"Host": "elsewhere.example"}, 400, id="another host"),
        pytest.param({"method": "HEAD"}, 200, id="head"),
        pytest.param({"path": "/tv/live?" + "&a" * 1001}, 400, id="too many fields"),
    ],
)
def test_strange_requests_are_answered_in_one_line(league, facts, status):
    assert ask(league.port, **facts)[0] == status


def test_beyond_the_bound_there_is_no_stream_but_asking_works(league, listen):
    streams = [listen() for _ in range(3)]
    assert [stream.status for stream in streams] == [200] * 3
    fourth = listen(full=True)
    assert fourth.status == 503
    assert int(fourth.headers["retry-after"]) > 0
    assert ask(league.port)[0] == 200
    streams[0].close()
    assert listen().status == 200


def test_names_that_belong_to_no_wall_keep_nobody_out(league, listen):
    for number in range(40):
        assert ask(league.port, f"/tv/live?event=nobody-{number}")[0] == 404
    assert listen().status == 200
    assert listen("open").status == 200


def test_a_server_that_stops_lets_its_streams_go_at_once(league, listen):
    stream = listen()
    stream.state()
    stopped_at = time.monotonic()
    league.web.terminate()
    assert stream.is_at_its_end()
    league.web.wait(20)
    assert time.monotonic() - stopped_at < 8
    league.web = league.start_web(league.port)
    league.wait_for(f"http://127.0.0.1:{league.port}/healthz")
    assert listen().state()["pane"] == "premiere"
