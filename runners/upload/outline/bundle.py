"""What the trees of a bundle's files tell. Like the outline of a single file, it runs nothing.

The first line of what it reads says which files there are; their texts follow.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from . import nothing_known
from .bots import Bots
from .imports import forbidden, is_library, is_useless, module_names, statement
from .modules import Edges, Modules, cycles
from .parsing import Import, imports_at_load, parse
from .problems import Json, Problem, printable

TOO_MUCH = "; split it, or move tables into data files"


@dataclass(frozen=True, slots=True)
class FileImports:
    """The imports of one file."""

    path: str
    nodes: list[Import]
    at_load: list[Import]
    """Those that are done when the file is loaded."""


def answer(data: bytes) -> bytes:
    """Outline the bundle whose texts follow the first line, with the sizes that stand there."""
    head, _, contents = data.partition(b"\n")
    request = json.loads(head)
    texts, start = {}, 0
    for path, size in request["texts"]:
        texts[path] = contents[start : start + size].decode()
        start += size
    result = outline_bundle(texts, request["paths"], request["entry"], request["terms"])
    return json.dumps(result).encode()


def outline_bundle(texts: Mapping[str, str], paths: Sequence[str], entry: str, terms: Json) -> Json:
    """Return what can be told of a bundle, with a problem for each step that finds one.

    `texts` are those of its Python files, `paths` are all its files.
    """
    result = nothing_known()
    order = [entry, *(path for path in sorted(texts) if path != entry)]
    try:
        files = [_read(path, texts[path]) for path in order]
    except Problem as problem:
        result["problems"]["syntax"] = problem.facts
        return result
    modules = Modules(paths, entry, terms)
    try:
        result |= Bots(texts, modules, terms).describe()
    except Problem as problem:
        result["problems"]["class"] = problem.facts
    try:
        result["imports"] = _check_imports(files, modules, terms)
    except Problem as problem:
        result["problems"]["imports"] = problem.facts
    else:
        result["notices"] = [*_cycles(files, modules), *_shadows(files, modules, terms)]
    return result


def _read(path: str, text: str) -> FileImports:
    try:
        tree, imports = parse(text)
    except Problem as problem:
        facts = problem.facts
        if facts["code"] == "E106":
            reason = facts["values"]["reason"]
            facts |= {"code": "E109", "values": {"reason": f"{reason}{TOO_MUCH}"}}
        raise problem.in_file(path) from None
    return FileImports(path, imports, list(imports_at_load(tree)))


def _check_imports(files: Sequence[FileImports], modules: Modules, terms: Json) -> list[str]:
    """Return the modules that the files import, if the bundle or a box has all of them."""
    names: dict[str, None] = {}
    for file in files:
        for node in file.nodes:
            try:
                _check_import(file.path, node, modules, terms)
            except Problem as problem:
                if file.path not in _files_in_use(files, modules):
                    problem.facts["values"]["unused"] = printable(file.path)
                raise problem.in_file(file.path) from None
            names |= dict.fromkeys(printable(name) for name in module_names(node))
    return list(names)


def _check_import(path: str, node: Import, modules: Modules, terms: Json) -> None:
    for name in module_names(node):
        if is_useless(name, terms):
            problem = forbidden(node)
            problem.facts["values"]["own"] = modules.own_file(name)
            raise problem
    modules.targets(path, node)


def _files_in_use(files: Sequence[FileImports], modules: Modules) -> set[str]:
    """Return the files that are imported by others, from the entry file on."""
    imports = {file.path: file.nodes for file in files}
    in_use = {modules.entry: None}
    queue = [modules.entry]
    for path in queue:
        for imported in _imported_files(path, imports.get(path, []), modules):
            if imported not in in_use:
                in_use[imported] = None
                queue.append(imported)
    return set(in_use)


def _imported_files(path: str, nodes: Sequence[Import], modules: Modules) -> dict[str, int]:
    """Return the files that these imports name, with the line of the first that does."""
    lines: dict[str, int] = {}
    for node in nodes:
        try:
            targets = modules.targets(path, node)
        except Problem:
            continue
        for target in targets:
            if target.is_file:
                lines.setdefault(target.path, node.lineno)
    return lines


def _cycles(files: Sequence[FileImports], modules: Modules) -> Iterator[Json]:
    """Yield a notice for files that import each other while they are loaded."""
    edges: Edges = {file.path: _imported_files(file.path, file.at_load, modules) for file in files}
    for cycle in cycles(edges):
        first, line = cycle[0], edges[cycle[0]][cycle[1]]
        shown = " → ".join(f"`{printable(path)}`" for path in [*cycle, first])
        yield _notice("E111", first, line, files=shown)


def _shadows(files: Sequence[FileImports], modules: Modules, terms: Json) -> Iterator[Json]:
    """Yield a notice for each import of a library that the author may take for a file of theirs."""
    names: set[str] = set()
    for file in files:
        for node in file.nodes:
            for name in module_names(node):
                top, own = name.partition(".")[0], modules.own_file(name)
                if own and top not in names and is_library(name, terms):
                    names.add(top)
                    own = printable(own)
                    yield _notice(
                        "E112", file.path, node.lineno, statement=statement(node), own=own
                    )


def _notice(code: str, path: str, line: int, **values: str) -> Json:
    notice = Problem(code, {"line": line, **values}, line)
    return notice.in_file(path).facts
