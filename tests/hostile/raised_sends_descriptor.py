# tries: pass a descriptor to the league; verdict: raised
import array
import socket

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        channel = socket.socket(fileno=3)
        channel.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [1]))])
        return options[0]
