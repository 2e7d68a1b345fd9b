"""The class an author writes, and the view it gets. Runs inside the box.

It imports nothing at first: every import slows down the start of every box.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from random import Random
    from typing import Any, BinaryIO

    Json = Any
    """A value as JSON knows it."""
    _Fields = dict[str, Json]
else:
    _Fields = dict

__all__ = ["Bot", "TypedView", "View", "find_bot"]

NOTE_LENGTH = 200
NAMED_FILES = 20


class View(_Fields):
    """What a seat sees: `view.round` and `view["round"]` are the same thing, inside as well."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "Json":
        try:
            return self[name]
        except KeyError:
            fields = ", ".join(map(str, self))
            raise AttributeError(f"the view has no {name!r}; it has {fields}") from None

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


class TypedView(View):
    """A view with declared fields, for editors and type checkers. Bots are given a `View`."""

    __slots__ = ()

    if TYPE_CHECKING:
        # Taken back, so that a misspelt field is an error.
        __getattr__: None  # type: ignore[assignment, misc]


class Bot:
    """A bot: inherit from it and write `decide`.

    One object plays one seat of one match. What it keeps in `self` is there at the next decision
    and gone with the match. If you like a method for each decision, take the class of your game,
    such as `bots_sdk.games.basari.BasariBot`.
    """

    games: "Sequence[str] | None" = None
    """The games it plays; by default all of them."""

    _seed = ""
    _pending_note: "str | None" = None
    _rng: "Random | None" = None
    _folder: "str | None" = None

    def decide(self, view: View, options: "Sequence[str]") -> str:
        """Return the move of this seat: one of the options.

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

    @property
    def data_path(self) -> "Path":
        """The folder of the bot, with all its files. Nothing can be written there."""
        from pathlib import Path  # noqa: PLC0415  costs 3 ms, and few bots ask

        if self._folder is None:
            raise FileNotFoundError("this bot is a single file; pack a folder to bring data")
        return Path(self._folder)

    def open_data(self, name: str) -> "BinaryIO":
        """Open a file of the bot's folder, such as `weights.npy`, to read its bytes."""
        path = self.data_path / name
        try:
            return path.open("rb")
        except FileNotFoundError:
            raise FileNotFoundError(missing_file_text(name, self.data_path)) from None

    def note(self, text: object) -> None:
        """Attach a line to the move that is being decided; the last one counts."""
        self._pending_note = str(text)[:NOTE_LENGTH]

    def take_note(self) -> "str | None":
        """Return the note of this decision; the next one starts without."""
        note, self._pending_note = self._pending_note, None
        return note


def missing_file_text(name: str, folder: "Path") -> str:
    """Return what a bot is told that opens a file it does not have."""
    paths = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    more = f" and {len(paths) - NAMED_FILES} more" if len(paths) > NAMED_FILES else ""
    return f"the bot has no file {name!r}; it has {', '.join(paths[:NAMED_FILES])}{more}"


def find_bot(names: "dict[str, Any]", module: str) -> "type[Bot]":
    """Return the class that plays: the one named by BOT, or the only leaf subclass of the file."""
    chosen = names.get("BOT")
    if chosen is not None:
        if isinstance(chosen, type) and issubclass(chosen, Bot):
            return chosen
        raise TypeError("BOT must name a class that inherits from Bot")
    classes = {
        value
        for value in names.values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module
    }
    leaves = [cls for cls in classes if not any(cls in other.__mro__[1:] for other in classes)]
    if len(leaves) == 1:
        return leaves[0]
    if not leaves:
        raise TypeError("no class in the file inherits from Bot")
    class_names = ", ".join(sorted(cls.__name__ for cls in leaves))
    raise TypeError(f"more than one bot class: {class_names}; name one with BOT = …")
