"""Reading an uploaded file without running any of it: is it text, is it Python, is it a bot.

Every finding is a `Finding` with a code. What a file really does is for the box to see.
"""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType

from engine.games import GAMES
from runners.box.policy import IMPORTABLE, USELESS_MODULES
from runners.faults import Value
from runners.limits import Limits

GAME_BASES = {f"{slug.title().replace('-', '')}Bot": slug for slug in GAMES}
"""The class that the SDK has for each game, such as `BasariBot`."""
BASES: Mapping[str, str | None] = {"Bot": None, **GAME_BASES}
"""Everything a bot can inherit from, and the game that it implies."""
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
    with _readable(text):
        return ast.parse(text)


def compiled(text: str, name: str) -> CodeType:
    """The file as code. Only for a file that is trusted: a compiler can be kept busy."""
    with _readable(text):
        return compile(text, name, "exec", dont_inherit=True)


@contextmanager
def _readable(text: str) -> Iterator[None]:
    """Python reads the text here; what it stumbles over is found."""
    try:
        yield
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
    classes = _classes(tree)
    named = _named_by_bot(tree)
    if named is not None and named in classes:
        return classes[named]
    roots = _roots(tree)
    bots = [name for name in classes if any(base in roots for base in _lineage(name, classes))]
    parents = {base for name in bots for base in _bases(classes[name])}
    leaves = [classes[name] for name in bots if name not in parents]
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


def find_games(tree: ast.Module) -> tuple[str, ...]:
    """The games the bot plays: what it says in `games`, or what its base implies; none means all.

    What cannot be told without running the file is taken for all.
    """
    classes, roots = _classes(tree), _roots(tree)
    for name in _lineage(find_class(tree).name, classes):
        if name in classes:
            said = _said_games(classes[name])
            if said is not None:
                return said
        elif game := roots.get(name):
            return (game,)
    return ()


def _said_games(node: ast.ClassDef) -> tuple[str, ...] | None:
    for statement in node.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(target, ast.Name) and target.id == "games" for target in targets):
                return _texts(statement.value)
    return None


def _texts(node: ast.expr) -> tuple[str, ...]:
    """The texts of a list that is written out; none if it is anything else."""
    parts = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    return tuple(value for value in values if isinstance(value, str))


def _classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _roots(tree: ast.Module) -> dict[str, str | None]:
    """The classes of the SDK by the names they have here, with the games they imply."""
    roots = dict(BASES)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bots_sdk":
            for alias in node.names:
                if alias.name in BASES:
                    roots[alias.asname or alias.name] = BASES[alias.name]
    return roots


def _lineage(name: str, classes: dict[str, ast.ClassDef]) -> list[str]:
    """A class and all it inherits from, nearest first, as far as the file tells."""
    found = [name]
    for current in found:
        if current in classes:
            found += [base for base in _bases(classes[current]) if base not in found]
    return found


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        if isinstance(base, ast.Name):
            yield base.id
        elif isinstance(base, ast.Attribute):
            yield base.attr


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
