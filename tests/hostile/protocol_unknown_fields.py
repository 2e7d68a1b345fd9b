# tries: answer with a field nobody asked for; verdict: protocol
import os
import time

from bots_sdk import Bot


def send(body):
    os.write(3, len(body).to_bytes(4, "big") + body)


class Hostile(Bot):
    def decide(self, view, options):
        send(b'{"i":1,"move":"normal","score":99}')
        time.sleep(3600)
