"""Sealed means sealed: whoever looks wherever sees the same before and after a match is played."""

import re
from datetime import timedelta

import pytest

from league.bots import erasing, retirement
from league.errors import Refused
from league.ladder.services import enrol, ensure
from league.matches.models import Match
from league.tournaments.models import Role
from league.tournaments.sealing import services
from league.tournaments.services import refereeing
from league.tournaments.services.recurring import create_recurring
from runners.match import Fault
from tests.league import factories
from tests.league.tournaments.sealing import leaks
from tests.league.tournaments.sealing.events import SWISS, make_event, move_on, play_waiting

pytestmark = pytest.mark.django_db

SECRETS = ("printed by it", "noted by it", "detail of it", "traceback of it")
PLAYED = {
    "printed": {0: SECRETS[0]},
    "notes": {0: SECRETS[1]},
    "faults": [Fault(0, 4, "E303", SECRETS[2], SECRETS[3])],
}


SERIES = {"format": "series", "seats": 3, "rounds": 2, "deals": 1, "mirrored": True}
KNOCKOUT = {"format": "knockout", "seats": 3, "advance": 1}
THREE_ROUNDS = SWISS | {"rounds": 3}
PARTS = ("tournaments/", "bots/<slug:slug>/", "matches/")
OF_EVENTS = {route: paths for route, paths in leaks.SAME.items() if route.startswith(PARTS)}
OF_EVENTS_IN_API = {
    path: paths
    for path, paths in leaks.SAME_OF_API.items()
    if path.startswith(("tourn", "matches"))
}
EVENTS = [
    pytest.param({"config": KNOCKOUT, "size": 9}, id="knock-out"),
    pytest.param({"config": SERIES, "size": 3}, id="duplicate deals"),
    pytest.param({"config": THREE_ROUNDS, "sealed_from": 2}, id="from the second round on"),
    pytest.param({"sealed_from": 0, "freeze_after_minutes": 1}, id="frozen board"),
]


@pytest.fixture
def league(request):
    """An event whose first round waits, of bots that met on the ladder before."""
    organiser = factories.make_user("tom", is_organiser=True)
    event = make_event(organiser=organiser, rated=True, **getattr(request, "param", {}))
    bots = [entry.bot for entry in event.entries.select_related("bot").order_by("pk")]
    ensure()
    enrol()
    for table in (bots[:3], bots[-3:]):
        factories.make_match(table)
    factories.rate_all()
    return event, bots


def visitors(event, bots):
    referee = factories.make_user("rosa")
    refereeing.appoint(event, event.organiser, referee, Role.Kind.REFEREE)
    users = {
        "other": factories.make_user("mira"),
        "owner": bots[0].owner,
        "referee": referee,
        "organiser": event.organiser,
        "staff": factories.make_user("boss", is_staff=True),
    }
    return {"guest": leaks.Visitor()} | {
        who: leaks.Visitor(user, factories.make_key(user)) for who, user in users.items()
    }


def facts_of(event, bots):
    first, second = Match.objects.filter(kind="tournament").order_by("-sealed", "pk")[:2]
    series = create_recurring(
        event.organiser, "Sunday Gala", factories.GAME, SWISS, cron="30 18 * * SUN", zone="UTC"
    )
    return {
        "event": event.slug,
        "organiser": event.organiser.username,
        "owner": bots[0].owner.username,
        "bot": bots[0].slug,
        "rival": bots[1].slug,
        "bot_pk": bots[0].pk,
        "version_pk": bots[0].active_id,
        "match": first.pk,
        "other_match": second.pk,
        # The next one that is made.
        "later_match": Match.objects.latest("pk").pk + 1,
        "series": series.slug,
    }


def look(people, tables, of_api, facts):
    return {who: one.look(tables, of_api, facts) for who, one in people.items()}


def wrong(before, after, **how):
    return {
        who: paths for who in before if (paths := leaks.differences(before[who], after[who], **how))
    }


def test_every_address_stands_in_a_table():
    assert leaks.missing() == set()


def play_to_the_end(event):
    """Play all rounds, and let the league do everything that follows."""
    while Match.objects.queued().exists():
        play_waiting(**PLAYED)
        move_on(event)
    assert event.played_at is not None
    factories.rate_all()


