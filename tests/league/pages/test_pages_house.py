"""House bots on the site: linked from their document, with their source, for everybody."""

import re
from html import unescape
from pathlib import Path

import pytest

from bots_sdk import house
from engine.registry import GAMES
from league.pages import library
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

BOTS = [(game, name) for game in GAMES for name in house.names(game)]
DOCUMENT = Path(__file__).parents[3] / "docs" / "house-bots.md"


def address(game, name):
    return f"/docs/house-bots/{game}/{name}/"


@pytest.mark.parametrize(("game", "name"), BOTS)
def test_the_source_of_a_house_bot_is_a_page_for_everybody(client, game, name):
    answer = client.get(address(game, name))
    html = answer.content.decode()
    assert answer.status_code == 200
    assert html.count("<h1") == 1
    assert "style=" not in html
    assert '<span class="kn">from</span>' in html
    assert 'id="line-1"' in html
    shown = re.sub(r"\s+", "", unescape(text_of(answer)))
    for line in house.source(game, name).splitlines():
        assert re.sub(r"\s+", "", line) in shown, line


@pytest.mark.parametrize(("game", "name"), BOTS)
def test_the_page_of_a_bundle_lists_its_files(client, game, name):
    shown = text_of(client.get(address(game, name)))
    bundle = house.bundle(game, name)
    assert ("a folder like any" in shown) == (bundle is not None)
    assert ("a file like any" in shown) == (bundle is None)
    for path in bundle.files if bundle else ():
        assert path in shown


@pytest.mark.parametrize(("game", "name"), BOTS)
def test_the_document_links_every_house_bot_to_its_file_and_on_the_site_to_its_page(game, name):
    path = house.files(game)[name].relative_to(DOCUMENT.parents[1])
    assert f"[{name}](../{path})" in DOCUMENT.read_text(encoding="utf-8")
    html = library.pages()["house-bots"].document.html
    assert f'<a href="{address(game, name)}"' in html


def test_the_document_lists_the_house_bots_of_all_games(client):
    html = client.get("/docs/house-bots/").content.decode()
    _, _, contents = html.partition('class="contents"')
    for game, name in BOTS:
        assert f'href="{address(game, name)}"' in contents
        assert GAMES[game].name.replace("&", "&amp;") in contents


def test_other_documents_do_not(client):
    assert "/docs/house-bots/basari/" not in client.get("/docs/limits/").content.decode()


@pytest.mark.parametrize(
    "path",
    [
        address("basari", "nobody"),
        address("basari", "__init__"),
        address("basari", "..%2Fkit"),
        address("chess", "greedy"),
    ],
)
def test_what_is_no_house_bot_has_no_page(client, path):
    assert client.get(path).status_code == 404


def test_search_engines_are_told_of_them(client):
    sitemap = client.get("/sitemap.xml").content.decode()
    assert f"{address('basari', 'leila')}</loc>" in sitemap
