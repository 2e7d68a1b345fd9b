# tries: unpack a gigabyte from a few bytes; verdict: memory
# limits: decision_cpu_ms 8000, decision_wall_ms 12000
import zlib

from bots_sdk import Bot


class Hostile(Bot):
    def decide(self, view, options):
        bomb = zlib.compress(bytes(1 << 24), 9)
        return str(len(b"".join([zlib.decompress(bomb) for _ in range(64)])))
