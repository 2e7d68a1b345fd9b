"""Landlock: the kernel's wall around files, sockets and signals, for hosts without namespaces.

A ruleset names what it governs and what of that is allowed. It is made here, while nothing is
closed yet, and handed to the program in the box, which puts it on itself (`enclose`).
"""

import ctypes
import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType

from runners.box.policy import NoWall

READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILES: Mapping[int, int] = MappingProxyType({1: 0x1FFF, 2: 0x2000, 3: 0x4000, 5: 0x8000})
"""Access to files by the version of Landlock that first governs it: everything it knows."""
NETWORK: Mapping[int, int] = MappingProxyType({4: 0b11})
"""Serving and connecting by TCP."""
SCOPES: Mapping[int, int] = MappingProxyType({6: 0b11})
"""Abstract sockets and signals of processes outside."""
QUIET: Mapping[int, int] = MappingProxyType({7: 0b1})
"""No line in the host's audit log for each thing that is refused: a bot could flood it."""

_CREATE_RULESET, _ADD_RULE = 444, 445
_ASK_VERSION = 1
_PATH_BENEATH = 1


@cache
def version() -> int:
    """Return which Landlock this kernel offers; 0 is none."""
    return max(0, _call(_CREATE_RULESET, None, 0, _ASK_VERSION))


def supported_bits(table: Mapping[int, int], offered: int) -> int:
    """Return the bits of a table that a version of Landlock understands."""
    return sum(bits for since, bits in table.items() if since <= offered)


@contextmanager
def ruleset(readable: Sequence[Path]) -> Iterator[int]:
    """Yield the descriptor of a ruleset: these folders can be read, and nothing else be done."""
    offered = version()
    if not offered:
        raise NoWall("This kernel has no Landlock: use bubblewrap, or a kernel from 5.13 on.")
    attributes = struct.pack(
        "=QQQ", *(supported_bits(table, offered) for table in (FILES, NETWORK, SCOPES))
    )
    fd = _check_result(_call(_CREATE_RULESET, attributes, len(attributes), 0))
    try:
        for folder in readable:
            _allow_reading(fd, folder)
        yield fd
    finally:
        os.close(fd)


def _allow_reading(ruleset_fd: int, folder: Path) -> None:
    folder_fd = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = struct.pack("=Qi", READ_FILE | READ_DIR, folder_fd)
        _check_result(_call(_ADD_RULE, ruleset_fd, _PATH_BENEATH, rule, 0))
    finally:
        os.close(folder_fd)


def _check_result(result: int) -> int:
    if result < 0:
        raise NoWall(f"Landlock cannot be used: {os.strerror(ctypes.get_errno())}.")
    return result


def _call(number: int, *arguments: int | bytes | None) -> int:
    return int(_library().syscall(number, *arguments))


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
