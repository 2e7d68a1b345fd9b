"""The class an author writes, and the view it is shown. Runs inside the box.

It imports nothing at first: every module costs the start of every box.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random
    from typing import Any

    Json = Any
    """A value as JSON knows it."""

NOTE_LENGTH = 200


class View(dict):  # type: ignore[type-arg]
    """What a seat sees: `view.round` and `view["round"]` are the same thing, inside as well."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "Json":
        try:
            return self[name]
        except KeyError:
            there = ", ".join(map(str, self))
            raise AttributeError(f"the view has no {name!r}; it has {there}") from None

    def __setattr__(self, name: str, value: "Json") -> None:
        self[name] = value

    @property
    def me(self) -> "Json":
        """What there is of your own seat: `view.seats[view.seat]`."""
        return self.seats[self.seat]

    @property
    def others(self) -> list[int]:
        """The seats of the others, from your left-hand neighbour on."""
        own, count = self.seat, len(self.seats)
        return [(own + step) % count for step in range(1, count)]


class Bot:
    """A bot: inherit from it and write `decide`.

    One object plays one seat of one match. What it keeps in `self` is there at the next decision
    and gone with the match. If you like a method for each decision, take the class of your game,
    such as `bots_sdk.games.basari.BasariBot`.
    """

    games: "Sequence[str] | None" = None
    """The games it plays; all of them if it does not say."""

    _seed = ""
    _said: "str | None" = None
    _rng: "Random | None" = None

    def decide(self, view: View, options: "Sequence[str]") -> str:
        """The move of this seat: one of the options.

        `view` is what the seat sees, `view.decision` says what is decided. `options` are all legal
        moves; there may be too many offers to loop over, but `len`, `in` and `[i]` are quick.
        """
        raise NotImplementedError("write a method `decide(self, view, options)`")

    @property
    def rng(self) -> "Random":
        """Chance of its own, the same whenever the match is played again."""
        if self._rng is None:
            from random import Random  # noqa: PLC0415  costs 4 ms, and many bots never ask

            self._rng = Random(self._seed)
        return self._rng

    def note(self, text: object) -> None:
        """Attach a line to the move that is being decided; the last one counts."""
        self._said = str(text)[:NOTE_LENGTH]

    def take_note(self) -> "str | None":
        """The note of this decision; the next one starts without."""
        said, self._said = self._said, None
        return said


def find_bot(names: "dict[str, Any]", module: str) -> "type[Bot]":
    """The class that plays: the one named by BOT, or the only leaf subclass defined in the file."""
    named = names.get("BOT")
    if named is not None:
        if isinstance(named, type) and issubclass(named, Bot):
            return named
        raise TypeError("BOT must name a class that inherits from Bot")
    found = {
        value
        for value in names.values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module
    }
    leaves = [cls for cls in found if not any(cls in other.__mro__[1:] for other in found)]
    if len(leaves) == 1:
        return leaves[0]
    if not leaves:
        raise TypeError("no class in the file inherits from Bot")
    said = ", ".join(sorted(cls.__name__ for cls in leaves))
    raise TypeError(f"more than one bot class: {said}; name one with BOT = …")
