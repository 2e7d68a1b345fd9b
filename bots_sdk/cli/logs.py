"""What boxed bots printed, written to a folder: a file for each seat, divided by decision."""

from pathlib import Path

from bots_sdk.cli.output import refuse
from bots_sdk.local.matches import Entrant
from engine.game import SEAT_LETTERS
from runners.match import MatchResult


def write_logs(folder: Path, match: str, bots: list[Entrant], result: MatchResult) -> None:
    """Write the logs of one match; seats that printed nothing get no file."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for seat, log in enumerate(result.logs):
            if log:
                path = folder / f"{match}-{SEAT_LETTERS[seat]}-{bots[seat].name}.log"
                path.write_bytes(_by_decision(log, result.marks[seat]))
    except OSError as error:
        refuse(f"{folder} cannot be written: {error.strerror}.")


def _by_decision(log: bytes, marks: list[tuple[int, int]]) -> bytes:
    """Return the log with a line before what was printed in each decision."""
    parts = []
    start = 0
    for step, end in marks:
        if log[start:end]:
            parts.append(f"--- step {step}\n".encode() + log[start:end])
        start = end
    return b"".join(parts) + (b"--- afterwards\n" + log[start:] if log[start:] else b"")
