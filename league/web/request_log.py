"""Logging and timing of requests: their id in all logs, one line at their end, a histogram.

The route is logged, never the address: addresses can hold secrets, and there are too many of them.
"""

import logging
from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest, HttpResponse
from prometheus_client import Histogram
from structlog.contextvars import bound_contextvars

log = logging.getLogger(__name__)

Handler = Callable[[HttpRequest], HttpResponse]

SECONDS = Histogram(
    "karat_http_request_seconds",
    "How long requests took in this web process.",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10),
)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
UNKNOWN = "unknown"


def log_requests(get_response: Handler) -> Handler:
    """Log and time a request; comes right after the middleware that assigns its id."""

    def handle(request: HttpRequest) -> HttpResponse:
        started = perf_counter()
        with bound_contextvars(request=getattr(request, "request_id", UNKNOWN)):
            response = get_response(request)
            _log(request, response.status_code, perf_counter() - started)
        return response

    return handle


def _log(request: HttpRequest, status: int, seconds: float) -> None:
    method = request.method if request.method in _METHODS else UNKNOWN
    match = request.resolver_match
    route = f"/{match.route}" if match else UNKNOWN
    SECONDS.labels(method, route, f"{status // 100}xx").observe(seconds)
    log.info(
        "answered",
        extra={"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)},
    )
