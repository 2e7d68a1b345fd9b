"""Refuses query parameters and fields that nobody reads: a misspelt filter must not match all."""

import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from functools import cache
from typing import Any

from ninja import Schema
from pydantic import ConfigDict, model_validator

from league.api.openapi import Json, operations

MAX_SHOWN = 40
"""Characters of an unknown name."""
_PLACEHOLDER = re.compile(r"<(?:\w+:)?(\w+)>")


def unknown_reason(names: Iterable[str], known: Collection[str], what: str) -> str | None:
    """Return a sentence about the first name that is not known; None if all are."""
    for name in names:
        if name not in known:
            shown = name[:MAX_SHOWN]
            listed = ", ".join(known) if known else "none"
            close = get_close_matches(shown, known, n=1)
            hint = f" (did you mean `{close[0]}`?)" if close else ""
            return f"`{shown}` is not a {what}{hint}; known: {listed}"
    return None


class QueryNames:
    """The query parameters of every operation of a document."""

    def __init__(self, document: Json) -> None:
        self._names = {
            (path.lstrip("/"), method.upper()): [
                one["name"] for one in operation["parameters"] if one["in"] == "query"
            ]
            for path, method, operation in operations(document)
        }

    def unknown_reason(self, route: str, method: str, names: Iterable[str]) -> str | None:
        """Return why these parameters are refused; None if they are known, or the route is not."""
        known = self._names.get((_path_of(route), method))
        return None if known is None else unknown_reason(names, known, "parameter of this address")


@cache
def _path_of(route: str) -> str:
    """Return Django's form of a path as that of the document: `<slug:slug>` becomes `{slug}`."""
    return _PLACEHOLDER.sub(r"{\1}", route)


class Body(Schema):
    """A body that somebody sends. It has no other fields than those listed."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def refuse_unknown_fields(cls, data: Any) -> Any:
        """Refuse unknown fields with the known ones."""
        names = data if isinstance(data, dict) else {}
        if reason := unknown_reason(map(str, names), list(cls.model_fields), "field"):
            raise ValueError(reason)
        return data
