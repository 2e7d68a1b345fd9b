"""What the pages of moderation offer and say."""

import pytest

from league.moderation import services as moderation
from tests.league.factories import make_player, make_user
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss():
    return make_user("boss", is_staff=True)


@pytest.fixture
def staff(client, boss):
    client.force_login(boss)
    return client


@pytest.fixture
def shark():
    return make_player(make_user("mira"), "Sapphire Shark")


def actions(client, path):
    """The addresses of what a page offers to do, without what they share."""
    page = client.get(path).content.decode()
    every = {"ban", "unban", "rename", "delete", "hide", "show", "suspend", "lift", "read"}
    return {what for what in every if f'href="{path}{what}/"' in page}


def test_only_what_applies_is_offered_and_the_state_is_shown(staff, boss, shark):
    user, bot, version = (
        f"/staff/users/{shark.owner_id}/",
        f"/staff/bots/{shark.pk}/",
        f"/staff/versions/{shark.active_id}/",
    )
    assert actions(staff, user) == {"ban", "rename", "delete"}
    assert actions(staff, bot) == {"hide", "rename", "delete"}
    assert actions(staff, version) == {"suspend", "read"}
    assert "/u/mira/" in staff.get(user).content.decode()

    moderation.suspend(shark.active, boss, "copied")
    assert actions(staff, version) == {"lift", "read"}
    assert "suspended copied" in text_of(staff.get(version))
    moderation.ban(shark.owner, boss, "spam")
    assert actions(staff, user) == {"unban", "rename", "delete"}
    assert "banned" in text_of(staff.get(user))
    moderation.hide_bot(shark, boss, "rude")
    assert actions(staff, bot) == {"show", "rename", "delete"}
    assert "hidden" in text_of(staff.get(bot))
    moderation.delete_user(shark.owner, boss, "gone")
    assert actions(staff, user) == set()


def test_a_form_says_who_can_read_the_reason(client, staff, boss, shark):
    suspend = text_of(staff.get(f"/staff/versions/{shark.active_id}/suspend/"))
    assert "Everybody can read it" in suspend
    moderation.suspend(shark.active, boss, "copied from Anton")
    client.logout()
    assert "copied from Anton" in text_of(client.get(f"{shark.get_absolute_url()}versions/"))

    client.force_login(boss)
    assert "For other staff" in text_of(client.get(f"/staff/users/{shark.owner_id}/ban/"))
