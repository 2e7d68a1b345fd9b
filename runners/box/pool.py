"""Boxes started ahead: the next match finds them ready. Each is used once."""

from collections import deque
from types import TracebackType
from typing import Self

from runners.box.launch import Box
from runners.failures import InfrastructureError
from runners.limits import DEFAULT, Limits


class Pool:
    """Keeps some boxes starting or ready. Use it from the main thread only."""

    def __init__(self, size: int, limits: Limits = DEFAULT) -> None:
        self.size = size
        self.limits = limits
        self._boxes: deque[Box] = deque()

    def __enter__(self) -> Self:
        self.fill()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def fill(self) -> None:
        """Start what is missing, without waiting for it. Call it when a match begins."""
        while len(self._boxes) < self.size:
            self._boxes.append(Box(self.limits))

    def take(self, *, numpy: bool = False) -> Box:
        """Return a box that is ready; it belongs to the caller, who closes it.

        Those that wait are for most bots: one that imports numpy gets another.
        """
        waiting = self._boxes and not numpy
        box = self._boxes.popleft() if waiting else Box(self.limits, numpy=numpy)
        try:
            box.wait_ready()
        except InfrastructureError:
            # One that died while it waited says nothing about the next one.
            box.close()
            box = Box(self.limits, numpy=numpy)
            try:
                box.wait_ready()
            except BaseException:
                box.close()
                raise
        except BaseException:
            box.close()
            raise
        return box

    def close(self) -> None:
        """End all boxes that wait."""
        while self._boxes:
            self._boxes.popleft().close()
