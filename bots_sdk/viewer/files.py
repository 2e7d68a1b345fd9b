"""The static files of the viewer: those it shares, and those the kits of games bring.

An address is the same everywhere: `/viewer/dom.js` is a file of this folder, and
`/games/<slug>/viewer.js` one of the kit of a game. `karat watch` serves these addresses, and the
imports in modules name them.
"""

from pathlib import Path
from posixpath import splitext

from runners.plugins.discovery import kits

FOLDER = Path(__file__).parent
ENTRY = "/viewer/viewer.js"
"""The module that starts every viewer of a page, after the tables of games are registered."""
STYLES = tuple(
    f"/viewer/{name}.css" for name in ("viewer", "tables", "barter", "reading", "chances")
)
"""The style sheets of the viewer in their order; those of the games come after them."""
_SUFFIXES = frozenset({".js", ".css", ".svg"})


def find_file(address: str) -> Path | None:
    """Return the file at an address, or None if nothing is served there."""
    *place, name = address.split("/")
    if splitext(name)[1] not in _SUFFIXES:
        return None
    folder = _folders().get("/".join(place))
    # Only names that are in the folder: an address cannot lead out of it.
    return next((file for file in folder.iterdir() if file.name == name), None) if folder else None


def _folders() -> dict[str, Path]:
    games = {f"/games/{slug}": kit.folder for slug, kit in kits().items()}
    return {"/viewer": FOLDER, **games}


def game_file(slug: str, name: str) -> str | None:
    """Return the address of a file in the kit of a game, or None if it brings none."""
    address = f"/games/{slug}/{name}"
    return address if find_file(address) else None


def game_files(name: str) -> list[str]:
    """Return the addresses of a file, such as `viewer.js`, in all kits that bring it."""
    return [address for slug in kits() if (address := game_file(slug, name))]
