"""The modules of the viewer as one script, and its style sheets as one: few files load faster.

Each module becomes a function that is called once, in the order in which they need each other.
Only the few forms of import and export that the modules use are understood; any other is refused.
What the kit of a game brings cannot harm the rest: a kit that is refused is left out, and an error
while its module runs is reported by the browser. Then its game has the plain table.
"""

import logging
import re
from collections.abc import Callable
from pathlib import Path
from posixpath import dirname, join, normpath

from bots_sdk.viewer.files import ENTRY, STYLES, find_file, game_files

_IMPORT = re.compile(
    r'^import (?:(\{[\w, ]+\})|\* as (\w+)) from "([./][\w./-]+\.js)";$', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
_HEADER = re.compile(r"\A(?://.*\n)+")
_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
"""Comments are for those who read the source. In a module of a kit only the one at its top goes:
what looks like another may stand within a text."""
_CSS_COMMENT = re.compile(r"^\s*/\*.*?\*/\n", re.MULTILINE | re.DOTALL)
_OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)
_log = logging.getLogger(__name__)


Find = Callable[[str], Path | None]
"""A function that returns the file at an address, such as `/viewer/dom.js`."""


def script(entry: str = ENTRY, find: Find = find_file) -> str:
    """Return the tables of all installed games, and what draws them: the viewer, or the modules of
    another page that begin with `entry`.
    """
    modules: dict[str, str] = {}
    _gather(entry, modules, find)
    last = modules.pop(entry)
    tables = [_table(address, modules, find) for address in game_files("viewer.js")]
    return "".join([*modules.values(), *tables, last])


def styles() -> str:
    """Return the style sheets of the viewer, and those of all installed games after them."""
    games = (_text(address, find_file) for address in game_files("viewer.css"))
    return "".join([shared_styles(), *games])


def shared_styles() -> str:
    """Return the style sheets of the viewer alone, without their comments."""
    return "".join(_CSS_COMMENT.sub("", _text(address, find_file)) for address in STYLES)


def _table(entry: str, shared: dict[str, str], find: Find) -> str:
    """Return the modules of one kit; what they need of the viewer is added to the shared ones."""
    modules = dict(shared)
    try:
        _gather(entry, modules, find)
    except ValueError as error:
        _log.warning("The table of a game is left out: %s", error)
        return ""
    folder = dirname(entry)
    shared.update({name: text for name, text in modules.items() if dirname(name) != folder})
    own = "".join(text for name, text in modules.items() if dirname(name) == folder)
    return f"try {{\n{own}}} catch (error) {{ console.error(error); }}\n"


def _gather(
    address: str, modules: dict[str, str], find: Find, importers: tuple[str, ...] = ()
) -> None:
    """Add a module and all that it imports, each before those that need it."""
    if address in importers:
        raise ValueError(f"{address} imports itself")
    text = _text(address, find)
    for match in _IMPORT.finditer(text):
        if (other := _resolve(address, match[3])) not in modules:
            _gather(other, modules, find, (*importers, address))
    modules[address] = _function(address, text)


def _function(address: str, text: str) -> str:
    def bind(match: re.Match[str]) -> str:
        return f"const {match[1] or match[2]} = {_variable(_resolve(address, match[3]))};"

    comments = _COMMENT if dirname(address) == dirname(ENTRY) else _HEADER
    body = _EXPORT.sub("", _IMPORT.sub(bind, comments.sub("", text)))
    if unknown := _OTHER.search(body):
        raise ValueError(f"{address}: {unknown[0]}")
    exports = ", ".join(_EXPORT.findall(text))
    return f"const {_variable(address)} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"


def _text(address: str, find: Find) -> str:
    file = find(address)
    if file is None:
        raise ValueError(f"there is no file {address}")
    return file.read_text(encoding="utf-8")


def _resolve(importer: str, target: str) -> str:
    return normpath(join(dirname(importer), target))


def _variable(address: str) -> str:
    """Return a name that begins as no name in the modules does."""
    return "$" + re.sub(r"\W", "_", address.removesuffix(".js")).strip("_")
