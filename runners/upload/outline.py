"""What the tree of a file tells: its bot class, its games, its imports. Runs nothing of the file.

This is a program for a limited process that starts for every upload, so it imports next to
nothing. All it does takes time in proportion to the file.
"""

import ast
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

MAX_STATEMENTS = 20_000
MAX_CLASSES = 500
MAX_IMPORTS = 500
MAX_LISTED = 5
"""Classes or games that are named in a message."""
MAX_EXCERPT = 200
"""A line can be as long as the file; this much of it is shown."""
_SIGNATURE = ("self", "view", "options")

Json = dict[str, Any]
Result = TypeVar("Result")


class Problem(Exception):
    """What is wrong with the file: a code, the values for its texts, and the place."""

    def __init__(self, code: str, values: Json, line: int | None = None) -> None:
        super().__init__(code)
        self.facts: Json = {"code": code, "values": values, "line": line}


def answer(data: bytes) -> bytes:
    """Outline the text that follows the first line, which holds the terms."""
    terms, _, text = data.partition(b"\n")
    return json.dumps(outline(text.decode(), json.loads(terms))).encode()


def outline(text: str, terms: Json) -> Json:
    """Return what can be told of a file, with a problem for each step that finds one.

    `terms` says what there is to know: `bases` (the classes to inherit from, with the games they
    imply), the `packages` that export them, `games`, and `importable` and `useless` modules.
    """
    result: Json = {"problems": {}, "name": "", "line": None, "games": [], "imports": []}
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
    values = {"error": _printable(error_text), "line": line, "column": column, "python": python}
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
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    roots = _find_roots(tree, terms)
    bot = _find_class(tree, classes, roots)
    _check_signature(bot)
    names = _find_games(bot.name, classes, roots)
    playable = [game for game in dict.fromkeys(names) if game in terms["games"]]
    if names and not playable:
        games = ", ".join(_printable(name) for name in names[:MAX_LISTED])
        values = {"name": bot.name, "games": games, "game": ", ".join(terms["games"])}
        raise Problem("E107", values, bot.lineno)
    return {"name": bot.name, "line": bot.lineno, "games": playable}


def _find_roots(tree: ast.Module, terms: Json) -> dict[str, str | None]:
    """Return the base classes by the names they have here, with the games they imply."""
    bases: dict[str, str | None] = terms["bases"]
    roots = dict(bases)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and _top(node.module) in terms["packages"]:
            for alias in node.names:
                if alias.name in bases:
                    roots[alias.asname or alias.name] = bases[alias.name]
    return roots


def _find_class(
    tree: ast.Module, classes: dict[str, ast.ClassDef], roots: Iterable[str]
) -> ast.ClassDef:
    """Return the class that will play: the one `BOT` names, or the only leaf below Bot."""
    name = _name_in_bot(tree)
    if name is not None and name in classes:
        return classes[name]
    bots = _descendants(roots, classes)
    parents = {base for name in bots for base in _bases(classes[name])}
    leaves = [classes[name] for name in classes if name in bots and name not in parents]
    if len(leaves) == 1:
        return leaves[0]
    if not leaves:
        first = next(iter(classes.values()), None)
        values: Json = {"classes": _list_classes(list(classes.values())) or None}
        if first:
            values |= {"line": first.lineno, "name": first.name}
        raise Problem("E102", values, first.lineno if first else None)
    last = leaves[-1]
    values = {"count": len(leaves), "classes": _list_classes(leaves), "name": last.name}
    raise Problem("E103", values, last.lineno)


def _name_in_bot(tree: ast.Module) -> str | None:
    for node in reversed(tree.body):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if "BOT" in targets:
                return node.value.id
    return None


