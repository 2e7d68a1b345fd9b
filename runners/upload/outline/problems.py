"""What is wrong with a file, as the outline says it."""

from typing import Any

MAX_EXCERPT = 200
"""A line can be as long as the file; this much of it is shown."""
MAX_LISTED = 5
"""Classes or games that are named in a message."""

Json = dict[str, Any]


class Problem(Exception):
    """What is wrong with the file: a code, the values for its texts, and the place."""

    def __init__(self, code: str, values: Json, line: int | None = None) -> None:
        super().__init__(code)
        self.facts: Json = {"code": code, "values": values, "line": line}

    def in_file(self, path: str) -> "Problem":
        """Say which file of a bundle it is about."""
        self.facts["file"] = path
        name = printable(path)
        # What is told with the name of a single file anyway does not repeat it: `module`.
        self.facts["values"] |= {"file": name, "module": name}
        return self


def printable(text: str) -> str:
    """Return the beginning of the text, with everything escaped that a database may not take."""
    beginning = text[:MAX_EXCERPT]
    cut = "…" if len(text) > MAX_EXCERPT else ""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in beginning) + cut
