"""What a file imports: whether a box has it, and how the statement reads."""

import ast
import sys

from .parsing import Import
from .problems import Json, Problem, printable


def check_imports(imports: list[Import], terms: Json) -> list[str]:
    """Return the modules a single file imports, if a box has all of them."""
    modules: dict[str, None] = {}
    for node in imports:
        for name in module_names(node):
            if not is_library(name, terms) or is_useless(name, terms):
                raise forbidden(node)
            modules[printable(name)] = None
    return list(modules)


def module_names(node: Import) -> list[str]:
    """Return the modules an import names; a relative one begins with dots."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return ["." * node.level + (node.module or "")]


def is_library(module: str, terms: Json) -> bool:
    """Return whether a module is one of Python or of a box, whatever a bundle has of this name."""
    return _top(module) in terms["importable"] or _top(module) in sys.stdlib_module_names


def is_useless(module: str, terms: Json) -> bool:
    """Return whether a module of Python cannot work in a box."""
    return _top(module) in terms["useless"]


def forbidden(node: Import) -> Problem:
    """Return the problem that an import is not allowed."""
    return Problem("E105", {"line": node.lineno, "statement": statement(node)}, node.lineno)


def statement(node: Import) -> str:
    """Return an import as its author may have written it."""
    names = ", ".join(
        f"{alias.name} as {alias.asname}" if alias.asname else alias.name for alias in node.names
    )
    if isinstance(node, ast.Import):
        return printable(f"import {names}")
    return printable(f"from {'.' * node.level}{node.module or ''} import {names}")


def _top(module: str) -> str:
    return module.partition(".")[0]
