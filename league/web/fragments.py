"""Parts of pages that are rendered once for all who see the same.

A fragment is a template that is shown nothing but the values it is kept under: no request, no user,
no clock. So it cannot show one visitor what belongs to another, and it changes at once when its
values do. Whatever depends on the visitor or on the time is passed as a value or stays outside.
"""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from contextlib import suppress
from functools import lru_cache
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

MAX_FRAGMENTS = 4096
"""In each process. Most are rows of a few hundred bytes; together they take some megabytes."""

MAX_KEPT = 512
"""Larger parts in each process, about 5 KB each."""
_kept: OrderedDict[Hashable, SafeString] = OrderedDict()


def fragment(template: str, **values: Hashable) -> SafeString:
    """Return the template with these values, rendered before if possible."""
    if settings.DEBUG:
        # Templates change while somebody works on them.
        return render_to_string(template, values)
    return _rendered(template, tuple(values.items()))


@lru_cache(maxsize=MAX_FRAGMENTS)
def _rendered(template: str, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    return render_to_string(template, dict(values))


def render_once(template: str, shown: Hashable, context: Mapping[str, Any]) -> SafeString:
    """Return the template with this context, rendered before if the same was shown before.

    For a context of rows and other things that cannot be compared: `shown` holds every value that
    the template takes from it.
    """
    key = (template, shown)
    html = None if settings.DEBUG else _kept.get(key)
    if html is None:
        html = render_to_string(template, dict(context))
        _kept[key] = html
        while len(_kept) > MAX_KEPT:
            # Another thread may have been here as well.
            with suppress(KeyError):
                _kept.popitem(last=False)
    return html


def generation() -> str:
    """Return a word that changes when the cache is cleared, for keys that name rows by sums."""
    word = cache.get_or_set("generation", lambda: token_hex(8), timeout=None)
    return str(word)
