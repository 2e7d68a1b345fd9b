"""Views and news that a box reads only when the bot looks: nobody can tell."""

import copy
import json
import pickle

import pytest

from bots_sdk.bot import View
from runners.inside_box.unread import unread_maker

FIELDS = {"a": 1, "seats": [{"x": 1}, {"x": 2}], "seat": 1}
STEPS = [{"i": 1}, {"i": 2, "move": "a"}]
WHOLE = {**FIELDS, "news": STEPS, "time_left_ms": 9}


def unread_view():
    make = unread_maker(View, lambda text: json.loads(text, object_hook=View))
    return make(json.dumps(FIELDS), json.dumps(STEPS), 9)


def unread_news():
    return unread_view()["news"]


def evaluate(expression, value):
    names = {"value": value, "json": json, "copy": copy, "pickle": pickle}
    return eval(expression, {**names, "WHOLE": WHOLE, "STEPS": STEPS})


@pytest.mark.parametrize(
    "expression",
    [
        *("len(value)", "bool(value)", "str(value)", "repr(value)", "f'{value}'", "[*value]"),
        *("list(value)", "list(reversed(value))", "json.dumps(value)", "copy.copy(value)"),
        *("copy.deepcopy(value)", "pickle.loads(pickle.dumps(value))", "value.copy()"),
        *("value == WHOLE", "WHOLE == value", "value == STEPS", "STEPS == value"),
        *("value != WHOLE", "WHOLE != value", "value != STEPS", "STEPS != value"),
        *("'a' in value", "STEPS[0] in [*value]", "(value.clear(), value)"),
        *("isinstance(value, dict)", "isinstance(value, list)", "tuple(value)", "[0, *value]"),
        *("json.dumps([value], indent=1)", "dict(enumerate(value))", "list(zip(value, value))"),
    ],
)
@pytest.mark.parametrize(("make", "plain"), [(unread_view, WHOLE), (unread_news, STEPS)])
def test_it_is_read_whatever_is_done_first(make, plain, expression):
    assert evaluate(expression, make()) == evaluate(expression, copy.deepcopy(plain))


@pytest.mark.parametrize(
    "expression",
    [
        *("value[1]", "value[-1:]", "value + [1]", "[1] + value", "value * 2", "2 * value"),
        *("sorted(value, key=len)", "(value.append(3), value)", "(value.extend([3]), value)"),
        *("(value.sort(key=len, reverse=True), value)", "value.pop()", "value.index({'i': 1})"),
        *("value.count({'i': 1})", "(value.insert(0, 1), value)", "(value.reverse(), value)"),
        *("(value.remove({'i': 1}), value)", "(value.__setitem__(0, 1), value)"),
        *("value.__iadd__([1])", "value.__imul__(2)", "[] < value", "value > []"),
    ],
)
def test_news_is_a_list(expression):
    assert evaluate(expression, unread_news()) == evaluate(expression, copy.deepcopy(STEPS))


@pytest.mark.parametrize(
    "expression",
    [
        *("value['a']", "value.get('news')", "dict(value)", "{**value}", "value | {'b': 2}"),
        *("{'b': 2} | value", "list(value.items())", "list(value.values())", "list(value.keys())"),
        *("(value.update(b=2), value)", "value.pop('seat')", "value.setdefault('b', 5)"),
        *("value.popitem()", "'{a}'.format_map(value)", "'%(a)s' % value", "dict(b=2, **value)"),
        *("(value.__setitem__('a', 2), value)", "(value.__delitem__('a'), value)"),
    ],
)
def test_a_view_is_a_dictionary(expression):
    assert evaluate(expression, unread_view()) == evaluate(expression, copy.deepcopy(WHOLE))


def test_an_unread_view_has_the_fields_of_a_view():
    assert unread_view().me == {"x": 2}
    assert unread_view().others == [0]
    assert unread_view().time_left_ms == 9
    assert isinstance(unread_view(), View)
    changed = unread_view()
    changed.plan = "x"
    assert changed == {**WHOLE, "plan": "x"}
    with pytest.raises(AttributeError, match="no 'gems'; it has a, seats"):
        _ = unread_view().gems


def test_a_view_that_was_read_is_a_plain_one_again():
    view = unread_view()
    assert type(view) is not View
    assert view.news[0].i == 1
    assert type(view) is View
    with pytest.raises(TypeError, match="unhashable"):
        hash(unread_news())
