"""Cursor pagination.

A cursor names the row after which a page begins, so that rows added or removed in the meantime
neither repeat nor hide others.
"""

from typing import Any, Generic, TypeVar

from django.core import signing
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from ninja import Field, Schema

from league.errors import Refused

MAX_LIMIT = 200
Item = TypeVar("Item")


class Paging(Schema):
    """The requested part of a list."""

    cursor: str | None = Field(
        None, max_length=500, description="From `next` or `previous` of another page."
    )
    limit: int = Field(50, ge=1, le=MAX_LIMIT, description="Maximum number of items on a page.")


class Page(Schema, Generic[Item]):
    """A page of a list, with the addresses of the next and the previous one."""

    items: list[Item]
    next: str | None = Field(examples=["https://karat.example/api/v1/matches?cursor=WyJuI…"])
    previous: str | None = Field(examples=[None])


class Rows:
    """One page of rows, ordered by `keys` (`-` for descending), which together are unique."""

    def __init__(self, rows: QuerySet[Any], keys: tuple[str, ...], paging: Paging) -> None:
        self._keys = keys
        self._salt = f"cursor {keys}"
        self._has_cursor = paging.cursor is not None
        self._backwards, after_key = self._read(paging.cursor)
        order = [_turned(key) for key in keys] if self._backwards else list(keys)
        if after_key:
            rows = rows.filter(_after(order, after_key))
        batch = list(rows.order_by(*order)[: paging.limit + 1])
        self._more = len(batch) > paging.limit
        self.items = batch[: paging.limit]
        if self._backwards:
            self.items.reverse()

    def page(self, request: HttpRequest, items: list[Any] | None = None) -> dict[str, Any]:
        """Return the page as the API sends it, with `items` in place of the rows if given."""
        after = before = None
        if self.items:
            if self._more or self._backwards:
                after = self._address(request, self.items[-1], backwards=False)
            if self._has_cursor and (self._more or not self._backwards):
                before = self._address(request, self.items[0], backwards=True)
        return {
            "items": self.items if items is None else items,
            "next": after,
            "previous": before,
        }

    def _read(self, cursor: str | None) -> tuple[bool, list[Any]]:
        if cursor is None:
            return False, []
        try:
            backwards, *after_key = signing.loads(cursor, salt=self._salt)
        except signing.BadSignature:
            raise Refused(
                "L009", status=422, reason="`cursor` does not belong to this list"
            ) from None
        return backwards, after_key

    def _address(self, request: HttpRequest, row: object, backwards: bool) -> str:
        after_key = [_value(row, key) for key in self._keys]
        query = request.GET.copy()
        query["cursor"] = signing.dumps([backwards, *after_key], salt=self._salt)
        return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


def _turned(key: str) -> str:
    return key.removeprefix("-") if key.startswith("-") else f"-{key}"


def _after(order: list[str], values: list[Any]) -> Q:
    """Return the condition for rows after these values: equal in some first keys, then beyond."""
    condition = Q()
    equal = Q()
    for key, value in zip(order, values, strict=True):
        name = key.removeprefix("-")
        condition |= equal & Q(**{f"{name}__{'lt' if key.startswith('-') else 'gt'}": value})
        equal &= Q(**{name: value})
    return condition


def _value(row: object, key: str) -> Any:
    for name in key.removeprefix("-").split("__"):
        row = getattr(row, name)
    return row
