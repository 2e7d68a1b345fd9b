"""Views and news that are read only when a bot looks at them.

An unread object is of a subclass of what it will be, and holds nothing but the text it comes from.
Whatever a bot does with it first reads the text, puts in what it says and makes the object one of
the class it stands for; from then on it is like any other. This module imports nothing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, SupportsIndex

    Untrusted = Any
    """Whatever a bot does with its own objects."""

_HARMLESS = frozenset(
    (
        *("__class__", "__class_getitem__", "__delattr__", "__dir__", "__doc__", "__format__"),
        *("__getattribute__", "__getstate__", "__hash__", "__init__", "__init_subclass__"),
        *("__new__", "__setattr__", "__str__", "__subclasshook__"),
    )
)
"""Names that every object has, and that look at nothing in it or come back to one that does."""


class Steps(list):  # type: ignore[type-arg]
    """News that was read: a list, of a subclass because no object can become a `list`."""

    __slots__ = ()

    def __radd__(self, other: "list[Any]") -> "list[Any]":
        """Be added to another list, which would take what lies in an unread one."""
        return other + list(self)

    def __reduce_ex__(self, protocol: "SupportsIndex") -> "tuple[type, tuple[list[Any]]]":
        """Be copied and pickled as the list it is."""
        return list, (list(self),)


def unread_class(base: type, read: "Callable[[Untrusted], None]") -> type:
    """Return a subclass whose objects call `read` before anything is done with them.

    `read` fills the object. It then is one of `base`, so it is called once.
    """

    def reading(name: str) -> "Callable[..., Untrusted]":
        look = getattr(base, name)

        def method(self: "Untrusted", *arguments: "Untrusted", **named: "Untrusted") -> "Untrusted":
            read(self)
            return look(self, *arguments, **named)

        return method

    names = set(dir(base.__mro__[-2])) | {"__radd__"} & set(dir(base))
    members: dict[str, Untrusted] = {name: reading(name) for name in names - _HARMLESS}
    return type(base.__name__, (base,), {"__slots__": (), "__hash__": None, **members})


def unread_maker(
    view_class: type, decode: "Callable[[str], Untrusted]"
) -> "Callable[[str, str, int], Untrusted]":
    """Return a function that makes a view of two texts, its fields and its news.

    `decode` reads JSON and makes every object of it a `view_class`.
    """

    def read_steps(steps: "Untrusted") -> None:
        (text,) = iterate_list(steps)
        steps_read = decode(text)
        set_attribute(steps, "__class__", Steps)
        steps.clear()
        steps += steps_read

    def read_view(view: "Untrusted") -> None:
        text, news, time_left_ms = get_item(view, None)
        fields = decode(text)
        set_attribute(view, "__class__", view_class)
        del view[None]
        view.update(fields)
        view["news"] = unread_steps((news,))
        view["time_left_ms"] = time_left_ms

    # Of the base classes: those of the objects themselves would read.
    get_item, iterate_list = dict.__getitem__, list.__iter__
    set_attribute = object.__setattr__
    unread_view = unread_class(view_class, read_view)
    unread_steps = unread_class(Steps, read_steps)

    def make(text: str, news: str, time_left_ms: int) -> "Untrusted":
        return unread_view({None: (text, news, time_left_ms)})

    return make
