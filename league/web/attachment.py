"""Bytes of users as downloads: browsers save them and never show them, whatever they are."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header

BINARY = "application/octet-stream"
ZIP = "application/zip"


def attachment(
    request: HttpRequest, digest: str, name: str, media_type: str, read: Callable[[], bytes]
) -> HttpResponseBase:
    """Return bytes to be saved under a name; they are read only if the browser lacks them."""
    etag = f'"{digest}"'
    response: HttpResponseBase | None = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(read(), content_type=media_type)
        response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
        response["X-Content-Type-Options"] = "nosniff"
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response
