"""What the pages of a tournament show adds up: matches to rounds, rounds to totals."""

import re
from collections import defaultdict
from fractions import Fraction
from unicodedata import numeric

import pytest

from league.matches.models import Match, Seat
from league.tournaments import presentation
from league.tournaments.models import Entry
from league.tournaments.planning.formats import load
from league.tournaments.queries.rounds import rounds_of
from league.tournaments.services import entries
from tests.league.reading import markup_of, text_of
from tests.league.tournaments import stored

pytestmark = pytest.mark.django_db

THIRDS = [5, 2, 0]
FORMATS = {
    "swiss": {"format": "swiss", "seats": 3, "rounds": 3, "points": THIRDS},
    "swiss, mirrored": {"format": "swiss", "seats": 3, "rounds": 2, "mirrored": True},
    "round robin": {"format": "round-robin", "seats": 3, "points": THIRDS},
    "knock-out": {"format": "knockout", "seats": 3, "advance": 1, "deals": 2, "points": THIRDS},
    "knock-out of pairs of winners": {"format": "knockout", "seats": 3, "advance": 2, "deals": 2},
    "series": {"format": "series", "seats": 3, "deals": 2, "rounds": 2},
}
PART = r"[\u00bc-\u00be\u2150-\u215e]"


def value(text):
    """Return the exact number that a page shows."""
    assert "≈" not in text, "not exact"
    number = text.replace("−", "-").replace(",", "").strip("() \n")
    whole, over = number, Fraction(0)
    if found := re.fullmatch(rf"(-?\d*)({PART})", number):
        whole, over = found[1], Fraction(numeric(found[2])).limit_denominator(12)
    elif found := re.fullmatch(r"(-?\d*)\s?(\d+)/(\d+)", number):
        whole, over = found[1], Fraction(int(found[2]), int(found[3]))
    return Fraction(whole or 0) + over


def standings_shown(client, tournament, address=""):
    """Return, by bot, the total and the points of each round, None where it had no part."""
    html = client.get(f"/tournaments/{tournament.slug}/{address}").content.decode()
    table = html[html.index('class="ledger standings"') :]
    rows = {}
    for row in re.findall(r"<tr.*?</tr>", table[: table.index("</table>")], re.DOTALL)[1:]:
        bot = re.search(r'href="/bots/([^/"]+)/"', row)[1]
        total = value(re.search(r"<b>(.*?)</b>", row)[1])
        cells = [
            re.sub(r"<span.*?</span>|<.*?>", "", cell, flags=re.DOTALL).strip()
            for cell in re.findall(r'<td class="number round.*?</td>', row, re.DOTALL)
        ]
        rows[bot] = total, [None if cell in ("–", "(–)") else value(cell) for cell in cells]
    return rows


def pods_shown(client, tournament, number):
    """Return the points of everybody at the tables of a round, as its page shows them."""
    html = markup_of(client.get(f"/tournaments/{tournament.slug}/rounds/{number}/"))
    seats = re.findall(
        r'<li>\s*<a href="/bots/([^/"]+)/">[^<]*</a>\s*<span class="number">(.*?)</span>', html
    )
    return {bot: value(points) for bot, points in seats}


def play_with_everything(tournament):
    """Play to the end, with a forfeit, a match that cannot be played, and somebody who leaves."""
    stored.finish_all()
    first, second = Match.objects.filter(status=Match.Status.FINISHED).order_by("pk")[:2]
    seat = Seat.objects.filter(match=first).order_by("-place").first()
    Seat.objects.filter(pk=seat.pk).update(forfeited=True)
    Match.objects.filter(pk=second.pk).update(status=Match.Status.VOID)
    stored.play_round(tournament)
    if not tournament.over:
        entry = tournament.entries.filter(status=Entry.Status.PLAYING).order_by("rank").first()
        entries.withdraw(tournament, entry.bot, entry.bot.owner)
    while not tournament.over:
        stored.play_round(tournament)


