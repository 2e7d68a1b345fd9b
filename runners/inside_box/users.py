"""Users in a namespace: who made it becomes nobody there, and there is nobody else."""

from posix import O_WRONLY, close, open as open_file, write as write_bytes

NOBODY = 65534


def become_nobody(proc: int, uid: int, gid: int) -> None:
    """Let this process, which is `uid` and `gid` outside, be nobody in its new namespace."""
    # Whoever maps a group himself must have given up changing groups.
    write(proc, "self/setgroups", "deny")
    write(proc, "self/uid_map", f"{NOBODY} {uid} 1")
    write(proc, "self/gid_map", f"{NOBODY} {gid} 1")


def allow_no_namespace(proc: int) -> None:
    """Have the kernel refuse all further namespaces of users below the one of this process."""
    write(proc, "sys/user/max_user_namespaces", "0")


def write(proc: int, name: str, text: str) -> None:
    """Write to a file of the host's `/proc`."""
    fd = open_file(name, O_WRONLY, dir_fd=proc)
    try:
        write_bytes(fd, text.encode())
    finally:
        close(fd)
