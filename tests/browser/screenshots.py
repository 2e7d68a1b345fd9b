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
    "versions": "/bots/sapphire-shark/versions/",
    "bot-matches": "/bots/sapphire-shark/matches/",
    "opponents": "/bots/sapphire-shark/opponents/",
    "pair": "/bots/sapphire-shark/vs/anton/",
    "faults": "/bots/sapphire-shark/faults/",
    "tournaments": "/tournaments/",
    "tournament-next": "/tournaments/friday-cup/",
    "tournament-past": "/tournaments/thursday-cup/",
    "standings": "/tournaments/thursday-cup/standings/",
    "organise": "/organise/",
    "matches": "/matches/",
    "match": "/matches/{match}/",
    "embed": "/matches/{match}/embed/",
    "upload": "/bots/new/",
    "check-waiting": "/uploads/{waiting}/",
    "check-failed": "/uploads/{failed}/",
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
FURNISH = """
from datetime import timedelta
from django.utils import timezone
from league import version
from league.tournaments.services import entries, lifecycle
mira = User.objects.get(username="mira")
shark = Bot.objects.get(slug="sapphire-shark")
thursday, friday = (factories.make_tournament(mira, f"{day} Cup") for day in ("Thursday", "Friday"))
for cup in (thursday, friday):
    lifecycle.publish(cup, mira)
    for bot in Bot.objects.exclude(active=None):
        entries.enter(cup, bot, bot.owner)
now = timezone.now()
type(thursday).objects.filter(pk=thursday.pk).update(locks_at=now, starts_at=now)
for _ in range(4):
    thursday.refresh_from_db()
    lifecycle.move_on(thursday, timezone.now())
    for match in Match.objects.queued():
        factories.finish_match(match)
failed = bots.upload(shark, b"class Shark(Bot)\\n    pass\\n").version
checks.run(checks.claim())
waiting = factories.make_version(shark, status=BotVersion.Status.WAITING)
# No worker runs here, and nobody waits for one.
Worker.objects.update(seen_at=now + timedelta(hours=1), version=version.rules_code())
tell({
    "match": Match.objects.finished().filter(kind="ladder").first().pk,
    "waiting": waiting.pk,
    "failed": failed.pk,
})
"""


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
    known = league.python(FURNISH)
    cookie = league.cookie("mira")
    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        for theme in ("light", "dark"):
            context = browser.new_context(color_scheme=theme, reduced_motion="reduce")
            context.add_cookies([cookie])
            page = context.new_page()
            for name, address in PAGES.items():
                page.goto(league.address + address.format(**known))
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
