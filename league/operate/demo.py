"""A large made-up league, to measure how fast pages are and to see how they look when full.

Bots have a hidden strength, matches are won by strength and luck, ratings follow them roughly. Only
the latest matches were really played and have records. This data does not survive a rebuild.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.utils import timezone

from bots_sdk.rating.skill import MU, SIGMA
from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot, BotVersion, Plays, Source
from league.ladder import services as ladder
from league.ladder.models import Entry, Ladder, LadderRating, RatingChange
from league.ladder.ratings import arithmetic, history
from league.matches.models import Fault, Match, Meeting, Record, Seat, Style
from league.matches.records import codec
from league.matches.statistics import totals
from league.matches.statistics.counting import styles_of
from league.matches.statistics.style import Counts
from league.operate.demo_samples import Samples
from runners import match as runner
from runners.players import RandomPlayer

DAYS = 90
BATCH_SIZE = 1000
FAULT_SHARE = 0.01
FAULT_CODES = ("E301", "E302", "E303", "E305")
_FIRST = ("Sapphire", "Ruby", "Tin", "Velvet", "Copper", "Silent", "Lucky", "Old", "Blue", "Quick")
_SECOND = ("Shark", "Magpie", "Cup", "Dealer", "Owl", "Fox", "Ledger", "Otter", "Mole", "Raven")
_TEXT = "from bots_sdk import Bot\n"


@dataclass(slots=True)
class Contestant:
    """A bot with its hidden strength, and its rating in every game as the matches go by."""

    bot: Bot
    strength: float
    versions: list[BotVersion]
    since: list[datetime]
    rating: dict[str, tuple[float, float]] = field(default_factory=dict)

    def version_at(self, moment: datetime) -> BotVersion:
        """Return the version that was active at that moment."""
        return self.versions[max(0, bisect_right(self.since, moment) - 1)]


@dataclass(slots=True)
class PlannedMatch:
    """A match before it has rows."""

    match: Match
    table: list[Contestant]
    places: list[int]
    scores: list[int]
    styles: list[Counts] | None
    record: codec.Record | None = None


class Ledger:
    """The ratings of one game as they are written."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.rated = 0
        self.days, self.tallies = history.Days(), history.Tallies()
        self.matches: Counter[int] = Counter()
        """The rated matches of every version."""

    def add(self, planned: PlannedMatch, seats: Sequence[Seat]) -> list[RatingChange]:
        """Move the ratings of a table towards the places it took; return the lines."""
        lines = []
        moment = planned.match.finished_at
        assert moment is not None
        strengths = [bot.rating.get(self.game, (MU, SIGMA)) for bot in planned.table]
        mean = sum(mu for mu, _ in strengths) / len(strengths)
        for seat, bot, place, (mu, sigma) in zip(
            seats, planned.table, planned.places, strengths, strict=True
        ):
            expected = (len(strengths) + 1) / 2 - (mu - mean) / 8
            now = (mu + 0.25 * sigma * (expected - place), max(0.8, sigma * 0.985))
            bot.rating[self.game] = now
            self.matches[seat.version_id] += 1
            self.days.add(seat.bot_id, seat.version_id, moment.date(), *now)
            self.tallies.add(seat.bot_id, len(seats), place, seat.faulty)
            lines.append(
                RatingChange(
                    ladder_id=self.game,
                    ledger_position=planned.match.ledger_position or 0,
                    match=planned.match,
                    seat=seat.number,
                    version_id=seat.version_id,
                    bot_id=seat.bot_id,
                    mu_before=mu,
                    sigma_before=sigma,
                    mu=now[0],
                    sigma=now[1],
                    expected=expected,
                    created_at=moment,
                )
            )
        return lines


