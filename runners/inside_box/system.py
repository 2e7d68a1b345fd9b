"""Calls of the kernel and of its library that Python has no functions for.

Made with `_ctypes`: ctypes itself would cost every box several milliseconds.
"""

import _ctypes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Argument = int | bytes | None

_everything = _ctypes.dlopen(None, 2)  # type: ignore[arg-type]


class Refused(Exception):
    """The kernel said no; the text names the call."""


def function(name: str) -> "Callable[..., int]":
    """Return a function of the C library; numbers have 32 bits, bytes are passed by address."""
    address = _ctypes.dlsym(_everything, name)

    def call(*arguments: "Argument") -> int:
        return int(_ctypes.call_function(address, arguments))

    return call


def require(result: int, what: str) -> None:
    """Raise `Refused` unless a call did what it was asked for."""
    if result != 0:
        raise Refused(what)


prctl = function("prctl")
syscall = function("syscall")
