"""Boxes started ahead: the next match finds them ready. Each is used once."""

from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack, closing
from types import TracebackType
from typing import Self

from runners.box.launch import Box
from runners.bundles.unpacked import Code, imports_numpy
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

    def take(self, code: Code = "") -> Box:
        """Return a box for this bot that is ready; it belongs to the caller, who closes it."""
        [box] = self.take_all([code])
        return box

    def take_all(self, codes: Sequence[Code]) -> list[Box]:
        """Return a ready box for each of these bots; all that have to be started start together.

        Those that wait are for most bots: one that imports numpy, or is a bundle, gets another.
        """
        with ExitStack() as stack:
            boxes = [stack.enter_context(closing(self._choose(code))) for code in codes]
            for number, code in enumerate(codes):
                try:
                    boxes[number].wait_ready()
                except InfrastructureError:
                    # One that died while it waited says nothing about the next one.
                    boxes[number].close()
                    boxes[number] = stack.enter_context(closing(self._start(code)))
                    boxes[number].wait_ready()
            stack.pop_all()
        return boxes

    def _choose(self, code: Code) -> Box:
        waiting = isinstance(code, str) and self._boxes and not imports_numpy(code)
        return self._boxes.popleft() if waiting else self._start(code)

    def _start(self, code: Code) -> Box:
        bundle = None if isinstance(code, str) else code
        return Box(self.limits, numpy=imports_numpy(code), bundle=bundle)

    def close(self) -> None:
        """End all boxes that wait."""
        while self._boxes:
            self._boxes.popleft().close()
