# tries: send more bytes than announced; verdict: protocol
import os
import time

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        body = b'{"i":1,"move":"normal"}'
        os.write(3, len(body).to_bytes(4, "big") + body + b"x")
        time.sleep(3600)
