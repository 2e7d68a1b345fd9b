"""Every card of every deck: in the rules for people, and as a picture on a page of its own."""

import re
from dataclasses import replace
from importlib import resources

import pytest

from bots_sdk.viewer.cards import card_groups
from engine.registry import GAMES
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db


def rules_of(slug):
    return (resources.files(GAMES[slug].package) / "RULES.md").read_text(encoding="utf-8")


def ids_in(text):
    """The cards a text names, also as `V11` to `V25`, without the marks around them."""
    ids = set(re.findall(r"\b[BEV]\d\d\b|\b[ORSE]\d?\b", text))
    for first, last in re.findall(r"\b([BEV]\d\d) to ([BEV]\d\d)\b", text):
        ids |= {f"{first[0]}{number:02}" for number in range(int(first[1:]), int(last[1:]) + 1)}
    return ids


@pytest.mark.parametrize("slug", GAMES)
def test_the_page_draws_every_card_of_the_catalogue_without_a_script(client, slug):
    page = client.get(f"/g/{slug}/cards/")
    html = page.content.decode()
    main = html.split("<main", 1)[1].split("</main>", 1)[0]
    assert "<script" not in main
    codes = " ".join(re.findall(r"<code>([^<]+)</code>", main))
    assert ids_in(codes) == set(GAMES[slug].catalogue)
    assert main.count('<svg class="kv-gem ') >= 20
    assert 'id="gem-r"' in html


@pytest.mark.parametrize("slug", ["edel-stein-reich", "basari"])
def test_a_picture_shows_what_is_on_the_card(client, slug):
    html = client.get(f"/g/{slug}/cards/").content.decode()
    for card, shown in GAMES[slug].catalogue.items():
        if "gems" not in shown:
            continue
        picture = html.split(f"<code>{card}</code>")[1].split("</li>")[0]
        drawn = [picture.count(f'href="#gem-{cut}"') for cut in "rygb"]
        assert drawn == shown["gems"], card
        worth = shown.get("money", shown.get("points"))
        assert f"<b>{worth} " in picture
        assert "workers" not in shown or f"<span>{shown['workers']} worker" in picture


@pytest.mark.parametrize("slug", ["edel-stein-reich", "basari"])
def test_the_rules_for_people_list_every_card_as_it_is(slug):
    page = rules_of(slug)
    assert ids_in(page.replace("`", "")) >= set(GAMES[slug].catalogue)
    for card, shown in GAMES[slug].catalogue.items():
        if "gems" in shown:
            numbers = [shown[name] for name in ("workers", "points", "money") if name in shown]
            vector = ".".join(map(str, shown["gems"]))
            assert f"| `{card}` | {' | '.join(map(str, numbers))} | `{vector}` |\n" in page


def test_the_rules_and_the_page_say_which_bonus_is_printed_and_which_is_inferred(client):
    told = text_of(client.get("/g/edel-stein-reich/cards/"))
    for colour, amount, known in (
        *(("red", 8, "inferred"), ("yellow", 7, "printed")),
        *(("green", 6, "inferred"), ("blue", 5, "printed")),
    ):
        assert f"if you alone lead in {colour}: {amount} million ({known})" in told
    assert "yellow 7 and blue 5" in rules_of("edel-stein-reich")
    assert "**inferred**" in rules_of("edel-stein-reich")


@pytest.mark.parametrize("slug", ["edel-stein-reich", "basari"])
def test_b_is_blue_in_the_rules_and_never_a_player(slug):
    prose = re.sub(r"`[^`]*`", "", rules_of(slug))
    assert not re.findall(r"\b[BC]\b", prose)


@pytest.mark.parametrize("slug", GAMES)
def test_rules_game_and_sitemap_lead_to_the_cards(client, slug):
    address = f"/g/{slug}/cards/"
    rules = client.get(f"/docs/rules/{slug}/").content.decode()
    assert rules.count(f'href="{address}"') == 2
    assert address in client.get(f"/g/{slug}/").content.decode()
    assert address in client.get("/sitemap.xml").content.decode()


def test_an_unknown_game_has_no_cards(client):
    assert client.get("/g/chess/cards/").status_code == 404


def test_a_game_whose_kit_draws_no_cards_lists_them_and_one_without_cards_says_so():
    catalogue = {"K1": {"kind_of_tile": "kite", "sides": [3, 4]}, "K2": {"text": "<b>"}}
    (group,) = card_groups(replace(GAMES["basari"], slug="other", catalogue=catalogue))
    assert len(group.pictures) == 2
    assert "<code>K1</code>" in group.pictures[0]
    assert "<p>kind of tile: kite<br>sides: 3, 4</p>" in group.pictures[0]
    assert "<b>K2</b><p>text: &lt;b&gt;</p>" in group.pictures[1]
    (none,) = card_groups(replace(GAMES["basari"], slug="other", catalogue={}))
    assert (none.about, none.pictures) == ("This game has no cards.", [])
