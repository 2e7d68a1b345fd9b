"""What an owner can do with a whole bot: rename, retire, bring back, delete."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.bots import checks, retirement, services
from league.bots.models import Bot, BotVersion, SmokeMatch, Source
from league.errors import Refused
from league.ladder import queries as ladder, services as ladders
from league.matches import services as matches
from league.matches.models import Match
from league.moderation import services as moderation
from league.tournaments.models import Entry
from league.tournaments.services import entries, lifecycle
from tests.league import factories
from tests.league.asking import ask

pytestmark = pytest.mark.django_db
GAME = factories.GAME


@pytest.fixture
def owner():
    return factories.make_user("mira")


@pytest.fixture
def key(owner):
    return factories.make_key(owner)


@pytest.fixture
def others():
    return [factories.make_player(), factories.make_player()]


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def change(key, **fields):
    return ask("bots/shark", key=key, method="PATCH", send=fields)


def test_a_renamed_bot_keeps_its_address_and_its_matches_show_the_new_name(owner, others, key):
    match = factories.make_match([factories.make_player(owner, "Shark"), *others])
    renamed = change(key, name="Whale").json()
    assert (renamed["name"], renamed["slug"]) == ("Whale", "shark")
    assert "Whale" in Client().get("/bots/shark/").content.decode()
    record = ask(f"matches/{match.pk}/record").json()
    assert record["seats"][0]["name"] == "Whale"


def test_a_name_stays_for_a_week(owner, key):
    factories.make_player(owner, "Shark")
    assert change(key, name="Whale").status_code == 200
    refused = change(key, name="Dolphin")
    assert (refused.status_code, refused.json()["code"]) == (409, "L014")
    assert "7 days" in refused.json()["detail"]
    Bot.objects.update(renamed_at=timezone.now() - timedelta(days=8))
    assert change(key, name="Dolphin").json()["name"] == "Dolphin"


@pytest.mark.parametrize("name", ["Tin Cup", "tin cup", "new", "--"])
def test_a_bot_cannot_take_a_name_that_is_taken_or_none(owner, key, name):
    factories.make_player(factories.make_user("ada"), "Tin Cup")
    factories.make_player(owner, "Shark")
    assert change(key, name=name).status_code in {409, 422}
    assert Bot.objects.get(slug="shark").name == "Shark"


def test_nothing_changes_if_a_part_is_refused(owner, key):
    factories.make_player(factories.make_user("ada"), "Tin Cup")
    factories.make_player(owner, "Shark")
    assert change(key, retired=True, about="New.", name="Tin Cup").status_code == 409
    bot = Bot.objects.get(slug="shark")
    assert (bot.retired_at, bot.about) == (None, "")


def test_a_retired_bot_leaves_the_leaderboard_and_gets_no_matches(owner, others, key):
    bot = factories.make_player(owner, "Shark")
    factories.make_match([bot, *others])
    factories.rate_all()
    assert change(key, retired=True).json()["retired_at"]
    assert bot not in [row.bot for row in ladder.table(GAME)]
    assert bot.pk not in [one.bot for one in ladders._candidates(GAME)]
    with pytest.raises(Refused, match="L004"):
        matches.challenge(owner, GAME, ["shark", *(one.slug for one in others)])
    page = Client().get("/bots/shark/").content.decode()
    assert "Retired on" in page
    assert "Recent matches" in page
    assert bot.changes.exists()


def test_a_retired_bot_comes_back_with_its_version_and_rating(owner, others, key):
    bot = factories.make_player(owner, "Shark")
    factories.make_match([bot, *others])
    factories.rate_all()
    before = ladder.standings(bot)
    change(key, retired=True)
    back = change(key, retired=False).json()
    assert (back["retired_at"], back["version"]) == (None, 1)
    assert ladder.standings(Bot.objects.get(pk=bot.pk)) == before


def test_a_retired_bot_takes_no_uploads_and_comes_back_with_the_version_chosen_meanwhile(owner):
    bot = factories.make_player(owner, "Shark")
    factories.make_version(bot)
    bot = retirement.retire(bot)
    with pytest.raises(Refused, match="retired"):
        services.upload(bot, b"x = 1\n")
    services.activate(bot, 1)
    assert Bot.objects.get(pk=bot.pk).active is None
    active = retirement.bring_back(bot).active
    assert active
    assert active.number == 1


def test_a_match_that_is_queued_when_a_bot_retires_is_played_and_rated(owner, others):
    bot = factories.make_player(owner, "Shark")
    match = factories.queue_match([bot, *others])
    factories.rate_all()
    retirement.retire(bot)
    assert factories.finish_match(match).status == Match.Status.FINISHED
    factories.rate_all()
    assert bot.changes.count() == 1


def test_a_check_that_ends_after_its_bot_retired_does_not_bring_it_back(owner):
    bot = factories.make_bot(owner, "Shark")
    version = factories.make_version(bot, status=BotVersion.Status.WAITING)
    lease = checks.claim()
    assert lease
    retirement.retire(bot)
    checks._decide(lease, [{"name": "syntax", "ok": True, "text": "", "ms": 1.0}], {})
    version.refresh_from_db()
    assert version.status == BotVersion.Status.ACCEPTED
    assert Bot.objects.get(pk=bot.pk).active is None
    assert retirement.bring_back(bot).active == version


def test_staff_do_not_bring_a_retired_bot_back_by_accident(owner):
    staff = factories.make_user("staff", is_staff=True)
    bot = retirement.retire(factories.make_player(owner, "Shark"))
    version = bot.versions.get()
    moderation.suspend(version, staff, "a look")
    moderation.lift(version, staff, "fine")
    assert Bot.objects.get(pk=bot.pk).active is None


def test_a_tournament_that_froze_its_versions_goes_on_with_a_retired_bot(owner, others):
    organiser = factories.make_user()
    cup = factories.make_tournament(organiser)
    lifecycle.publish(cup, organiser)
    bot = factories.make_player(owner, "Shark")
    for one in (bot, *others):
        entries.enter(cup, one, one.owner)
    lifecycle.lock(cup)
    lifecycle.start(cup)
    retirement.retire(bot)
    entry = Entry.objects.get(tournament=cup, bot=bot)
    assert (entry.status, entry.version) == (Entry.Status.PLAYING, bot.versions.get())


def test_a_retired_bot_cannot_enter_a_tournament(owner):
    organiser = factories.make_user()
    cup = factories.make_tournament(organiser)
    lifecycle.publish(cup, organiser)
    bot = retirement.retire(factories.make_player(owner, "Shark"))
    with pytest.raises(Refused, match="L011"):
        entries.enter(cup, bot, owner)


def test_a_bot_that_never_played_is_deleted_with_its_code_and_smoke_matches(owner, key):
    version = factories.make_version(factories.make_bot(owner, "Shark"), "# mine alone\n")
    factories.make_smoke_match(version)
    factories.rate_all()
    assert ask("bots/shark", key=key, method="DELETE").status_code == 204
    assert not Bot.objects.filter(slug="shark").exists()
    assert not Source.objects.exists()
    assert not SmokeMatch.objects.exists()
    assert factories.make_bot(owner, "Shark").slug == "shark"


def test_code_that_another_bot_has_too_stays_when_one_is_deleted(owner, key):
    for name in ("Shark", "Whale"):
        factories.make_version(factories.make_bot(owner, name), "# the same\n")
    assert ask("bots/shark", key=key, method="DELETE").status_code == 204
    assert Source.objects.count() == 1


@pytest.mark.parametrize("finished", [True, False])
def test_a_bot_that_played_or_will_cannot_be_deleted_but_retired(owner, others, key, finished):
    bot = factories.make_player(owner, "Shark")
    match = factories.queue_match([bot, *others])
    if finished:
        factories.finish_match(match)
    refused = ask("bots/shark", key=key, method="DELETE")
    assert (refused.status_code, refused.json()["code"]) == (409, "L014")
    assert "retired" in refused.json()["fix"]
    assert bot.versions.exists()


def test_a_bot_is_not_deleted_while_it_is_checked(owner, key):
    factories.make_version(factories.make_bot(owner, "Shark"), status=BotVersion.Status.CHECKING)
    refused = ask("bots/shark", key=key, method="DELETE")
    assert refused.status_code == 409
    assert "being checked" in refused.json()["detail"]


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_nobody_changes_a_bot_of_somebody_else(owner, method):
    factories.make_player(owner, "Shark")
    factories.make_bot(owner, "Secret")
    stranger = factories.make_key(factories.make_user("ada"))
    send = {"retired": True}
    assert ask("bots/shark", key=stranger, method=method, send=send).status_code == 403
    assert ask("bots/secret", key=stranger, method=method, send=send).status_code == 404
    assert ask("bots/shark", method=method, send=send).status_code == 401


def test_a_hidden_bot_stays_as_staff_left_it(owner):
    staff = factories.make_user("staff", is_staff=True)
    bot = moderation.hide_bot(factories.make_player(owner, "Shark"), staff, "spam")
    for action in (lambda: retirement.rename(bot, "Whale"), lambda: retirement.delete(bot)):
        with pytest.raises(Refused, match="L013"):
            action()


def test_the_settings_page_renames_retires_and_brings_back(owner):
    factories.make_player(owner, "Shark")
    client = signed_in(owner)
    assert "Retire Shark" in client.get("/bots/shark/settings/").content.decode()
    client.post("/bots/shark/settings/rename/", {"name": "Whale"})
    assert Bot.objects.get(slug="shark").name == "Whale"
    refused = client.post("/bots/shark/settings/rename/", {"name": "Dolphin"})
    assert refused.status_code == 409
    assert "L014" in refused.content.decode()
    client.post("/bots/shark/settings/retire/")
    assert Bot.objects.get(slug="shark").retired_at
    assert "Bring back" in client.get("/bots/shark/settings/").content.decode()
    client.post("/bots/shark/settings/return/")
    assert Bot.objects.get(slug="shark").active


def test_deleting_on_the_page_asks_first(owner, others):
    bot = factories.make_player(owner, "Shark")
    client = signed_in(owner)
    assert "cannot be undone" in client.get("/bots/shark/settings/delete/").content.decode()
    assert Bot.objects.filter(pk=bot.pk).exists()
    match = factories.make_match([bot, *others])
    assert client.post("/bots/shark/settings/delete/").status_code == 409
    assert match.seats.filter(bot=bot).exists()
    factories.make_bot(owner, "Whale")
    assert client.post("/bots/whale/settings/delete/").status_code == 302
    assert not Bot.objects.filter(slug="whale").exists()


@pytest.mark.parametrize("page", ["", "rename/", "retire/", "return/", "delete/"])
def test_only_the_owner_has_settings(owner, page):
    factories.make_player(owner, "Shark")
    stranger = signed_in(factories.make_user("ada"))
    for ask_for in (stranger.get, stranger.post):
        assert ask_for(f"/bots/shark/settings/{page}").status_code in {404, 405}
    assert Client().post(f"/bots/shark/settings/{page}").status_code == 302


def test_settings_are_changed_by_posts_with_a_token_only(owner):
    factories.make_player(owner, "Shark")
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    for page in ("rename/", "retire/", "delete/"):
        assert client.post(f"/bots/shark/settings/{page}").status_code == 403
    assert client.get("/bots/shark/settings/retire/").status_code == 405


def test_who_leaves_takes_along_the_bots_that_never_played(owner, others):
    factories.make_match([factories.make_player(owner, "Shark"), *others])
    factories.make_version(factories.make_bot(owner, "Whale"), status=BotVersion.Status.REJECTED)
    retirement.retire(factories.make_player(owner, "Dolphin"))
    moderation.leave(owner)
    assert list(owner.bots.values_list("slug", flat=True)) == ["shark"]
