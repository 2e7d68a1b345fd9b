"""The games registered in this process. It reads nothing itself: sources bring the games.

A source is asked once, when somebody first looks for a game; `runners.plugins` is one for the
games that are installed.
"""

from _thread import RLock
from collections.abc import Callable, Iterable, Iterator, Mapping

from engine.facets.presentation import Presentation
from engine.game import BadSetup, Game

Source = Callable[[], Iterable[Game]]
Loader = Callable[[], Game]


class Registry(Mapping[str, Game]):
    """Games by their slug, in the order in which they were registered."""

    def __init__(self) -> None:
        self._games: dict[str, Game | None] = {}
        """None for a game that nobody has asked for yet: its loader is in `_loaders`."""
        self._loaders: dict[str, Loader] = {}
        self._sources: list[Source] = []
        self._lock = RLock()

    def register(self, game: Game) -> None:
        """Add a game; `ValueError` if another one has its slug."""
        if self._games.setdefault(game.slug, game) is not game:
            raise ValueError(f"there is another game with the slug {game.slug!r}")

    def register_lazily(self, slug: str, load: Loader) -> None:
        """Add a game that is loaded when somebody asks for it; `ValueError` as above."""
        if slug in self._games:
            raise ValueError(f"there is another game with the slug {slug!r}")
        self._games[slug] = None
        self._loaders[slug] = load

    def add_source(self, source: Source) -> None:
        """Register what this source brings as soon as somebody looks for a game."""
        self._sources.append(source)

    def _all(self) -> dict[str, Game | None]:
        with self._lock:
            while self._sources:
                for game in self._sources.pop(0)():
                    self.register(game)
        return self._games

    def __getitem__(self, slug: str) -> Game:
        games = self._all()
        game = games[slug]
        if game is None:
            game = games[slug] = self._loaders[slug]()
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


GAMES = Registry()


def find(slug: str) -> Game:
    """Return the game of this name, or raise `BadSetup`."""
    if slug not in GAMES:
        raise BadSetup(f"There is no game {slug!r}; there are {', '.join(GAMES)}.")
    return GAMES[slug]


def presentation_of(slug: str) -> Presentation:
    """Return how a game is presented to people; the default for one that is not registered."""
    return GAMES[slug].presentation if slug in GAMES else Presentation()
