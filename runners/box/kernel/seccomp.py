"""The filters of system calls, assembled from the policy into the kernel's own little language.

A program is a list of instructions of eight bytes; jumps only go forward. Ours is a chain: one test
per call, the verdict right behind it.
"""

import struct
from collections.abc import Iterable

from runners.box.policy import (
    ALLOWED,
    CHECKED,
    CHECKED_IN_BUNDLES,
    CHECKED_LATER,
    CHECKED_LATER_IN_BUNDLES,
    ENCLOSING,
    ENCLOSING_BUNDLES,
    FORBIDDEN,
    STARTING,
    Check,
    Machine,
)

ALLOW = 0x7FFF0000
REFUSE = 0x00050001
"""The call fails with EPERM."""
KILL = 0x80000000

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _AT_LEAST, _ANY_BIT = 0x15, 0x35, 0x45
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000

Instruction = tuple[int, int, int, int]


def first_filter(machine: Machine, needed: Iterable[str] = ()) -> bytes:
    """Return what is set before our program starts: everything but a short list fails.

    `needed` calls pass whatever the lists say, until a later filter judges them.
    """
    program = _preamble(machine)
    for name in (*ALLOWED, *STARTING, *needed):
        program += _verdict(machine, name, ALLOW)
    for name, check in CHECKED.items():
        if name in machine.calls:
            program += _check_argument(machine.calls[name], check)
    for name in FORBIDDEN:
        program += _verdict(machine, name, KILL)
    return _assemble([*program, (_RETURN, 0, 0, REFUSE)])


def second_filter(machine: Machine, *, bundle: bool = False) -> bytes:
    """Return what is set before the bot is read: what only the start needed fails too."""
    program = _preamble(machine)
    for name in STARTING:
        program += _verdict(machine, name, REFUSE)
    later = {**CHECKED_LATER, **(CHECKED_LATER_IN_BUNDLES if bundle else {})}
    for name, check in later.items():
        program += _check_argument(machine.calls[name], check)
    for name, checks in CHECKED_IN_BUNDLES.items() if bundle else ():
        program += _check_bits(machine.calls[name], checks)
    return _assemble([*program, (_RETURN, 0, 0, ALLOW)])


def template_filter(machine: Machine, *, bundle: bool = False) -> bytes:
    """Return the first filter as a template sets it, for itself and all its forks."""
    return first_filter(machine, _enclosing(bundle=bundle))


def fork_filter(machine: Machine, *, bundle: bool = False) -> bytes:
    """Return the second filter as a fork sets it: it also judges what only its walls needed."""
    judged = _preamble(machine)
    for name in _enclosing(bundle=bundle):
        if name in CHECKED:
            judged += _check_argument(machine.calls[name], CHECKED[name])
        else:
            judged += _verdict(machine, name, KILL if name in FORBIDDEN else REFUSE)
    return _assemble(judged) + second_filter(machine, bundle=bundle)


def _enclosing(*, bundle: bool) -> tuple[str, ...]:
    return (*ENCLOSING, *ENCLOSING_BUNDLES) if bundle else ENCLOSING


def _preamble(machine: Machine) -> list[Instruction]:
    """Return the test that ends a process that uses the numbers of another processor, or x32."""
    return [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, machine.audit),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, KILL),
    ]


def _verdict(machine: Machine, name: str, action: int) -> list[Instruction]:
    number = machine.calls.get(name)
    return [] if number is None else [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, action)]


def _check_argument(number: int, check: Check) -> list[Instruction]:
    """Return the test of this call, with a verdict by its argument."""
    if check.one_of is None:
        return _check_bits(number, (check,))
    low = _ARGUMENTS + 8 * check.argument
    test = _one_of(check.one_of, low, wide=check.one_of == (0,))
    return [(_EQUAL, 0, len(test), number), *test]


def _check_bits(number: int, checks: Iterable[Check]) -> list[Instruction]:
    """Return the tests of this call for bits of its arguments: none of them may refuse it."""
    test = [instruction for check in checks for instruction in _refuse_bits(check)]
    return [(_EQUAL, 0, len(test) + 1, number), *test, (_RETURN, 0, 0, ALLOW)]


def _refuse_bits(check: Check) -> list[Instruction]:
    low = _ARGUMENTS + 8 * check.argument
    if check.refused_bits:
        test = [(_ANY_BIT, 0, 1, check.refused_bits)]
    else:
        test = [(_AND, 0, 0, check.together), (_EQUAL, 0, 1, check.together)]
    return [(_LOAD, 0, 0, low), *test, (_RETURN, 0, 0, REFUSE)]


def _one_of(values: tuple[int, ...], low: int, *, wide: bool) -> list[Instruction]:
    test: list[Instruction] = []
    if wide:
        # A pointer: its upper half counts as well.
        test += [(_LOAD, 0, 0, low + 4), (_EQUAL, 1, 0, 0), (_RETURN, 0, 0, REFUSE)]
    test.append((_LOAD, 0, 0, low))
    for value in values:
        test += [(_EQUAL, 0, 1, value), (_RETURN, 0, 0, ALLOW)]
    return [*test, (_RETURN, 0, 0, REFUSE)]


def _assemble(program: Iterable[Instruction]) -> bytes:
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
