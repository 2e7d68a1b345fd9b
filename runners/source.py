"""Reading an uploaded file without running any of it: is it text, is it Python, is it a bot.

Every finding is a `Finding` with a code. What a file really does is for the box to see.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from runners.box.policy import IMPORTABLE, USELESS_MODULES
from runners.faults import Value
from runners.limits import Limits

BOT = "Bot"
EXCERPT = 200
"""A stranger's line can be as long as the file; so much of it is shown."""
_SIGNATURE = ("self", "view", "options")


@dataclass(eq=False)
class Finding(Exception):
    """What is wrong with a file: a code, the values for its texts, and the place."""

    code: str
    values: dict[str, Value] = field(default_factory=dict)
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None


def read_text(data: bytes, limits: Limits) -> str:
    """The text of the file."""
    if data.startswith(b"PK\x03\x04"):
        raise Finding("E106", {"reason": "It is a ZIP archive"})
    if len(data) > limits.source_kib << 10:
        size, most = -(-len(data) // 1024), limits.source_kib
        raise Finding("E106", {"reason": f"The file has {size:,} KB, the limit is {most} KB"})
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Finding("E106", {"reason": f"The file is not UTF-8: byte {error.start:,}"}) from None
    if "\0" in text:
        raise Finding("E106", {"reason": f"The file has a zero byte at {text.index(chr(0)):,}"})
    return text


def parse(text: str) -> ast.Module:
    """The file as a tree; nothing of it is executed or even compiled."""
    try:
        return ast.parse(text)
    except SyntaxError as error:
        line = error.lineno or 1
        lines = text.splitlines()
        excerpt = lines[line - 1][:EXCERPT] if line <= len(lines) else None
        raise _unreadable(error.msg, line, error.offset, excerpt) from None
    except (RecursionError, MemoryError, ValueError):
        raise _unreadable("it is nested too deeply", None, None, None) from None


def _unreadable(problem: str, line: int | None, column: int | None, excerpt: str | None) -> Finding:
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    values: dict[str, Value] = {"error": problem, "line": line, "column": column, "python": python}
    return Finding("E101", values, line, column, excerpt)


def find_class(tree: ast.Module) -> ast.ClassDef:
    """The class that will play: the one `BOT` names, or the only leaf that inherits from Bot."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    bots = {name for name in classes if _is_bot(name, classes, _names_of_bot(tree))}
    named = _named_by_bot(tree)
    if named is not None and named in classes:
        return classes[named]
    parents = {base for name in bots for base in _bases(classes[name])}
    leaves = [classes[name] for name in classes if name in bots and name not in parents]
    if len(leaves) == 1:
        return leaves[0]
    if not leaves:
        first = next(iter(classes.values()), None)
        listed = _listed(classes.values())
        values: dict[str, Value] = {"classes": listed or None}
        if first:
            values |= {"line": first.lineno, "name": first.name}
        raise Finding("E102", values, first.lineno if first else None)
    said: dict[str, Value] = {"count": len(leaves), "classes": _listed(leaves)}
    raise Finding("E103", said | {"name": leaves[-1].name}, leaves[-1].lineno)


def _names_of_bot(tree: ast.Module) -> set[str]:
    """What the base class is called here: `Bot`, or the name it was imported as."""
    names = {BOT}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bots_sdk":
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        if isinstance(base, ast.Name):
            yield base.id
        elif isinstance(base, ast.Attribute):
            yield base.attr


def _is_bot(name: str, classes: dict[str, ast.ClassDef], roots: set[str]) -> bool:
    seen: set[str] = set()
    queue = [name]
    while queue:
        current = queue.pop()
        if current in seen or current not in classes:
            continue
        seen.add(current)
        bases = list(_bases(classes[current]))
        if roots & set(bases):
            return True
        queue += bases
    return False


def _named_by_bot(tree: ast.Module) -> str | None:
    for node in reversed(tree.body):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if "BOT" in targets:
                return node.value.id
    return None


def _listed(classes: Iterable[ast.ClassDef]) -> str:
    return ", ".join(f"`{node.name}` (line {node.lineno})" for node in classes)


def check_signature(bot: ast.ClassDef) -> None:
    """`decide`, if the class writes it itself, must take what the league gives."""
    for node in bot.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == "decide":
            asked = node.args.posonlyargs + node.args.args
            least = len(asked) - len(node.args.defaults)
            most = 99 if node.args.vararg else len(asked)
            if not least <= len(_SIGNATURE) <= most or isinstance(node, ast.AsyncFunctionDef):
                signature = f"def decide({ast.unparse(node.args)})"
                values: dict[str, Value] = {"line": node.lineno, "signature": signature}
                raise Finding("E104", values | {"count": len(asked)}, node.lineno)


def check_imports(tree: ast.Module) -> list[str]:
    """The modules the file imports, if a box has all of them."""
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "."] if node.level == 0 else ["."]
        else:
            continue
        for name in names:
            top = name.split(".")[0]
            there = top in IMPORTABLE or top in sys.stdlib_module_names
            if not there or top in USELESS_MODULES:
                values: dict[str, Value] = {"line": node.lineno, "statement": ast.unparse(node)}
                raise Finding("E105", values, node.lineno)
            found[name] = None
    return list(found)
