"""Take pictures of the key pages and of every table, and the one that the README shows.

`python -m tests.browser.screenshots FOLDER` writes to the folder every page in all widths and both
themes, every pane of the walls, and the table of every game and number of seats at every size at
which it must fit. It refreshes the picture of the README. With `--readme` it only does that, with
`--walls` it takes only the walls, with `--tables` only the tables, of the games that are installed.
"""

import argparse
import base64
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby, islice, product
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from engine.record.types import AnyStep
from engine.registry import GAMES
from tests.browser.conftest import ARGUMENTS, watched
from tests.browser.fitting import SIZES
from tests.browser.shown import Shown
from tests.browser.wall_scripts import SHOW
from tests.browser.walls import STEP, wait_until
from tests.engine.tables import recorded
from tests.fourth_game.conftest import PACKAGE
from tests.installing import install

README_PICTURE = Path(__file__).parents[2] / "docs" / "images" / "match.webp"

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
WALLS = {"league": "/tv/", "event": "/tv/?event=thursday-cup"}
WALL_SIZES = ((1280, 720), (1366, 768), (1920, 1080), (390, 844))
PANE_NAMES = "[...document.querySelectorAll('[data-pane]')].map((pane) => pane.dataset.pane)"
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


README_MATCH = """
from league.chances import services as estimates
house_bots.seed()
house = Bot.objects.filter(owner=None, active__plays__game="edel-stein-reich").distinct()
names = ("Ottilie", "Zita", "Anton")
players = [*house.filter(name__in=names), *house.exclude(name__in=names).order_by("pk")][:5]
match = factories.queue_match(players, "edel-stein-reich")
Match.objects.filter(pk=match.pk).update(seed="7")
playing.play(leases.claim(Match, Match.objects.filter(pk=match.pk), "test"), worker.pool())
worker.close_pool()
factories.rate_all(match.game)
estimates.compute(match.pk)
tell(match.pk)
"""


SEAT_NAMES = ("Sapphire Shark", "Ottilie", "BarterBot", "Tin Cup", "Zita", "Magpie Junior", "Owl 9")
DARK_SIZE = (1366, 768)
"""At this size tables are taken in the dark theme as well."""
FULL_STEPS = ("offer", "place", "bid")
"""Kinds of steps in which a table is at its fullest; the one in the middle of a match is taken."""


def main(folder: Path | None, *, only_walls: bool = False) -> None:
    """Fill a league, serve it, and take the pictures."""
    with tempfile.TemporaryDirectory() as place:
        league = Shown(Path(place))
        try:
            league.fill(rounds=2)
            league.serve()
            with _chromium() as browser:
                if not only_walls:
                    take_readme_picture(league, browser)
                if folder:
                    folder.mkdir(parents=True, exist_ok=True)
                    values = league.python(FURNISH)
                    if not only_walls:
                        take_pages(league, browser, folder, values)
                    take_walls(league, browser, folder)
        finally:
            league.end()


@contextmanager
def _chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def take_readme_picture(league: Shown, browser: Browser) -> None:
    """Show the last offer of the longest barter, in the light theme."""
    match = league.python(README_MATCH)
    context = browser.new_context(
        color_scheme="light", reduced_motion="reduce", viewport={"width": 1366, "height": 768}
    )
    page = context.new_page()
    record = page.request.get(f"{league.address}/api/v1/matches/{match}/record").json()
    kinds = [step["t"] for step in record["steps"]]
    barters = [len(list(same)) * (kind == "offer") for kind, same in groupby(kinds)]
    longest = barters.index(max(barters))
    step = sum(len(list(same)) for _, same in islice(groupby(kinds), longest + 1)) - 1
    page.goto(f"{league.address}/matches/{match}/?step={step}")
    page.wait_for_selector(".kv-ready")
    page.wait_for_load_state("networkidle")
    # Only the protocol of the browser writes WebP, which is a fifth of the size of a PNG.
    options = {"format": "webp", "quality": 80}
    picture = context.new_cdp_session(page).send("Page.captureScreenshot", options)
    README_PICTURE.parent.mkdir(exist_ok=True)
    README_PICTURE.write_bytes(base64.b64decode(picture["data"]))
    print(f"{README_PICTURE.name}, {README_PICTURE.stat().st_size:,} bytes", flush=True)


def take_pages(league: Shown, browser: Browser, folder: Path, values: dict[str, int]) -> None:
    """Write a file for each page, width and theme; `values` are the numbers in addresses."""
    cookie = league.cookie("mira")
    for theme in ("light", "dark"):
        context = browser.new_context(color_scheme=theme, reduced_motion="reduce")
        context.add_cookies([cookie])
        page = context.new_page()
        for name, address in PAGES.items():
            page.goto(league.address + address.format(**values))
            page.wait_for_load_state("networkidle")
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                page.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True)
            print(f"{name}, {theme}", flush=True)


def take_walls(league: Shown, browser: Browser, folder: Path) -> None:
    """Write a file for each pane of the walls, size and theme."""
    for theme, (name, address) in product(("light", "dark"), WALLS.items()):
        page = browser.new_page(reduced_motion="reduce")
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.goto(league.address + address)
        wait_until(page, f"document.body.wall && {STEP} > 1")
        panes = page.evaluate(PANE_NAMES)
        for (width, height), pane in product(WALL_SIZES, panes):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(SHOW, pane)
            page.screenshot(path=folder / f"wall-{name}-{pane}-{width}x{height}-{theme}.png")
        page.close()
        print(f"wall of the {name}, {theme}", flush=True)


def take_all_tables(folder: Path) -> None:
    """Write the tables in a process that also finds the fourth game of the tests."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "tests.browser.screenshots", str(folder), "--tables"]
        subprocess.run(command, env=install(PACKAGE, Path(place)), check=True)


def take_tables(folder: Path) -> None:
    """Write a file for each installed game, number of seats and size."""
    records = [recorded(game, n, "pictures") for game in GAMES.values() for n in game.seats]
    for record in records:
        for seat, name in zip(record["seats"], SEAT_NAMES, strict=False):
            seat["name"] = name
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        watched(Path(place), *records) as address,
        _chromium() as browser,
    ):
        for theme, sizes in (("light", SIZES), ("dark", [DARK_SIZE])):
            page = browser.new_page(reduced_motion="reduce")
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            for (number, record), size in product(enumerate(records, 1), sizes):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                page.goto(f"{address}/?match={number}&step={_full_step(record['steps'])}")
                page.wait_for_selector(".kv-ready")
                name = f"table-{record['game']}-{len(record['seats'])}"
                page.screenshot(path=folder / f"{name}-{size[0]}x{size[1]}-{theme}.png")
            print(f"tables, {theme}", flush=True)


def _full_step(steps: list[AnyStep]) -> int:
    full: list[int] = [step["i"] for step in steps if step["t"] in FULL_STEPS]
    return full[len(full) // 2]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--readme", action="store_true", help="only the picture of the README")
    parser.add_argument("--walls", action="store_true", help="only the walls")
    parser.add_argument("--tables", action="store_true", help="only the tables")
    options = parser.parse_args()
    if not options.folder and not options.readme:
        parser.error("name a folder, or --readme")
    if options.tables:
        take_tables(options.folder)
        sys.exit()
    if options.folder and not (options.readme or options.walls):
        take_all_tables(options.folder)
    main(None if options.readme else options.folder, only_walls=options.walls)
