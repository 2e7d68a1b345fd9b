"""Around every request: a number to ask about it by, bodies that are too large, compression."""

import re
import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from league.pages import errors
from league.web.body_limit import MARK

HEADER = "X-Request-ID"
_GOOD = re.compile(r"[A-Za-z0-9-]{8,64}\Z")

Answer = Callable[[HttpRequest], HttpResponse]


def request_id(get_response: Answer) -> Answer:
    """Keep the number a proxy gave, or give one; send it back."""

    def numbered(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        number = given if _GOOD.match(given) else secrets.token_hex(8)
        request.request_id = number  # type: ignore[attr-defined]
        response = get_response(request)
        response[HEADER] = number
        return response

    return numbered


def cut_bodies(get_response: Answer) -> Answer:
    """Answer a request whose body was too large and cut off; nobody else sees it."""

    def answered(request: HttpRequest) -> HttpResponse:
        if MARK in getattr(request, "scope", {}):
            return errors.too_large(request)
        return get_response(request)

    return answered


class CompressedPages(GZipMiddleware):
    """Pages travel compressed. Records and files bring their own compression, or say why not."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Only what is HTML."""
        if response.get("Content-Type", "").startswith("text/html"):
            return super().process_response(request, response)
        return response
