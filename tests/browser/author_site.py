"""A league for tests of authors' pages, and what is asked of every such page."""

from axe_playwright_python.sync_playwright import Axe

from tests.league.home import Home, free_port

SEND = "main button:not([type=button]):not([data-check])"
"""The button that uploads."""


class Site(Home):
    """A league with a web server and no worker: what a worker does is done when a test says so."""

    address: str

    def serve(self):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.start("runserver", "--noreload", f"127.0.0.1:{port}", DEBUG="1")
        self.wait_for(f"{self.address}/accounts/login/")


def tab_to(page, selector):
    """Press Tab until this has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"Tab never came to {selector}")


def faults_of(page):
    """What keeps somebody from using the page, in both themes."""
    every = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    every += Axe().run(page, options={"runOnly": ["color-contrast"]}).response["violations"]
    page.emulate_media(color_scheme="light")
    yield from [(one["id"], one["nodes"][0]["html"]) for one in every]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        yield "scrolls sideways"
    if page.locator("h1").count() != 1:
        yield "has not one h1"
