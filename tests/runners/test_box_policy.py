"""What a box may do, read off the policy and off the filters assembled from it."""

import struct
from functools import partial

import pytest

from engine.registry import GAMES
from runners.box import policy
from runners.box.kernel.seccomp import (
    ALLOW,
    KILL,
    REFUSE,
    first_filter,
    fork_filter,
    second_filter,
    template_filter,
)
from runners.box.policy import MACHINES, NoWall, bwrap_arguments, resource_limits, this_machine
from runners.limits import Limits, max_seats

every_machine = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)


def run(program, machine, call, *arguments, audit=None):
    """What the kernel would do: the filter's language, interpreted."""
    number = machine.calls[call] if isinstance(call, str) else call
    padded = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("<IIQ6Q", number, audit or machine.audit, 0, *padded)
    at, value = 0, 0
    while True:
        code, yes, no, k = struct.unpack_from("=HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("<I", data, k)
            case 0x54:
                value &= k
            case 0x15:
                at += yes if value == k else no
            case 0x35:
                at += yes if value >= k else no
            case 0x45:
                at += yes if value & k else no
            case 0x06:
                return k
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


@every_machine
def test_listed_calls_pass_and_all_others_fail(machine):
    program = first_filter(machine)
    for name in policy.ALLOWED:
        if name in machine.calls:
            assert run(program, machine, name) == ALLOW
    known = set(machine.calls.values())
    for number in range(500):
        if number not in known:
            assert run(program, machine, number) == REFUSE


@every_machine
def test_forbidden_calls_end_the_process(machine):
    for name in policy.FORBIDDEN:
        if name in machine.calls:
            assert run(first_filter(machine), machine, name) == KILL


@every_machine
def test_other_processors_and_the_x32_table_end_the_process(machine):
    for make in (first_filter, second_filter, template_filter, fork_filter):
        program = make(machine)
        assert run(program, machine, "read", audit=0x40000003) == KILL
        assert run(program, machine, 0x40000000 | machine.calls["getpid"]) == KILL


@pytest.mark.parametrize(
    ("call", "arguments", "verdict"),
    [
        pytest.param("openat", (0, 0, 0), ALLOW, id="open for reading"),
        pytest.param("openat", (0, 0, 0o2200000), ALLOW, id="open a folder"),
        pytest.param("openat", (0, 0, 0o1), REFUSE, id="open for writing"),
        pytest.param("openat", (0, 0, 0o2), REFUSE, id="open for both"),
        pytest.param("openat", (0, 0, 0o100), REFUSE, id="create"),
        pytest.param("openat", (0, 0, 0o1000), REFUSE, id="truncate"),
        pytest.param("openat", (0, 0, 0o20200000), REFUSE, id="a nameless file"),
        pytest.param("mmap", (0, 0, 3), ALLOW, id="memory"),
        pytest.param("mmap", (0, 0, 5), ALLOW, id="a library"),
        pytest.param("mmap", (0, 0, 7), REFUSE, id="code written by itself"),
        pytest.param("mprotect", (0, 0, 1), ALLOW, id="protect"),
        pytest.param("mprotect", (0, 0, 5), REFUSE, id="make executable"),
        pytest.param("fcntl", (1, 1), ALLOW, id="ask for flags"),
        pytest.param("fcntl", (1, 6), REFUSE, id="lock"),
        pytest.param("fcntl", (1, 1033), REFUSE, id="seal"),
        pytest.param("clock_gettime", (2,), ALLOW, id="its own clock"),
        pytest.param("clock_gettime", ((~7 << 3 | 2) & 0xFFFFFFFF,), REFUSE, id="another's clock"),
        pytest.param("ioctl", (0, 0x5401), ALLOW, id="is it a terminal"),
        pytest.param("ioctl", (0, 0x5412), REFUSE, id="type into a terminal"),
        pytest.param("exit_group", (1,), ALLOW, id="leave"),
        pytest.param("exit_group", (159,), REFUSE, id="look like a forbidden call"),
    ],
)
@every_machine
def test_some_calls_depend_on_an_argument(machine, call, arguments, verdict):
    assert run(first_filter(machine), machine, call, *arguments) == verdict
    assert run(second_filter(machine), machine, call, *arguments) == ALLOW


@every_machine
def test_the_second_filter_closes_what_only_the_start_needed(machine):
    first, second = first_filter(machine), second_filter(machine)
    for name in policy.STARTING:
        if name in machine.calls:
            assert (run(first, machine, name), run(second, machine, name)) == (ALLOW, REFUSE)
    assert run(first, machine, "prlimit64", 0, 0, 1) == ALLOW
    assert run(second, machine, "prlimit64", 0, 0, 0) == ALLOW
    assert run(second, machine, "prlimit64", 0, 0, 1) == REFUSE
    assert run(second, machine, "prlimit64", 0, 0, 1 << 32) == REFUSE


ARGUMENTS = sorted(
    {(at, bit) for at in range(4) for bit in (0, 1, 2, 4, 8, 64, 512, 1024, 1 << 22, 1 << 31)}
)


@pytest.mark.parametrize("bundle", [False, True], ids=["file", "bundle"])
@every_machine
def test_a_fork_is_held_by_its_two_filters_like_any_other_box(machine, bundle):
    plain = first_filter(machine), second_filter(machine, bundle=bundle)
    forked = template_filter(machine, bundle=bundle), fork_filter(machine, bundle=bundle)

    def verdict(filters, number, arguments):
        # Of the two verdicts the kernel takes the stricter one.
        found = {run(program, machine, number, *arguments) for program in filters}
        return next(one for one in (KILL, REFUSE, ALLOW) if one in found)

    for number in range(500):
        for at, bit in ARGUMENTS:
            arguments = [0] * at + [bit]
            assert verdict(forked, number, arguments) == verdict(plain, number, arguments)


@pytest.mark.parametrize(
    ("protection", "flags", "verdict"),
    [
        pytest.param(3, 0x22, ALLOW, id="private memory"),
        pytest.param(1, 0x1, ALLOW, id="a file to read"),
        pytest.param(5, 0x2, REFUSE, id="a library"),
        pytest.param(4, 0x22, REFUSE, id="code"),
        pytest.param(3, 0x21, REFUSE, id="shared memory"),
        pytest.param(3, 0x23, REFUSE, id="shared memory, flags checked"),
        pytest.param(3, 0x122, REFUSE, id="a stack"),
    ],
)
@every_machine
def test_a_bundle_maps_no_program_and_no_memory_that_is_not_counted(
    machine, protection, flags, verdict
):
    arguments = (0, 4096, protection, flags)
    assert run(second_filter(machine, bundle=True), machine, "mmap", *arguments) == verdict
    assert run(second_filter(machine), machine, "mmap", *arguments) == ALLOW


@pytest.mark.parametrize(
    ("bundle", "needed"),
    [
        pytest.param(False, policy.ENCLOSING, id="file"),
        pytest.param(True, (*policy.ENCLOSING, *policy.ENCLOSING_BUNDLES), id="bundle"),
    ],
)
@every_machine
def test_a_template_has_what_the_walls_of_its_forks_need_and_no_more(machine, bundle, needed):
    template, first = template_filter(machine, bundle=bundle), first_filter(machine)
    for number in range(500):
        expected = run(first, machine, number)
        if number in {machine.calls[name] for name in needed}:
            expected = ALLOW
        assert run(template, machine, number) == expected


@every_machine
def test_no_call_stands_in_two_lists(machine):
    names = [*policy.ALLOWED, *policy.STARTING, *policy.FORBIDDEN, *policy.CHECKED]
    assert len(names) == len(set(names))
    assert set(machine.calls) <= {*names, *policy.ENCLOSING}
    assert not set(policy.ENCLOSING) & {*policy.ALLOWED, *policy.STARTING}
    assert len(set(machine.calls.values())) == len(machine.calls)


@every_machine
def test_the_filters_fit_into_the_kernel(machine):
    bundles = [partial(make, bundle=True) for make in (second_filter, template_filter, fork_filter)]
    for make in (first_filter, second_filter, template_filter, fork_filter, *bundles):
        program = make(machine)
        assert len(program) % 8 == 0
        assert len(program) // 8 <= 4096
        # They are handed over through a pipe and on a command line.
        assert len(program) <= 4096


def test_other_machines_are_refused(monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(NoWall, match="x86_64 and aarch64, not for riscv64"):
        this_machine()


def test_a_box_sees_two_folders_and_shares_no_namespace():
    arguments = bwrap_arguments("/p", "/k", seccomp_fd=5, status_fd=6)
    binds = [arguments[i + 1 : i + 3] for i, word in enumerate(arguments) if "bind" in word]
    assert binds == [["/p", "/"], ["/k", "/karat"]]
    assert not {"--proc", "--dev", "--tmpfs", "--bind", "--share-net"} & set(arguments)
    for kind in ("user", "pid", "net", "ipc", "uts"):
        assert f"--unshare-{kind}" in arguments
    assert {"--disable-userns", "--die-with-parent", "--new-session", "--clearenv"} < set(arguments)
    assert "--remount-ro" in arguments


def test_the_limits_of_the_kernel_follow_from_the_limits_of_a_seat():
    limits = Limits(memory_mib=100, log_kib=8)
    kernel = resource_limits(limits)
    assert kernel["RLIMIT_AS"] == 100 << 20
    assert kernel["RLIMIT_FSIZE"] == (8 << 10) + 1
    # A bot cannot collect so many ticks in the longest match there is.
    assert kernel["RLIMIT_CPU"] > limits.max_match_seconds(5) + limits.load_wall_ms / 1000
    assert kernel["RLIMIT_NPROC"] == 1


def test_limits_stand_in_the_record_by_their_names():
    assert Limits().as_record() == {
        "decision_cpu_ms": 250,
        "decision_wall_ms": 2000,
        "bank_cpu_ms": 20000,
        "bank_wall_ms": 40000,
        "load_cpu_ms": 1000,
        "load_wall_ms": 4000,
        "memory_mib": 256,
        "log_kib": 64,
        "reply_kib": 64,
        "source_kib": 256,
    }


def test_a_match_has_a_limit_and_a_ceiling_for_busy_hosts():
    assert Limits().match_seconds(3) == 140
    assert Limits().max_match_seconds(3) == 280
    assert Limits().max_check_seconds() == 120
    assert max(seats for game in GAMES.values() for seats in game.seats) == max_seats()
