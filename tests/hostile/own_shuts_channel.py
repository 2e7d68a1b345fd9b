# tries: shut its side of the channel down; verdict: crashed|raised
import socket

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        socket.socket(fileno=3).shutdown(socket.SHUT_WR)
        return options[0]
