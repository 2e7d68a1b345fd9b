"""Finds files that are many in the source and one for a browser, so a page needs few requests.

There is no build: they are written when static files are looked for or collected.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder, find
from django.core.files.storage import FileSystemStorage

from bots_sdk.viewer.concatenate import script, styles
from bots_sdk.viewer.files import find_file


def _text(name: str) -> str:
    path = find(name)
    assert isinstance(path, str), f"there is no file {name}"
    with open(path, encoding="utf-8") as file:
        return file.read()


def _wall_file(address: str) -> Path | None:
    """Return a file of the viewer or of the wall, which draws with modules of the viewer."""
    if address.startswith("/stage/"):
        path = find(address.removeprefix("/"))
        return Path(path) if isinstance(path, str) else None
    return find_file(address)


def _wall_styles() -> str:
    own = ("stage/wall.css", "stage/panels.css")
    return _text("viewer/tokens.css") + styles() + "".join(_text(name) for name in own)


CONTENTS: dict[str, Callable[[], str]] = {
    "concatenated/site.css": lambda: _text("viewer/tokens.css") + _text("site.css"),
    "concatenated/match.css": lambda: styles() + _text("matches.css"),
    "concatenated/home.css": lambda: styles() + _text("spectator.css"),
    "concatenated/karat.js": lambda: _text("karat.js") + _text("spoilers.js"),
    "concatenated/viewer.js": script,
    "concatenated/wall.css": _wall_styles,
    "concatenated/wall.js": lambda: script("/stage/wall.js", _wall_file),
}


class ConcatenatedFiles(BaseFinder):
    """Finds the concatenated files, each as new as its parts."""

    def __init__(self) -> None:
        self.storage = FileSystemStorage(settings.VAR)

    def find(self, path: str, find_all: bool = False, **_: Any) -> Any:
        """Return where a file lies, as a list if the caller wants all there are."""
        if path not in CONTENTS:
            return []
        self._write(path)
        place = self.storage.path(path)
        return [place] if find_all else place

    def list(self, _: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield all of them, to be collected."""
        for path in CONTENTS:
            self._write(path)
            yield path, self.storage

    def _write(self, path: str) -> None:
        place = settings.VAR / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(CONTENTS[path](), encoding="utf-8")
