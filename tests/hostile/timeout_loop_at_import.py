# tries: loop while it is loaded; verdict: load
# limits: load_cpu_ms 200, load_wall_ms 1500
from bots_sdk import Bot

while True:
    pass


class Hostile(Bot):
    def decide(self, view, options):
        return options[0]
