"""Which matches a presenter can show next: those of the round that the evening is about."""

from dataclasses import dataclass

from django.db.models import QuerySet

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


def choices_of(stage: Stage, tournament: Tournament) -> Choices:
    """Return the matches that were played in the round to be revealed next, or in the latest public
    one. The last table comes first, so that the evening ends with the top table.
    """
    rounds, title = _rounds(tournament)
    games = (
        Game.objects.filter(round__in=rounds, match__status=Match.Status.FINISHED)
        .exclude(match__record=None)
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
    sealed = sealing.sealed_rounds(tournament)
    reveal = sealing.next_reveal(tournament)
    if reveal is not None and reveal.round is not None:
        return [reveal.round], f"Round {reveal.round.number}, sealed"
    if sealed:
        return sealed, "Sealed rounds"
    latest = tournament.rounds.filter(games__match__status=Match.Status.FINISHED).last()
    return ([latest], f"Round {latest.number}") if latest else ([], "Matches")


def _choice(game: Game, shown: set[int]) -> Choice:
    names = " · ".join(seat.bot.name for seat in game.match.seats.all())
    title = f"Table {letters(game.table)}, game {game.number + 1}"
    return Choice(game.match, title, names, game.match_id in shown)
