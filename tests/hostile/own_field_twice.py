# tries: answer with two moves in one; verdict: protocol
import os
import time

from bots_sdk import Bot


def send(body):
    os.write(3, len(body).to_bytes(4, "big") + body)


class Hostile(Bot):
    def decide(self, view, options):
        send(b'{"i":1,"move":"normal","move":"unique"}')
        time.sleep(3600)