def _descendants(roots: Iterable[str], classes: dict[str, ast.ClassDef]) -> set[str]:
    """Return the classes of the file that are a root or inherit from one, over any others."""
    children: dict[str, list[str]] = {}
    for name, node in classes.items():
        for base in _bases(node):
            children.setdefault(base, []).append(name)
    bots = dict.fromkeys(roots)
    queue = list(bots)
    for name in queue:
        for child in children.get(name, ()):
            if child not in bots:
                bots[child] = None
                queue.append(child)
    return {name for name in bots if name in classes}


def _find_games(
    bot: str, classes: dict[str, ast.ClassDef], roots: dict[str, str | None]
) -> list[str]:
    """Return what the class says in `games`, or what its base implies; nothing means all games.

    What cannot be told without running the file is taken for all.
    """
    for name in _ancestors(bot, classes):
        if name in classes:
            names = _games_in(classes[name])
            if names is not None:
                return names
        elif game := roots.get(name):
            return [game]
    return []


def _ancestors(bot: str, classes: dict[str, ast.ClassDef]) -> Iterator[str]:
    """Yield a class and all it inherits from, nearest first, as far as the file tells."""
    seen = {bot}
    queue = [bot]
    for name in queue:
        yield name
        if name in classes:
            for base in _bases(classes[name]):
                if base not in seen:
                    seen.add(base)
                    queue.append(base)


def _games_in(node: ast.ClassDef) -> list[str] | None:
    for statement in node.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(target, ast.Name) and target.id == "games" for target in targets):
                return _texts(statement.value)
    return None


def _texts(node: ast.expr) -> list[str]:
    """Return the texts of a list that is written out; none if it is anything else."""
    parts = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    return [value for value in values if isinstance(value, str)]


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        if isinstance(base, ast.Name):
            yield base.id
        elif isinstance(base, ast.Attribute):
            yield base.attr


def _list_classes(classes: list[ast.ClassDef]) -> str:
    names = [f"`{_printable(node.name)}` (line {node.lineno})" for node in classes[:MAX_LISTED]]
    rest = len(classes) - len(names)
    return ", ".join(names) + (f" and {rest:,} more" if rest else "")


def _check_signature(bot: ast.ClassDef) -> None:
    """Check that `decide`, if the class writes it itself, takes what the league hands over."""
    for node in bot.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == "decide":
            parameters = node.args.posonlyargs + node.args.args
            min_count = len(parameters) - len(node.args.defaults)
            max_count = sys.maxsize if node.args.vararg else len(parameters)
            if not min_count <= len(_SIGNATURE) <= max_count or isinstance(
                node, ast.AsyncFunctionDef
            ):
                count = len(parameters)
                values = {"line": node.lineno, "signature": _signature(node), "count": count}
                raise Problem("E104", values, node.lineno)


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Write the parameters by their names; what stands behind them can be as deep as one likes."""
    parameters = [arg.arg for arg in node.args.posonlyargs + node.args.args]
    first_default = len(parameters) - len(node.args.defaults)
    names = [f"{name}=…" if at >= first_default else name for at, name in enumerate(parameters)]
    if node.args.vararg:
        names.append(f"*{node.args.vararg.arg}")
    if node.args.kwarg:
        names.append(f"**{node.args.kwarg.arg}")
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return _printable(f"{word} decide({', '.join(names)})")


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
            modules[_printable(name)] = None
    return list(modules)


def _top(module: str | None) -> str:
    return (module or "").partition(".")[0]


def _statement(node: ast.Import | ast.ImportFrom) -> str:
    names = ", ".join(
        f"{alias.name} as {alias.asname}" if alias.asname else alias.name for alias in node.names
    )
    if isinstance(node, ast.Import):
        return _printable(f"import {names}")
    return _printable(f"from {'.' * node.level}{node.module or ''} import {names}")


def _printable(text: str) -> str:
    """Return the beginning of the text, with everything escaped that a database may not take."""
    beginning = text[:MAX_EXCERPT]
    cut = "…" if len(text) > MAX_EXCERPT else ""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in beginning) + cut
