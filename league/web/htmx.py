"""Requests of htmx, which asks for the live part of a page instead of the whole."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request after the middleware of htmx."""

    htmx: HtmxDetails


def render_live(
    request: HtmxRequest, page: str, part: str, context: dict[str, Any]
) -> HttpResponse:
    """Render a page, or only its live part if htmx asks."""
    response = render(request, part if request.htmx else page, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def redirect_script(request: HtmxRequest, response: HttpResponse) -> HttpResponse:
    """Return an answer as a script can follow it: the browser would hide a redirect from it."""
    if not request.htmx or "Location" not in response:
        return response
    return HttpResponse(status=204, headers={"HX-Redirect": response["Location"]})
