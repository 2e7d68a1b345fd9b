"""What several people do at the same moment comes out as if they had come one by one."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client

from league.accounts.models import User
from league.bots import services as bots
from league.bots.models import Bot
from league.errors import Refused
from league.matches import services as matches
from tests.league.factories import GAME, SOURCE, make_bot, make_player, make_tournament, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(act, count=4):
    """What so many get who do the same at the same moment; None for a refusal."""
    ready = Barrier(count)

    def one(number):
        ready.wait(10)
        try:
            return act(number)
        except Refused:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as people:
        return list(people.map(one, range(count)))


def test_a_quota_is_not_exceeded_by_doing_everything_at_once(settings):
    settings.UPLOADS_PER_DAY = settings.CHALLENGES_PER_DAY = 1
    owner = make_user()
    house = [make_player().slug for _ in range(3)]
    uploads = at_once(lambda number: bots.create_bot(owner, f"Twin {number}", SOURCE.encode()))
    assert uploads.count(None) == 3
    assert Bot.objects.filter(owner=owner).count() == 1
    assert at_once(lambda _: matches.challenge(owner, GAME, house)).count(None) == 3


def test_the_quota_of_tournaments_is_not_exceeded_by_doing_everything_at_once(settings):
    settings.TOURNAMENTS_OPEN = 2
    owner = make_user()
    made = at_once(lambda number: make_tournament(owner, f"Cup {number}"))
    assert made.count(None) == 2
    assert owner.tournaments.count() == 2


def test_the_same_code_uploaded_twice_at_once_is_one_version():
    bot = make_bot(make_user())
    uploads = at_once(lambda _: bots.upload(bot, SOURCE.encode()))
    assert sorted(upload.reused for upload in uploads) == [False, True, True, True]
    assert bot.versions.count() == 1


def test_a_name_that_many_want_at_once_is_given_to_one_of_them():
    form = {"username": "mira", "password": "a ruby for a dime"}
    answers = at_once(lambda _: Client().post("/accounts/signup/", form))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 302]
    assert User.objects.filter(username="mira").count() == 1
