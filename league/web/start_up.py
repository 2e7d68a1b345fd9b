"""What a web server does once, before its first request."""

import gc

from django.urls import get_resolver

from league.web import uvicorn_loop


def prepare() -> None:
    """Load every view, and spare the garbage collector whatever is there by then; let the server
    sleep between requests.

    What is there stays as long as the process does. Looking through all of it takes about 100 ms,
    which some reader of a long match has to wait for; looking through the rest takes about 5 ms.
    """
    _ = get_resolver().url_patterns
    gc.collect()
    gc.freeze()
    uvicorn_loop.install()
