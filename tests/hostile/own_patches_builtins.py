# tries: replace builtins under the code around it; verdict: ok|raised|crashed|protocol
import builtins

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        move = str(options[0])
        builtins.isinstance = lambda *_: True
        builtins.len = lambda *_: 0
        builtins.type = builtins.str = builtins.int = lambda *_: "win"
        return move
