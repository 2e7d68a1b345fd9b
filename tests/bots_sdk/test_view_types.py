"""The types of views are true: every field that is declared is there, of its type, and no other.

They are compared with what seats are shown in random matches, decision by decision.
"""

from inspect import get_annotations, signature
from types import GenericAlias, NoneType, UnionType

import pytest

from bots_sdk.bot import TypedView, View
from engine.registry import GAMES
from runners.local import as_views
from tests.bots_sdk.questions import questions
from tests.bots_sdk.test_bases import BASES

COMPUTED = {"me", "others"}
"""What a view works out from its fields."""


def views_of(slug):
    return (view for view, _ in questions(GAMES[slug], "123"))


def view_type(game, decision):
    """The type of the view that the method for a decision is given."""
    method = getattr(BASES[game], BASES[game].methods[decision])
    return signature(method).parameters["view"].annotation


def declared(cls):
    """The fields of a type with their annotations, those of the subclass first."""
    fields = {}
    for one in cls.__mro__:
        fields = get_annotations(one) | fields
    return fields


def problems(value, wanted, place):
    """Yield what is wrong with a value, if it should be of this type."""
    if isinstance(wanted, UnionType):
        kinds = [list(problems(value, one, place)) for one in wanted.__args__]
        yield from [] if [] in kinds else kinds[0]
    elif isinstance(wanted, GenericAlias):
        assert wanted.__origin__ is list
        if not isinstance(value, list):
            yield f"{place} is {value!r}"
            return
        for number, one in enumerate(value):
            yield from problems(one, wanted.__args__[0], f"{place}[{number}]")
    elif issubclass(wanted, TypedView):
        if not isinstance(value, View):
            yield f"{place} is {value!r}"
            return
        fields = declared(wanted)
        for name in set(value) ^ (set(fields) - COMPUTED):
            yield f"{place}.{name} is {'undeclared' if name in value else 'missing'}"
        for name in set(fields) & {*value, *(COMPUTED if "seats" in fields else ())}:
            found = getattr(value, name) if "seat" in value else value[name]
            yield from problems(found, fields[name], f"{place}.{name}")
    elif type(value) is not wanted:
        yield f"{place} is {value!r}"


@pytest.mark.parametrize("slug", GAMES)
def test_what_a_method_is_given_is_what_its_annotation_says(slug):
    decisions = set()
    for view in map(as_views, views_of(slug)):
        decisions.add(view.decision)
        assert [*problems(view, view_type(slug, view.decision), view.decision)] == []
    assert decisions == set(BASES[slug].methods)


@pytest.mark.parametrize("slug", GAMES)
def test_a_field_may_only_be_none_where_it_is_none_at_times(slug):
    nothing, optional = set(), set()
    for view in map(as_views, views_of(slug)):
        decision = view.decision
        for name, wanted in declared(view_type(slug, decision)).items():
            if isinstance(wanted, UnionType) and NoneType in wanted.__args__:
                optional.add((decision, name))
                if getattr(view, name) is None:
                    nothing.add((decision, name))
    assert optional == nothing
