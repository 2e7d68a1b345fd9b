"""What the tree of a file tells: its bot class, its games, its imports. Runs nothing of the file.

This is a program for a limited process that starts for every upload, so it imports next to
nothing. All it does takes time in proportion to the file.
"""

import json

from .classes import Classes
from .imports import check_imports
from .methods import describe_bot
from .parsing import parse, understand
from .problems import MAX_EXCERPT, Json, Problem

__all__ = ["MAX_EXCERPT", "Problem", "answer", "outline", "understand"]


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
    result = nothing_known()
    try:
        tree, imports = parse(text)
    except Problem as problem:
        result["problems"]["syntax"] = problem.facts
        return result
    try:
        result |= describe_bot(tree, Classes(tree, terms).choose(), terms)
    except Problem as problem:
        result["problems"]["class"] = problem.facts
    try:
        result["imports"] = check_imports(imports, terms)
    except Problem as problem:
        result["problems"]["imports"] = problem.facts
    return result


def nothing_known() -> Json:
    """Return the outline of a file before anything of it was read."""
    result: Json = {"problems": {}, "name": "", "line": None, "games": [], "imports": []}
    return result | {"base": None, "lines": {}, "uncalled": [], "file": None, "notices": []}
