# tries: raise a chain of exceptions that ends in itself, under a deep group; verdict: raised
# limits: decision_cpu_ms 1000
from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        first, second = ValueError("a"), ValueError("b")
        first.__cause__, second.__cause__ = second, first
        group = first
        for _ in range(5_000):
            group = ExceptionGroup("g", [group])
        raise group
