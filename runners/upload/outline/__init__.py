"""What the tree of a file tells: its bot class, its games, its imports. Runs nothing of the file.

This is a program for a limited process that starts for every upload, so it imports next to
nothing. All it does takes time in proportion to the file.
"""

import ast
import json
import sys
from collections.abc import Callable
from typing import TypeVar

from .classes import Classes
from .methods import describe_methods
from .problems import MAX_EXCERPT, MAX_LISTED, Json, Problem, printable

__all__ = ["MAX_EXCERPT", "Problem", "answer", "outline", "understand"]

MAX_STATEMENTS = 20_000
MAX_CLASSES = 500
MAX_IMPORTS = 500

Result = TypeVar("Result")


def answer(data: bytes) -> bytes:
    """Outline the text that follows the first line, which holds the terms."""
    terms, _, text = data.partition(b"\n")
    return json.dumps(outline(text.decode(), json.loads(terms))).encode()


def outline(text: str, terms: Json) -> Json:
    """Return what can be told of a file, with a problem for each step that finds one.

    `terms` says what there is to know: `bases` (the classes to inherit from, with the games they
    imply), their `methods` by decision, the `plain_base` that has none, the `packages` that export
    them, the `house` bots, `games`, and `importable` and `useless` modules.
    """
    result: Json = {"problems": {}, "name": "", "line": None, "games": [], "imports": []}
    result |= {"base": None, "lines": {}, "uncalled": []}
    try:
        tree = understand(text, lambda: ast.parse(text))
        imports = _survey(tree)
    except Problem as problem:
        result["problems"]["syntax"] = problem.facts
        return result
    try:
        result |= _describe_bot(tree, terms)
    except Problem as problem:
        result["problems"]["class"] = problem.facts
    try:
        result["imports"] = _check_imports(imports, terms)
    except Problem as problem:
        result["problems"]["imports"] = problem.facts
    return result


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


def _survey(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """Go through the whole tree once: refuse what is out of proportion, collect the imports."""
    imports: list[ast.Import | ast.ImportFrom] = []
    statement_count = name_count = 0
    for node in ast.walk(tree):
        statement_count += isinstance(node, ast.stmt)
        if isinstance(node, ast.Import | ast.ImportFrom):
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


def _describe_bot(tree: ast.Module, terms: Json) -> Json:
    classes = Classes(tree, terms)
    bot = classes.bot
    names = classes.games()
    playable = [game for game in dict.fromkeys(names) if game in terms["games"]]
    if names and not playable:
        games = ", ".join(printable(name) for name in names[:MAX_LISTED])
        values = {"name": bot.name, "games": games, "game": ", ".join(terms["games"])}
        raise Problem("E107", values, bot.lineno)
    methods = describe_methods(tree, classes, terms)
    return {"name": bot.name, "line": bot.lineno, "games": playable, **methods}


def _check_imports(imports: list[ast.Import | ast.ImportFrom], terms: Json) -> list[str]:
    """Return the modules the file imports, if a box has all of them."""
    modules: dict[str, None] = {}
    for node in imports:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            names = [node.module or "."] if node.level == 0 else ["."]
        for name in names:
            top = _top(name)
            known = top in terms["importable"] or top in sys.stdlib_module_names
            if not known or top in terms["useless"]:
                values = {"line": node.lineno, "statement": _statement(node)}
                raise Problem("E105", values, node.lineno)
            modules[printable(name)] = None
    return list(modules)


def _top(module: str | None) -> str:
    return (module or "").partition(".")[0]


def _statement(node: ast.Import | ast.ImportFrom) -> str:
    names = ", ".join(
        f"{alias.name} as {alias.asname}" if alias.asname else alias.name for alias in node.names
    )
    if isinstance(node, ast.Import):
        return printable(f"import {names}")
    return printable(f"from {'.' * node.level}{node.module or ''} import {names}")
