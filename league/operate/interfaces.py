"""The names and addresses under which this machine can be reached, for a site in one room."""

import re
import socket
from ipaddress import IPv6Address
from pathlib import Path

EVERYWHERE = frozenset({"0.0.0.0", "::"})
"""Listening at these means listening at every address of the machine."""
LOCAL = ("localhost", "127.0.0.1", "[::1]")
_LOCAL_IPV4 = re.compile(r"\|-- ([\d.]+)\n\s+/32 host LOCAL")


def allowed_hosts(host: str) -> list[str]:
    """Return the names to which a site that listens there answers.

    Never all names: a foreign page could then send a visitor's browser here under its own name.
    """
    if host not in EVERYWHERE:
        return [*LOCAL, in_url(host)]
    name, full_name = socket.gethostname(), socket.getfqdn()
    names = [name, full_name, f"{name}.local", *map(in_url, own_addresses())]
    return list(dict.fromkeys([*LOCAL, *(known.lower() for known in names if known)]))


def site_url(host: str, port: int) -> str:
    """Return the address for a browser, if possible one that works for others in the room."""
    if host in EVERYWHERE:
        reachable = [one for one in own_addresses() if not _is_loopback(one) and ":" not in one]
        host = reachable[0] if reachable else "localhost"
    elif host == "127.0.0.1":
        host = "localhost"
    return f"http://{in_url(host)}:{port}"


def own_addresses() -> list[str]:
    """Return the addresses of all interfaces, as the kernel lists them."""
    return list(dict.fromkeys([*_ipv4(), *_ipv6()]))


def in_url(host: str) -> str:
    """Return a host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _is_loopback(address: str) -> bool:
    return address.startswith("127.") or address == "::1"


def _ipv4() -> list[str]:
    try:
        table = Path("/proc/net/fib_trie").read_text(encoding="ascii")
    except OSError:
        return [entry[4][0] for entry in _resolved()]
    return _LOCAL_IPV4.findall(table)


def _resolved() -> list[tuple[object, object, int, str, tuple[str, int]]]:
    """Return what the name of this machine resolves to, if the kernel lists no addresses."""
    try:
        return socket.getaddrinfo(  # type: ignore[return-value]
            socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM
        )
    except OSError:
        return []


def _ipv6() -> list[str]:
    try:
        lines = Path("/proc/net/if_inet6").read_text(encoding="ascii").splitlines()
    except OSError:
        return []
    return [str(IPv6Address(bytes.fromhex(line.split()[0]))) for line in lines]
