"""The files of a bundle as a tree, in the order in which people read one. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from runners.bundles.bundle import ListedFile

_KINDS = {
    ".py": "Python",
    ".npy": "NumPy array",
    ".npz": "NumPy archive",
    ".json": "JSON",
    ".toml": "TOML",
    ".yaml": "YAML",
    ".yml": "YAML",
    ".csv": "CSV",
    ".md": "Markdown",
    ".txt": "text",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A file, or a folder with what is in it."""

    name: str
    path: str
    depth: int
    size: int
    file_count: int = 0
    """Of a folder; 0 for a file."""
    digest: str = ""
    """Of a file whose content the reader may see."""

    @property
    def kind(self) -> str:
        """Return what the name says about the content."""
        return "folder" if self.file_count else kind_of(self.path)


def kind_of(path: str) -> str:
    """Return what the name of a file says about its content."""
    return _KINDS.get(PurePosixPath(path).suffix.lower(), "data")


def rows(files: Iterable[ListedFile]) -> list[Row]:
    """Return a row for each folder and file; what is in a folder follows it."""
    listed = sorted(files, key=lambda file: file.path.split("/"))
    return list(_rows(listed, 0))


def _rows(files: list[ListedFile], depth: int) -> Iterator[Row]:
    at = 0
    while at < len(files):
        file = files[at]
        parts = file.path.split("/")
        if len(parts) == depth + 1:
            yield Row(parts[-1], file.path, depth, file.size, digest=file.digest)
            at += 1
            continue
        folder = "/".join(parts[: depth + 1]) + "/"
        end = at
        while end < len(files) and files[end].path.startswith(folder):
            end += 1
        inside = files[at:end]
        size = sum(one.size for one in inside)
        yield Row(parts[depth], folder, depth, size, file_count=len(inside))
        yield from _rows(inside, depth + 1)
        at = end


def summary(files: Iterable[ListedFile]) -> str:
    """Return how many files there are of which kind: `7 files: 3 Python, 4 data`."""
    paths = [file.path for file in files]
    python = sum(kind_of(path) == "Python" for path in paths)
    parts = [f"{python} Python" if python else "", f"{len(paths) - python} data"]
    shown = ", ".join(part for part in parts if part and part != "0 data")
    return "1 file" if len(paths) == 1 else f"{len(paths)} files: {shown}"
