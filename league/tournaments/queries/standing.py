"""How far a tournament is, and who stands where, as far as that is public. Planners read results
that are sealed by other functions.
"""

from functools import cached_property

from django.core.cache import cache
from django.db.models import Count, Max, Q

from bots_sdk.rating.skill import Rating
from league.ladder.models import LadderRating
from league.matches.models import Match
from league.tournaments.models import Entry, Game, Round as RoundRow, Tournament
from league.tournaments.planning.chances import chances
from league.tournaments.planning.config import Config
from league.tournaments.planning.formats import Format, load
from league.tournaments.planning.plan import EntryId, Round
from league.tournaments.planning.standings import Row
from league.tournaments.queries.calibration import pace
from league.tournaments.queries.rounds import entries_of, public_round, public_rows
from league.tournaments.wording import duration

_STANDINGS_SECONDS = 60 * 60
GAME_OVER = Q(match__status__in=[Match.Status.FINISHED, Match.Status.VOID], match__sealed=False)
"""Whether a game is over, as far as everybody may know."""


class Standing:
    """A tournament as everybody may see it now. Each part is computed once, on first use."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.form: Format[Config]
        self.form, self.config = load(tournament.config)

    @cached_property
    def entries(self) -> dict[EntryId, Entry]:
        """Return all entries, with bot and owner."""
        entries = self.tournament.entries.select_related("bot__owner", "version")
        return {entry.pk: entry for entry in entries.order_by("rank", "entered_at", "pk")}

    @property
    def playing(self) -> list[Entry]:
        """Return the entries that play."""
        return [e for e in self.entries.values() if e.status == Entry.Status.PLAYING]

    @cached_property
    def rounds(self) -> list[Round]:
        """Return the public rounds with their public results."""
        return [public_round(row) for row in self.round_rows]

    @cached_property
    def round_rows(self) -> list[RoundRow]:
        """Return the public rounds as they are stored."""
        return public_rows(self.tournament)

    @property
    def sealed_round(self) -> RoundRow | None:
        """Return the round whose results are sealed, the last one that is public; None if none
        is.
        """
        return next((row for row in self.round_rows if row.sealed), None)

    @cached_property
    def games(self) -> dict[str, int]:
        """Return how many games of the public rounds were created and are over, as far as that is
        public, and the latest match.
        """
        games = Game.objects.filter(round__tournament=self.tournament)
        if self.tournament.event_night:
            games = games.filter(round__in=self.round_rows)
        return games.aggregate(
            created=Count("pk"), over=Count("pk", filter=GAME_OVER), latest=Max("match_id")
        )

    @cached_property
    def rows(self) -> list[Row]:
        """Return the standings, cached until a game ends or somebody acts."""
        latest = self.tournament.actions.aggregate(Max("pk"))["pk__max"]
        games = self.games
        key = f"standings-{self.tournament.pk}-{games['over']}-{games['latest']}-{latest}"
        rows: list[Row] | None = cache.get(key)
        if rows is None:
            locked = entries_of(self.tournament)
            rows = self.form.standings(self.config, locked, self.rounds)
            cache.set(key, rows, _STANDINGS_SECONDS)
        return rows

    @property
    def started(self) -> bool:
        """Return whether a round has been planned."""
        return bool(self.games["created"])

    @property
    def size(self) -> int:
        """Return how many took part in the first round, or would now."""
        if self.rounds:
            first = self.rounds[0]
            return len(first.byes) + sum(len(table.entries) for table in first.tables)
        return len(self.playing)

    @property
    def round_count(self) -> int:
        """Return the number of rounds if nobody leaves."""
        if self.tournament.over or self.config.refusal_reason(self.size):
            return len(self.rounds)
        planned = len(self.form.table_counts(self.config, self.size))
        return max(planned, len(self.rounds))

    @property
    def total(self) -> int:
        """Return the number of games if nobody leaves."""
        created: int = self.games["created"]
        if self.tournament.over or self.config.refusal_reason(self.size):
            return created
        return max(created, self.form.total_games(self.config, self.size))

    @property
    def share(self) -> float:
        """Return the share of games that are over."""
        return self.games["over"] / self.total if self.total else 0.0

    @property
    def games_left(self) -> list[int]:
        """Return how many games each round has left, the current one first."""
        created, over = self.games["created"], self.games["over"]
        to_come = max(0, self.round_count - len(self.rounds))
        if not to_come:
            return [self.total - over]
        each, more = divmod(self.total - created, to_come)
        return [created - over, *(each + (at < more) for at in range(to_come))]

    @property
    def time_left(self) -> str:
        """Return `about 4 min left`, or what it waits for."""
        if self.tournament.event_night and self.sealed_round is not None:
            return "waiting for the reveal"
        if self.tournament.paused:
            return "paused after this round"
        current_pace = pace(self.tournament.game, self.config.seats, self.tournament.organiser)
        seconds = current_pace.seconds(self.games_left)
        return f"{duration(seconds)} left" if seconds is not None else "waiting for a worker"

    def chances(self) -> dict[EntryId, float]:
        """Return how likely each entry is to win; nothing before half-time, or in a knock-out."""
        if (
            self.form.slug not in {"swiss", "round-robin"}
            or self.tournament.state != Tournament.State.RUNNING
            or self.share < 0.5
        ):
            return {}
        done = sum(one.complete for one in self.rounds)
        key = f"chances-{self.tournament.pk}-{done}-{len(self.playing)}"
        predictions: dict[EntryId, float] | None = cache.get(key)
        if predictions is None:
            predictions = self._chances(done)
            cache.set(key, predictions, _STANDINGS_SECONDS)
        return predictions

    def _chances(self, done: int) -> dict[EntryId, float]:
        versions = {entry.version_id: entry.pk for entry in self.playing}
        skills = {
            versions[rating.version_id]: Rating(rating.mu, rating.sigma)
            for rating in LadderRating.objects.filter(
                ladder=self.tournament.game, version__in=versions
            )
        }
        points = {
            row.entry: float(sum(p for p in row.by_round[:done] if p is not None))
            for row in self.rows
            if row.status == "playing"
        }
        left = self.round_count - done
        return chances(
            points,
            skills,
            self.config.scheme,
            left,
            self.config.games_per_table,
            self.config.seed,
        )
