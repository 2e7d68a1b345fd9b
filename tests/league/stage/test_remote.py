"""The remote: who may press, what a press does, and what a late press does not."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.matches.models import Match, Record
from league.stage import services
from league.stage.choices import choices_of
from league.stage.models import Stage
from league.stage.views.remote import PRESSES
from league.tournaments.models import Game, Role
from tests.league.factories import make_match, make_tournament, make_user
from tests.league.stage.evenings import evening, pane, sealed_match
from tests.league.tournaments.sealing.events import make_event, play_all

pytestmark = pytest.mark.django_db


def signed_in(user):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def press(client, event, do, revision=0, **data):
    """Press a button of the remote, as htmx does."""
    address = reverse("stage:press", args=[event.slug, do])
    return client.post(address, {"revision": revision, **data}, headers={"HX-Request": "true"})


MAY_HOLD = {
    "organiser": 200,
    "co-organiser": 200,
    "staff": 200,
    "referee": 403,
    "player": 403,
    "guest": 302,
}


def test_only_organisers_and_staff_hold_the_remote():
    stage, event = evening()
    users = {"guest": None, "organiser": event.organiser, "player": make_user()}
    users |= {"staff": make_user(is_staff=True)}
    for kind, name in (("referee", "referee"), ("organiser", "co-organiser")):
        users[name] = make_user()
        Role.objects.create(tournament=event, user=users[name], kind=kind)
    remote = reverse("stage:remote", args=[event.slug])
    for who, status in MAY_HOLD.items():
        client = signed_in(users[who])
        stage.refresh_from_db()
        before = stage.revision
        assert client.get(remote).status_code == status, who
        assert press(client, event, "pane", before, pane="standings").status_code == status, who
        late = press(client, event, "reveal", before, key="round-1")
        assert late.status_code == status, who
        stage.refresh_from_db()
        assert (stage.revision > before) is (status == 200), who
    assert not event.rounds.exclude(revealed_at=None).exists()


def test_a_press_needs_the_token_of_the_form():
    _, event = evening()
    client = Client(enforce_csrf_checks=True)
    client.force_login(event.organiser)
    assert press(client, event, "pause").status_code == 403


def test_a_premiere_is_begun_held_sped_up_and_taken_back():
    stage, event = evening()
    client, match = signed_in(event.organiser), sealed_match(event)
    assert match.sealed
    press(client, event, "match", 0, match=match.pk)
    stage.refresh_from_db()
    assert (stage.match, stage.take, stage.position_ms) == (match, 1, 0.0)
    assert pane(stage) == "premiere"
    press(client, event, "speed", 1, speed="4")
    press(client, event, "pause", 2)
    stage.refresh_from_db()
    assert (stage.speed, stage.running_since) == (4.0, None)
    # It holds where the walls are when they hear of it.
    assert 0 < stage.position_ms < 30_000
    Stage.objects.update(position_ms=30_000)
    press(client, event, "back", 3)
    stage.refresh_from_db()
    assert (stage.position_ms, stage.take, stage.running_since) == (20_000, 2, None)
    press(client, event, "play", 4)
    stage.refresh_from_db()
    assert stage.running_since is not None


@pytest.mark.parametrize("speed", [0.5, 8.0])
def test_nothing_jumps_when_walls_hear_of_another_speed(speed):
    stage, event = evening()
    services.begin(stage, 0, sealed_match(event))
    Stage.objects.update(running_since=timezone.now() - timedelta(seconds=9), speed=2.0)
    before = services.clock_of(Stage.objects.get())
    services.set_speed(stage, 1, speed)
    after = services.clock_of(Stage.objects.get())
    assert after.since_ms > services.milliseconds(timezone.now())
    assert after.position(after.since_ms) == pytest.approx(before.position(after.since_ms))


def test_a_match_begins_at_speed_1_when_all_walls_have_heard_of_it():
    stage, event = evening()
    Stage.objects.update(speed=8.0)
    services.begin(stage, 0, sealed_match(event))
    stage.refresh_from_db()
    assert (stage.speed, stage.position_ms) == (1.0, 0.0)
    assert stage.running_since > timezone.now()


def test_a_match_that_cannot_be_told_cannot_be_chosen():
    stage, event = evening()
    match = sealed_match(event)
    Record.objects.filter(match=match).update(data=b"damaged", digest="of the damaged one")
    with pytest.raises(Refused, match="cannot be shown"):
        services.begin(stage, 0, match)


def test_who_plays_a_match_that_is_over_sees_it_again():
    stage, event = evening()
    services.begin(stage, 0, sealed_match(event))
    Stage.objects.update(position_ms=10**9)
    services.play(stage, 1)
    stage.refresh_from_db()
    assert (stage.position_ms, stage.take) == (0.0, 2)


def test_a_press_that_did_not_know_the_latest_change_does_nothing_and_says_so():
    stage, event = evening()
    match = sealed_match(event)
    services.begin(stage, 0, match)
    before = Stage.objects.values().get()
    client = signed_in(event.organiser)
    for do in PRESSES:
        data = {"pane": "standings", "key": "round-1", "match": match.pk, "speed": "2"}
        told = press(client, event, do, 0, **data)
        assert "The wall has changed meanwhile" in told.content.decode(), do
        assert Stage.objects.values().get() == before, do
    assert not event.rounds.exclude(revealed_at=None).exists()


def test_revealing_takes_two_taps_and_says_what_it_shows():
    _, event = evening()
    client = signed_in(event.organiser)
    remote = reverse("stage:remote", args=[event.slug])
    first = client.get(remote).content.decode()
    assert "Everybody sees the results of round 1" in first
    assert "Yes, reveal" not in first
    second = client.get(f"{remote}?ask=reveal").content.decode()
    assert "Yes, reveal round 1" in second
    # The page waits for the answer instead of drawing itself anew.
    assert 'hx-trigger="karat:tick' not in second
    told = press(client, event, "reveal", 0, key="round-1").content.decode()
    assert "Revealed round 1." in told
    again = press(client, event, "reveal", 1, key="round-1").content.decode()
    assert "That is revealed already" in again
    log = list(event.actions.values_list("what", flat=True))
    assert log.count("revealed round 1") == 1


def test_presses_other_than_reveals_leave_no_line_in_the_log():
    _, event = evening()
    count = event.actions.count()
    client = signed_in(event.organiser)
    press(client, event, "match", 0, match=sealed_match(event).pk)
    press(client, event, "pause", 1)
    assert event.actions.count() == count


def test_without_script_a_press_leads_back_to_the_remote():
    _, event = evening()
    client = signed_in(event.organiser)
    address = reverse("stage:press", args=[event.slug, "pane"])
    answer = client.post(address, {"revision": 0, "pane": "standings"}, follow=True)
    assert answer.redirect_chain == [(reverse("stage:remote", args=[event.slug]), 302)]
    late = client.post(address, {"revision": 0, "pane": "auto"}, follow=True)
    assert "The wall has changed meanwhile" in late.content.decode()


def test_a_wall_shows_played_matches_of_its_own_event_whose_pairings_are_public():
    stage, event = evening()
    own = sealed_match(event)
    ladder = make_match([seat.bot for seat in own.seats.select_related("bot")])
    other = services.stage_of(make_tournament(event.organiser, "Other Gala"))
    later = Match.objects.filter(tournament_game__round__number=2).first()
    assert later.sealed
    for wall, match in ((stage, ladder), (stage, later), (other, own), (other, ladder)):
        with pytest.raises(Refused, match="cannot be shown"):
            services.begin(wall, 0, match)
    # Hidden for its mirrored deal, half of which is still being played.
    group = uuid4()
    Match.objects.filter(pk=own.pk).update(group=group)
    twin = Match.objects.filter(tournament_game__round__number=1).exclude(pk=own.pk)
    twin.update(group=group, status="running")
    with pytest.raises(Refused, match="cannot be shown"):
        services.begin(stage, 0, own)
    twin.update(status="finished")
    services.begin(stage, 0, own)


def test_the_list_has_the_matches_of_the_first_sealed_round_and_never_their_results():
    stage, event = evening()
    choices = choices_of(stage, event)
    remote = signed_in(event.organiser).get(reverse("stage:remote", args=[event.slug]))
    for game in Game.objects.select_related("round", "match"):
        listed = f'value="{game.match_id}"' in remote.content.decode()
        assert listed is (game.round.number == 1)
    for score in sealed_match(event).seats.values_list("score", flat=True):
        assert f">{score}<" not in remote.content.decode()
    assert choices.title == "Round 1, sealed"
    assert [one.title for one in choices.matches] == ["Table B, game 1", "Table A, game 1"]
    services.begin(stage, 0, choices.matches[0].match)
    stage.refresh_from_db()
    assert choices_of(stage, event).suggestion.title == "Table A, game 1"


NONSENSE = [
    ("speed", {"speed": "1000"}),
    ("speed", {"speed": "nan"}),
    ("pane", {"pane": "elsewhere"}),
    ("match", {"match": "x"}),
    ("match", {"match": "9" * 30}),
    ("dance", {}),
    ("pause", {"revision": "−1"}),
    ("pause", {"revision": "9" * 30}),
]


def test_nonsense_is_refused_and_changes_nothing():
    event = make_tournament(make_user())
    type(event).objects.update(published_at=timezone.now())
    client = signed_in(event.organiser)
    client.get(reverse("stage:remote", args=[event.slug]))
    before = Stage.objects.values().get()
    for do, data in NONSENSE:
        assert press(client, event, do, **{"revision": 0} | data).status_code in (200, 404), do
        assert Stage.objects.values().get() == before, do


def test_a_draft_has_no_remote():
    event = make_tournament(make_user())
    client = signed_in(event.organiser)
    assert client.get(reverse("stage:remote", args=[event.slug])).status_code == 404


KNOCKOUT = {"format": "knockout", "seats": 3, "advance": 1, "deals": 1}


@pytest.mark.parametrize(
    ("facts", "panes"),
    [
        pytest.param({"size": 0}, ["auto"], id="before the first round"),
        pytest.param({}, ["auto", "standings"], id="Swiss"),
        pytest.param({"config": KNOCKOUT}, ["auto", "standings", "bracket"], id="knock-out"),
        pytest.param({"plays": True}, ["auto", "premiere", "standings"], id="with a match"),
    ],
)
def test_only_panes_with_something_to_show_are_offered(facts, panes):
    plays = facts.pop("plays", False)
    event = make_event(**facts)
    if plays:
        play_all(event)
        services.begin(services.stage_of(event), 0, sealed_match(event))
        Stage.objects.update(pane="auto")
    page = signed_in(event.organiser).get(reverse("stage:remote", args=[event.slug]))
    offered = [one for one in Stage.Pane.values if f'value="{one}"' in page.content.decode()]
    assert offered == panes
