"""Filters from the query of an address: known values are used, others dropped and listed."""

from collections.abc import Collection

from django.http import QueryDict

MAX_CHARACTERS = 100
MAX_PAGE = 10_000
RESULT = {"result": "1"}
"""The query of an address that asks for a result, which is otherwise hidden until the end."""


def asks_for_result(query: QueryDict) -> bool:
    """Return whether whoever follows this address is to see the result at once."""
    return all(query.get(name) == value for name, value in RESULT.items())


def clean(text: str) -> str:
    """Return one short line without zero bytes, which databases refuse."""
    return " ".join(text.replace("\0", "").split())[:MAX_CHARACTERS]


class Filters:
    """The filters of a page, read from its address."""

    def __init__(self, query: QueryDict, known: Collection[str]) -> None:
        self._query = query
        self.removed: list[str] = [name for name in query if name not in known]
        """Filters that do not exist, and values that no filter has."""

    def choice(self, name: str, values: Collection[str], default: str) -> str:
        """Return one of these values."""
        value = self.text(name)
        if not value or value in values:
            return value or default
        self.removed.append(value)
        return default

    def yes(self, name: str, *, default: bool) -> bool:
        """Return whether a box is ticked; its form sends `no` before a `yes`."""
        return self.choice(name, ("yes", "no"), "yes" if default else "no") == "yes"

    def text(self, name: str) -> str:
        """Return some text, without the spaces around it."""
        return clean(self._query.get(name) or "")

    def page(self) -> int:
        """Return the number of the page, from 1."""
        number = self.text("page")
        if not number:
            return 1
        if number.isdecimal() and 1 <= int(number) <= MAX_PAGE:
            return int(number)
        self.removed.append(number)
        return 1
