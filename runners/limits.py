"""What a bot may use up: one frozen value, written into the record of every boxed match."""

from dataclasses import asdict, dataclass

from engine.registry import GAMES

BUSY_FACTOR = 2
"""A host may be so busy that a match or a check takes this many times its limit, and no more."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one seat. CPU is the limit that bites; wall is there against sleepers."""

    decision_cpu_ms: int = 250
    decision_wall_ms: int = 2000
    bank_cpu_ms: int = 20000
    """For all decisions of a match together."""
    bank_wall_ms: int = 40000
    load_cpu_ms: int = 1000
    load_wall_ms: int = 4000
    memory_mib: int = 256
    log_kib: int = 64
    reply_kib: int = 64
    source_kib: int = 256
    check_wall_ms: int = 60000
    """For the whole check of an upload, all its games together."""

    def as_record(self) -> dict[str, int]:
        """Return what stands in the record of a match; how uploads are checked does not."""
        record = asdict(self)
        del record["check_wall_ms"]
        return record

    def match_seconds(self, seats: int) -> float:
        """Return how long a match may take, our own work included, on a host that is not busy."""
        return self.bank_wall_ms / 1000 * seats + 20

    def max_match_seconds(self, seats: int) -> float:
        """Return how long a match may take on any host: leases and time limits rely on it."""
        return self.match_seconds(seats) * BUSY_FACTOR

    def max_check_seconds(self) -> float:
        """Return how long a whole check may take on any host."""
        return self.check_wall_ms / 1000 * BUSY_FACTOR


DEFAULT = Limits()


def max_seats() -> int:
    """Return the largest number of seats at a table, of all registered games."""
    return max(max(game.seats) for game in GAMES.values())
