"""Reading tournaments: how far they are, who stands where, who may enter, who won what."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet

from league.accounts.models import User
from league.bots.models import Bot
from league.ladder.models import LadderRating
from league.matches.models import Match
from league.tournaments.models import Cup, Entry, Game, Role, Tournament, TournamentQuerySet
from league.tournaments.planning.chances import Skill, chances
from league.tournaments.planning.config import Config
from league.tournaments.planning.formats import Format, load
from league.tournaments.planning.plan import EntryId, Round
from league.tournaments.planning.standings import Row
from league.tournaments.queries.calibration import pace
from league.tournaments.services import entries, rounds
from league.tournaments.wording import duration

_STANDINGS_SECONDS = 60 * 60
_PODIUM = 3
_OVER = Q(match__status__in=[Match.Status.FINISHED, Match.Status.VOID])


class Standing:
    """A tournament as it stands now. Each part is worked out once, when somebody asks for it."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.form: Format[Config]
        self.form, self.config = load(tournament.config)

    @cached_property
    def entries(self) -> dict[EntryId, Entry]:
        """Everybody who entered, with bot and owner."""
        found = self.tournament.entries.select_related("bot__owner", "version")
        return {entry.pk: entry for entry in found.order_by("rank", "entered_at", "pk")}

    @property
    def playing(self) -> list[Entry]:
        """Who is in it."""
        return [e for e in self.entries.values() if e.status == Entry.Status.PLAYING]

    @cached_property
    def rounds(self) -> list[Round]:
        """The rounds with their results."""
        return rounds.rounds_of(self.tournament)

    @cached_property
    def games(self) -> dict[str, int]:
        """How many games were made and are over; what else tells one standing from another."""
        found = Game.objects.filter(round__tournament=self.tournament)
        return found.aggregate(
            made=Count("pk"), over=Count("pk", filter=_OVER), latest=Max("match_id")
        )

    @cached_property
    def rows(self) -> list[Row]:
        """The standings, kept until a game ends or somebody does something."""
        latest = self.tournament.actions.aggregate(Max("pk"))["pk__max"]
        games = self.games
        key = f"standings-{self.tournament.pk}-{games['over']}-{games['latest']}-{latest}"
        known: list[Row] | None = cache.get(key)
        if known is None:
            locked = rounds.entries_of(self.tournament)
            known = self.form.standings(self.config, locked, self.rounds)
            cache.set(key, known, _STANDINGS_SECONDS)
        return known

    @property
    def started(self) -> bool:
        """Whether a round has been planned."""
        return bool(self.games["made"])

    @property
    def size(self) -> int:
        """How many took part in the first round, or would now."""
        if self.rounds:
            first = self.rounds[0]
            return len(first.byes) + sum(len(table.entries) for table in first.tables)
        return len(self.playing)

    @property
    def round_count(self) -> int:
        """How many rounds there are in all, if nobody leaves."""
        if self.tournament.over or self.config.refusal_reason(self.size):
            return len(self.rounds)
        planned = len(self.form.table_counts(self.config, self.size))
        return max(planned, len(self.rounds))

    @property
    def total(self) -> int:
        """How many games there are in all, if nobody leaves."""
        made: int = self.games["made"]
        if self.tournament.over or self.config.refusal_reason(self.size):
            return made
        return max(made, self.form.total_games(self.config, self.size))

    @property
    def share(self) -> float:
        """How much of it is played."""
        return self.games["over"] / self.total if self.total else 0.0

    @property
    def games_left(self) -> list[int]:
        """How many games each round has left, the current one first."""
        made, over = self.games["made"], self.games["over"]
        to_come = max(0, self.round_count - len(self.rounds))
        if not to_come:
            return [self.total - over]
        each, more = divmod(self.total - made, to_come)
        return [made - over, *(each + (at < more) for at in range(to_come))]

    @property
    def time_left(self) -> str:
        """`about 4 min left`, or what it waits for."""
        if self.tournament.paused:
            return "paused after this round"
        now = pace(self.tournament.game, self.config.seats, self.tournament.organiser)
        seconds = now.seconds(self.games_left)
        return f"{duration(seconds)} left" if seconds is not None else "waiting for a worker"

    def chances(self) -> dict[EntryId, float]:
        """How likely each is to win; nothing before half of it is played, or in a knock-out."""
        if (
            self.form.slug not in {"swiss", "round-robin"}
            or self.tournament.state != Tournament.State.RUNNING
            or self.share < 0.5
        ):
            return {}
        done = sum(one.complete for one in self.rounds)
        key = f"chances-{self.tournament.pk}-{done}-{len(self.playing)}"
        known: dict[EntryId, float] | None = cache.get(key)
        if known is None:
            known = self._chances(done)
            cache.set(key, known, _STANDINGS_SECONDS)
        return known

    def _chances(self, done: int) -> dict[EntryId, float]:
        versions = {entry.version_id: entry.pk for entry in self.playing}
        skills = {
            versions[rating.version_id]: Skill(rating.mu, rating.sigma)
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


def enterable(tournament: Tournament, user: object) -> list[Bot]:
    """The bots of a user that play the game and are not in it, while they may enter another."""
    if not isinstance(user, User) or entries.why_nobody(tournament, user):
        return []
    inside = tournament.entries.exclude(status=Entry.Status.WITHDRAWN).values("bot")
    return list(user.bots.playing(tournament.game).exclude(pk__in=inside).order_by("name"))


def why_none(tournament: Tournament, user: User) -> str:
    """Why somebody who may not enter a bot, or has none to choose, cannot; as a sentence."""
    if not user.bots.exists():
        return "You have no bot yet."
    if reason := entries.why_nobody(tournament, user):
        return f"{reason}."
    inside = tournament.entries.filter(status=Entry.Status.PLAYING).values("bot")
    bots = user.bots.select_related("active").exclude(pk__in=inside)
    reasons = (entries.refusal_reason(tournament, bot, tournament.invite_code) for bot in bots[:1])
    return next((f"{reason}." for reason in reasons if reason), "All your bots are in it.")


@dataclass(frozen=True, slots=True)
class Trophy:
    """A place on a podium."""

    tournament: Tournament
    bot: Bot
    place: int


def trophies(of: Bot | User) -> list[Trophy]:
    """The podiums of a bot, or of all bots of a user; the latest first."""
    won = (
        Entry.objects.filter(bot=of) if isinstance(of, Bot) else Entry.objects.filter(bot__owner=of)
    )
    final = won.filter(place__lte=_PODIUM, tournament__state=Tournament.State.FINAL)
    found = final.select_related("tournament", "bot").order_by("-tournament__finished_at")[:50]
    return [Trophy(entry.tournament, entry.bot, entry.place or 0) for entry in found]


def upcoming(most: int = 3) -> list[Tournament]:
    """What is played now, and what comes next."""
    live = list(Tournament.objects.live()[:most])
    coming = list(with_sizes(Tournament.objects.coming())[: most - len(live)])
    return live + coming


def with_sizes(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Each with `size`: how many bots are in it."""
    playing = Q(entries__status=Entry.Status.PLAYING)
    return tournaments.annotate(size=Count("entries", filter=playing))


def podiums(tournaments: Iterable[Tournament]) -> dict[int, list[Entry]]:
    """The first three of each."""
    found: dict[int, list[Entry]] = {}
    counting = [one for one in tournaments if one.state != Tournament.State.CANCELLED]
    placed = Entry.objects.filter(tournament__in=counting, place__lte=_PODIUM)
    for entry in placed.select_related("bot").order_by("place", "rank"):
        found.setdefault(entry.tournament_id, []).append(entry)
    return found


@dataclass(frozen=True, slots=True)
class Live:
    """A tournament that is being played, as a list shows it."""

    tournament: Tournament
    form: Format[Config]
    round: int
    rounds: int
    over: int
    total: int
    leader: Entry | None
    """After the last finished round."""

    @property
    def share(self) -> float:
        """How much of it is played."""
        return self.over / self.total if self.total else 0.0


def live() -> list[Live]:
    """All that are being played, with a fixed number of queries."""
    locked = Q(entries__version__isnull=False)
    found = list(Tournament.objects.live().annotate(size=Count("entries", filter=locked)))
    games = {
        pk: (made, over, latest)
        for pk, made, over, latest in Game.objects.filter(round__tournament__in=found)
        .values_list("round__tournament")
        .annotate(made=Count("pk"), over=Count("pk", filter=_OVER), latest=Max("round__number"))
    }
    leaders = podiums(found)
    lines = []
    for tournament in found:
        form, config = load(tournament.config)
        made, over, latest = games.get(tournament.pk, (0, 0, 0))
        cost = form.cost(config, getattr(tournament, "size", 0))
        leader = next(iter(leaders.get(tournament.pk, [])), None)
        rounds_in_all = max(latest, len(cost.tables))
        total = max(made, cost.games)
        lines.append(Live(tournament, form, latest, rounds_in_all, over, total, leader))
    return lines


def entered_by(user: User) -> QuerySet[Entry]:
    """The bots of a user in tournaments that are not over, the next first."""
    found = Entry.objects.filter(
        bot__owner=user,
        status=Entry.Status.PLAYING,
        tournament__in=Tournament.objects.not_over(),
    )
    return found.select_related("bot", "tournament").order_by("tournament__starts_at", "bot__name")


def organised_by(user: User) -> TournamentQuerySet:
    """Everything somebody runs or helps to run, the latest first."""
    helped = Role.objects.filter(user=user).values("tournament")
    own = Q(organiser=user) | Q(pk__in=helped)
    return Tournament.objects.filter(own).order_by("-starts_at", "-pk")


def running_cups() -> QuerySet[Cup]:
    """Cups that come round."""
    return Cup.objects.filter(stopped=False).order_by("name")
