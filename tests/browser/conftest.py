"""One real Chromium for all tests in a browser, and a server for the records they watch."""

import json
import shutil
import threading
from contextlib import contextmanager

import pytest
from playwright.sync_api import sync_playwright

from bots_sdk.viewer.server import server

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--no-first-run", "--disable-dev-shm-usage"),
]


# Not for the whole run: while it is there an event loop runs in this thread, and Django would let
# no other test come to its database.
@pytest.fixture(scope="module")
def chromium():
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "these tests need Chromium; make test installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


LEFT = ("htmx:sendAbort", "htmx:afterRequest")
"""What htmx says of a request that the page did not wait for because it was left; a request that
failed is told as `htmx:sendError` or `htmx:responseError`."""


@pytest.fixture
def window(chromium):
    """A fresh page that fails the test if anything goes wrong in it."""
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900}, reduced_motion="reduce", color_scheme="light"
    )
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert not [text for text in wrong if not text.startswith(LEFT)]


@contextmanager
def watched(folder, *records):
    """The address at which `karat watch` shows these records."""
    path = folder / "matches.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    with server(path) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_port}"
        finally:
            running.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def watching(tmp_path_factory):
    return lambda *records: watched(tmp_path_factory.mktemp("watched"), *records)