class Demo:
    """Fills an empty league."""

    def __init__(self, matches: int, bots: int, played: int, rng: Random) -> None:
        self.count, self.played, self.rng = matches, played, rng
        self.started_at = timezone.now() - timedelta(days=DAYS)
        self.sums = totals.Sums()
        self.ledgers = {game: Ledger(game) for game in GAMES}
        self.samples = Samples(rng)
        ladder.ensure()
        for game in GAMES:
            arithmetic.begin_current(game, rated=0)
        self.contestants = self._make_contestants(bots)
        self.players = {
            game: [one for one in self.contestants if self._plays(one, number)]
            for number, game in enumerate(GAMES)
        }

    def _plays(self, one: Contestant, number: int) -> bool:
        """Return whether a bot plays a game: house bots and every other bot play all games."""
        return one.bot.is_house or one.bot.pk % 2 == 0 or one.bot.pk % len(GAMES) == number

    def _make_contestants(self, count: int) -> list[Contestant]:
        users = User.objects.bulk_create(
            User(username=f"author-{number}", password="!") for number in range(count // 3 + 1)
        )
        bots = Bot.objects.bulk_create(
            Bot(
                owner=users[number // 3] if number % 40 else None,
                name=(name := f"{_FIRST[number % 10]} {_SECOND[number // 10 % 10]} {number}"),
                slug=name.lower().replace(" ", "-"),
                about="Made up, to see how a full league looks." if number % 5 == 0 else "",
            )
            for number in range(count)
        )
        source = Source.objects.create(digest="demo", text=_TEXT)
        return [self._contestant(bot, source) for bot in bots]

    def _contestant(self, bot: Bot, source: Source) -> Contestant:
        count = self.rng.choice((1, 1, 2, 3, 5))
        since = sorted(
            self.started_at + timedelta(days=DAYS) * self.rng.random() for _ in range(count)
        )
        since[0] = self.started_at
        versions = [
            BotVersion(
                bot=bot,
                number=number,
                source=source,
                status=BotVersion.Status.ACCEPTED,
                checked_at=at,
                activated_at=at,
            )
            for number, at in enumerate(since, 1)
        ]
        return Contestant(bot, self.rng.gauss(0, 1.2), versions, since)

    def fill(self) -> None:
        """Write the whole league."""
        self._write_versions()
        for first in range(0, self.count, BATCH_SIZE):
            with transaction.atomic():
                self._write_matches(range(first, min(first + BATCH_SIZE, self.count)))
        with transaction.atomic():
            self._write_standings()
            self._write_statistics()

    def _write_versions(self) -> None:
        BotVersion.objects.bulk_create(
            [version for one in self.contestants for version in one.versions], batch_size=BATCH_SIZE
        )
        for one in self.contestants:
            one.bot.active = one.versions[-1]
        Bot.objects.bulk_update([one.bot for one in self.contestants], ["active"], batch_size=200)
        Plays.objects.bulk_create(
            [
                Plays(version=version, game=game)
                for game, players in self.players.items()
                for one in players
                for version in one.versions
            ],
            batch_size=BATCH_SIZE,
        )

    def _write_matches(self, numbers: range) -> None:
        plans = [self._plan(number) for number in numbers]
        Match.objects.bulk_create([planned.match for planned in plans])
        tables = [self._seats(planned) for planned in plans]
        Seat.objects.bulk_create([seat for table in tables for seat in table])
        lines, records, faults = [], [], []
        for planned, seats in zip(plans, tables, strict=True):
            lines += self.ledgers[planned.match.game].add(planned, seats)
            faults += [self._fault(seat) for seat in seats if seat.faulty]
            self._count(planned, seats)
            if planned.record:
                data = codec.pack(planned.record)
                digest = planned.record["digest"]
                records.append(Record(match=planned.match, data=data, digest=digest))
        RatingChange.objects.bulk_create(lines, batch_size=BATCH_SIZE)
        Record.objects.bulk_create(records)
        Fault.objects.bulk_create(faults)

    def _plan(self, number: int) -> PlannedMatch:
        """Decide who sits down, and how it ends."""
        game = self.rng.choice(list(GAMES))
        seat_count = self.rng.choice(GAMES[game].seats)
        table = self.rng.sample(self.players[game], seat_count)
        moment = self.started_at + timedelta(days=DAYS) * ((number + 1) / self.count)
        ledger = self.ledgers[game]
        ledger.rated += 1
        match = Match(
            game=game,
            seat_count=seat_count,
            options=GAMES[game].resolve_options(seat_count),
            seed=f"demo {number}",
            kind=Match.Kind.LADDER,
            rated=True,
            status=Match.Status.FINISHED,
            started_at=moment,
            finished_at=moment,
            duration_ms=self.rng.randint(200, 2000),
            excitement=round(self.rng.expovariate(0.3), 3),
            rules=GAMES[game].rules,
            ledger_position=ledger.rated,
        )
        if number >= self.count - self.played:
            return self._play(match, table)
        return self._make_up(match, table)

    def _make_up(self, match: Match, table: list[Contestant]) -> PlannedMatch:
        """Let strength and luck decide who takes which result of a sample."""
        sample = self.samples.draw(match.game, match.seat_count)
        match.decisions = sample.decisions
        luck = [bot.strength + self.rng.gauss(0, 1) for bot in table]
        order = sorted(range(len(table)), key=luck.__getitem__, reverse=True)
        results = dict(zip(order, sample.results, strict=True))
        return PlannedMatch(
            match,
            table,
            places=[results[seat][0] for seat in range(len(table))],
            scores=[results[seat][1] for seat in range(len(table))],
            styles=sample.styles,
        )

    def _play(self, match: Match, table: list[Contestant]) -> PlannedMatch:
        """Play a match by random moves, with a record."""
        assert match.finished_at is not None
        result = runner.play(
            GAMES[match.game],
            [RandomPlayer(f"{match.seed} {seat}") for seat in range(len(table))],
            match.seed,
            options=match.options,
            seats=[
                runner.describe(
                    one.bot.name, one.bot.slug, one.version_at(match.finished_at).number
                )
                for one in table
            ],
            recorded=True,
        )
        assert result.record is not None
        match.decisions = result.decisions
        return PlannedMatch(
            match,
            table,
            places=list(result.outcome.placements),
            scores=list(result.outcome.scores),
            styles=styles_of(result.record),
            record=result.record,
        )

    def _seats(self, planned: PlannedMatch) -> list[Seat]:
        moment = planned.match.finished_at
        assert moment is not None
        seats = []
        for number, bot in enumerate(planned.table):
            think_ms = self.rng.lognormvariate(4, 1)
            faulty = planned.record is None and self.rng.random() < FAULT_SHARE
            planned.match.fault_count += faulty
            seats.append(
                Seat(
                    match=planned.match,
                    number=number,
                    version=bot.version_at(moment),
                    bot=bot.bot,
                    game=planned.match.game,
                    finished_at=moment,
                    place=planned.places[number],
                    score=planned.scores[number],
                    faulty=faulty,
                    think_ms=round(think_ms, 1),
                    slowest_ms=round(think_ms / 8, 1),
                )
            )
        return seats

    def _fault(self, seat: Seat) -> Fault:
        code = self.rng.choice(FAULT_CODES)
        detail = "A made-up fault."
        return Fault(seat=seat, version_id=seat.version_id, step=3, code=code, detail=detail)

    def _count(self, planned: PlannedMatch, seats: Sequence[Seat]) -> None:
        """Add a match to the statistics; a made-up one counts as its sample."""
        game = planned.match.game
        self.sums.add_meetings(game, [totals.Sat(seat.bot_id, seat.place or 1) for seat in seats])
        if planned.styles is not None:
            self.sums.add_styles(game, [seat.version_id for seat in seats], planned.styles)

    def _write_standings(self) -> None:
        for game, ledger in self.ledgers.items():
            tallies = dict(ledger.tallies.counts())
            rows = []
            for one in self.players[game]:
                mine = [counts for size, counts in tallies.items() if size.bot == one.bot.pk]
                matches, firsts, faulty = map(sum, zip((0, 0, 0), *mine, strict=True))
                rows.append(
                    Entry(
                        ladder_id=game,
                        bot=one.bot,
                        matches=matches,
                        firsts=firsts,
                        faulty=faulty,
                    )
                )
            Entry.objects.bulk_create(rows, batch_size=BATCH_SIZE)
            LadderRating.objects.bulk_create(self._ratings(ledger), batch_size=BATCH_SIZE)
            Ladder.objects.filter(game=game).update(rated=ledger.rated)
            history.write(game, ledger.days, ledger.tallies)

    def _ratings(self, ledger: Ledger) -> list[LadderRating]:
        """Give all versions of a bot its final rating; pages look at the active one."""
        return [
            LadderRating(
                ladder_id=ledger.game,
                version=version,
                mu=one.rating[ledger.game][0],
                sigma=one.rating[ledger.game][1],
                matches=ledger.matches[version.pk],
                start_mu=MU,
                start_sigma=SIGMA,
                after_no=0,
            )
            for one in self.players[ledger.game]
            if ledger.game in one.rating
            for version in one.versions
        ]

    def _write_statistics(self) -> None:
        sums = self.sums
        Style.objects.bulk_create(
            [
                Style(
                    version_id=key.version,
                    game=key.game,
                    matches=sums.seats[key],
                    counts=totals.in_order(counts),
                )
                for key, counts in sums.styles.items()
            ],
            batch_size=BATCH_SIZE,
        )
        Meeting.objects.bulk_create(
            [
                Meeting(
                    one_id=pair.one,
                    other_id=pair.other,
                    game=pair.game,
                    seat_count=pair.seat_count,
                    **met,
                )
                for pair, met in sums.pairs.items()
            ],
            batch_size=BATCH_SIZE,
        )
