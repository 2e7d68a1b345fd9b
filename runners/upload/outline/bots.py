"""The bot of a bundle: a class of its entry file, or one that this file imports from another."""

import ast
from collections.abc import Mapping

from .classes import BOT, Classes
from .methods import describe_bot, may_have
from .modules import Modules
from .parsing import imports_at_load, parse
from .problems import Json, Problem


class Bots:
    """The bot classes of all files of a bundle, read when somebody asks for them."""

    def __init__(self, texts: Mapping[str, str], modules: Modules, terms: Json) -> None:
        self._texts = texts
        self._modules = modules
        self._terms = terms
        self._trees: dict[str, ast.Module] = {}
        self._classes: dict[str, Classes] = {}
        self._bots: dict[str, dict[str, Json]] = {}

    def describe(self) -> Json:
        """Return what can be told of the class that will play, with the file it is in.

        A problem says the file, too. What `BOT` is cannot always be told without running the file:
        then only the box knows.
        """
        entry = self._modules.entry
        classes = self._classes_of(entry)
        root = classes.roots.get(classes.named or BOT)
        try:
            if root and "file" in root:
                entry = root["file"]
                chosen = self._classes_of(entry).choose_class(root["name"])
            elif classes.named not in classes.nodes and may_have(self._tree(entry), BOT):
                return {"file": entry, "name": BOT}
            else:
                chosen = classes.choose()
            return describe_bot(self._tree(entry), chosen, self._terms) | {"file": entry}
        except Problem as problem:
            raise problem.in_file(entry) from None

    def _tree(self, path: str) -> ast.Module:
        if path not in self._trees:
            self._trees[path], _ = parse(self._texts[path])
        return self._trees[path]

    def _classes_of(self, path: str) -> Classes:
        """Return the classes of a file; of files that import each other, one knows less."""
        if path not in self._classes:
            self._classes[path] = Classes(self._tree(path), self._terms)
            imported = self._imported(path)
            self._classes[path] = Classes(self._tree(path), self._terms, imported)
        return self._classes[path]

    def _imported(self, path: str) -> dict[str, Json]:
        """Return the bot classes that a file imports from others, by the names they have there."""
        roots: dict[str, Json] = {}
        for node in imports_at_load(self._tree(path)):
            try:
                targets = self._modules.targets(path, node)
            except Problem:
                continue
            for target in targets:
                if target.path not in self._texts:
                    continue
                name = target.alias.asname or target.alias.name
                if target.is_module:
                    of_module = self._bots_of(target.path)
                    roots |= {f"{name}.{bot}": root for bot, root in of_module.items()}
                elif target.alias.name == "*":
                    roots |= self._bots_of(target.path)
                elif root := self._bots_of(target.path).get(target.alias.name):
                    roots[name] = root
        return roots

    def _bots_of(self, path: str) -> dict[str, Json]:
        """Return the bot classes that a file has to offer, its own and imported ones."""
        classes = self._classes_of(path)
        if path in self._bots:
            return self._bots[path]
        imported = classes.roots.items()
        roots = {name: root for name, root in imported if "file" in root and "." not in name}
        for name in classes.descendants():
            bot = classes.choose_class(name)
            place = {"file": path, "name": name}
            roots[name] = {"base": bot.base, "games": bot.games(), "plays": True} | place
        if classes.named in roots:
            roots[BOT] = roots[classes.named]
        self._bots[path] = roots
        return roots
