# tries: open sockets of every family; verdict: ok
import os
import socket

from bots_sdk import Bot

PROBES = {
    "tcp": socket.socket,
    "tcp6": lambda: socket.socket(socket.AF_INET6),
    "udp": lambda: socket.socket(type=socket.SOCK_DGRAM),
    "unix": lambda: socket.socket(socket.AF_UNIX),
    "pair": socket.socketpair,
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "vsock": lambda: socket.socket(socket.AF_VSOCK),
    "packet": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    "raw": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "crypto": lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET),
    "bluetooth": lambda: socket.socket(31, socket.SOCK_RAW),
    "connect": lambda: socket.create_connection(("127.0.0.1", 80), 0.1),
    "name": lambda: socket.getaddrinfo("example.org", 80),
    "accept": lambda: socket.socket(fileno=os.dup(3)).accept(),
}


class Hostile(Bot):
    def decide(self, view, options):
        for name, attempt in PROBES.items():
            try:
                attempt()
            except OSError:
                continue
            raise AssertionError(f"escaped: {name}")
        return options[0]
