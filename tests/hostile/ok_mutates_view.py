# tries: change the view and everything in it; verdict: ok
import contextlib

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        move = options[0]
        for name in list(view.keys()):
            with contextlib.suppress(TypeError, AttributeError):
                view[name] = None
        for row in view.rows or []:
            row.clear()
        view.seat = 1
        return move
