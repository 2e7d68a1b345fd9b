"""Ten mistakes, seen by an author: the site explains each, and the documents show what is said.

`pytest tests/league/bots/test_mistakes.py --rewrite-golden` writes the section of docs/errors.md
anew; read the difference before you commit it.
"""

from pathlib import Path

import pytest

from league.bots import checks
from league.bots.models import BotVersion
from tests.league.factories import make_user
from tests.mistakes.index import MISTAKES
from tests.mistakes.outputs import (
    HEADING,
    check_output,
    page_text,
    play_output,
    section,
)

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "errors.md"
SEED = "1f3a5c7e9b2d4f60"


def upload(client, mistake):
    """What the site shows to an author who pastes this bot and uploads it."""
    client.force_login(make_user())
    name = mistake.name.replace("_", " ")
    answer = client.post("/bots/new/", {"name": name, "code": mistake.source})
    if answer.status_code == 422:
        return page_text(answer.content.decode(), "findings")
    checks.run(checks.claim())
    version = BotVersion.objects.get()
    page = client.get(version.get_absolute_url())
    return page_text(page.content.decode(), "pipeline")


@pytest.fixture
def fixed_seed(monkeypatch):
    """A check has chance of its own; here the same for everybody."""
    monkeypatch.setattr(checks, "fresh_seed", lambda: SEED)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_the_site_names_the_code_the_place_and_the_fix(client, fixed_seed, mistake):
    shown = upload(client, mistake)
    assert mistake.code in shown
    assert "line" in shown or "bot.py" in shown


def test_the_page_about_errors_shows_what_each_mistake_looks_like(
    client, fixed_seed, tmp_path, request
):
    outputs = {}
    for mistake in MISTAKES:
        shown = upload(client, mistake)
        BotVersion.objects.all().delete()
        played, checked = play_output(mistake, tmp_path), check_output(mistake, tmp_path)
        outputs[mistake.name] = played, checked, shown
    page = PAGE.read_text(encoding="utf-8")
    before = page.partition(f"\n{HEADING}\n")[0]
    expected = f"{before}\n{section(outputs)}"
    if request.config.getoption("--rewrite-golden"):
        PAGE.write_text(expected, encoding="utf-8")
    assert page == expected, f"run: pytest {Path(__file__).relative_to(ROOT)} --rewrite-golden"
