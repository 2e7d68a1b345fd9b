"""The address of a client. Every limit, lock-out and allow-list asks here, and nowhere else.

`X-Forwarded-For` is trusted only as far as our own proxies wrote it: each appends the address of
its client, so with `PROXIES` of them the client is that many places from the right. What is further
left came with the request and may be forged.
"""

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

IPV6_PREFIX = 64
"""A household or a server gets a whole network of this size, so it counts as one client."""
_WITH_PORT = re.compile(r"\[([^\]]*)\](?::\d+)?\Z|([\d.]+):\d+\Z")


def client_address(request: HttpRequest) -> str:
    """Return the address of the client as text, or an empty text if nobody knows it."""
    hops = _hops(request)
    if 0 < settings.PROXIES <= len(hops):
        address = _parse(hops[-settings.PROXIES])
        if address is not None:
            return str(address)
    address = _parse(str(request.META.get("REMOTE_ADDR") or ""))
    return "" if address is None else str(address)


def counted_address(request: HttpRequest) -> str:
    """Return what limits count by: an IPv4 address, or the first address of an IPv6 network."""
    text = client_address(request)
    address = _parse(text)
    if not isinstance(address, IPv6Address):
        return text
    return str(IPv6Network((address, IPV6_PREFIX), strict=False).network_address)


def lock_out_address(request: HttpRequest) -> str | None:
    """Return the address for the rows of axes, whose column takes no empty text."""
    return counted_address(request) or None


def forwarded_by_others(request: HttpRequest) -> bool:
    """Return whether a proxy that is not ours forwarded the request, so its address says little."""
    hops = _hops(request)
    return bool(hops) and not 0 < settings.PROXIES <= len(hops)


def _hops(request: HttpRequest) -> list[str]:
    header = request.headers.get("X-Forwarded-For", "")
    return [hop.strip() for hop in header.split(",")] if header.strip() else []


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    """Read an address with or without a port or a zone. One form for each: `::ffff:1.2.3.4` is
    an IPv4 address.
    """
    match = _WITH_PORT.match(text)
    bare = (match[1] or match[2]) if match else text
    try:
        address = ip_address((bare or "").partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
