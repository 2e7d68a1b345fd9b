"""Error pages: one sentence, one way out, and the id of the request."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader

from engine.registry import GAMES
from league.api.problems import problem
from league.errors import Refused
from league.pages.games import UnknownGame
from runners.faults import message


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render 400."""
    del exception
    return _page(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render 403."""
    del exception
    return _page(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render 404: a list of games for an unknown one, a problem document for the API."""
    if request.path.startswith("/api/"):
        return problem(request, HTTPStatus.NOT_FOUND, message("L010"))
    games = list(GAMES.values()) if isinstance(exception, UnknownGame) else []
    return _page(request, HTTPStatus.NOT_FOUND, games=games)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Render 403 for a form of another site, or one that is too old."""
    del reason
    return _page(request, HTTPStatus.FORBIDDEN, stale=True)


def refused_body(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Render the refusal of a body that was cut off, such as 413."""
    if request.path.startswith("/api/"):
        seconds = refusal.values.get("seconds")
        headers = {"Retry-After": str(seconds)} if seconds else {}
        return problem(request, refusal.status, refusal.message, headers)
    return refused(request, refusal)


def refused(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Render a refusal that belongs to no form."""
    template = "429.html" if refusal.status == HTTPStatus.TOO_MANY_REQUESTS else "400.html"
    return render(request, template, {"message": refusal.message}, status=refusal.status)


def broken(request: HttpRequest) -> HttpResponse:
    """Render 500 without the database, which may be what is broken."""
    context = {"request_id": getattr(request, "request_id", "")}
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return HttpResponse(loader.render_to_string("500.html", context), status=status)


def _page(request: HttpRequest, status: HTTPStatus, **context: Any) -> HttpResponse:
    return render(request, f"{status.value}.html", context, status=status)