def play_what_is_public(event):
    """Play the rounds that are not sealed; freeze the board after one of two games."""
    if event.freeze_after_minutes:
        factories.finish_match(Match.objects.queued().first(), **PLAYED)
        move_on(event, timedelta(minutes=2))
    while Match.objects.queued().filter(sealed=False).exists():
        play_waiting(**PLAYED)
        move_on(event)
    factories.rate_all()


def test_nobody_sees_anywhere_that_sealed_matches_were_played(league):
    event, bots = league
    people, facts = visitors(event, bots), facts_of(event, bots)
    before = look(people, [leaks.SAME], leaks.SAME_OF_API, facts)
    play_to_the_end(event)
    after = look(people, [leaks.SAME], leaks.SAME_OF_API, facts)
    assert wrong(before, after) == {}
    services.reveal_next(event, event.organiser)
    services.reveal_next(event, event.organiser)
    factories.rate_all()
    public = people["guest"].look([leaks.SAME], leaks.SAME_OF_API, facts)
    changed = leaks.differences(after["guest"], public)
    for path in ("/bots/{bot}/", "/matches/{match}/", "/tournaments/{event}/standings.csv"):
        assert path.format(**facts) in changed


@pytest.mark.parametrize("league", EVENTS, indirect=True)
def test_every_kind_of_event_keeps_its_secrets(league):
    event, bots = league
    people = visitors(event, bots)
    people = {who: people[who] for who in ("guest", "owner")}
    play_what_is_public(event)
    facts = facts_of(event, bots)
    before = look(people, [OF_EVENTS], OF_EVENTS_IN_API, facts)
    play_to_the_end(event)
    assert wrong(before, look(people, [OF_EVENTS], OF_EVENTS_IN_API, facts)) == {}


def test_nobody_sees_that_a_sealed_pod_is_played_again(league):
    event, bots = league
    people, facts = visitors(event, bots), facts_of(event, bots)
    people = {who: people[who] for who in ("guest", "owner")}
    before = look(people, [OF_EVENTS], OF_EVENTS_IN_API, facts)
    for because in ("a bad deal", "another one"):
        refereeing.rerun_table(event, event.organiser, 1, 1, because)
        assert wrong(before, look(people, [OF_EVENTS], OF_EVENTS_IN_API, facts)) == {}
    assert Match.objects.get(pk=facts["match"]).status == "void"
    assert Match.objects.get(pk=facts["later_match"]).sealed


def test_what_an_owner_may_delete_does_not_tell_how_far_an_event_is():
    event = make_event(size=7)
    bots = [entry.bot for entry in event.entries.select_related("bot").order_by("pk")]
    for bot in bots:
        factories.make_version(bot)

    def answers():
        for bot in bots:
            with pytest.raises(Refused) as refused:
                erasing.erase_version(bot.versions.get(number=1))
            yield str(refused.value), retirement.may_delete(bot)

    before = list(answers())
    play_waiting()
    move_on(event)
    assert list(answers()) == before
    play_waiting()
    assert list(answers()) == before


def test_counting_pages_say_how_many_matches_there_are_and_nothing_else(league):
    event, bots = league
    people, facts = visitors(event, bots), facts_of(event, bots)
    tables = ([leaks.COUNTING], leaks.COUNTING_OF_API, facts)
    before = look(people, *tables)
    play_to_the_end(event)
    after = look(people, *tables)
    assert wrong(before, after, figures=False) == {}


def test_the_console_says_how_far_it_is_and_names_nobody_for_it(league):
    event, bots = league
    people, facts = visitors(event, bots), facts_of(event, bots)
    before = look(people, [leaks.CONSOLE], {}, facts)
    play_to_the_end(event)
    after = look(people, [leaks.CONSOLE], {}, facts)
    for who in ("referee", "organiser", "staff"):
        for path, (_, _, text, _) in after[who].items():
            assert names_in(text, bots) == names_in(before[who][path][2], bots), path
            assert not [secret for secret in SECRETS if secret in text], path
    assert "Reveal next" in after["organiser"]["/tournaments/gala/manage/"][2]


def names_in(text, bots):
    """Return the names of the bots on a page, in their order."""
    return re.findall("|".join(rf"\b{bot.name}\b" for bot in bots), text)
