"""The methods of a bot class: whether they take what they are called with, and who calls them."""

import ast
import sys
from collections.abc import Iterator

from .classes import Classes
from .problems import MAX_LISTED, Json, Problem, printable

DECIDE = "decide"
PARAMETERS = ("self", "view", "options")
MAX_UNKNOWN = 20
"""Methods of which a nearer name is looked for."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def describe_bot(tree: ast.Module, classes: Classes, terms: Json) -> Json:
    """Return the name, the line and the games of a bot, and what there is to say of its methods.

    Raise a problem if it plays none of the games that there are.
    """
    bot = classes.bot
    names = classes.games()
    playable = [game for game in dict.fromkeys(names) if game in terms["games"]]
    if names and not playable:
        games = ", ".join(printable(name) for name in names[:MAX_LISTED])
        values = {"name": bot.name, "games": games, "game": ", ".join(terms["games"])}
        raise Problem("E107", values, bot.lineno)
    methods = _describe_methods(tree, classes, terms)
    return {"name": bot.name, "line": bot.lineno, "games": playable, **methods}


def _describe_methods(tree: ast.Module, classes: Classes, terms: Json) -> Json:
    """Return the lines of the methods that are asked for moves, and methods that nobody calls.

    Raise a problem if one of the former takes other parameters, or if there is none at all.
    """
    asked = {DECIDE, *terms["methods"].get(classes.base or "", {}).values()}
    functions = _functions(classes)
    for name, node in functions.items():
        if name in asked:
            _check_parameters(node)
    uncalled = list(_uncalled(tree, functions, asked))
    if classes.inherits_only(terms["plain_base"]) and not may_have(tree, DECIDE):
        raise _no_decide(classes, uncalled)
    return {
        "base": classes.base,
        "lines": {name: node.lineno for name, node in functions.items() if name in asked},
        "uncalled": uncalled[:MAX_UNKNOWN],
    }


def _functions(classes: Classes) -> dict[str, Function]:
    """Return the methods that the file writes for the bot, nearest definitions only."""
    functions: dict[str, Function] = {}
    for owner in classes.lineage():
        for node in owner.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions.setdefault(node.name, node)
    return functions


def _uncalled(tree: ast.Module, functions: dict[str, Function], asked: set[str]) -> Iterator[Json]:
    """Yield methods that look like ones for decisions: no helper is never called by its author."""
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for name, node in functions.items():
        if name not in asked | used and not name.startswith("_") and not node.decorator_list:
            yield {"name": printable(name), "line": node.lineno}


def may_have(tree: ast.Module, name: str) -> bool:
    """Return whether anything of this name is in the file that may become a method, or a bot."""
    return any(name in _names_made_by(node) for node in ast.walk(tree))


def _names_made_by(node: ast.AST) -> tuple[object, ...]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return (node.name,)
        case ast.Attribute(ctx=ast.Store()):
            return (node.attr,)
        case ast.Name(ctx=ast.Store()):
            return (node.id,)
        case ast.alias():
            return (node.name, node.asname)
        case ast.Constant(value=str()):
            # As in `setattr(MyBot, "decide", …)`.
            return (node.value,)
    return ()


def _no_decide(classes: Classes, uncalled: list[Json]) -> Problem:
    name, line = printable(classes.bot.name), classes.bot.lineno
    return Problem("E104", {"name": name, "line": line, "uncalled": uncalled[:MAX_UNKNOWN]}, line)


def _check_parameters(node: Function) -> None:
    """Check that a method takes what it is called with."""
    arguments = node.args
    parameters = arguments.posonlyargs + arguments.args
    min_count = len(parameters) - len(arguments.defaults)
    max_count = sys.maxsize if arguments.vararg else len(parameters)
    expected = len(PARAMETERS) - _is_static(node)
    needs_more = any(default is None for default in arguments.kw_defaults)
    is_async = isinstance(node, ast.AsyncFunctionDef)
    if min_count <= expected <= max_count and not needs_more and not is_async:
        return
    values: Json = {
        "line": node.lineno,
        "method": node.name,
        "signature": _signature(node),
        "count": len(parameters) + len(arguments.kwonlyargs),
    }
    if is_async:
        values["reason"] = "is `async`, and nobody awaits it"
    raise Problem("E104", values, node.lineno)


def _is_static(node: Function) -> bool:
    return any(
        isinstance(decorator, ast.Name) and decorator.id == "staticmethod"
        for decorator in node.decorator_list
    )


def _signature(node: Function) -> str:
    """Write the parameters by their names; what stands behind them can be as deep as one likes."""
    arguments = node.args
    parameters = [arg.arg for arg in arguments.posonlyargs + arguments.args]
    first_default = len(parameters) - len(arguments.defaults)
    names = [f"{name}=…" if at >= first_default else name for at, name in enumerate(parameters)]
    if arguments.vararg:
        names.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        names.append("*")
    names += [arg.arg for arg in arguments.kwonlyargs]
    if arguments.kwarg:
        names.append(f"**{arguments.kwarg.arg}")
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return printable(f"{word} {node.name}({', '.join(names)})")
