"""Pages that all visitors without a session share for some seconds.

A view says with `@same_for_guests` that its page depends on nothing of a guest but the theme. The
first guest has it rendered; the others get the same bytes, or a 304, before any session, query or
template. What somebody changes through the site is visible at once, because every request that may
change something begins a new revision. What workers, the control process and commands write is
visible after `SECONDS`.

The memory belongs to a server process: its handler makes it and passes it on with each request.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import wraps
from secrets import token_hex
from time import monotonic
from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag

SECONDS = 5
"""How old a page may be. Numbers of the league are cached as long elsewhere, as in `frame`."""
MAX_BYTES = 32 << 20
"""Of each process. A compressed page has 2 to 20 KB."""
MEMORY = "karat.guest_pages"
"""The name under which the handler passes the memory on."""
_REVISION = "guest-pages"
_OF_VISITOR = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name)
"""Cookies with which a page can be somebody's own."""
_OF_MACHINES = frozenset({"/healthz", "/readyz", "/metrics"})
"""Answered even if the cache hangs, in which the revision is."""
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})

Handler = Callable[[HttpRequest], HttpResponse]
View = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Page:
    """An answer as it left the site."""

    revision: str
    until: float
    headers: tuple[tuple[str, str], ...]
    content: bytes
    view: Any
    """The view that answered, for the log."""


class Memory:
    """The latest pages of guests, the oldest dropped first."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._pages: OrderedDict[Hashable, Page] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: Hashable, revision: str) -> Page | None:
        """Return the page if it may still be shown."""
        page = self._pages.get(key)
        if page is None or page.revision != revision or page.until < monotonic():
            return None
        return page

    def keep(self, key: Hashable, page: Page) -> None:
        """Keep a page instead of the former one, and drop the oldest if there are too many."""
        with self._lock:
            self._forget(self._pages.pop(key, None))
            self._pages[key] = page
            self._bytes += len(page.content)
            while self._bytes > self._max_bytes:
                self._forget(self._pages.popitem(last=False)[1])

    def _forget(self, page: Page | None) -> None:
        self._bytes -= len(page.content) if page else 0


def same_for_guests(view: View) -> View:
    """Declare that all guests see the same page, and add an ETag to it for everybody."""

    @wraps(view)
    def show(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code != 200 or request.method not in ("GET", "HEAD"):
            return response
        patch_vary_headers(response, ["Cookie", "HX-Request"])
        set_response_etag(response)
        return share(request, response)

    return show


def share(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let guests share this answer, which has an ETag. Others get it, or that they have it."""
    if not _is_guest(request):
        return _answer(request, response)
    # The middleware answers by the ETag, after it has kept the page.
    response.same_for_guests = True  # type: ignore[attr-defined]
    return response


def share_guest_pages(get_response: Handler) -> Handler:
    """Answer guests from the memory; comes before whatever reads the session."""

    def handle(request: HttpRequest) -> HttpResponse:
        if request.method not in _SAFE_METHODS:
            response = get_response(request)
            if not 400 <= response.status_code < 500:
                begin_revision()
            return response
        memory: Memory | None = getattr(request, "scope", {}).get(MEMORY)
        if memory is None or not _may_share(request):
            return _conditional(request, get_response(request))
        # Read before the page is: whoever changes something meanwhile makes it out of date.
        revision = _current_revision()
        key = _key(request)
        page = memory.find(key, revision)
        if page is not None:
            request.resolver_match = page.view
            return _answer(request, HttpResponse(page.content, headers=dict(page.headers)))
        response = get_response(request)
        if _may_keep(request, response):
            memory.keep(key, _page(request, response, revision))
        return _conditional(request, response)

    return handle


def begin_revision() -> None:
    """Let every guest see what has just changed."""
    cache.set(_REVISION, _new_revision(), timeout=None)


def _current_revision() -> str:
    return str(cache.get_or_set(_REVISION, _new_revision, timeout=None))


def _new_revision() -> str:
    return token_hex(8)


def _page(request: HttpRequest, response: HttpResponse, revision: str) -> Page:
    until = monotonic() + SECONDS
    headers = tuple(response.items())
    return Page(revision, until, headers, response.content, request.resolver_match)


def _may_share(request: HttpRequest) -> bool:
    return request.method == "GET" and _is_guest(request) and request.path_info not in _OF_MACHINES


def _is_guest(request: HttpRequest) -> bool:
    """Return whether nothing in the request says who asks."""
    if "HTTP_AUTHORIZATION" in request.META:
        return False
    return not any(name in request.COOKIES for name in _OF_VISITOR)


def _key(request: HttpRequest) -> Hashable:
    """Return everything that the page of a guest can depend on."""
    headers = request.META
    return (
        *(request.is_secure(), headers.get("HTTP_HOST"), request.get_full_path()),
        *(request.COOKIES.get("theme"), headers.get("HTTP_HX_REQUEST")),
        "gzip" in headers.get("HTTP_ACCEPT_ENCODING", ""),
    )


def _may_keep(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether others may see this: declared by its view, and tied to no cookie.

    A form with a token makes Django set its cookie, unless the visitor had one before.
    """
    return (
        getattr(response, "same_for_guests", False)
        and not response.cookies
        and settings.CSRF_COOKIE_NAME not in request.COOKIES
    )


def _conditional(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    is_shared = getattr(response, "same_for_guests", False)
    return _answer(request, response) if is_shared else response


def _answer(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the page, or that the visitor has it already."""
    etag = response["ETag"]
    return get_conditional_response(request, etag=etag, response=response) or response
