"""Bytes of users as downloads: browsers save them and never show them, whatever they are."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import content_disposition_header

MEDIA_TYPE = "application/octet-stream"
"""For whatever it is: browsers save it, and guess nothing."""


def attachment(
    request: HttpRequest, digest: str, name: str, read: Callable[[], bytes]
) -> HttpResponseBase:
    """Return bytes to be saved under a name; they are read only if the caller lacks them."""
    etag = f'"{digest}"'
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(read(), content_type=MEDIA_TYPE)
        response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
        response["X-Content-Type-Options"] = "nosniff"
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Authorization", "Cookie"])
    return response
