# tries: answer the next question before it is asked; verdict: protocol
import os
import time

from bots_sdk import Bot


def send(body):
    os.write(3, len(body).to_bytes(4, "big") + body)


class Hostile(Bot):
    def decide(self, view, options):
        send(b'{"i":2,"move":"normal"}')
        time.sleep(3600)
