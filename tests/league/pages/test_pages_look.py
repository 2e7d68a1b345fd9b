"""What holds for the look of all pages: readable colours, times with a zone, links that speak."""

import re
from datetime import UTC, datetime
from itertools import product

import pytest
from django.conf import settings

from bots_sdk.viewer.files import FOLDER
from league.pages.templatetags.karat import ago, clock
from league.tournaments.services import lifecycle as tournaments
from tests.league.factories import make_player, make_tournament, make_user

PAPER = ("bg", "surface", "sunken")
INK = ("ink", "ink-2", "ink-3", "accent", "link", "brass", "good", "warn", "bad")
SEATS = ("s0", "s1", "s2", "s3", "s4", "s5", "s6")
READABLE, VISIBLE = 4.5, 3.0
TEMPLATES = sorted((settings.ROOT / "league" / "templates").rglob("*.html"))
HTML_FILES = [
    *TEMPLATES,
    *(settings.ROOT / "bots_sdk").rglob("*.html"),
    *(settings.ROOT / "deploy").glob("*.html"),
]
MAX_LINE_LENGTH = 140
# The page that is drawn when everything else is broken asks nobody for addresses.
WITHOUT_URL_NAMES = "500.html"


def tokens(theme):
    """The colours of the style sheet in one theme, as triples from 0 to 1."""
    text = (FOLDER / "tokens.css").read_text()
    found = re.findall(r"--([\w-]+): (?:light-dark\()?(#\w{6})(?:, (#\w{6}))?", text)
    both = {name: (light, dark or light) for name, light, dark in found}
    return {name: rgb(pair[theme == "dark"]) for name, pair in both.items()}


def rgb(code):
    return [int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_ink_can_be_read_on_every_paper(theme):
    colour = tokens(theme)
    pairs = [*product(INK, PAPER), *product(SEATS, ["bg"])]
    pairs += [("on-accent", "accent"), ("on-felt", "felt")]
    weak = {pair for pair in pairs if contrast(colour[pair[0]], colour[pair[1]]) < READABLE}
    assert not weak
    lines = product(("focus", "line-strong"), ("bg", "surface"))
    assert not {pair for pair in lines if contrast(colour[pair[0]], colour[pair[1]]) < VISIBLE}


@pytest.mark.parametrize("shown", [ago, clock])
def test_times_are_utc_in_the_page_and_relative_ones_say_when(shown):
    html = shown(datetime(2026, 3, 1, 12, 0, tzinfo=UTC))
    assert 'datetime="2026-03-01T12:00:00Z"' in html
    assert "2026-03-01 12:00" in html


def test_lines_of_templates_can_be_read_without_scrolling():
    long = [
        f"{path.name}:{number}"
        for path in HTML_FILES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > MAX_LINE_LENGTH
    ]
    assert not long


def test_templates_name_pages_instead_of_writing_their_addresses():
    address = re.compile(r"""[\w-]+=["']/|\}\}/?[a-z]+/""")
    assert not [
        f"{path.name}: {match[0]}"
        for path in TEMPLATES
        if path.name != WITHOUT_URL_NAMES
        for match in address.finditer(path.read_text())
    ]


@pytest.mark.django_db
def test_a_shared_link_says_what_it_leads_to(client):
    mira = make_user("mira", is_organiser=True)
    bot, cup = make_player(mira, "Sapphire Shark"), make_tournament(mira)
    tournaments.publish(cup, mira)
    for one in (bot, cup):
        page = client.get(one.get_absolute_url()).content.decode()
        told = dict(re.findall(r'property="og:(\w+)" content="([^"]*)"', page))
        assert one.name in told["title"]
        assert told["description"]
        assert told["url"].endswith(one.get_absolute_url())
        assert re.search(r"<title>([^<]*)", page)[1].startswith(one.name)
