"""The SDK as a wheel: a zip of the SDK's packages with the few files that pip reads.

Reproducible: the same files make the same bytes. Only needs the standard library.
"""

import io
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The earliest time a zip can hold, so that its bytes do not depend on the build time."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The metadata of a wheel."""

    name: str
    version: str
    summary: str
    python: str
    needs: Sequence[str] = ()
    extras: Mapping[str, Sequence[str]] = field(default_factory=dict)
    entry_points: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Names and targets, by group."""

    @property
    def stem(self) -> str:
        """The prefix of the file name and the metadata folder."""
        return f"{self.name.replace('-', '_')}-{self.version}"

    @property
    def file_name(self) -> str:
        """The file name that pip expects of a pure Python wheel."""
        return f"{self.stem}-py3-none-any.whl"


def build(packages: Iterable[Path], license_file: Path, facts: Facts) -> bytes:
    """Return the bytes of a wheel of these packages."""
    info = f"{facts.stem}.dist-info"
    files = {name: data for package in packages for name, data in _files(package)}
    files[f"{info}/METADATA"] = _metadata(facts).encode()
    files[f"{info}/WHEEL"] = _WHEEL.encode()
    files[f"{info}/entry_points.txt"] = _entry_points(facts).encode()
    if license_file.exists():
        files[f"{info}/licenses/LICENSE"] = license_file.read_bytes()
    record = f"{info}/RECORD"
    lines = [f"{name},{_digest(data)},{len(data)}" for name, data in files.items()]
    files[record] = "".join(f"{line}\n" for line in [*lines, f"{record},,"]).encode()
    return _zipped(files)


def _files(package: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(package.parent).as_posix(), path.read_bytes()


_WHEEL = "Wheel-Version: 1.0\nGenerator: karat\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _metadata(facts: Facts) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {facts.name}",
        f"Version: {facts.version}",
        f"Summary: {facts.summary}",
        "License-Expression: MIT",
        f"Requires-Python: {facts.python}",
        *(f"Requires-Dist: {one}" for one in facts.needs),
    ]
    for extra, needs in facts.extras.items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {one}; extra == "{extra}"' for one in needs]
    return "\n".join(lines) + "\n"


def _entry_points(facts: Facts) -> str:
    sections = [
        "".join([f"[{group}]\n", *(f"{name} = {target}\n" for name, target in targets.items())])
        for group, targets in facts.entry_points.items()
    ]
    return "\n".join(sections)


def _digest(data: bytes) -> str:
    code = urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
    return f"sha256={code}"


def _zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()
