"""The classes of a file: which one will play, what it inherits from, and the games that implies."""

import ast
from collections.abc import Iterable, Iterator

from .problems import MAX_LISTED, Json, Problem, printable

BOT = "BOT"
"""The name by which a file says which class plays."""


class Classes:
    """The top-level classes of a file and the names of what they inherit from.

    `roots` are the classes to inherit from by the names they have in this file, each with its
    `base`, the class of an SDK or kit, the `games` it implies, and whether it `plays` by itself.
    Those that are `imported` from other files of a bundle also have their `file` and `name`.
    """

    bot: ast.ClassDef
    """The class that is asked about; `choose` or `choose_class` sets it."""

    def __init__(
        self, tree: ast.Module, terms: Json, imported: dict[str, Json] | None = None
    ) -> None:
        self.nodes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self.roots = _find_roots(tree, terms) | (imported or {})
        self.named = _name_in_bot(tree)
        """What `BOT` names."""

    def choose(self) -> "Classes":
        """Let this be about the class that will play."""
        self.bot = self._find_bot(self.named)
        return self

    def choose_class(self, name: str) -> "Classes":
        """Let this be about a class of the file."""
        self.bot = self.nodes[name]
        return self

    @property
    def base(self) -> str | None:
        """The class of an SDK or kit that the bot is built on, if the file tells."""
        for name in self.ancestors():
            if name not in self.nodes and name in self.roots:
                base: str = self.roots[name]["base"]
                return base
        return None

    def inherits_only(self, base: str) -> bool:
        """Return whether all it inherits, besides what the file writes, is this class."""
        plain = {"base": base, "games": [], "plays": False}
        return all(
            not node.keywords and not node.decorator_list for node in self.lineage()
        ) and all(
            self.roots.get(name) == plain for name in self.ancestors() if name not in self.nodes
        )

    def lineage(self) -> list[ast.ClassDef]:
        """Return the classes of this file that make up the bot, nearest first."""
        return [self.nodes[name] for name in self.ancestors() if name in self.nodes]

    def ancestors(self) -> Iterator[str]:
        """Yield the bot and all it inherits from, nearest first, as far as the file tells."""
        seen = {self.bot.name}
        queue = [self.bot.name]
        for name in queue:
            yield name
            if name in self.nodes:
                for base in self.bases(self.nodes[name]):
                    if base not in seen:
                        seen.add(base)
                        queue.append(base)

    def bases(self, node: ast.ClassDef) -> Iterator[str]:
        """Yield the names of what a class inherits from: with its module, if it is known so."""
        for base in node.bases:
            if isinstance(base, ast.Name):
                yield base.id
            elif isinstance(base, ast.Attribute):
                dotted = dotted_name(base)
                yield dotted if dotted in self.roots else base.attr

    def _find_bot(self, name: str | None) -> ast.ClassDef:
        """Return the class that will play: the one `BOT` names, or the only leaf below Bot."""
        if name is not None and name in self.nodes:
            return self.nodes[name]
        bots = self.descendants()
        parents = {base for name in bots for base in self.bases(self.nodes[name])}
        leaves = [self.nodes[name] for name in self.nodes if name in bots and name not in parents]
        if len(leaves) == 1:
            return leaves[0]
        if not leaves:
            first = next(iter(self.nodes.values()), None)
            values: Json = {"classes": _list_classes(list(self.nodes.values())) or None}
            if first:
                values |= {"line": first.lineno, "name": printable(first.name)}
            imported = [name for name, root in self.roots.items() if "file" in root]
            values["imported"] = printable(imported[0]) if imported else None
            raise Problem("E102", values, first.lineno if first else None)
        last = leaves[-1]
        values = {"count": len(leaves), "classes": _list_classes(leaves)}
        raise Problem("E103", values | {"name": printable(last.name)}, last.lineno)

    def descendants(self) -> set[str]:
        """Return the classes of the file that are a root or inherit from one, over any others."""
        children: dict[str, list[str]] = {}
        for name, node in self.nodes.items():
            for base in self.bases(node):
                children.setdefault(base, []).append(name)
        bots = dict.fromkeys(self.roots)
        queue = list(bots)
        for name in queue:
            for child in children.get(name, ()):
                if child not in bots:
                    bots[child] = None
                    queue.append(child)
        return {name for name in bots if name in self.nodes}

    def games(self) -> list[str]:
        """Return what the bot says in `games`, or what its base implies; nothing means all games.

        What cannot be told without running the file is taken for all.
        """
        for name in self.ancestors():
            if name in self.nodes:
                names = _games_in(self.nodes[name])
                if names is not None:
                    return names
            elif name in self.roots and (implied := self.roots[name]["games"]):
                return list(implied)
        return []


def _find_roots(tree: ast.Module, terms: Json) -> dict[str, Json]:
    """Return the classes to inherit from by the names they have here.

    The bases of kits are known by their names; house bots by the modules they come from, as there
    is a bot of the same name for every game.
    """
    bases: dict[str, list[str]] = terms["bases"]
    house: dict[str, Json] = terms["house"]
    by_name = {
        name: {"base": name, "games": games, "plays": False} for name, games in bases.items()
    }
    roots: dict[str, Json] = dict(by_name)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and _top(node.module) in terms["packages"]:
            for alias in node.names:
                name, path = alias.asname or alias.name, f"{node.module}.{alias.name}"
                if alias.name in bases:
                    roots[name] = by_name[alias.name]
                elif path in house:
                    roots[name] = house[path]
                else:
                    roots |= _members(house, path, name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                roots |= _members(house, alias.name, alias.asname or alias.name)
    return roots


def _members(house: dict[str, Json], module: str, name: str) -> dict[str, Json]:
    """Return the house bots of a module that was imported by this name."""
    return {
        f"{name}.{path.removeprefix(module + '.')}": root
        for path, root in house.items()
        if path.startswith(f"{module}.") and "." not in path.removeprefix(f"{module}.")
    }


def dotted_name(node: ast.expr) -> str:
    """Return `a.b.c` as it is written; nothing for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _top(module: str | None) -> str:
    return (module or "").partition(".")[0]


def _name_in_bot(tree: ast.Module) -> str | None:
    for node in reversed(tree.body):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute):
            targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if BOT in targets:
                return dotted_name(node.value)
    return None


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


def _list_classes(classes: Iterable[ast.ClassDef]) -> str:
    nodes = list(classes)
    names = [f"`{printable(node.name)}` (line {node.lineno})" for node in nodes[:MAX_LISTED]]
    rest = len(nodes) - len(names)
    return ", ".join(names) + (f" and {rest:,} more" if rest else "")
