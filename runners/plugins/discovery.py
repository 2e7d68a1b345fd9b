"""Finding what is installed, by entry points: `karat.games`, `karat.kits` and `karat.sdk`.

What another package brings and cannot be used is refused with its name and a reason; everything
else runs on without it. What is broken in our own distribution is an error.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from engine.game import Game
from runners.plugins.acceptance import (
    OWN_DISTRIBUTION,
    InstalledGame,
    Unusable,
    accept_game,
    accept_kit,
)
from runners.plugins.kit import Kit, Sdk

GAMES_GROUP, KITS_GROUP, SDK_GROUP = "karat.games", "karat.kits", "karat.sdk"
_KINDS = {GAMES_GROUP: "game", KITS_GROUP: "kit", SDK_GROUP: "SDK"}
_logger = logging.getLogger(__name__)


class BrokenInstallation(Exception):
    """Karat itself is not installed as it should be."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that is installed and cannot be used."""

    kind: str
    """`game`, `kit` or `SDK`."""
    name: str
    """Of its entry point."""
    distribution: str
    """What brought it: the name to hand to pip."""
    reason: str
    """As the end of a sentence."""

    def __str__(self) -> str:
        return f"The {self.kind} {self.name} of {self.distribution} is refused: {self.reason}."


@dataclass(frozen=True, slots=True)
class Installation:
    """Everything that is installed and can be used, and what cannot."""

    sdk: Sdk
    games: Mapping[str, InstalledGame]
    """By slug, in the order of lists."""
    kits: Mapping[str, Kit]
    """By the slugs of their games."""
    refusals: tuple[Refusal, ...]


@cache
def installation() -> Installation:
    """Return what is installed. It is looked for once, when somebody first asks."""
    refusals: list[Refusal] = []
    sdk = _find_sdk(refusals)
    games: dict[str, InstalledGame] = {}
    for entry in _entries(GAMES_GROUP):
        with _refusing(entry, refusals):
            game = accept_game(entry, games, sdk, trusted=_is_own(entry))
            games[game.slug] = game
    kits: dict[str, Kit] = {}
    for entry in _entries(KITS_GROUP):
        with _refusing(entry, refusals):
            kit = accept_kit(entry, kits, games, sdk, trusted=_is_own(entry))
            kits[kit.slug] = kit
    in_order = sorted(games.values(), key=lambda one: (one.game.order, one.slug))
    return Installation(sdk, {one.slug: one for one in in_order}, kits, tuple(refusals))


def installed_games() -> list[Game]:
    """Return the installed games in the order of lists."""
    return [one.game for one in installation().games.values()]


def kits() -> Mapping[str, Kit]:
    """Return the installed kits by the slugs of their games."""
    return installation().kits


def sdk() -> Sdk:
    """Return the SDK that bots find in the box."""
    return installation().sdk


def refusals() -> tuple[Refusal, ...]:
    """Return what is installed and cannot be used, for an operator to see."""
    return installation().refusals


def third_party_entries() -> list[EntryPoint]:
    """Return the entry points of games and kits that other packages brought and that are used."""
    refused = {(refusal.kind, refusal.name, refusal.distribution) for refusal in refusals()}
    return [
        entry
        for group in (GAMES_GROUP, KITS_GROUP)
        for entry in _entries(group)
        if not _is_own(entry) and (_KINDS[group], entry.name, _distribution(entry)) not in refused
    ]


def _entries(group: str) -> list[EntryPoint]:
    """Return the entry points of a group: ours first, so that nobody takes their names."""
    return sorted(
        entry_points(group=group),
        key=lambda entry: (not _is_own(entry), _distribution(entry), entry.name),
    )


def _is_own(entry: EntryPoint) -> bool:
    return _distribution(entry) == OWN_DISTRIBUTION


def _distribution(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else ""


def _find_sdk(refusals: list[Refusal]) -> Sdk:
    sdk: Sdk | None = None
    for entry in _entries(SDK_GROUP):
        with _refusing(entry, refusals):
            if not _is_own(entry):
                raise Unusable("only Karat itself brings the SDK")
            sdk = entry.load()
    if sdk is None:
        raise BrokenInstallation(
            "No SDK is installed: install Karat itself, with `make setup` or pip."
        )
    return sdk


@contextmanager
def _refusing(entry: EntryPoint, refusals: list[Refusal]) -> Iterator[None]:
    """Write down what cannot be used and run on without it, unless it is our own."""
    try:
        yield
    except Unusable as error:
        kind = _KINDS[entry.group]
        refusal = Refusal(kind, entry.name, _distribution(entry), str(error))
        if _is_own(entry):
            raise BrokenInstallation(str(refusal)) from error
        _logger.error("%s", refusal)
        refusals.append(refusal)
