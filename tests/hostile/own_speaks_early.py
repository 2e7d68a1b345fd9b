# tries: answer on descriptor 3 before anybody asked; verdict: protocol|load
import os

from bots_sdk import Bot


class Hostile(Bot):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for number in range(4):
            body = b'{"i":%d,"move":"normal"}' % number
            os.write(3, len(body).to_bytes(4, "big") + body)

    def decide(self, view, options):
        return options[0]
