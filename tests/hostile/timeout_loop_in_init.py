# tries: loop in its constructor; verdict: load
# limits: load_cpu_ms 200, load_wall_ms 1500
from bots_sdk import Bot


class Hostile(Bot):
    def __init__(self, *args, **kwargs):
        while True:
            pass

    def decide(self, view, options):
        return options[0]
