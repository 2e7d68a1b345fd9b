"""Small makers of what tests of the league need: users, keys, bots, versions and played matches.

Everything goes through the services where there is one, so that rows are as real ones are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from bots_sdk.chances.values import Chances, Row, TurningPoint
from engine.registry import GAMES
from league.accounts import services as accounts
from league.accounts.models import Token, User
from league.bots import services as bots, smoke_matches
from league.bots.models import Bot, BotVersion, Plays, SmokeMatch
from league.chances import services as chance_services
from league.chances.models import MatchChances
from league.jobs import leases
from league.ladder import services as ladder
from league.ladder.ratings import writer
from league.matches import services as matches
from league.matches.models import Match
from league.tournaments.models import Tournament
from league.tournaments.services import lifecycle as tournaments
from league.workers import storing
from runners import match as runner
from runners.bundles.bundle import Bundle
from runners.match import Fault
from runners.players import RandomPlayer

SOURCE = """from bots_sdk import Bot


class MyBot(Bot):
    def decide(self, view, options):
        return options[0]
"""
BUNDLED = """import model
from bots_sdk import Bot


class MyBot(Bot):
    def decide(self, view, options):
        with self.open_data("data/weights.bin") as file:
            return model.choose(options, file.read())
"""
"""The file with the bot of a bundle."""
GAME = "basari"
NEXT_YEAR = timezone.now().year + 1
"""For dates to come that a tournament can have."""
_numbers = count(1)


def make_bundle(weights: bytes = b"weights", note: str = "") -> Bundle:
    """A bot with a module and a data file; equal arguments make equal bundles."""
    files = {
        "bot.py": f"{BUNDLED}# {note}\n".encode(),
        "model.py": b"def choose(options, data):\n    return options[len(data) % len(options)]\n",
        "data/weights.bin": weights,
    }
    return Bundle(files)


def make_user(name: str | None = None, **facts: object) -> User:
    """Somebody with the password `open sesame`."""
    user = User(username=name or f"user-{next(_numbers)}", **facts)
    user.set_password("open sesame")
    user.save()
    return user


def make_key(user: User, *scopes: str) -> str:
    """A key with these scopes; with all, if none is named."""
    return accounts.create_token(user, "test", list(scopes) or list(Token.Scope.values))[1]


def make_bot(owner: User | None = None, name: str | None = None) -> Bot:
    """A bot without any version; one of the house, if nobody owns it."""
    return bots.create(owner, name or f"Bot {next(_numbers)}")


def make_version(
    bot: Bot,
    source: str | Bundle | None = None,
    *,
    games: Sequence[str] = tuple(GAMES),
    status: BotVersion.Status = BotVersion.Status.ACCEPTED,
) -> BotVersion:
    """The next version of a bot as its check leaves it; an accepted one is active."""
    if not isinstance(source, Bundle):
        source = source or f"{SOURCE}# {next(_numbers)}\n"
    data = source if isinstance(source, Bundle) else source.encode()
    version = bots.upload(bot, data).version
    version.status = status
    if status == BotVersion.Status.ACCEPTED:
        version.checked_at = timezone.now()
        Plays.objects.bulk_create(Plays(version=version, game=game) for game in games)
    version.save()
    if status == BotVersion.Status.ACCEPTED:
        bots.activate(bot, version.number)
    version.refresh_from_db()
    return version


def make_player(owner: User | None = None, name: str | None = None) -> Bot:
    """A bot with an active version that plays all games."""
    bot = make_bot(owner, name)
    make_version(bot)
    bot.refresh_from_db()
    return bot


def queue_match(players: Sequence[Bot], game: str = GAME, *, rated: bool = True) -> Match:
    """A match of the ladder that waits."""
    versions = [bot.active for bot in players if bot.active is not None]
    return matches.make(game, versions, Match.Kind.LADDER, rated=rated)


def finish_match(
    match: Match,
    *,
    printed: Mapping[int, str] | None = None,
    notes: Mapping[int, str] | None = None,
    faults: Sequence[Fault] = (),
    meanwhile: Callable[[], object] = lambda: None,
    worker: str = "test",
) -> Match:
    """Play a waiting match by random moves, in this process, and store it as a worker does.

    `printed` and `notes` say what seats printed and noted beside their first move; `meanwhile` is
    what others do while it is played.
    """
    lease = leases.claim(Match, Match.objects.filter(pk=match.pk), worker)
    assert lease is not None
    seats = list(match.seats.select_related("version__source", "bot"))
    played = runner.play(
        GAMES[match.game],
        [RandomPlayer(f"{match.seed} {seat.number}") for seat in seats],
        match.seed,
        options=match.options,
        seats=[runner.describe(s.bot.name, s.bot.slug, s.version.number) for s in seats],
        recorded=True,
    )
    for seat, line in (notes or {}).items():
        _note(played, seat, line)
    played = replace(
        played,
        logs=[(printed or {}).get(seat.number, "").encode() for seat in seats],
        faults=list(faults),
    )
    meanwhile()
    assert storing.store(lease, match, seats, played, 10)
    match.refresh_from_db()
    return match


def _note(played: runner.MatchResult, seat: int, line: str) -> None:
    """Write a note into the record as the referee does."""
    assert played.record is not None
    for step in played.record["steps"]:
        if step.get("seat") == seat and "move" in step:
            step["note"] = line
            return
        if "moves" in step:
            said = step.setdefault("note", [None] * len(step["moves"]))
            said[seat] = line
            return


def make_match(
    players: Sequence[Bot], game: str = GAME, *, rated: bool = True, **told: object
) -> Match:
    """A finished match with a real record. More is told to `finish_match`."""
    return finish_match(queue_match(players, game, rated=rated), **told)  # type: ignore[arg-type]


def pretend_chances(match: Match, swing: float = 1.0) -> MatchChances:
    """Chances in a finished match that nobody estimated: one half for seat A, until the end."""
    steps = match.decisions
    others = [0] * (match.seat_count - 2)
    chances = Chances(
        policy="pretenders",
        playouts=10,
        rows=[Row(0, [500, 500, *others]), Row(steps, [1000, 0, *others])],
        turning_points=[TurningPoint(1, 0, steps, 0, 1, 500, 0)],
        swing=swing,
    )
    assert match.finished_at is not None
    row = MatchChances.objects.create(
        match=match, version=chances.version, finished_at=match.finished_at
    )
    chance_services.store(match, chances)
    row.refresh_from_db()
    return row


def make_smoke_match(
    version: BotVersion,
    game: str = GAME,
    *,
    printed: str = "",
    note: str = "",
    faults: Sequence[Fault] = (),
) -> SmokeMatch:
    """The match of a version's check, played by random moves in this process."""
    played = runner.play(
        GAMES[game],
        [RandomPlayer(f"smoke {seat}") for seat in range(3)],
        "smoke",
        seats=[runner.describe(version.bot.name, version.bot.slug, version.number)]
        + [runner.describe(f"opponent {number}") for number in (1, 2)],
        recorded=True,
    )
    if note:
        _note(played, 0, note)
    assert played.record is not None
    played.record["faults"] += [
        {"seat": one.seat, "step": one.step, "code": one.code, "detail": one.detail}
        for one in faults
    ]
    logs = [printed.encode(), b"", b""]
    smoke_matches.store(version, {game: replace(played, logs=logs, faults=list(faults))})
    return version.smoke_matches.get(game=game)


def make_tournament(organiser: User, name: str = "Friday Cup", **facts: object) -> Tournament:
    """A draft of two rounds at tables of three; entry would close, and it start, tomorrow."""
    tomorrow = timezone.now() + timedelta(days=1)
    usual: dict[str, Any] = {
        "game": GAME,
        "config": {"format": "swiss", "seats": 3, "rounds": 2},
        "locks_at": tomorrow,
        "starts_at": tomorrow,
    }
    return tournaments.create(organiser, name, **usual | facts)


def rate_all(game: str = GAME) -> None:
    """Let everybody in and rate what finished, as the tick does."""
    ladder.ensure()
    ladder.enrol()
    writer.rate(game)
