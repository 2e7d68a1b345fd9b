"""The page of the playground: run, wait, watch, and take the code along to the league."""

import uuid

import pytest
from django.conf import settings
from django.test import Client

from bots_sdk.starters import starter
from engine.registry import GAMES
from league.playground import services
from league.playground.forms import usual_setup
from league.playground.models import PlaygroundRun
from league.playground.views import editor
from league.web import throttling
from tests.league.factories import make_user
from tests.league.playground.runs import make_run, play
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
BASARI = usual_setup("basari")
NOTED = BASARI["code"].replace("        return", '        self.note("a secret")\n        return')


@pytest.fixture(autouse=True)
def one_minute(monkeypatch):
    """All that a test does happens within one window of the limits."""
    monkeypatch.setattr(throttling, "time", lambda: 1_000_000_000.0)


def post(client=None, **fields):
    address = fields.pop("address", "203.0.113.9")
    headers = fields.pop("headers", {})
    client = client or Client()
    return client.post("/play/", {**BASARI, **fields}, headers=headers, REMOTE_ADDR=address)


@pytest.mark.parametrize("game", GAMES)
def test_it_begins_with_the_starter_bot_of_the_game_and_a_table_for_it(client, game):
    page = client.get("/play/", {"game": game})
    assert page.context["form"].initial["code"] == starter(game)
    setup = usual_setup(game)
    assert post(client, **setup).status_code == 302
    run = PlaygroundRun.objects.get()
    assert (run.game, run.seat_count) == (game, min(GAMES[game].seats))
    assert run.seed


def test_a_guest_without_javascript_runs_refreshes_and_watches(client):
    page = client.get(post(client, code=NOTED, seed="my seed").url)
    assert f'<a href="{page.wsgi_request.path}">Refresh</a>' in page.content.decode()
    assert "You are number 1 in the queue, about 1 s." in text_of(page)
    run = play(PlaygroundRun.objects.get())
    page = client.get(run.get_absolute_url())
    text = text_of(page)
    assert f"{run.decisions} decisions, slowest" in text
    assert "no faults" in text
    assert "a secret" in text
    assert "my seed" in text
    assert "Refresh" not in page.content.decode()
    assert page["X-Robots-Tag"] == "noindex"


def test_with_htmx_only_the_outcome_is_sent_and_asks_again_until_it_is_there(client):
    waiting = post(client, headers=HTMX)
    assert waiting.status_code == 200
    assert "<html" not in waiting.content.decode()
    assert 'hx-trigger="load delay:150ms"' in waiting.content.decode()
    run = play(PlaygroundRun.objects.get())
    finished = client.get(run.get_absolute_url(), headers=HTMX)
    assert finished["HX-Retarget"] == "#run"
    assert "data-karat-viewer" in finished.content.decode()
    record = client.get(f"{run.get_absolute_url()}record.json").json()
    assert record["game"] == "basari"


def test_a_file_that_is_no_bot_is_explained_and_never_queued():
    broken = BASARI["code"].replace("options: Sequence[str]) -> str:", "options)", 1)
    for headers, status in (({}, 422), (HTMX, 200)):
        answer = post(code=broken, headers=headers)
        assert answer.status_code == status
        assert "E101 Python cannot read the file" in text_of(answer)
    assert not PlaygroundRun.objects.exists()


def test_a_bot_of_another_game_and_a_table_that_does_not_fit_are_explained():
    answer = post(code=starter("edelsteinsuche"))
    assert "E107 The bot does not play this game" in text_of(answer)
    answer = post(opponent_2="")
    assert "Choose 2 to 4 opponents for this game." in text_of(answer)
    assert post(opponent_1="../secret").status_code == 422
    assert not PlaygroundRun.objects.exists()


def test_changing_the_game_without_javascript_keeps_code_that_was_edited(client):
    form = {**BASARI, "game": "edelsteinsuche", "choose": "1"}
    page = client.post("/play/", form)
    assert page.context["form"].initial["code"] == starter("edelsteinsuche")
    page = client.post("/play/", {**form, "code": "mine"})
    assert page.context["form"].initial["code"] == "mine"
    assert not PlaygroundRun.objects.exists()


