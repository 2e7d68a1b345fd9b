"""What a bot prints in this process: shown as far as anybody can read it, and kept as in a box."""

import sys
from io import TextIOBase
from types import TracebackType
from typing import Self, TextIO


class Screen:
    """Where prints are shown. All bots of a process share it, and together have so many bytes."""

    def __init__(self, stream: TextIO, max_bytes: int) -> None:
        self._stream = stream
        self._left = max_bytes

    def show(self, text: str) -> None:
        """Show the text, or its beginning; the last one that fits is followed by a remark."""
        if self._left <= 0:
            return
        size = len(text.encode("utf-8", "replace"))
        self._stream.write(text if size <= self._left else text[: self._left])
        self._left -= size
        if self._left <= 0:
            self._stream.write("\n… (what bots print from here on is not shown)\n")
        self._stream.flush()


class Prints(TextIOBase):
    """Standard output and error of one bot for one match; in a `with` block it is in their place.

    Leaving the block does not close it, as it would a file.
    """

    def __init__(self, screen: Screen, max_bytes: int) -> None:
        super().__init__()
        self._screen = screen
        self._max_bytes = max_bytes
        self._kept = bytearray()
        self._streams = sys.stdout, sys.stderr
        self.size = 0
        """In bytes, of all that was printed."""

    def __enter__(self) -> Self:
        self._streams = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        sys.stdout, sys.stderr = self._streams

    @property
    def kept(self) -> bytes:
        """The beginning of it, as much as a league keeps."""
        return bytes(self._kept)

    @property
    def cut(self) -> bool:
        """Whether a league would not keep all of it."""
        return self.size > self._max_bytes

    def writable(self) -> bool:
        """Return that this can be written to."""
        return True

    def write(self, text: str) -> int:
        """Keep and show the text, as far as there is room."""
        if self.size <= self._max_bytes:
            data = text.encode("utf-8", "replace")
            self._kept += data[: self._max_bytes - len(self._kept)]
            self.size += len(data)
            self._screen.show(text)
        return len(text)
