"""Differences between two views, as JSON pointers to the places that changed."""

from engine.record.types import Json, Patch


def diff(before: Json, after: Json) -> Patch:
    """Return what must be replaced in `before` to get `after`.

    Goes down while both sides have the same shape. A list of numbers, a list that grew or shrank,
    an object that came or went is replaced whole. Keys of views never hold `/` or `~`, and no place
    of a view changes between true and 1, which are equal only in Python.
    """
    patch: Patch = {}
    _collect(before, after, "", patch)
    return patch


def _collect(before: Json, after: Json, path: str, patch: Patch) -> None:
    for place, new in after.items() if type(after) is dict else enumerate(after):
        old = before[place]
        if old != new:
            kind = type(new)
            if kind is dict:
                deeper = type(old) is dict and old.keys() == new.keys()
            elif kind is list:
                deeper = type(old) is list and len(old) == len(new) and type(new[0]) is not int
            else:
                deeper = False
            if deeper:
                _collect(old, new, f"{path}/{place}", patch)
            else:
                patch[f"{path}/{place}"] = new


def apply(document: Json, patch: Patch) -> None:
    """Replace in place what the patch names."""
    for pointer, value in patch.items():
        *path, last = pointer.split("/")[1:]
        target = document
        for part in path:
            target = target[int(part) if isinstance(target, list) else part]
        target[int(last) if isinstance(target, list) else last] = value
