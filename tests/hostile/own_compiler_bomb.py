# tries: crash the compiler with deep expressions; verdict: raised|memory|crashed|ok
# limits: decision_cpu_ms 2000, decision_wall_ms 4000
import contextlib

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        for sign in ("-", "(", "[", "lambda:", "not ", "{0:"):
            with contextlib.suppress(SyntaxError, RecursionError):
                compile(sign * 90_000 + "1", "deep", "eval")
        return options[0]
