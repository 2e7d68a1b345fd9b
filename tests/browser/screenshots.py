"""Pictures of the key pages, to be looked at: `python -m tests.browser.screenshots FOLDER`."""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.browser.shown import Shown

PAGES = {
    "home": "/",
    "game": "/g/edel-stein-reich/",
    "leaderboard": "/g/basari/leaderboard/",
    "bots": "/bots/",
    "bot": "/bots/sapphire-shark/",
    "matches": "/matches/",
    "match": "/matches/{match}/",
    "upload": "/bots/new/",
    "me": "/me/",
    "user": "/u/mira/",
    "docs": "/docs/",
    "ratings": "/docs/ratings/",
    "rules": "/docs/rules/edel-stein-reich/",
    "error": "/docs/errors/E302/",
    "search": "/search/?q=barter",
    "status": "/status/",
    "staff": "/staff/",
    "components": "/docs/components/",
    "nowhere": "/nowhere/",
}
WIDTHS = (1280, 820, 390, 320)


def main(folder: Path) -> None:
    """Fill a league, serve it, and take a picture of every page, width and theme."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        league = Shown(Path(place))
        try:
            league.fill(rounds=2)
            league.serve()
            take(league, folder)
        finally:
            league.end()


def take(league: Shown, folder: Path) -> None:
    """One file for each."""
    match = league.python("tell(Match.objects.finished().first().pk)")
    cookie = league.cookie("mira")
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for theme in ("light", "dark"):
            context = browser.new_context(color_scheme=theme, reduced_motion="reduce")
            context.add_cookies([cookie])
            page = context.new_page()
            for name, address in PAGES.items():
                page.goto(league.address + address.format(match=match))
                page.wait_for_load_state("networkidle")
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 900})
                    page.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True)
                print(f"{name}, {theme}", flush=True)
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.browser.screenshots FOLDER")
    main(Path(sys.argv[1]))
