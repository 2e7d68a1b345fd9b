"""Parts of pages that are kept: as when fresh, current at once, and never those of others."""

import re

import pytest
from django.core.cache import cache
from django.utils import timezone

from league.bots.models import Bot
from league.ladder import board, services as ladder
from league.ladder.models import Entry, LadderRating
from league.web import fragments
from tests.league.factories import finish_match, make_player, make_user, queue_match

pytestmark = pytest.mark.django_db
GAME = "basari"
BOARD = f"/g/{GAME}/leaderboard/"
_VARYING = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"|\d+[^<]{1,6} ago</time>')


@pytest.fixture
def players():
    """Three bots of three users on the ladder, and a match of them."""
    bots = [make_player(make_user(name), f"Bot of {name}") for name in ("mira", "tom", "ada")]
    ladder.ensure()
    ladder.enrol()
    Entry.objects.update(matches=40)
    return bots


@pytest.fixture
def match(players):
    """A finished match of the three."""
    return finish_match(queue_match(players))


def page(client, path):
    """Return a page without what differs every time: the token, and how long ago things were."""
    answer = client.get(path)
    assert answer.status_code == 200
    return _VARYING.sub(b"", answer.content)


def forget():
    """Remove everything that is kept."""
    cache.clear()
    fragments._rendered.cache_clear()
    fragments._kept.clear()
    board.lines_of.cache_clear()


@pytest.mark.parametrize("path", [BOARD, "/matches/", "/matches/{match}/", "/bots/{bot}/"])
def test_a_kept_page_is_the_same_as_a_fresh_one_for_every_viewer(client, players, match, path):
    path = path.format(match=match.pk, bot=players[0].slug)
    viewers = [None, players[0].owner, players[1].owner, make_user("staff", is_staff=True)]

    def pages():
        for viewer in viewers:
            client.logout()
            if viewer:
                client.force_login(viewer)
            yield page(client, path)

    fresh = []
    for number in range(len(viewers)):
        forget()
        fresh.append(list(pages())[number])
    assert list(pages()) == list(pages()) == fresh


def test_rows_of_my_bots_are_marked_for_nobody_else(client, players):
    client.force_login(players[0].owner)
    assert page(client, BOARD).count(b'class="mine"') == 1
    client.logout()
    assert page(client, BOARD).count(b'class="mine"') == 0
    client.force_login(players[1].owner)
    mine = re.search(rb'id="bot-([\w-]+)" class="mine"', page(client, BOARD))
    assert mine is not None
    assert mine[1].decode() == players[1].slug


def test_a_new_name_of_a_bot_or_its_owner_is_shown_at_once(client, players, match):
    paths = (BOARD, "/matches/", f"/matches/{match.pk}/")
    assert all(b"Bot of mira" in page(client, path) for path in paths)
    Bot.objects.filter(pk=players[0].pk).update(name="Magpie", renamed_at=timezone.now())
    for path in paths:
        assert b"Magpie" in page(client, path)
        assert b"Bot of mira" not in page(client, path)
    owner = players[1].owner
    owner.username = "thomas"
    owner.save()
    assert b">thomas</a>" in page(client, BOARD)


def test_a_new_rating_is_shown_at_once(client, players):
    page(client, BOARD)
    LadderRating.objects.filter(version=players[2].active, ladder=GAME).update(mu=45.0, sigma=1.0)
    names = re.findall(r'<a href="/bots/[\w-]+/">([^<]+)</a>', page(client, BOARD).decode())
    assert names[0] == "Bot of ada"


def test_a_bot_that_leaves_the_ladder_is_gone_at_once(client, players):
    assert b"Bot of tom" in page(client, BOARD)
    Entry.objects.filter(bot=players[1]).update(left_at=players[1].created_at)
    assert b"Bot of tom" not in page(client, BOARD)


def test_a_fragment_sees_nothing_but_its_values():
    html = fragments.fragment("parts/_sections.html", section="bots", first_game=GAME)
    assert html.count("aria-current") == 1
    assert fragments.fragment("parts/_sections.html", section="", first_game=GAME) != html


def test_the_oldest_part_is_dropped_when_too_many_are_kept(monkeypatch):
    monkeypatch.setattr(fragments, "MAX_KEPT", 2)
    forget()
    for number in range(3):
        fragments.render_once("parts/_footer.html", number, {"karat_version": number})
    assert [shown for _, shown in fragments._kept] == [1, 2]
