"""The modules of the viewer as one script: over a network, eleven files take longer than one.

Each module becomes a function that is called once, in the order in which they need each other.
Only the few forms of import and export that the modules use are understood; any other is refused.
"""

import re
from pathlib import Path
from posixpath import dirname, join, normpath

from bots_sdk.viewer.page import FOLDER

_IMPORT = re.compile(
    r'^import (?:(\{[\w, ]+\})|\* as (\w+)) from "(\.[\w./]+)\.js";$', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:const|function) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)


def script(entry: str = "viewer", folder: Path = FOLDER) -> str:
    """The module and all that it imports, each before those that need it."""
    found: dict[str, str] = {}
    _gather(entry, folder, found)
    return "".join(found.values())


def _gather(name: str, folder: Path, found: dict[str, str]) -> None:
    text = (folder / f"{name}.js").read_text(encoding="utf-8")
    for wanted in _IMPORT.finditer(text):
        if (module := _resolved(name, wanted[3])) not in found:
            _gather(module, folder, found)
    body = _EXPORT.sub("", _IMPORT.sub(lambda wanted: _bound(name, wanted), text))
    if unknown := _OTHER.search(body):
        raise ValueError(f"{name}.js: {unknown[0]}")
    told = ", ".join(_EXPORT.findall(text))
    found[name] = f"const {_variable(name)} = (() => {{\n{body}return {{ {told} }};\n}})();\n"


def _resolved(name: str, target: str) -> str:
    return normpath(join(dirname(name), target))


def _variable(module: str) -> str:
    """Begins as no name in the modules does."""
    return "$" + module.replace("/", "_")


def _bound(name: str, wanted: re.Match[str]) -> str:
    return f"const {wanted[1] or wanted[2]} = {_variable(_resolved(name, wanted[3]))};"
