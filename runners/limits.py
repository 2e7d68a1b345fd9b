"""What a bot may use up: one frozen value, written into the record of every boxed match."""

from dataclasses import asdict, dataclass


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

    def as_record(self) -> dict[str, int]:
        """As it stands in a record."""
        return asdict(self)

    def match_seconds(self, seats: int) -> float:
        """How long a whole match may take, our own work included."""
        return self.bank_wall_ms / 1000 * seats + 20


DEFAULT = Limits()
