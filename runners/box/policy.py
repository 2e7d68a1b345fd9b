"""What a box may see and do, as data: it can be read and tested without starting anything."""

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from runners.limits import Limits, max_seats

PYTHON_HOME = "/py"
PACKAGES = "/py/packages"
"""Where numpy lies, alone."""
KARAT_HOME = "/karat"
LIBRARIES = "/lib"
BUNDLE_HOME = "/bot"
"""Where a box has its own bundle."""
BUNDLES, NOTHING = "/bundles", "/empty"
"""Where a template has all bundles, and what covers them in its boxes."""
DROP_USER = "karat-box"
"""Who a root controller becomes before it starts a box; the set-up makes this user."""

PYTHON_FLAGS = ("-s", "-P", "-S", "-B")
"""Not -I: it would ignore PYTHONHASHSEED, and bots would not be reproducible."""

ABSENT_MODULES = ("ensurepip", "idlelib", "lib2to3", "test", "tkinter", "turtledemo")
"""Modules of the standard library that are not staged at all."""

USELESS_MODULES = frozenset(
    {
        *("_socket", "asyncio", "concurrent", "ctypes", "ensurepip", "fcntl", "ftplib", "http"),
        *("idlelib", "imaplib", "lib2to3", "multiprocessing", "poplib", "pty", "select"),
        *("selectors", "smtplib", "socket", "socketserver", "sqlite3", "ssl", "subprocess"),
        *("telnetlib", "tempfile", "test", "threading", "tkinter", "turtle", "turtledemo"),
        *("urllib", "venv", "webbrowser", "xmlrpc"),
    }
)
"""Modules of the standard library that a box lacks or forbids to work. The box is the wall; this
list only tells an author early what would fail later (E105)."""

NAMESPACES = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
    # A namespace of its own starts with the host's name.
    *("--hostname", "box"),
    *("--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session"),
    *("--as-pid-1", "--clearenv", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"),
)

FORK_NAMESPACES: Mapping[str, int] = MappingProxyType(
    {
        "users": 0x10000000,
        "processes": 0x20000000,
        "network": 0x40000000,
        "ipc": 0x08000000,
        "host name": 0x04000000,
        "control groups": 0x02000000,
        "mounts": 0x00020000,
    }
)
"""The same for a fork of a template, by the numbers of the kernel."""

PRELOADED_MODULES = (
    *("bisect", "collections", "copy", "dataclasses", "enum", "functools", "heapq", "itertools"),
    *("json", "math", "operator", "os", "random", "re", "string", "time", "traceback", "typing"),
)
"""What many bots import: a template has it loaded."""

MAX_OPEN_FILES_OF_BUNDLES = 128
"""Every file that is mapped stays open."""

