"""Moderation where it meets other parts: names, pages that remember, unbanning, exports."""

import pytest
from django.core.cache import cache
from django.test import Client

from league.bots import checks, services as bots
from league.bots.models import Bot, BotVersion, StoredDraft
from league.errors import Refused
from league.jobs import leases
from league.matches import services as matches
from league.matches.models import Match
from league.moderation import services as moderation
from league.operate import archive
from league.pages.featured_match import highlight
from league.tournaments.models import Action
from league.tournaments.services import entries, lifecycle as tournaments
from league.workers import playing
from runners.box.pool import Pool
from tests.league.factories import (
    GAME,
    SOURCE,
    make_bot,
    make_key,
    make_match,
    make_player,
    make_tournament,
    make_user,
    make_version,
    rate_all,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss():
    return make_user("boss", is_staff=True)


@pytest.fixture
def mira():
    return make_user("mira")


def others():
    return [make_player(None, name) for name in ("Anton", "Berta")]


@pytest.mark.parametrize("name", ["Hidden bot {}", "hidden-bot-{}", "HIDDEN  Bot {}"])
def test_nobody_takes_the_name_that_a_bot_gets_when_staff_hide_it(mira, boss, name):
    shark = make_player(mira, "Shark")
    with pytest.raises(Refused, match="L002"):
        bots.create(mira, name.format(shark.pk))
    moderation.hide_bot(shark, boss, "rude")
    shark.refresh_from_db()
    assert shark.hidden_at


def test_a_bot_can_be_hidden_whatever_others_are_called(mira, boss):
    shark = make_player(mira, "Shark")
    squatter = make_player(mira, "Squatter")
    Bot.objects.filter(pk=squatter.pk).update(
        name=f"Hidden bot {shark.pk}", slug=f"hidden-bot-{shark.pk}"
    )
    moderation.hide_bot(shark, boss, "rude")
    moderation.hide_bot(squatter, boss, "rude")
    assert not Bot.objects.public().filter(owner=mira).exists()


@pytest.mark.parametrize("what", ["rename", "hide"])
def test_the_front_page_forgets_an_old_name_at_once(client, mira, boss, what):
    rude = make_player(mira, "Rude Word")
    make_match([rude, *others()])
    rate_all()
    assert "Rude Word" in client.get("/").content.decode()
    if what == "rename":
        moderation.rename_bot(rude, boss, "Polite Fish", "rude")
    else:
        moderation.hide_bot(rude, boss, "rude")
    watched = highlight()
    assert "Rude Word" not in "".join([watched.viewer, *watched.last])
    cache.clear()
    page = client.get("/").content.decode()
    assert "Rude Word" not in page
    assert "rude-word" not in page
    rude.refresh_from_db()
    newcomers = {one.bot for one in client.get("/").context["newcomers"]}
    assert (rude in newcomers) == (what == "rename")


def test_erased_code_never_plays_again(mira, boss):
    shark = make_player(mira, "Shark")
    make_match([shark, *others()])
    moderation.ban(mira, boss, "hostile")
    moderation.delete_bot(shark, boss, "hostile")
    with pytest.raises(Refused, match="L010"):
        moderation.lift(shark.versions.get(), boss, "a mistake")
    moderation.unban(mira, boss, "a mistake")
    shark.refresh_from_db()
    moderation.show_bot(shark, boss, "a mistake")
    shark.refresh_from_db()
    assert shark.active is None


def test_an_archive_holds_no_draft_of_a_guest():
    assert StoredDraft not in archive.tables()


@pytest.mark.parametrize(
    "take_out",
    [
        pytest.param(lambda shark, boss: moderation.leave(shark.owner), id="account deleted"),
        pytest.param(lambda shark, boss: moderation.ban(shark.owner, boss, "spam"), id="banned"),
        pytest.param(
            lambda shark, boss: moderation.suspend(shark.active, boss, "spam"), id="suspended"
        ),
    ],
)
def test_a_bot_that_is_taken_out_forfeits_its_tournament_games_and_voids_none(mira, boss, take_out):
    players = [make_player(mira, "Shark"), *others()]
    versions = [bot.active for bot in players]
    challenge = matches.make(GAME, versions, Match.Kind.CHALLENGE)
    match = matches.make(GAME, versions, Match.Kind.TOURNAMENT)
    take_out(players[0], boss)
    challenge.refresh_from_db()
    assert challenge.status == Match.Status.VOID
    lease = leases.claim(Match, Match.objects.queued(), "test")
    assert lease.pk == match.pk
    with Pool(0) as pool:
        assert playing.play(lease, pool)
    seats = match.seats.order_by("number")
    assert [seat.forfeited for seat in seats] == [True, False, False]
    assert seats[0].place == 3


def test_nobody_but_its_owner_reads_the_published_code_and_notes_of_a_hidden_bot(mira, boss):
    shark = make_player(mira, "Shark")
    make_version(shark, f"{SOURCE}# again\n")
    shark.versions.update(source_public=True, note="rude")
    moderation.hide_bot(shark, boss, "rude")
    shark.refresh_from_db()
    bot, api = f"/bots/{shark.slug}", f"/api/v1/bots/{shark.slug}"
    pages = [f"{bot}/versions/1/", f"{bot}/diff/"]
    answers = [f"{api}/versions", f"{api}/versions/1", f"{api}/versions/1/source"]
    answers += [f"{api}/ratings", f"{api}/ratings/{GAME}"]
    guest, owner = Client(), Client()
    for address in (*pages, *answers):
        assert guest.get(address).status_code == 404, address
    headers = {"Authorization": f"Bearer {make_key(mira)}"}
    for address in answers[:3]:
        assert owner.get(address, headers=headers).status_code == 200, address


def test_a_check_that_runs_while_code_is_erased_writes_nothing_more(client, mira):
    version = make_version(make_bot(mira, "Shark"), status=BotVersion.Status.WAITING)
    lease = checks.claim("test")
    assert lease.pk == version.pk
    moderation.leave(mira)
    assert checks.run(lease) is None
    assert checks._decide(lease, [{"name": "text", "ok": True, "text": SOURCE}], {}) is None
    version.refresh_from_db()
    assert (version.steps, version.status) == ([], BotVersion.Status.REJECTED)
    client.force_login(make_user("boss", is_staff=True))
    for address in (f"/staff/versions/{version.pk}/", f"/uploads/{version.pk}/"):
        assert client.get(address).status_code < 500


def test_masking_a_name_leaves_names_alone_that_contain_it(mira, boss):
    rob, robot = make_player(mira, "Rob"), make_player(make_user(), "Robot")
    cup = make_tournament(boss)
    tournaments.publish(cup, boss)
    for bot in (rob, robot):
        entries.enter(cup, bot, bot.owner)
        entries.withdraw(cup, bot, bot.owner)
    moderation.rename_bot(rob, boss, "Polite Fish", "rude")
    lines = set(Action.objects.filter(what__startswith="withdrew").values_list("what", flat=True))
    assert lines == {"withdrew Polite Fish", "withdrew Robot"}
