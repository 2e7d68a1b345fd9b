# tries: find the match seed or the other bot's source in the memory of its process; verdict: ok
# limits: decision_cpu_ms 2000, decision_wall_ms 4000
import gc
import sys

from bots_sdk import Bot

PLAIN = (str, bytes, bytearray, dict, list, tuple)
SECRETS = [("match", " seed that"), ("other", " bot's secret")]


def depth_now():
    depth = 0
    while True:
        try:
            sys._getframe(depth)
        except ValueError:
            return depth - 1
        depth += 1


class Hostile(Bot):
    def decide(self, view, options):
        seen = [sys._getframe(depth) for depth in range(depth_now())]
        texts = [repr((frame.f_locals.keys(), frame.f_globals.keys())) for frame in seen]
        for frame in seen:
            texts += [
                str(value)[:100_000] for value in frame.f_locals.values() if type(value) in PLAIN
            ]
        for thing in gc.get_objects():
            if type(thing) in (dict, list, tuple):
                values = thing.values() if type(thing) is dict else thing
                texts += [str(value) for value in list(values) if type(value) in (str, bytes)]
        for text in texts:
            if any("".join(parts) in text for parts in SECRETS):
                raise AssertionError("escaped: " + text[:100])
        return options[0]
