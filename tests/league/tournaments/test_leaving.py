"""Leaving never pays: whoever leaves, is suspended or cannot play stands behind all who stayed."""

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings, strategies as st

from engine.rng import Rng
from league.bots import services as bots
from league.tournaments.models import Entry
from league.tournaments.planning.formats import FORMATS, KNOCKOUT, ROUND_ROBIN, SERIES, SWISS
from league.tournaments.planning.plan import Result
from league.tournaments.queries import lists
from league.tournaments.services import entries, lifecycle, refereeing, rounds
from tests.league.tournaments.pretend import field, result
from tests.league.tournaments.stored import begun, entered, play_out, play_round

every_format = pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
WORST, BEST = -100, 50


def lost(seats, leaver, rng, *, forfeited):
    """A match that the leaver loses; what is played for a seat that forfeited may score well."""
    dice = result(seats, rng)
    seat = seats.index(leaver)
    scores = list(dice.scores)
    scores[seat] = BEST if forfeited else WORST
    others = [place for at, place in enumerate(dice.placements) if at != seat]
    behind = [place - (place > dice.placements[seat]) for place in others]
    behind.insert(seat, len(seats))
    return Result(tuple(behind), tuple(scores), (seat,) if forfeited else ())


def final_places(form, config, count, leaver, moment, how):
    """Everybody's place at the end, when one of them does something after so many rounds."""
    entrants, played = field(count), []
    left = [replace(one, status=how) if one.id == leaver else one for one in entrants]
    leaves = how in {"withdrawn", "disqualified"}
    while upcoming := form.next_round(
        config, left if leaves and len(played) >= moment else entrants, played
    ):
        gone = len(played) >= moment and how in {"loses", "forfeits"}
        outcomes = []
        for table in upcoming.tables:
            rng = Rng(f"{upcoming.number} {sorted(table.entries)}")
            outcomes.append(
                [
                    lost(match.seats, leaver, rng, forfeited=how == "forfeits")
                    if gone and leaver in match.seats
                    else result(match.seats, rng)
                    for match in table.matches()
                ]
            )
        played.append(upcoming.with_results(outcomes))
    # Who would leave later than all rounds leaves in the middle of the last one.
    rows = form.standings(config, left if leaves else entrants, played)
    return {row.entry: inf if row.place is None else row.place for row in rows}


@st.composite
def leavings(draw, form):
    """A tournament, who leaves it, and after how many rounds."""
    seats = draw(st.integers(2, 4))
    config = {"seats": seats, "deals": draw(st.integers(1, 2)), "mirrored": draw(st.booleans())}
    if form is KNOCKOUT:
        config["advance"] = draw(st.integers(1, seats - 1))
    else:
        config["rounds"] = draw(st.integers(1, 4))
    count = draw(st.integers(seats + 1, 13))
    return form.config(**config), count, draw(st.integers(1, count)), draw(st.integers(0, 4))


@every_format
@settings(max_examples=15)
@given(data=st.data())
def test_leaving_never_gives_a_better_place_than_staying(form, data):
    config, count, leaver, moment = data.draw(leavings(form))
    stays, loses, forfeits, leaves, is_out = (
        final_places(form, config, count, leaver, moment, how)
        for how in ("stays", "loses", "forfeits", "withdrawn", "disqualified")
    )
    assert all(leaves[other] < leaves[leaver] for other in leaves if other != leaver)
    assert leaves[leaver] >= max(stays[leaver], loses[leaver], forfeits[leaver])
    assert forfeits[leaver] >= loses[leaver]
    assert is_out[leaver] == inf


@every_format
def test_leaving_never_pays_whoever_leaves_and_whenever(form):
    config = form.config(seats=2, **({"advance": 1} if form is KNOCKOUT else {"rounds": 3}))
    for count in (3, 5):
        for leaver in range(1, count + 1):
            for moment in range(5):
                places = final_places(form, config, count, leaver, moment, "withdrawn")
                assert places[leaver] == count, (count, leaver, moment)


@pytest.mark.parametrize("form", [ROUND_ROBIN, SWISS, SERIES], ids=lambda form: form.slug)
def test_who_forfeits_every_game_stands_behind_all_who_played_one(form):
    config = form.config(seats=2, rounds=3)
    places = final_places(form, config, 5, 1, 0, "forfeits")
    assert places[1] == 5


@pytest.mark.django_db
def test_a_series_is_not_won_by_withdrawing_after_the_lock():
    tournament = begun(4, {"format": "series", "seats": 3, "deals": 1, "rounds": 1})
    gone = tournament.entries.order_by("rank").first()
    entries.withdraw(tournament, gone.bot, gone.bot.owner)
    play_out(tournament)
    assert rounds.standings(tournament)[-1].entry == gone.pk
    gone.refresh_from_db()
    assert gone.place is None
    assert lists.trophies(gone.bot) == []
    assert gone not in lists.podiums_of([tournament])[tournament.pk]


@pytest.mark.django_db
def test_a_bot_suspended_between_lock_and_start_stands_last_without_a_trophy(client):
    tournament = entered(4, {"format": "series", "seats": 3, "deals": 1})
    lifecycle.lock(tournament)
    gone = tournament.entries.order_by("rank").first()
    bots.bench(gone.bot.active, "staff benched it")
    lifecycle.start(tournament)
    play_out(tournament)
    assert rounds.standings(tournament)[-1].entry == gone.pk
    assert lists.trophies(gone.bot) == []
    assert "no active version" in tournament.actions.get(what__startswith="took ").what
    rules = client.get(f"/tournaments/{tournament.slug}/rules/").content.decode()
    assert "is ranked behind every bot that stayed" in rules
    table = client.get(f"/tournaments/{tournament.slug}/standings/").content.decode()
    assert "is ranked behind every bot that stayed" in table
    assert "withdrawn" in table


@pytest.mark.django_db
def test_who_left_before_being_disqualified_can_still_be():
    tournament = begun(4, {"format": "swiss", "seats": 3, "deals": 1, "rounds": 2})
    gone = tournament.entries.order_by("rank").first()
    entries.withdraw(tournament, gone.bot, gone.bot.owner)
    refereeing.disqualify(tournament, tournament.organiser, gone.bot.slug, "it looked at cards")
    play_round(tournament)
    assert tournament.entries.get(pk=gone.pk).status == Entry.Status.DISQUALIFIED
    assert rounds.standings(tournament)[-1].place is None
