"""What a bundle may hold: one frozen value, shown in the docs and configurable by the operator."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BundleLimits:
    """The limits of one bundle."""

    unpacked_mib: int = 64
    """All its files together."""
    packed_mib: int = 20
    """What is uploaded: an archive, or the files of one form."""
    files: int = 500
    depth: int = 8
    """The parts of a path, the name of the file included."""
    path_length: int = 200
    """The characters of a path."""

    @property
    def unpacked_bytes(self) -> int:
        """Return the size of all files that is still allowed."""
        return self.unpacked_mib << 20

    @property
    def packed_bytes(self) -> int:
        """Return the size of an upload that is still allowed."""
        return self.packed_mib << 20


DEFAULT = BundleLimits()
