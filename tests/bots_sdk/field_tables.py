"""The fields of a game's view as tables: name, type, what the type says of it, and an example.

The words are those of the types, which editors show as well.
"""

import ast
import inspect
import json
from functools import cache
from importlib import import_module
from itertools import pairwise
from types import GenericAlias, NoneType, UnionType

from bots_sdk.bot import TypedView, View
from runners.local import as_views
from runners.plugins.discovery import kits
from tests.bots_sdk.questions import questions

MAX_EXAMPLE = 44
"""Longer ones are cut."""
HEAD = "| field | type | what it holds | example |\n|---|---|---|---|\n"


def game_view(slug):
    """Return the type of a game's view, such as `BasariView`."""
    kit = kits()[slug]
    return getattr(import_module(kit.package), kit.base.removesuffix("Bot") + "View")


def field_tables(game, whole):
    """Return a table of the view's fields, and one for each type of view inside of it."""
    views = [as_views(whole), *(as_views(view) for view, _ in questions(game))]
    parts = []
    for cls, path in inner_types(game_view(game.slug)):
        samples = [value for view in views for value in values_at(view, path)]
        title = f"{subject(views[0], path)}, a value of `{cls.__name__}`:\n\n" if path else ""
        fields = fields_of(cls)
        # As they stand in the JSON above, then what is worked out.
        names = sorted(fields, key=[*samples[0], *fields].index)
        rows = [row_of(name, fields[name], cls, samples) for name in names]
        parts.append(title + HEAD + "".join(rows))
    return "\n".join(parts)


def row_of(name, wanted, cls, samples):
    example = "see below" if view_inside(wanted) else example_of(name, samples)
    cells = (f"`{name}`", type_text(wanted), explanation(cls, name), example)
    return f"| {' | '.join(cells)} |\n"


def fields_of(cls):
    """Return the fields of a type, those of its bases first."""
    fields = {}
    for one in reversed(cls.__mro__):
        fields |= inspect.get_annotations(one)
    return fields


def inner_types(cls, path=()):
    """Yield a type of view and the types inside of it, each once, with the way to its values."""
    yield cls, path
    done = set()
    for name, wanted in fields_of(cls).items():
        inner = view_inside(wanted)
        # `me` is one of the seats.
        if inner and name != "me" and inner not in done:
            done.add(inner)
            yield from inner_types(inner, (*path, name))


def view_inside(wanted):
    if isinstance(wanted, GenericAlias | UnionType):
        return next(filter(None, map(view_inside, wanted.__args__)), None)
    return wanted if issubclass(wanted, TypedView) else None


def values_at(value, path):
    """Yield the views that lie there, from the front."""
    if isinstance(value, list):
        for one in value:
            yield from values_at(one, path)
    elif value is not None:
        if path:
            yield from values_at(value[path[0]], path[1:])
        else:
            yield value


def subject(view, path):
    """Return what the values at this place are called."""
    return f"Each entry of `{path[0]}`" if isinstance(view[path[0]], list) else f"`{path[0]}`"


def type_text(wanted):
    if wanted is NoneType:
        return "`None`"
    if isinstance(wanted, UnionType):
        return " or ".join(map(type_text, wanted.__args__))
    if isinstance(wanted, GenericAlias):
        return f"list of {type_text(wanted.__args__[0])}"
    return f"`{wanted.__name__}`"


def example_of(name, samples):
    """Return the first value that is not empty, cut to some length."""
    values = (getattr(view, name) for view in samples)
    value = next((value for value in values if value not in (None, [], {})), None)
    text = json.dumps(value) if value is not None else "None"
    return f"`{text}`" if len(text) <= MAX_EXAMPLE else f"`{text[:MAX_EXAMPLE]}…`"


@cache
def explanations(cls):
    """Return the string below each field of a class, as editors show it."""
    (node,) = ast.parse(inspect.getsource(cls)).body
    texts = {}
    for field, text in pairwise(node.body):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            texts[field.target.id] = " ".join(str(text.value.value).split())
    return texts


def explanation(cls, name):
    for one in cls.__mro__:
        if one not in (View, dict, object) and name in explanations(one):
            return explanations(one)[name]
    raise AssertionError(f"{cls.__name__}.{name} is not explained")
