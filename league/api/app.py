"""The API under /api/v1/: mounts the routers of the apps. Only access keys count, never cookies."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, URLResolver
from django.utils.cache import get_conditional_response, patch_vary_headers, set_response_etag
from ninja import NinjaAPI, Router
from ninja.operation import Operation

from league.accounts.api import router as accounts
from league.accounts.auth import anyone, throttle
from league.api import openapi
from league.api.docs import Reference
from league.api.problems import handle_in, problem
from league.api.unknown_names import QueryNames
from league.bots.api import router as bots
from league.bots.bundles.api import router as bundles
from league.chances.api import router as chances
from league.errors import Refused
from league.ladder.api import router as ladder
from league.matches.api import router as matches
from league.tournaments.api import router as tournaments
from league.web.bodies import large as large_bodies
from league.web.guest_pages import share
from league.workers.api import router as status
from runners.faults import message

View = Callable[..., HttpResponseBase]

DESCRIPTION = (
    "Everything the site knows, for programs. Reading public data needs no access key; for"
    " everything else create one at /me/tokens/ and send it as `Authorization: Bearer karat_…`."
    " Errors are problem documents (RFC 9457) with a `code`; lists come in pages with `next` and"
    " `previous`; responses have ETags."
)

_SHARED = frozenset({"list_matches", "read_leaderboard"})
"""What guests ask for most. An answer that was computed for another guest is not counted."""

nowhere = Router(auth=anyone)


@nowhere.api_operation(
    ["GET", "POST", "PUT", "PATCH", "DELETE"], "/{path:rest}", include_in_schema=False
)
def nothing_here(request: HttpRequest, rest: str) -> None:  # noqa: ARG001  ninja passes it
    """Answer unknown addresses with a problem document."""
    raise Refused("L010", status=404, reason=f"`/{rest[:100]}` is not an address of the API")


class Api(NinjaAPI):
    """Ninja's API with HEAD, ETags, and problem documents for wrong methods and large bodies."""

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        urls = super()._get_urls()
        for url in urls:
            if isinstance(url, URLPattern):
                url.callback = _guarded(url.callback)
        return urls

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the function's name, which is unique and reads well in generated clients."""
        return operation.view_func.__name__

    def get_openapi_schema(self, **_: Any) -> Any:
        """Return the document, which does not change while the process runs."""
        return _document()


@cache
def _document() -> openapi.Json:
    document = NinjaAPI.get_openapi_schema(api)
    for _, _, operation in openapi.operations(document):
        operation["summary"] = operation["operationId"].replace("_", " ").capitalize()
    return openapi.finish(document)


@cache
def _query_names() -> QueryNames:
    return QueryNames(_document())


def _guarded(view: View) -> View:
    """Wrap an endpoint with what applies to all of them: body limit, HEAD, 405, ETags, and that
    nobody sends parameters that are not read.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if refusal := _too_large(request):
            return refusal
        if request.method == "HEAD":
            # The server omits the body.
            request.method = "GET"
        if refusal := _unknown_parameters(request):
            return refusal
        response = view(request, *args, **kwargs)
        if response.status_code == 405:
            explained = message("L009", reason=f"{request.method} is not allowed here")
            return problem(request, 405, explained, {"Allow": response["Allow"]})
        return _conditional(request, response)

    return guarded


def _too_large(request: HttpRequest) -> HttpResponse | None:
    """Return a refusal if the body is too large or has no length; it is not read for that."""
    if "chunked" in request.headers.get("Transfer-Encoding", ""):
        return problem(request, 411, message("L009", reason="The body needs a `Content-Length`"))
    max_bytes = large_bodies.max_bytes(request.method or "", request.path)
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not length.isdigit() or int(length) > max_bytes:
        explained = message("L009", reason=f"The body is larger than {max_bytes >> 10} KB")
        return problem(request, 413, explained)
    return None


def _unknown_parameters(request: HttpRequest) -> HttpResponse | None:
    """Return a refusal if a query parameter is not one of this address."""
    if not request.GET:
        return None
    route = request.resolver_match.route if request.resolver_match else ""
    reason = _query_names().unknown_reason(route, request.method or "", request.GET)
    return problem(request, 422, message("L009", reason=reason)) if reason else None


def _conditional(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Add an ETag and answer 304 if it matches. Responses to a key must not be shared."""
    if request.method != "GET" or not isinstance(response, HttpResponse):
        return response
    if response.status_code != 200 or response.has_header("Cache-Control"):
        return response
    if response["Content-Type"].startswith("text/html"):
        # A page of the site, which depends on who is signed in.
        return response
    with_key = "Authorization" in request.headers
    response["Cache-Control"] = "private, no-cache" if with_key else "no-cache"
    patch_vary_headers(response, ["Authorization"])
    set_response_etag(response)
    if request.resolver_match and request.resolver_match.url_name in _SHARED:
        return share(request, response)
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


api = Api(
    title="Karat",
    version="1",
    description=DESCRIPTION,
    docs=Reference(),
    urls_namespace="api",
    throttle=throttle,
)
handle_in(api)
for router in (
    accounts,
    bots,
    bundles,
    matches,
    chances,
    ladder,
    tournaments,
    status,
    # The last one, because it matches every other address.
    nowhere,
):
    api.add_router("", router)
