# tries: answer with bytes that are not UTF-8; verdict: protocol
import os
import time

from bots_sdk import Bot


def send(body):
    os.write(3, len(body).to_bytes(4, "big") + body)


class Hostile(Bot):
    def decide(self, view, options):
        send(b'{"i":1,"move":"\xff\xfe"}')
        time.sleep(3600)
