"""Files of records: `.json` with one, `.jsonl` with one per line."""

import re
from collections.abc import Iterator
from pathlib import Path

from bots_sdk.cli.output import refuse
from engine.record.reading import MAX_BYTES

_PLACE = re.compile(r"(.+\.jsonl?):([1-9]\d*)")


def record_at(place: str) -> bytes | None:
    """Return the record of a file, or of one of its lines as in `out.jsonl:3`; None if no file."""
    numbered = _PLACE.fullmatch(place)
    path = Path(numbered[1] if numbered else place)
    if path.suffix not in {".json", ".jsonl"}:
        return None
    if not path.is_file():
        refuse(f"There is no file {path}.")
    if numbered is None:
        return next((text for _, text in records_of(path)), b"")
    record = next((text for name, text in _lines_of(path) if name == place), None)
    if record is None:
        refuse(f"{path} has no record in line {numbered[2]}.")
    return record


def records_of(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every record of a file with its place; a line too long for a record is cut."""
    if path.suffix == ".jsonl":
        yield from _lines_of(path)
        return
    try:
        with path.open("rb") as file:
            yield str(path), file.read(MAX_BYTES + 1)
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")


def _lines_of(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(MAX_BYTES + 1):
                number += 1
                if line.strip():
                    yield f"{path}:{number}", line
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
