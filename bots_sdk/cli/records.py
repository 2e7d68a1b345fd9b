"""Files of records: `.json` with one, `.jsonl` with one per line."""

from collections.abc import Iterator
from pathlib import Path

from bots_sdk.cli.output import refuse
from engine.record.reading import MAX_BYTES


def records_of(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every record of a file with its place; a line too long for a record is cut."""
    try:
        with path.open("rb") as file:
            if path.suffix != ".jsonl":
                yield str(path), file.read(MAX_BYTES + 1)
                return
            number = 0
            while line := file.readline(MAX_BYTES + 1):
                number += 1
                if line.strip():
                    yield f"{path}:{number}", line
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
