"""What can go wrong in a match: a bot's failure, or one of the infrastructure. Never mixed."""

from dataclasses import dataclass


class InfrastructureError(Exception):
    """Something of ours broke. It is never a bot's fault, and the match is played again."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What a bot did wrong: the code, one public sentence, and a traceback for its owner."""

    code: str
    detail: str
    traceback: str | None = None
