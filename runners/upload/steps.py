"""The steps of checking an upload, in their order. Pages, documents and programs name these."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class StepName(StrEnum):
    """One step. Its value stands in the stored check of a version and in `karat check --json`."""

    TEXT = "text"
    SYNTAX = "syntax"
    CLASS = "class"
    IMPORTS = "imports"
    START = "start"
    ANSWERS = "answers"
    MATCH = "match"


READING_STEPS = (StepName.TEXT, StepName.SYNTAX, StepName.CLASS, StepName.IMPORTS)
"""Steps that only read the file."""
BOXED_STEPS = frozenset({StepName.START, StepName.ANSWERS, StepName.MATCH})
"""Steps that run the bot."""
COMMON_STEPS = (*READING_STEPS, StepName.START)
"""Steps that say the same for every game, in their order."""
PER_GAME_STEPS = (StepName.ANSWERS, StepName.MATCH)
"""Steps that are done for each game that the bot plays, in their order."""

TITLES: Mapping[StepName, str] = MappingProxyType(
    {
        StepName.TEXT: "File is readable text",
        StepName.SYNTAX: "Python can parse it",
        StepName.CLASS: "Has a bot class",
        StepName.IMPORTS: "Imports only what a box has",
        StepName.START: "Starts in the sandbox",
        StepName.ANSWERS: "Answers the test set",
        StepName.MATCH: "Finishes a smoke match",
    }
)
"""What is checked, for people who wait for it."""
