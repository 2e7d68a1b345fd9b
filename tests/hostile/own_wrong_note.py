# tries: attach notes that are not text; verdict: ok|raised
import contextlib

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        for note in (None, 7, [self], {"x": object()}, b"\xff", "\ud800", "\x1b[2J\x00"):
            with contextlib.suppress(TypeError, ValueError):
                self.note(note)
        return options[0]
