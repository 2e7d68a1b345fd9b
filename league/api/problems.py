"""Errors of the API: problem documents (RFC 9457) with the texts of the table of codes."""

import logging
import secrets
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from ninja import Field, NinjaAPI, Schema
from ninja.errors import HttpError, Throttled, ValidationError

from league.accounts.quota_day import seconds_left
from league.errors import Refused
from runners.faults import Message, message

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
_PLACES = ("file", "line", "column", "step")


class FieldProblem(Schema):
    """An invalid value."""

    field: str = Field(examples=["body.name"])
    message: str = Field(examples=["String should have at least 3 characters"])


class Problem(Schema):
    """Why a request was refused (RFC 9457)."""

    type: str = Field(
        description="The page about this code.",
        examples=["https://karat.example/docs/errors/L010/"],
    )
    title: str = Field(examples=["Not there"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no such thing here, or it is not yours to see."])
    code: str = Field(examples=["L010"])
    fix: str = Field(description="What to do about it.", examples=["Check the address."])
    file: str | None = Field(
        None, description="The file of the bundle that it is about.", examples=[None]
    )
    line: int | None = Field(None, description="The line in the uploaded file.", examples=[None])
    column: int | None = Field(None, examples=[None])
    step: int | None = Field(None, description="The step of the match.", examples=[None])
    id: str | None = Field(None, description="Quote it when you report the error.", examples=[None])
    errors: list[FieldProblem] | None = Field(None, examples=[None])


def problem(
    request: HttpRequest,
    status: int,
    explained: Message,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> HttpResponse:
    """Return a response with this problem document."""
    document = {
        "type": request.build_absolute_uri(explained.link),
        "title": explained.title,
        "status": status,
        "detail": explained.explanation,
        "code": explained.code,
        "fix": explained.fix,
    }
    known = {name: value for name, value in more.items() if value is not None}
    return JsonResponse(
        document | known,
        status=status,
        content_type=MEDIA_TYPE,
        headers={"Cache-Control": "no-store", **(headers or {})},
    )


def handle_in(api: NinjaAPI) -> None:
    """Register handlers that turn every exception of an endpoint into a problem document."""
    for kind, handler in (
        (Refused, _refused),
        (Http404, _not_found),
        (Throttled, _throttled),
        (ValidationError, _not_understood),
        (HttpError, _http_error),
        (RequestDataTooBig, _too_large),
        (SuspiciousOperation, _unreadable),
        (MultiPartParserError, _unreadable),
        (Exception, _broken),
    ):
        api.add_exception_handler(kind, handler)  # type: ignore[arg-type]


def _refused(request: HttpRequest, error: Refused) -> HttpResponse:
    headers = {}
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    if error.status == HTTPStatus.TOO_MANY_REQUESTS:
        headers["Retry-After"] = str(seconds_left() + 1)
    places = {name: error.values.get(name) for name in _PLACES}
    return problem(request, error.status, error.message, headers, **places)


def _not_found(request: HttpRequest, _: Http404) -> HttpResponse:
    return problem(request, 404, message("L010"))


def _throttled(request: HttpRequest, error: Throttled) -> HttpResponse:
    seconds = int(error.wait or 0) + 1
    headers = {"Retry-After": str(seconds)}
    return problem(request, 429, message("L008", seconds=seconds), headers)


def _not_understood(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Explain invalid values; an invalid value in the path means that nothing is there."""
    if all(one["loc"][:1] == ("path",) for one in error.errors):
        return problem(request, 404, message("L010"))
    errors = [
        {"field": ".".join(str(part) for part in one["loc"]), "message": one["msg"]}
        for one in error.errors
    ]
    reason = "; ".join(f"`{one['field']}`: {one['message']}" for one in errors)
    return problem(request, 422, message("L009", reason=reason), errors=errors)


def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    """Answer an error raised by Ninja itself, such as for a body that is not JSON."""
    explained = message("L009", reason=str(error))
    return problem(request, error.status_code, explained)


def _too_large(request: HttpRequest, _: RequestDataTooBig) -> HttpResponse:
    return problem(request, 413, message("L009", reason="The body is too large"))


def _unreadable(request: HttpRequest, _: Exception) -> HttpResponse:
    return problem(request, 400, message("L009", reason="The body cannot be read"))


def _broken(request: HttpRequest, error: Exception) -> HttpResponse:
    """Report an internal error; the log has its traceback under the same id."""
    number = secrets.token_hex(4)
    log.error("%s %s broke (id %s)", request.method, request.path, number, exc_info=error)
    return problem(request, 500, message("S002", id=number), id=number)
