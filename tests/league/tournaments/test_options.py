"""Options of the game, and who deals in a series."""

from collections import Counter

import pytest

from engine.registry import GAMES
from engine.rng import Rng
from league.errors import Refused
from league.matches.models import Match
from league.tournaments.models import Tournament
from league.tournaments.planning.dealing import dealer_seat
from league.tournaments.planning.plan import Table
from league.tournaments.queries.rounds import rounds_of
from league.tournaments.services import lifecycle, recurring, rounds
from tests.league.factories import NEXT_YEAR, make_key, make_player, make_user
from tests.league.reading import text_of
from tests.league.tournaments.stored import begun, entered
from tests.league.tournaments.test_making import FORM

SUCHE = "edelsteinsuche"
SERIES = {"format": "series", "seats": 3, "deals": 6, "rounds": 1}


def dealers(tournament):
    """The entry that deals in each game, and the one that begins, in the order of the games."""
    dealt, begins = [], []
    for game in rounds.Game.objects.filter(round__tournament=tournament).order_by("number"):
        match = game.match
        state = GAMES[match.game].start(match.seat_count, match.options, Rng(match.seed))
        seats = list(match.seats.order_by("number").values_list("bot", flat=True))
        dealt.append(seats[state.dealer])
        begins.append(seats[state.active])
    return dealt, begins


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_dealer_goes_round_clockwise_among_the_players(size, mirrored):
    entries = tuple(range(10, 10 + size))
    table = Table(1, entries, deals=2 * size, mirrored=mirrored)
    for first in range(size):
        who = [match.seats[dealer_seat(table, match, first)] for match in table.matches()]
        if not mirrored:
            assert who == [entries[(first + game) % size] for game in range(2 * size)]
        assert len(set(Counter(who).values())) == 1
        for deal in range(1, 2 * size + 1):
            here = [match for match in table.matches() if match.deal == deal]
            assert len({dealer_seat(table, match, first) for match in here}) == 1


@pytest.mark.django_db
def test_beginners_of_a_series_rotate_from_a_drawn_dealer():
    tournament = begun(3, SERIES, game=SUCHE)
    dealt, begins = dealers(tournament)
    table = rounds_of(tournament)[0].tables[0]
    order = [tournament.entries.get(pk=entry).bot_id for entry in table.entries]
    first = int(rounds.seed_of(tournament, 1, 1, "dealer"), 16) % 3
    assert dealt == [order[(first + game) % 3] for game in range(6)]
    assert begins == [order[(first + game + 1) % 3] for game in range(6)]


@pytest.mark.django_db
def test_an_organiser_may_name_the_first_dealer_of_a_series():
    tournament = begun(3, SERIES, game=SUCHE, options={"dealer": 2, "max_turns_per_seat": 7})
    table = rounds_of(tournament)[0].tables[0]
    order = [tournament.entries.get(pk=entry).bot_id for entry in table.entries]
    dealt, _ = dealers(tournament)
    assert dealt == [order[(2 + game) % 3] for game in range(6)]
    assert {match.options["max_turns_per_seat"] for match in Match.objects.all()} == {7}


@pytest.mark.django_db
def test_in_other_formats_every_game_draws_its_dealer():
    begun(3, {"format": "swiss", "seats": 3, "rounds": 1}, game=SUCHE)
    assert Match.objects.get().options["dealer"] is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_turns_per_seat": 0}, "from 1 to 1000"),
        ({"dealer": 3}, "Dealer cannot be 3"),
        ({"lights": "off"}, "no option 'lights'"),
    ],
)
def test_the_game_says_which_options_it_cannot_play(options, words):
    with pytest.raises(Refused) as refused:
        entered(0, SERIES, game=SUCHE, options=options)
    assert words in refused.value.message.explanation
    with pytest.raises(Refused):
        recurring.create_recurring(None, "Cup", SUCHE, SERIES, cron="0 8 * * *", options=options)


@pytest.mark.django_db
def test_options_are_chosen_in_the_form_kept_in_a_draft_and_shown(client):
    client.force_login(make_user())
    turns = f"option-{SUCHE}-max_turns_per_seat"
    form = {**FORM, "game": SUCHE, "seats": 3, turns: "40", f"option-{SUCHE}-dealer": "3"}
    refused = client.post("/tournaments/new/", {**form, "do": "draft"})
    assert refused.status_code == 422
    assert "dealer cannot be 3" in text_of(refused)
    form[f"option-{SUCHE}-dealer"] = "1"
    client.post("/tournaments/new/", {**form, "do": "draft"})
    made = Tournament.objects.get()
    assert made.options == {"max_turns_per_seat": 40, "dealer": 1}
    assert 'value="40"' in client.get(f"/tournaments/{made.slug}/edit/").content.decode()
    lifecycle.publish(made, None)
    rules = text_of(client.get(f"/tournaments/{made.slug}/rules/"))
    assert "Max turns per seat: 40 instead of 100" in rules
    assert "Dealer: seat B instead of by chance" in rules


@pytest.mark.django_db
def test_a_challenge_takes_options_in_the_form(client):
    user = make_user()
    client.force_login(user)
    one, *others = [make_player(user) for _ in range(3)]
    form = {"game": "edel-stein-reich", "opponent": [other.slug for other in others]}
    offers = "option-edel-stein-reich-max_offers"
    refused = client.post(f"/bots/{one.slug}/challenge/", {**form, offers: "0"})
    assert refused.status_code == 422
    assert "Max offers" in refused.content.decode()
    assert not Match.objects.exists()
    client.post(f"/bots/{one.slug}/challenge/", {**form, offers: "12"})
    assert Match.objects.get().options["max_offers"] == 12


@pytest.mark.django_db
def test_the_api_takes_options_for_a_tournament_and_a_challenge(client):
    user = make_user()
    headers = {"authorization": f"Bearer {make_key(user, 'organise', 'upload')}"}
    wanted = {
        "name": "Short Games",
        "game": SUCHE,
        "config": SERIES,
        "options": {"max_turns_per_seat": 20, "dealer": None},
        "starts_at": f"{NEXT_YEAR}-03-08T18:30:00Z",
    }
    path = "/api/v1/tournaments"
    made = client.post(path, wanted, content_type="application/json", headers=headers)
    assert (made.status_code, made.json()["options"]) == (201, {"max_turns_per_seat": 20})
    wanted["options"] = {"dealer": 3}
    refused = client.post(path, wanted, content_type="application/json", headers=headers)
    assert refused.status_code == 422
    assert "Dealer cannot be 3" in refused.content.decode()
    bots = [make_player(user).slug for _ in range(3)]
    for offers, status in ((9, 201), (0, 422), ("many", 422)):
        asked = {"game": "basari", "bots": bots, "options": {"max_offers": offers}}
        answer = client.post(
            "/api/v1/matches", asked, content_type="application/json", headers=headers
        )
        assert answer.status_code == status, answer.content
    assert Match.objects.get().options["max_offers"] == 9
