"""The games registered in this process. It reads nothing itself: sources bring the games.

A source is asked once, when somebody first looks for a game; `runners.plugins` is one for the
games that are installed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from engine.facets.presentation import Presentation
from engine.game import BadSetup, Game

Source = Callable[[], Iterable[Game]]


class Registry(Mapping[str, Game]):
    """Games by their slug, in the order in which they were registered."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._sources: list[Source] = []

    def register(self, game: Game) -> None:
        """Add a game; `ValueError` if another one has its slug."""
        if self._games.setdefault(game.slug, game) is not game:
            raise ValueError(f"there is another game with the slug {game.slug!r}")

    def add_source(self, source: Source) -> None:
        """Register what this source brings as soon as somebody looks for a game."""
        self._sources.append(source)

    def _loaded(self) -> dict[str, Game]:
        while self._sources:
            for game in self._sources.pop(0)():
                self.register(game)
        return self._games

    def __getitem__(self, slug: str) -> Game:
        return self._loaded()[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded())

    def __len__(self) -> int:
        return len(self._loaded())


GAMES = Registry()


def find(slug: str) -> Game:
    """Return the game of this name, or raise `BadSetup`."""
    if slug not in GAMES:
        raise BadSetup(f"There is no game {slug!r}; there are {', '.join(GAMES)}.")
    return GAMES[slug]


def presentation_of(slug: str) -> Presentation:
    """Return how a game is presented to people; the default for one that is not registered."""
    return GAMES[slug].presentation if slug in GAMES else Presentation()
