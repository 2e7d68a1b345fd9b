"""A text as a tree, unless Python stumbles over it or it is out of proportion."""

import ast
import sys
from collections.abc import Callable, Iterator
from typing import TypeVar

from .problems import MAX_EXCERPT, Problem, printable

MAX_STATEMENTS = 20_000
MAX_CLASSES = 500
MAX_IMPORTS = 500

Import = ast.Import | ast.ImportFrom
Result = TypeVar("Result")


def parse(text: str) -> tuple[ast.Module, list[Import]]:
    """Return the tree of a text and all imports in it, or raise a `Problem`."""
    tree = understand(text, lambda: ast.parse(text))
    return tree, _survey(tree)


def understand(text: str, work: Callable[[], Result]) -> Result:
    """Let Python do this work on the text; what it stumbles over is a problem."""
    try:
        return work()
    except SyntaxError as error:
        line = error.lineno or 1
        lines = text.split("\n")
        excerpt = lines[line - 1].rstrip("\r")[:MAX_EXCERPT] if line <= len(lines) else None
        raise _unreadable(error.msg, line, error.offset, excerpt) from None
    except (RecursionError, MemoryError):
        hint = "Split long expressions and deep nesting into several statements"
        raise _unreadable("it is nested too deeply, or too large", hint=hint) from None
    except ValueError as error:
        raise _unreadable(str(error)) from None


def imports_at_load(tree: ast.Module) -> Iterator[Import]:
    """Yield the imports that are done when a file is loaded: not those within functions.

    What stands below `if TYPE_CHECKING` is never done.
    """
    nodes: list[ast.AST] = list(reversed(tree.body))
    while nodes:
        node = nodes.pop()
        if isinstance(node, Import):
            yield node
        elif isinstance(node, ast.If) and _is_type_checking(node.test):
            nodes += reversed(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.expr):
            nodes += reversed(list(ast.iter_child_nodes(node)))


def _is_type_checking(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", None)
    return name == "TYPE_CHECKING"


def _unreadable(
    error_text: str,
    line: int | None = None,
    column: int | None = None,
    excerpt: str | None = None,
    *,
    hint: str | None = None,
) -> Problem:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    values = {"error": printable(error_text), "line": line, "column": column, "python": python}
    if hint:
        values["hint"] = hint
    problem = Problem("E101", values, line)
    problem.facts |= {"column": column, "excerpt": excerpt}
    return problem


def _survey(tree: ast.Module) -> list[Import]:
    """Go through the whole tree once: refuse what is out of proportion, collect the imports."""
    imports: list[Import] = []
    statement_count = name_count = 0
    for node in ast.walk(tree):
        statement_count += isinstance(node, ast.stmt)
        if isinstance(node, Import):
            imports.append(node)
            name_count += len(node.names)
    class_count = sum(isinstance(node, ast.ClassDef) for node in tree.body)
    for count, limit, noun in (
        (statement_count, MAX_STATEMENTS, "statements"),
        (class_count, MAX_CLASSES, "classes"),
        (name_count, MAX_IMPORTS, "imported names"),
    ):
        if count > limit:
            reason = f"The file has {count:,} {noun}, the limit is {limit:,}"
            raise Problem("E106", {"reason": reason})
    return imports
