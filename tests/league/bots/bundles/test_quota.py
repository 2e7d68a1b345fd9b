"""The space of a user: every content counts once, and deleting code makes room."""

from dataclasses import replace

import pytest
from django.db.models import Sum

from league.accounts.services import delete_account
from league.blobs.models import Blob
from league.bots import erasing, moderation, services
from league.bots.bundles import quota, stepwise
from league.bots.models import DELETED, BotVersion, Source, SourceFile
from league.errors import Refused
from league.matches.models import Match
from league.moderation import services as staff
from league.tournaments.models import Tournament
from tests.league.asking import ask
from tests.league.blobs.stores import use
from tests.league.factories import (
    make_bot,
    make_bundle,
    make_key,
    make_match,
    make_player,
    make_smoke_match,
    make_tournament,
    make_user,
    make_version,
    queue_match,
)

pytestmark = pytest.mark.django_db
MIB = 1 << 20


def weights(number, size=MIB):
    return bytes([number]) * size


@pytest.fixture
def owner(settings):
    settings.BUNDLE_QUOTA_MIB = 3
    return make_user("mira")


@pytest.fixture
def bot(owner):
    return make_bot(owner, "Shark")


@pytest.fixture
def committed(django_capture_on_commit_callbacks):
    return lambda: django_capture_on_commit_callbacks(execute=True)


def test_more_than_fits_is_refused_with_what_is_used(owner, bot):
    make_version(bot, make_bundle(weights(1)))
    make_version(make_bot(owner), make_bundle(weights(2)))
    with pytest.raises(Refused) as refusal:
        services.upload(bot, make_bundle(weights(3)))
    assert (refusal.value.code, refusal.value.status) == ("L015", 413)
    explanation = refusal.value.message.explanation
    assert "take 2.1 of 3 MB" in explanation
    assert "would add 1.0 MB" in explanation
    assert "Delete the code of versions" in refusal.value.message.fix
    assert bot.versions.count() == 1


def test_equal_files_count_once_and_single_files_not_at_all(owner, bot):
    for number in range(6):
        make_version(bot, make_bundle(weights(1, 2 * MIB), str(number)))
    make_version(bot)
    used = quota.usage(owner)
    assert 2 * MIB < used.used < 2 * MIB + 2000
    assert used.left == 3 * MIB - used.used
    assert used.used == Blob.objects.aggregate(size=Sum("size"))["size"]


def test_what_is_announced_counts_before_it_is_sent(owner, bot):
    stepwise.begin(bot, make_bundle(weights(1, 2 * MIB)).listing.files)
    with pytest.raises(Refused, match="L015"):
        stepwise.begin(bot, make_bundle(weights(2, 2 * MIB)).listing.files)
    with pytest.raises(Refused, match="L015"):
        services.upload(bot, make_bundle(weights(2, 2 * MIB)))
    # The announced bundle itself has its space already.
    services.upload(bot, make_bundle(weights(1, 2 * MIB)))


def test_announcing_less_than_there_is_makes_no_room(bot):
    large = make_bundle(weights(1, 4 * MIB))
    small = make_bundle(weights(2, 1))
    lies = [replace(file, size=0) for file in large.listing.files if file.path != "bot.py"]
    stepwise.begin(bot, [*(f for f in small.listing.files if f.path == "bot.py"), *lies])
    with pytest.raises(Refused, match="L015"):
        services.upload(bot, large)
    with pytest.raises(Refused, match="L015"):
        stepwise.begin(bot, large.listing.files)


def test_a_refused_upload_leaves_nothing_in_a_folder(settings, tmp_path, bot):
    use(settings, str(tmp_path / "blobs"))
    settings.UPLOADS_PER_DAY = 0
    with pytest.raises(Refused, match="L001"):
        services.upload(bot, make_bundle(weights(1)))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert not Blob.objects.exists()


def test_the_space_of_one_user_is_nobody_elses(bot):
    make_version(bot, make_bundle(weights(1, 2 * MIB)))
    other = make_bot(make_user())
    make_version(other, make_bundle(weights(2, 2 * MIB)))
    assert make_version(make_bot(None, "Network"), make_bundle(weights(3, 4 * MIB)))


def test_deleting_the_code_of_a_version_makes_room_and_keeps_its_results(owner, bot, committed):
    old = make_version(bot, make_bundle(weights(1, 2 * MIB)))
    bot.refresh_from_db()
    make_smoke_match(old)
    match = make_match([bot, *(make_player() for _ in range(2))])
    make_version(bot)
    shared = set(old.source.files.values_list("blob", flat=True))
    with committed():
        erasing.erase_version(old)
    old.refresh_from_db()
    assert (old.source.text, old.suspended_because, old.steps) == ("", DELETED, [])
    assert quota.usage(owner).used == 0
    assert not Blob.objects.filter(pk__in=shared).exists()
    assert not old.smoke_matches.exists()
    assert match.seats.get(bot=bot).version == old
    erasing.erase_version(old)
    with pytest.raises(Refused):
        services.activate(bot, old.number)
    again = services.upload(bot, make_bundle(weights(1, 2 * MIB)))
    assert (again.reused, again.version.number) == (False, 3)


