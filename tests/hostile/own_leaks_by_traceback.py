# tries: have the league read a file of the host into the traceback; verdict: raised
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        exec(compile("raise ValueError", "/etc/passwd", "exec"))
