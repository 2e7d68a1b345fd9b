"""Documents on the site: from the same files as in the project, safe, linked, searchable."""

import re

import pytest

from bots_sdk.rating.skill import Rating, expected_places, rate
from engine.registry import GAMES
from league.pages import library
from league.pages.markdown import render
from runners.faults import CODES
from tests.league.factories import make_user
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

BOOKS = [*library.pages().values(), *(library.rules(game) for game in GAMES)]


def test_the_index_has_four_kinds_of_documents_and_lists_every_one(client):
    answer = client.get("/docs/")
    page = text_of(answer)
    for kind in ("Tutorials", "How-to guides", "Reference", "Explanation"):
        assert kind in page
    for book in BOOKS:
        assert f'href="{book.url}"' in answer.content.decode(), book.url


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.url)
def test_every_document_is_a_page_whose_links_lead_somewhere(client, book):
    answer = client.get(book.url)
    html = answer.content.decode()
    assert answer.status_code == 200
    assert html.count("<h1") == 1
    assert "style=" not in html
    for target in set(re.findall(r'href="(/(?:docs|g)/[^"]*)"', book.document.html)):
        path, _, anchor = target.partition("#")
        found = client.get(path, follow=True)
        assert found.status_code == 200, target
        assert not anchor or f'id="{anchor}"' in found.content.decode(), target


def test_the_index_is_no_document_of_its_own_and_links_to_it_lead_there(client):
    assert client.get("/docs/README/").status_code == 404
    assert 'href="/docs/"' in library.pages()["quickstart"].document.html


def test_what_strangers_could_write_in_a_document_stays_text():
    hostile = "# T\n\n<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=y>\n"
    html = render(hostile, lambda target: target).html
    assert "<script" not in html
    assert "javascript:" not in re.sub(r"\[x\]\([^)]*\)", "", html)
    assert "<img" not in html


def test_headings_have_anchors_and_the_same_heading_twice_has_two():
    document = render("# T\n\n## A b\n\none\n\n## A b\n\ntwo\n", lambda target: target)
    assert [section.anchor for section in document.sections] == ["t", "a-b", "a-b-2"]
    assert '<h2 id="a-b-2">' in document.html


def test_links_to_files_the_site_does_not_show_are_only_named():
    document = render("[code](../engine/rng.py) [here](#x)", lambda t: t if "#" in t else None)
    assert "<span>code</span>" in document.html
    assert 'href="#x"' in document.html


def test_code_is_coloured_by_classes_and_tables_scroll_by_themselves():
    text = "```python\nclass A: pass\n```\n\n| a |\n|---|\n| b |\n"
    html = render(text, lambda target: target).html
    assert '<span class="k">class</span>' in html
    assert 'role="group" aria-label="Table"><table class="ledger">' in html
    assert '<pre tabindex="0">' in html


def test_the_search_of_the_docs_needs_all_words_and_says_if_there_are_none(client):
    found = client.get("/docs/", {"q": "cautious sigma"})
    assert "/docs/ratings/#why-the-cautious-end-decides" in found.content.decode()
    assert "No document contains all these words." in text_of(
        client.get("/docs/", {"q": "sigma qqqq"})
    )


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page_in_the_words_of_the_table(client, code):
    answer = client.get(f"/docs/errors/{code}/")
    assert answer.status_code == 200
    assert CODES[code].title.replace("`", "") in text_of(answer).replace("&#x27;", "'")


def test_all_codes_are_listed_and_an_unknown_one_shows_the_list(client):
    listed = client.get("/docs/errors/").content.decode()
    assert all(f'href="/docs/errors/{code}/"' in listed for code in CODES)
    unknown = client.get("/docs/errors/E999/")
    assert unknown.status_code == 404
    assert "There is no code E999." in text_of(unknown)
    assert client.get("/docs/errors/e302/").headers["Location"] == "/docs/errors/E302/"


def test_the_worked_example_of_the_ratings_is_what_the_arithmetic_gives():
    table = re.findall(
        r"\| [\w -]+ \| (\d+)\?? ± (\d+) \| ([\d.]+) \| (\d)\w+ \| (\d+)\?? ± (\d+) \|",
        (library.settings.ROOT / "docs" / "ratings.md").read_text(encoding="utf-8"),
    )
    before = [Rating((int(shown) - 500) / 40, int(margin) / 80) for shown, margin, *_ in table]
    after = rate(before, [int(place) for *_, place, _, _ in table])
    assert len(table) == 3
    assert [str(one) for one in after] == [f"{row[4]} ± {row[5]}" for row in table]
    assert [f"{place:.2f}" for place in expected_places(before)] == [row[2] for row in table]


def test_components_are_for_staff(client):
    assert client.get("/docs/components/").status_code == 404
    client.force_login(make_user("mira", is_staff=True))
    assert client.get("/docs/components/").content.decode().count('class="sample') == 2