ENVIRONMENT: Mapping[str, str] = MappingProxyType(
    {
        "PYTHONHOME": PYTHON_HOME,
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "LD_LIBRARY_PATH": LIBRARIES,
        # Without them numpy starts threads, which no box may, and cannot be imported.
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
)


@dataclass(frozen=True, slots=True)
class Check:
    """A call that is allowed only if one argument looks harmless."""

    argument: int
    refused_bits: int = 0
    """Refused if any of these bits is set."""
    together: int = 0
    """Refused if all of these bits are set."""
    one_of: tuple[int, ...] | None = None
    """Refused unless it is one of these."""


_WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000 | 0o20000000
"""O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND, O_TMPFILE."""
_OF_ANOTHER = 1 << 31
"""A negative clock is the computing time of another process, or a device."""

ALLOWED = (
    *("read", "readv", "pread64", "write", "writev", "close", "close_range", "lseek"),
    *("dup", "dup2", "dup3", "poll", "ppoll", "select", "pselect6"),
    *("stat", "fstat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2"),
    *("readlink", "readlinkat", "getdents64", "getcwd"),
    *("munmap", "mremap", "brk", "madvise"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall"),
    *("getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid"),
    *("nanosleep", "gettimeofday", "time", "times", "getrusage", "uname"),
    *("sched_yield", "sched_getaffinity", "getrandom", "prlimit64"),
)

CHECKED: Mapping[str, Check] = MappingProxyType(
    {
        "open": Check(1, refused_bits=_WRITING),
        "openat": Check(2, refused_bits=_WRITING),
        # No memory both writable and executable, and none made executable later.
        "mmap": Check(2, together=0x6),
        "mprotect": Check(2, refused_bits=0x4),
        "clock_gettime": Check(0, refused_bits=_OF_ANOTHER),
        "clock_getres": Check(0, refused_bits=_OF_ANOTHER),
        "clock_nanosleep": Check(0, refused_bits=_OF_ANOTHER),
        # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC: no locks, leases, seals.
        "fcntl": Check(1, one_of=(0, 1, 2, 3, 1030)),
        # Waiting, waking and requeuing, all private: two bots could otherwise wake each other on a
        # page of a library, which all boxes have in common.
        "futex": Check(1, one_of=(128, 129, 131, 132, 133, 137, 138, 393)),
        # TCGETS, FIONCLEX, FIOCLEX.
        "ioctl": Check(1, one_of=(0x5401, 0x5450, 0x5451)),
        # From 128 on an exit status would look like death by a signal, so like a forbidden call.
        "exit": Check(0, refused_bits=0x80),
        "exit_group": Check(0, refused_bits=0x80),
    }
)

STARTING = ("execve", "prctl", "arch_prctl", "set_tid_address", "set_robust_list", "rseq")
"""Needed until the in-box program runs; the second filter closes them."""

ENCLOSING = (
    *("clone", "recvmsg", "openat", "sethostname", "setsid", "capset", "landlock_restrict_self"),
)
"""What a template and its forks need besides, and with any argument, until a fork sets its own
filter: that one gives them the verdict they have everywhere else."""

ENCLOSING_BUNDLES = ("mount",)
"""And to show a bundle to its box, and to no other one."""

CHECKED_LATER: Mapping[str, Check] = MappingProxyType(
    {
        # The in-box program sets its limits itself: a root without CAP_SYS_RESOURCE, as in many
        # containers, could not do it from outside. After that they can only be read.
        "prlimit64": Check(2, one_of=(0,)),
    }
)

CHECKED_LATER_IN_BUNDLES: Mapping[str, Check] = MappingProxyType(
    {
        # RLIMIT_DATA counts memory only while it can be written to.
        "mprotect": Check(2, one_of=(2, 3)),
    }
)
"""The same for a bundle, whose private memory has a limit of its own."""

CHECKED_IN_BUNDLES: Mapping[str, tuple[Check, ...]] = MappingProxyType(
    {
        "mmap": (
            # A data file must not become a program.
            Check(2, refused_bits=0x4),
            # MAP_SHARED | MAP_ANONYMOUS and MAP_GROWSDOWN: RLIMIT_DATA does not count them.
            Check(3, together=0x21),
            Check(3, refused_bits=0x100),
        )
    }
)
"""What the second filter of a bundle checks besides."""

FORBIDDEN = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
    *("unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open"),
    *("userfaultfd", "add_key", "request_key", "keyctl", "open_by_handle_at"),
    *("name_to_handle_at", "init_module", "finit_module", "delete_module", "kexec_load"),
    *("kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "iopl", "ioperm"),
    *("settimeofday", "clock_settime", "sethostname", "setdomainname", "syslog"),
)
"""No library calls these by accident: they end the process (E307). All others just fail."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A kind of processor: its number for the kernel and its system calls."""

    audit: int
    calls: Mapping[str, int]


def _read_calls(text: str) -> Mapping[str, int]:
    words = text.split()
    return MappingProxyType(dict(zip(words[::2], map(int, words[1::2]), strict=True)))


_X86_64 = """
    read 0 write 1 open 2 close 3 stat 4 fstat 5 lstat 6 poll 7 lseek 8 mmap 9 mprotect 10 munmap
    11 brk 12 rt_sigaction 13 rt_sigprocmask 14 rt_sigreturn 15 ioctl 16 pread64 17 readv 19 writev
    20 access 21 select 23 sched_yield 24 mremap 25 madvise 28 dup 32 dup2 33 nanosleep 35 getpid
    39 recvmsg 47 clone 56 execve 59 exit 60 uname 63 fcntl 72 getcwd 79 readlink 89 gettimeofday
    96 getrusage 98 times 100 ptrace 101 getuid 102 syslog 103 getgid 104 geteuid 107 getegid 108
    getppid 110 setsid 112 capset 126 sigaltstack 131 pivot_root 155 prctl 157 arch_prctl 158
    chroot 161 acct 163 settimeofday 164 mount 165 umount2 166 swapon 167 swapoff 168 reboot 169
    sethostname 170 setdomainname 171 iopl 172 ioperm 173 init_module 175 delete_module 176
    quotactl 179 gettid 186 time 201 futex 202 sched_getaffinity 204 getdents64 217 set_tid_address
    218 restart_syscall 219 clock_settime 227 clock_gettime 228 clock_getres 229 clock_nanosleep
    230 exit_group 231 kexec_load 246 add_key 248 request_key 249 keyctl 250 openat 257 newfstatat
    262 readlinkat 267 faccessat 269 pselect6 270 ppoll 271 unshare 272 set_robust_list 273 dup3
    292 perf_event_open 298 prlimit64 302 name_to_handle_at 303 open_by_handle_at 304 setns 308
    process_vm_readv 310 process_vm_writev 311 kcmp 312 finit_module 313 getrandom 318
    kexec_file_load 320 bpf 321 userfaultfd 323 statx 332 rseq 334 io_uring_setup 425
    io_uring_enter 426 io_uring_register 427 open_tree 428 move_mount 429 fsopen 430 fsconfig 431
    fsmount 432 fspick 433 close_range 436 pidfd_getfd 438 faccessat2 439 mount_setattr 442
    landlock_restrict_self 446
"""
_AARCH64 = """
    getcwd 17 dup 23 dup3 24 fcntl 25 ioctl 29 umount2 39 mount 40 pivot_root 41 faccessat 48
    chroot 51 openat 56 close 57 quotactl 60 getdents64 61 lseek 62 read 63 write 64 readv 65
    writev 66 pread64 67 pselect6 72 ppoll 73 readlinkat 78 newfstatat 79 fstat 80 acct 89 capset
    91 exit 93 exit_group 94 set_tid_address 96 unshare 97 futex 98 set_robust_list 99 nanosleep
    101 kexec_load 104 init_module 105 delete_module 106 clock_settime 112 clock_gettime 113
    clock_getres 114 clock_nanosleep 115 syslog 116 ptrace 117 sched_getaffinity 123 sched_yield
    124 restart_syscall 128 sigaltstack 132 rt_sigaction 134 rt_sigprocmask 135 rt_sigreturn 139
    reboot 142 times 153 setsid 157 uname 160 sethostname 161 setdomainname 162 getrusage 165 prctl
    167 gettimeofday 169 settimeofday 170 getpid 172 getppid 173 getuid 174 geteuid 175 getgid 176
    getegid 177 gettid 178 recvmsg 212 brk 214 munmap 215 mremap 216 add_key 217 request_key 218
    keyctl 219 clone 220 execve 221 mmap 222 swapon 224 swapoff 225 mprotect 226 madvise 233
    perf_event_open 241 prlimit64 261 name_to_handle_at 264 open_by_handle_at 265 setns 268
    process_vm_readv 270 process_vm_writev 271 kcmp 272 finit_module 273 getrandom 278 bpf 280
    userfaultfd 282 statx 291 rseq 293 kexec_file_load 294 io_uring_setup 425 io_uring_enter 426
    io_uring_register 427 open_tree 428 move_mount 429 fsopen 430 fsconfig 431 fsmount 432 fspick
    433 close_range 436 pidfd_getfd 438 faccessat2 439 mount_setattr 442 landlock_restrict_self 446
"""

MACHINES: Mapping[str, Machine] = MappingProxyType(
    {
        "x86_64": Machine(0xC000003E, _read_calls(_X86_64)),
        "aarch64": Machine(0xC00000B7, _read_calls(_AARCH64)),
    }
)


class NoWall(Exception):
    """This machine cannot keep a bot in a box; the text says why and what to do."""


def this_machine() -> Machine:
    """Return the processor we run on, or raise `NoWall`."""
    name = platform.machine()
    if name not in MACHINES:
        raise NoWall(f"Boxes are made for {' and '.join(MACHINES)}, not for {name}.")
    return MACHINES[name]


def bwrap_arguments(
    python: str, karat: str, *, seccomp_fd: int, status_fd: int, bundle: str | None = None
) -> list[str]:
    """Return the command line of bubblewrap up to the program: two or three read-only folders."""
    environment = [part for item in ENVIRONMENT.items() for part in ("--setenv", *item)]
    return [
        *("bwrap", *NAMESPACES, "--ro-bind", python, "/", "--ro-bind", karat, KARAT_HOME),
        *(("--ro-bind", bundle, BUNDLE_HOME) if bundle else ()),
        *("--remount-ro", "/", "--chdir", "/"),
        *environment,
        *("--seccomp", str(seccomp_fd), "--json-status-fd", str(status_fd)),
    ]


def environment_below(root: str) -> dict[str, str]:
    """Return the environment of a box whose folders are where they lie on the host."""
    return {
        name: f"{root}{value}" if value.startswith("/") else value
        for name, value in ENVIRONMENT.items()
    }


def bundle_limits(data_bytes: int) -> dict[str, int]:
    """Return what is different for a bundle; the box works out its limits of memory by `data`."""
    return {"data": data_bytes, "RLIMIT_NOFILE": MAX_OPEN_FILES_OF_BUNDLES}


def resource_limits(limits: Limits) -> dict[str, int]:
    """Return the kernel's own limits, soft and hard alike, by the names of module `resource`."""
    return {
        "RLIMIT_AS": limits.memory_mib << 20,
        "RLIMIT_NPROC": 1,
        "RLIMIT_NOFILE": 16,
        "RLIMIT_STACK": 8 << 20,
        "RLIMIT_CORE": 0,
        # Only a net below a referee that hangs. The kernel counts ticks, and a bot that wakes for
        # each of them collects them without computing: were this limit within reach of a match,
        # such a bot could be killed with next to nothing on its account.
        "RLIMIT_CPU": int(limits.max_match_seconds(max_seats())) + 60,
        # One byte more than is kept tells a cut log from a full one.
        "RLIMIT_FSIZE": (limits.log_kib << 10) + 1,
    }