def test_files_that_another_version_has_stay(owner, bot, committed):
    first = make_version(bot, make_bundle(weights(1), "1"))
    second = make_version(bot, make_bundle(weights(1), "2"))
    with committed():
        erasing.erase_version(first)
    assert quota.usage(owner).used > MIB
    assert set(SourceFile.objects.values_list("source", flat=True)) == {second.source_id}
    assert Blob.objects.count() == 3


def test_files_that_another_user_has_stay(bot, committed):
    mine = make_version(bot, make_bundle(weights(1)))
    make_version(bot)
    make_version(make_bot(make_user()), make_bundle(weights(1)))
    with committed():
        erasing.erase_version(mine)
    assert Source.objects.filter(pk=mine.source_id).exists()
    assert Blob.objects.count() == 3


def test_code_that_is_needed_cannot_be_deleted(bot):
    version = make_version(bot, make_bundle())
    bot.refresh_from_db()
    with pytest.raises(Refused, match="is the active version"):
        erasing.erase_version(version)
    match = queue_match([bot, *(make_player() for _ in range(2))])
    make_version(bot)
    with pytest.raises(Refused, match="has matches to play"):
        erasing.erase_version(version)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    BotVersion.objects.filter(pk=version.pk).update(status=BotVersion.Status.CHECKING)
    with pytest.raises(Refused, match="is being checked"):
        erasing.erase_version(version)


def test_code_that_a_tournament_plays_with_cannot_be_deleted(owner, bot):
    version = make_version(bot, make_bundle())
    tournament = make_tournament(owner)
    entry = tournament.entries.create(bot=bot, version=version)
    make_version(bot)
    with pytest.raises(Refused, match="plays in a tournament"):
        erasing.erase_version(version)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINAL)
    erasing.erase_version(version)
    entry.refresh_from_db()
    assert entry.version == version


def test_suspended_code_cannot_be_deleted_and_come_back(bot):
    version = make_version(bot, make_bundle())
    moderation.suspend(version, "it cheats")
    with pytest.raises(Refused, match="L013"):
        erasing.erase_version(version)
    with pytest.raises(Refused, match="L013"):
        services.upload(bot, make_bundle())


def test_staff_cannot_bring_back_what_its_owner_deleted(bot):
    version = make_version(bot, make_bundle())
    make_version(bot)
    erasing.erase_version(version)
    version.refresh_from_db()
    admin = make_user("staff", is_staff=True)
    with pytest.raises(Refused, match="erased"):
        staff.lift(version, admin, "please")


def test_a_version_that_waits_for_its_check_can_be_deleted(bot):
    version = make_version(bot, make_bundle(), status=BotVersion.Status.WAITING)
    erasing.erase_version(version)
    version.refresh_from_db()
    assert version.status == BotVersion.Status.REJECTED
    assert not BotVersion.objects.waiting().exists()


def test_the_api_deletes_the_code_of_a_version(owner, bot):
    make_version(bot, make_bundle())
    make_version(bot)
    key = make_key(owner)
    refused = ask("bots/shark/versions/2", key=key, method="DELETE")
    assert (refused.status_code, refused.json()["code"]) == (409, "L014")
    answer = ask("bots/shark/versions/1", key=key, method="DELETE")
    assert answer.status_code == 200
    assert answer.json()["suspended_because"] == DELETED
    assert not answer.json()["bundle"]
    stranger = make_key(make_user())
    assert ask("bots/shark/versions/1", key=stranger, method="DELETE").status_code == 403


@pytest.mark.parametrize("how", ["leave", "delete", "erase"])
def test_who_leaves_takes_all_files_along(owner, bot, committed, how):
    make_version(bot, make_bundle(weights(1)))
    make_bot(owner, "Tuna")
    stepwise.begin(bot, make_bundle(weights(1), "next").listing.files)
    admin = make_user("staff", is_staff=True, is_superuser=True)
    with committed():
        if how == "leave":
            staff.leave(owner)
        elif how == "delete":
            staff.delete_user(owner, admin, "spam")
        else:
            staff.delete_bot(bot, admin, "spam")
            delete_account(owner)
    assert not Blob.objects.exists()
    assert not SourceFile.objects.exists()


def test_deleting_a_bot_that_never_played_deletes_its_files(owner, bot, committed):
    make_version(bot, make_bundle(weights(1)))
    upload = stepwise.begin(bot, make_bundle(weights(1), "next").listing.files)
    assert len(stepwise.missing(upload)) == 1
    with committed():
        answer = ask("bots/shark", key=make_key(owner), method="DELETE")
    assert answer.status_code == 204
    assert not Blob.objects.exists()
