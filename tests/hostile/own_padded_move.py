# tries: answer with a legal move and a line break, to forge lines of the log; verdict: illegal
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        return options[0] + "\nnormal"
