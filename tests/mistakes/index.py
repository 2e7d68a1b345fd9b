"""Ten mistakes that authors make, a small bot for each. The documents show what becomes of them.

Every bot is for Edel, Stein & Reich or for all games. One is no Python, so its file is a text.
"""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
GAME = "edel-stein-reich"


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake, and the code of what an author is told in a check."""

    name: str
    code: str
    about: str
    suffix: str = ".py"

    @property
    def path(self) -> Path:
        """Where the bot lies."""
        return FOLDER / f"{self.name}{self.suffix}"

    @property
    def source(self) -> str:
        """The text of the bot."""
        return self.path.read_text(encoding="utf-8")


MISTAKES = (
    Mistake("syntax_error", "E101", "A colon is missing.", ".txt"),
    Mistake("wrong_class", "E102", "The class does not inherit from a bot class."),
    Mistake("two_classes", "E103", "Two classes could play."),
    Mistake("forbidden_import", "E105", "It imports a module that does not work in a box."),
    Mistake("illegal_move", "E301", "It returns a move that there is not."),
    Mistake("exception_at_turn_20", "E303", "Its twentieth decision raises an exception."),
    Mistake("returns_none", "E306", "A branch has no `return`."),
    Mistake("endless_loop", "E302", "A loop never ends."),
    Mistake("print_flood", "E305", "It prints far more than is kept."),
    Mistake("misspelt_method", "E108", "`chose_action` is meant to be `choose_action`."),
)
