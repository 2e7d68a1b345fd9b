"""Middleware: the id of a request, refusal of large bodies, compression."""

import re
import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from league.pages import errors
from league.web.bodies.limit import MARK

HEADER = "X-Request-ID"
_VALID = re.compile(r"[A-Za-z0-9-]{8,64}\Z")

Handler = Callable[[HttpRequest], HttpResponse]


def assign_request_id(get_response: Handler) -> Handler:
    """Use the id that a proxy gave, or make one; send it back."""

    def handle(request: HttpRequest) -> HttpResponse:
        received = request.headers.get(HEADER, "")
        number = received if _VALID.match(received) else secrets.token_hex(8)
        request.request_id = number  # type: ignore[attr-defined]
        response = get_response(request)
        response[HEADER] = number
        return response

    return handle


def refuse_large_bodies(get_response: Handler) -> Handler:
    """Answer a request whose body was cut off, before any view sees it."""

    def handle(request: HttpRequest) -> HttpResponse:
        if refused := getattr(request, "scope", {}).get(MARK):
            return errors.refused_body(request, refused)
        return get_response(request)

    return handle


class CompressPages(GZipMiddleware):
    """Compresses pages. Records and files bring their own compression."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress HTML and nothing else."""
        if response.get("Content-Type", "").startswith("text/html"):
            return super().process_response(request, response)
        return response
