"""Which matches a presenter can show next: those of the round that the evening is about."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from league.matches.models import Match
from league.stage.models import Stage
from league.tournaments.models import Game, Round, Tournament
from league.tournaments.planning.plan import letters
from league.tournaments.sealing import queries as sealing

MAX_CHOICES = 24


@dataclass(frozen=True, slots=True)
class Choice:
    """A match as a presenter finds it in the list: who plays, and never how it ended."""

    match: Match
    title: str
    names: str
    was_shown: bool


@dataclass(frozen=True, slots=True)
class Choices:
    """The list, and what it is a list of."""

    title: str
    matches: list[Choice]

    @property
    def suggestion(self) -> Choice | None:
        """Return the first one that was not shown yet."""
        return next((one for one in self.matches if not one.was_shown), None)


def presentable(tournament: Tournament) -> "QuerySet[Game]":
    """Return the games that its wall may show: public ones, and those of the first sealed round,
    the last one whose pairings are public. A mirrored deal is shown when all of it is over.
    """
    first = sealing.sealed_rounds(tournament)[:1]
    going_on = Match.objects.filter(
        tournament_game__round__tournament=tournament,
        status__in=[Match.Status.QUEUED, Match.Status.RUNNING],
        group__isnull=False,
    )
    return (
        Game.objects.filter(round__tournament=tournament, match__status=Match.Status.FINISHED)
        .filter(Q(match__hidden=False) | Q(match__sealed=True, round__in=first))
        .exclude(match__record=None)
        .exclude(match__group__in=going_on.values("group"))
    )


def choices_of(stage: Stage, tournament: Tournament) -> Choices:
    """Return the matches that were played in the first sealed round, or in the latest one. The last
    table comes first, so that the evening ends with the top table.
    """
    rounds, title = _rounds(tournament)
    games = (
        presentable(tournament)
        .filter(round__in=rounds)
        .select_related("match", "round")
        .prefetch_related("match__seats__bot")
        .order_by("round__number", "-table", "number")
    )
    shown = set(stage.recent)
    return Choices(title, [_choice(game, shown) for game in _in_turn(games)])


def _in_turn(games: "QuerySet[Game]") -> list[Game]:
    """Return one game of each table before the second of any."""
    return sorted(games, key=lambda game: (game.round.number, game.number))[:MAX_CHOICES]


def _rounds(tournament: Tournament) -> tuple[list[Round], str]:
    sealed = sealing.sealed_rounds(tournament)[:1]
    if sealed:
        return sealed, f"Round {sealed[0].number}, sealed"
    latest = tournament.rounds.filter(games__match__status=Match.Status.FINISHED).last()
    return ([latest], f"Round {latest.number}") if latest else ([], "Matches")


def _choice(game: Game, shown: set[int]) -> Choice:
    names = " · ".join(seat.bot.name for seat in game.match.seats.all())
    title = f"Table {letters(game.table)}, game {game.number + 1}"
    return Choice(game.match, title, names, game.match_id in shown)