@pytest.mark.parametrize("config", FORMATS.values(), ids=FORMATS)
def test_the_points_of_the_rounds_are_the_total_and_those_of_the_matches_the_rounds(client, config):
    tournament = stored.begun(8, config)
    play_with_everything(tournament)
    rows = standings_shown(client, tournament, "standings/")
    assert {bot: sum(p for p in cells if p is not None) for bot, (_, cells) in rows.items()} == {
        bot: total for bot, (total, _) in rows.items()
    }
    short = standings_shown(client, tournament)
    assert short == {bot: rows[bot] for bot in short}
    answer = client.get(f"/api/v1/tournaments/{tournament.slug}/standings").json()
    api = {row["bot"]: row["points"] for row in answer}
    assert api == {bot: pytest.approx(float(total)) for bot, (total, _) in rows.items()}
    of_matches = points_of_matches(tournament)
    for number in range(1, len(next(iter(rows.values()))[1]) + 1):
        at_tables = pods_shown(client, tournament, number)
        in_round = {bot: cells[number - 1] for bot, (_, cells) in rows.items()}
        assert at_tables == {bot: in_round[bot] for bot in at_tables}
        assert at_tables == of_matches[number]
        sat_out = {bot for bot, points in in_round.items() if points is not None} - set(at_tables)
        said = text_of(client.get(f"/tournaments/{tournament.slug}/rounds/{number}/"))
        for bot in sat_out:
            text = presentation.number(in_round[bot])
            assert f"Each gets {text} " in said


def points_of_matches(tournament):
    """Return, by round and bot, the points of its matches one by one."""
    _, config = load(tournament.config)
    bots = {entry.pk: entry.bot.slug for entry in tournament.entries.select_related("bot")}
    points = defaultdict(lambda: defaultdict(Fraction))
    for played in rounds_of(tournament):
        for table in played.tables:
            for match, result in table.played():
                idle = [config.idle(played)] * len(match.seats)
                for entry, worth in zip(
                    match.seats, idle if result.void else config.award(result), strict=True
                ):
                    points[played.number][bots[entry]] += worth
    return points


def test_a_bye_is_named_where_its_points_stand(client):
    tournament = stored.begun(8, FORMATS["swiss"])
    stored.play_round(tournament)
    html = markup_of(client.get(f"/tournaments/{tournament.slug}/standings/"))
    assert len(re.findall(r"<td[^>]*>2⅓<span[^>]*>bye</span></td>", html)) == 2


def test_a_knock_out_says_that_the_last_round_decides_and_marks_it(client):
    tournament = stored.play_out(stored.begun(9, FORMATS["knock-out"]))
    page = client.get(f"/tournaments/{tournament.slug}/standings/")
    said = text_of(page)
    assert "1 the last round reached, 2 points in that round, 3 head-to-head" in said
    lines = page.context["lines"]
    decisive = [[cell.decisive for cell in line.by_round] for line in lines]
    assert decisive[:3] == [[False, True]] * 3
    assert decisive[3:] == [[True, False]] * 6


@pytest.mark.parametrize(
    ("game", "head"),
    [("basari", "Score per game"), ("edelsteinsuche", "Cards missing per game")],
)
def test_points_of_a_game_are_not_called_like_those_of_the_tournament(game, head):
    assert presentation.score_head(game) == head


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (Fraction(9), "9"),
        (Fraction(17, 2), "8.5"),
        (Fraction(9, 4), "2.25"),
        (Fraction(7, 3), "2⅓"),
        (Fraction(1, 6), "⅙"),
        (Fraction(-5, 3), "−1⅔"),
        (Fraction(4015, 3), "1,338⅓"),
        (Fraction(31, 12), "2 7/12"),
        (Fraction(7, 12), "7/12"),
        (Fraction(400, 39), "10 10/39"),
        (Fraction(1, 61), "≈0.02"),
    ],
)
def test_points_are_shown_exactly_or_as_about(points, text):
    assert presentation.number(points) == text


def test_the_podium_of_a_knock_out_shows_the_same_points_as_its_table(client):
    tournament = stored.play_out(stored.begun(9, FORMATS["knock-out"]))
    rows = standings_shown(client, tournament)
    html = markup_of(client.get(f"/tournaments/{tournament.slug}/"))
    podium = html[html.index('class="podium"') : html.index("</ol>")]
    shown = re.findall(r'href="/bots/([^/"]+)/".*?· (\S+) points', podium, re.DOTALL)
    assert {bot: value(points) for bot, points in shown} == {bot: rows[bot][0] for bot, _ in shown}
    assert len(shown) == 3