def test_the_same_deal_again_keeps_the_seed_of_the_last_run(client):
    post(client, again="the last one", seed="another")
    assert PlaygroundRun.objects.get().seed == "the last one"


def test_whoever_runs_too_often_is_told_when_to_come_back(client, monkeypatch):
    monkeypatch.setattr(editor, "read_for", lambda *_: editor.Reading("x", (), "B", ("basari",)))
    statuses = [post(client).status_code for _ in range(editor.RUNS_OF_CLIENT.max_events + 1)]
    assert (statuses[-2], statuses[-1]) == (302, 429)
    answer = post(client, headers=HTMX)
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert f"Try again in {answer['Retry-After']} s" in text_of(answer)


def test_a_class_of_sixty_at_one_address_runs_ten_times_a_minute(monkeypatch):
    monkeypatch.setattr(editor, "read_for", lambda *_: editor.Reading("x", (), "B", ("basari",)))
    pupils = [Client() for _ in range(60)]
    assert {post(pupil).status_code for pupil in pupils for _ in range(10)} == {302}
    assert PlaygroundRun.objects.count() == 60
    assert post().status_code == 429
    assert post(address="203.0.113.10").status_code == 302


def test_a_thousand_posts_of_one_guest_make_one_row(client, monkeypatch):
    monkeypatch.setattr(editor, "read_for", lambda *_: editor.Reading("x", (), "B", ("basari",)))
    for _ in range(1000):
        post(client)
    assert PlaygroundRun.objects.count() == 1


def test_a_user_runs_in_their_own_lane(client):
    user = make_user()
    client.force_login(user)
    post(client)
    run = PlaygroundRun.objects.get()
    assert (run.owner, run.lane) == (user, f"user-{user.pk}")
    user.delete()
    assert not PlaygroundRun.objects.exists()


def test_a_run_is_seen_by_whoever_knows_its_address_and_listed_nowhere():
    run = play(make_run(code=NOTED))
    stranger = Client()
    assert stranger.get(f"/play/runs/{uuid.uuid4()}/").status_code == 404
    assert stranger.get(f"/play/runs/{uuid.uuid4()}/record.json").status_code == 404
    assert stranger.get(run.get_absolute_url()).status_code == 200
    for path in ("/", "/matches/", "/status/", "/sitemap.xml", "/api/v1/matches", "/search/?q=bot"):
        assert str(run.key) not in stranger.get(path).content.decode()


def test_when_all_places_for_guests_are_taken_the_page_says_how_long(monkeypatch):
    monkeypatch.setattr(services, "MAX_WAITING_GUESTS", 0)
    answer = post(headers=HTMX)
    assert answer.status_code == 429
    assert "Try again in 1 s" in text_of(answer)


def test_uploading_takes_the_code_along_to_the_form_that_asks_for_a_name(client):
    answer = client.post("/play/upload/", {"code": NOTED})
    assert answer.url == "/bots/new/"
    form = client.get("/bots/new/").context["form"]
    assert form.initial["code"] == NOTED
    large = "x" * (settings.LIMITS.source_kib << 11)
    Client().post("/play/upload/", {"code": large})
    assert client.get("/bots/new/").context["form"].initial["code"] == NOTED


def test_an_operator_can_switch_it_off(client, settings):
    settings.PLAYGROUND = False
    assert client.get("/play/").url == "/bots/new/"
    assert post(client).status_code == 404
    assert not PlaygroundRun.objects.exists()


def test_a_run_that_our_side_could_not_play_is_never_the_fault_of_the_bot(client):
    run = make_run()
    PlaygroundRun.objects.update(status=PlaygroundRun.Status.STUCK)
    text = text_of(client.get(run.get_absolute_url()))
    assert "This did not work because of us." in text
    assert "Your bot is not to blame" in text
