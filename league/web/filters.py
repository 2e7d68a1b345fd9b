"""Reading filters from an address: known values are used, others dropped and named."""

from collections.abc import Collection

from django.http import QueryDict

MAX_CHARACTERS = 100


def clean(text: str) -> str:
    """One short line; a zero byte, which no database takes, is dropped."""
    return " ".join(text.replace("\0", "").split())[:MAX_CHARACTERS]


class Filters:
    """What somebody asked a page for."""

    def __init__(self, query: QueryDict, known: Collection[str]) -> None:
        self._query = query
        self.removed: list[str] = [name for name in query if name not in known]
        """Filters that do not exist, and values that no filter has."""

    def choice(self, name: str, values: Collection[str], default: str) -> str:
        """One of some words."""
        given = self.text(name)
        if not given or given in values:
            return given or default
        self.removed.append(given)
        return default

    def yes(self, name: str, *, default: bool) -> bool:
        """A box that is ticked or not; its form sends `no` before a `yes`."""
        return self.choice(name, ("yes", "no"), "yes" if default else "no") == "yes"

    def text(self, name: str) -> str:
        """Some text, without the spaces around it."""
        return clean(self._query.get(name) or "")

    def page(self) -> int:
        """The number of the page, from 1."""
        given = self.text("page")
        if not given:
            return 1
        if given.isdecimal() and 1 <= int(given) <= 10_000:
            return int(given)
        self.removed.append(given)
        return 1
