"""The author's own lines in a traceback. It is a text that came out of a box: nothing is run."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from runners.faults import Value

MAX_ERROR = 200
_FRAME = re.compile(r'^  File "([^"]+)", line (\d+)(?:, in (\S+))?', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class OwnLine:
    """The last line of the author's file that a traceback shows, and what was raised."""

    line: int | None
    where: str | None
    error: str | None
    file: str
    """The author's file that this line is in."""
    module: str | None = None
    """The same, if it is not the one with the bot."""

    def values(self) -> dict[str, Value]:
        """Return what the texts of a failure say about it."""
        place = {"line": self.line, "where": self.where, "module": self.module}
        return {**place, "error": self.error}


def read(traceback: str | None, file: str, modules: Collection[str] = ()) -> OwnLine:
    """Return where a traceback left the author's file, or a bundle's `modules`."""
    if not traceback:
        return OwnLine(None, None, None, file)
    own = {file, *modules}
    frames = [frame for frame in _FRAME.finditer(traceback) if frame[1] in own]
    last = frames[-1] if frames else None
    line = int(last[2]) if last and len(last[2]) < 7 else None
    where = last[3] if last and last[3] != "<module>" else None
    name = last[1] if last else file
    return OwnLine(line, where, _error(traceback), name, None if name == file else name)


def _error(traceback: str) -> str | None:
    """Return the last line, which names the exception and says why."""
    text = traceback.strip().rpartition("\n")[2].replace("`", "'")
    shown = "".join(letter for letter in text if letter.isprintable())[:MAX_ERROR]
    return shown or None
