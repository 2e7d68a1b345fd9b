"""A large league that never was: for measuring how fast pages are, and for looking at them full.

Bots have a hidden strength, matches are won by strength and luck, ratings follow them roughly. Only
the latest matches were really played and have records. Nothing here stands a rebuild.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.utils import timezone

from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot, BotVersion, Plays, Source
from league.ladder import services as ladder
from league.ladder.models import Entry, Ladder, LadderRating, RatingChange
from league.ladder.ratings import history
from league.matches.models import Fault, Match, Meeting, Record, Seat, Style
from league.matches.records import codec
from league.matches.statistics import totals
from league.matches.statistics.style import Counts, styles
from runners import match as runner
from runners.players import RandomPlayer

DAYS = 90
AT_ONCE = 1000
FAULTY = 0.01
CODES = ("E301", "E302", "E303", "E305")
_FIRST = ("Sapphire", "Ruby", "Tin", "Velvet", "Copper", "Silent", "Lucky", "Old", "Blue", "Quick")
_SECOND = ("Shark", "Magpie", "Cup", "Dealer", "Owl", "Fox", "Ledger", "Otter", "Mole", "Raven")
_TEXT = "from bots_sdk import Bot\n"
_SCORES = {"edel-stein-reich": (70, 12), "basari": (75, 12), "edelsteinsuche": (-2, 2)}


@dataclass(slots=True)
class Somebody:
    """A bot with what is hidden of it, and its rating in every game as the matches go by."""

    bot: Bot
    strength: float
    versions: list[BotVersion]
    since: list[datetime]
    rating: dict[str, tuple[float, float]] = field(default_factory=dict)

    def version_at(self, moment: datetime) -> BotVersion:
        """The version that was active then."""
        return self.versions[max(0, bisect_right(self.since, moment) - 1)]


@dataclass(slots=True)
class Seated:
    """A match before it has rows."""

    match: Match
    table: list[Somebody]
    places: list[int]
    scores: list[int]
    record: codec.Record | None


class Ledger:
    """What has been written for one game."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.rated = 0
        self.days, self.tallies = history.Days(), history.Tallies()
        self.matches: Counter[int] = Counter()
        """Of every version."""

    def lines(self, one: Seated, seats: Sequence[Seat]) -> list[RatingChange]:
        """Move the ratings of a table towards where it finished."""
        made = []
        moment = one.match.finished_at
        assert moment is not None
        strengths = [who.rating.get(self.game, (25.0, 25 / 3)) for who in one.table]
        mean = sum(mu for mu, _ in strengths) / len(strengths)
        for seat, who, place, (mu, sigma) in zip(
            seats, one.table, one.places, strengths, strict=True
        ):
            expected = (len(strengths) + 1) / 2 - (mu - mean) / 8
            now = (mu + 0.25 * sigma * (expected - place), max(0.8, sigma * 0.985))
            who.rating[self.game] = now
            self.matches[seat.version_id] += 1
            self.days.add(seat.bot_id, seat.version_id, moment.date(), *now)
            self.tallies.add(seat.bot_id, len(seats), place, seat.faulty)
            made.append(
                RatingChange(
                    ladder_id=self.game,
                    ledger_position=one.match.ledger_position or 0,
                    match=one.match,
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
        return made


class Demo:
    """Fills an empty league."""

    def __init__(self, matches: int, bots: int, played: int, chance: Random) -> None:
        self.count, self.played, self.chance = matches, played, chance
        self.begun = timezone.now() - timedelta(days=DAYS)
        self.sums = totals.Sums()
        self.ledgers = {game: Ledger(game) for game in GAMES}
        self.samples: dict[tuple[str, int], list[Counts]] = {}
        ladder.ensure()
        self.everybody = self._people(bots)
        self.players = {
            game: [one for one in self.everybody if self._plays(one, number)]
            for number, game in enumerate(GAMES)
        }

    def _plays(self, one: Somebody, number: int) -> bool:
        """House bots and every other bot play all games; the rest only one."""
        return one.bot.is_house or one.bot.pk % 2 == 0 or one.bot.pk % len(GAMES) == number

    def _people(self, count: int) -> list[Somebody]:
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
        return [self._somebody(bot, source) for bot in bots]

    def _somebody(self, bot: Bot, source: Source) -> Somebody:
        count = self.chance.choice((1, 1, 2, 3, 5))
        since = sorted(
            self.begun + timedelta(days=DAYS) * self.chance.random() for _ in range(count)
        )
        since[0] = self.begun
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
        return Somebody(bot, self.chance.gauss(0, 1.2), versions, since)

    def fill(self) -> None:
        """Write everything."""
        self._write_versions()
        for first in range(0, self.count, AT_ONCE):
            with transaction.atomic():
                self._write_matches(range(first, min(first + AT_ONCE, self.count)))
        with transaction.atomic():
            self._write_standings()
            self._write_statistics()

    def _write_versions(self) -> None:
        BotVersion.objects.bulk_create(
            [version for one in self.everybody for version in one.versions], batch_size=AT_ONCE
        )
        for one in self.everybody:
            one.bot.active = one.versions[-1]
        Bot.objects.bulk_update([one.bot for one in self.everybody], ["active"], batch_size=200)
        Plays.objects.bulk_create(
            [
                Plays(version=version, game=game)
                for game, players in self.players.items()
                for one in players
                for version in one.versions
            ],
            batch_size=AT_ONCE,
        )

    def _write_matches(self, numbers: range) -> None:
        made = [self._seated(number) for number in numbers]
        Match.objects.bulk_create([one.match for one in made])
        tables = [self._seats(one) for one in made]
        Seat.objects.bulk_create([seat for table in tables for seat in table])
        lines, kept, faults = [], [], []
        for one, seats in zip(made, tables, strict=True):
            lines += self.ledgers[one.match.game].lines(one, seats)
            faults += [self._fault(seat) for seat in seats if seat.faulty]
            self._count(one, seats)
            if one.record:
                data = codec.pack(one.record)
                kept.append(Record(match=one.match, data=data, digest=one.record["digest"]))
        RatingChange.objects.bulk_create(lines, batch_size=AT_ONCE)
        Record.objects.bulk_create(kept)
        Fault.objects.bulk_create(faults)

    def _seated(self, number: int) -> Seated:
        """Who sits down, and how it ends."""
        game = self.chance.choices(list(GAMES), (4, 3, 3))[0]
        size = self.chance.choice(GAMES[game].seats)
        table = self.chance.sample(self.players[game], size)
        moment = self.begun + timedelta(days=DAYS) * ((number + 1) / self.count)
        ledger = self.ledgers[game]
        ledger.rated += 1
        match = Match(
            game=game,
            seat_count=size,
            options=GAMES[game].resolve_options(size),
            seed=f"demo {number}",
            kind=Match.Kind.LADDER,
            rated=True,
            status=Match.Status.FINISHED,
            started_at=moment,
            finished_at=moment,
            decisions=100,
            duration_ms=self.chance.randint(200, 2000),
            excitement=round(self.chance.expovariate(0.3), 3),
            rules=GAMES[game].rules,
            ledger_position=ledger.rated,
        )
        if number >= self.count - self.played:
            return self._really(match, table)
        middle, spread = _SCORES[game]
        luck = [one.strength + self.chance.gauss(0, 1) for one in table]
        scores = [round(middle + spread * value) for value in luck]
        if game == "edelsteinsuche":
            scores = [min(0, score) for score in scores]
        return Seated(match, table, [1 + sum(o > s for o in scores) for s in scores], scores, None)

    def _really(self, match: Match, table: list[Somebody]) -> Seated:
        """Played by random moves, with a record."""
        assert match.finished_at is not None
        told = runner.play(
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
        assert told.record is not None
        match.decisions, match.excitement = told.decisions, codec.excitement(told.record)
        outcome = told.outcome
        return Seated(match, table, list(outcome.placements), list(outcome.scores), told.record)

    def _seats(self, one: Seated) -> list[Seat]:
        moment = one.match.finished_at
        assert moment is not None
        seats = []
        for number, who in enumerate(one.table):
            think = self.chance.lognormvariate(4, 1)
            faulty = one.record is None and self.chance.random() < FAULTY
            one.match.fault_count += faulty
            seats.append(
                Seat(
                    match=one.match,
                    number=number,
                    version=who.version_at(moment),
                    bot=who.bot,
                    game=one.match.game,
                    finished_at=moment,
                    place=one.places[number],
                    score=one.scores[number],
                    faulty=faulty,
                    think_ms=round(think, 1),
                    slowest_ms=round(think / 8, 1),
                )
            )
        return seats

    def _fault(self, seat: Seat) -> Fault:
        code = self.chance.choice(CODES)
        detail = "It went wrong, as it does now and then."
        return Fault(seat=seat, version_id=seat.version_id, step=3, code=code, detail=detail)

    def _count(self, one: Seated, seats: Sequence[Seat]) -> None:
        """A match that was not played counts as one like it that was."""
        game = one.match.game
        self.sums.add_meetings(game, [totals.Sat(seat.bot_id, seat.place or 1) for seat in seats])
        if one.record is None:
            counted = self._sample(game, len(seats))
        else:
            counted = styles(one.record)
        self.sums.add_styles(game, [seat.version_id for seat in seats], counted)

    def _sample(self, game: str, size: int) -> list[Counts]:
        if (game, size) not in self.samples:
            players = [RandomPlayer(f"{game} {seat}") for seat in range(size)]
            played = runner.play(GAMES[game], players, "sample", recorded=True)
            assert played.record is not None
            self.samples[game, size] = styles(played.record)
        return self.samples[game, size]

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
            Entry.objects.bulk_create(rows, batch_size=AT_ONCE)
            LadderRating.objects.bulk_create(self._ratings(ledger), batch_size=AT_ONCE)
            Ladder.objects.filter(game=game).update(rated=ledger.rated)
            history.write(game, ledger.days, ledger.tallies)

    def _ratings(self, ledger: Ledger) -> list[LadderRating]:
        """All versions of a bot end where it stands now; pages look at the active one."""
        return [
            LadderRating(
                ladder_id=ledger.game,
                version=version,
                mu=one.rating[ledger.game][0],
                sigma=one.rating[ledger.game][1],
                matches=ledger.matches[version.pk],
                start_mu=25.0,
                start_sigma=25 / 3,
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
            batch_size=AT_ONCE,
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
            batch_size=AT_ONCE,
        )
