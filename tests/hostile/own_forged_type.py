# tries: claim an exception whose name is a piece of a page; verdict: raised
# limits: decision_wall_ms 500
import os
import time

from bots_sdk import Bot


def send(body):
    os.write(3, len(body).to_bytes(4, "big") + body)


class Hostile(Bot):
    def decide(self, view, options):
        send(b'{"i":1,"error":"raised","type":"<script>","traceback":"x"}')
        time.sleep(3600)
