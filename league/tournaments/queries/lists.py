"""Lists of tournaments: those that are played, come next, were won, or belong to somebody."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet

from league.accounts.models import User
from league.bots.models import Bot
from league.tournaments.models import (
    Entry,
    Game,
    RecurringTournament,
    Role,
    Round,
    Tournament,
    TournamentQuerySet,
)
from league.tournaments.planning.config import Config
from league.tournaments.planning.formats import Format, load
from league.tournaments.queries.standing import GAME_OVER

MAX_TROPHIES = 50
_PODIUM = 3


@dataclass(frozen=True, slots=True)
class Trophy:
    """A place on a podium."""

    tournament: Tournament
    bot: Bot
    place: int


def trophies(owner: Bot | User) -> list[Trophy]:
    """Return the podiums of a bot, or of all bots of a user; the latest first."""
    entries = Entry.objects.filter(
        Q(bot=owner) if isinstance(owner, Bot) else Q(bot__owner=owner),
        place__lte=_PODIUM,
        tournament__state=Tournament.State.FINAL,
    )
    latest = entries.select_related("tournament", "bot").order_by("-tournament__finished_at")
    return [
        Trophy(entry.tournament, entry.bot, entry.place or 0) for entry in latest[:MAX_TROPHIES]
    ]


def upcoming(limit: int = 3) -> list[Tournament]:
    """Return the tournaments that are played now, and the next ones."""
    live = list(Tournament.objects.live()[:limit])
    coming = list(with_sizes(Tournament.objects.coming())[: limit - len(live)])
    return live + coming


def with_sizes(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Annotate each with `size`, the number of bots in it."""
    playing = Q(entries__status=Entry.Status.PLAYING)
    return tournaments.annotate(size=Count("entries", filter=playing))


def podiums_of(tournaments: Iterable[Tournament]) -> dict[int, list[Entry]]:
    """Return the first three of each."""
    podiums: dict[int, list[Entry]] = {}
    counting = [one for one in tournaments if one.state != Tournament.State.CANCELLED]
    placed = Entry.objects.filter(tournament__in=counting, place__lte=_PODIUM)
    for entry in placed.select_related("bot").order_by("place", "rank"):
        podiums.setdefault(entry.tournament_id, []).append(entry)
    return podiums


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
        """Return the share of games that are over."""
        return self.over / self.total if self.total else 0.0


def live() -> list[Live]:
    """Return all that are being played, with a fixed number of queries."""
    locked = Q(entries__version__isnull=False)
    tournaments = list(Tournament.objects.live().annotate(size=Count("entries", filter=locked)))
    games = {
        pk: (created, over, latest)
        for pk, created, over, latest in Game.objects.filter(round__in=_public_rounds(tournaments))
        .values_list("round__tournament")
        .annotate(
            created=Count("pk"), over=Count("pk", filter=GAME_OVER), latest=Max("round__number")
        )
    }
    leaders = podiums_of(tournaments)
    lines = []
    for tournament in tournaments:
        form, config = load(tournament.config)
        created, over, latest = games.get(tournament.pk, (0, 0, 0))
        cost = form.cost(config, getattr(tournament, "size", 0))
        leader = next(iter(leaders.get(tournament.pk, [])), None)
        round_count = max(latest, len(cost.tables))
        total = max(created, cost.games)
        lines.append(Live(tournament, form, latest, round_count, over, total, leader))
    return lines


def _public_rounds(tournaments: Iterable[Tournament]) -> list[int]:
    """Return the keys of the rounds that are public: of each tournament up to the first sealed."""
    rows = Round.objects.filter(tournament__in=tournaments).order_by("tournament", "number")
    public, sealed = [], set()
    for pk, tournament, is_sealed in rows.values_list("pk", "tournament", "sealed"):
        if tournament not in sealed:
            public.append(pk)
        if is_sealed:
            sealed.add(tournament)
    return public


def entries_by(user: User) -> QuerySet[Entry]:
    """Return the entries of a user in unfinished tournaments, the next first."""
    entries = Entry.objects.filter(
        bot__owner=user,
        status=Entry.Status.PLAYING,
        tournament__in=Tournament.objects.not_over(),
    )
    return entries.select_related("bot", "tournament").order_by(
        "tournament__starts_at", "bot__name"
    )


def organised_by(user: User) -> TournamentQuerySet:
    """Return what a user runs or helps to run, the latest first."""
    as_helper = Role.objects.filter(user=user).values("tournament")
    own = Q(organiser=user) | Q(pk__in=as_helper)
    return Tournament.objects.filter(own).order_by("-starts_at", "-pk")


def running_recurring() -> QuerySet[RecurringTournament]:
    """Return the recurring tournaments that are not stopped."""
    return RecurringTournament.objects.filter(stopped=False).order_by("name")
