"""What is wrong with an upload, to be raised where it is seen and shown to the author."""

from dataclasses import dataclass, field

from runners.codes import Value


@dataclass(eq=False)
class Finding(Exception):
    """What is wrong with an upload: a code, the values for its texts, and the place."""

    code: str
    values: dict[str, Value] = field(default_factory=dict)
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None
    file: str | None = None
    """The file of a bundle it is about; None if there is only one, or it is about all."""
