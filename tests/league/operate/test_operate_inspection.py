"""The league looks at its own data, and says what it found."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from league.blobs import store
from league.blobs.models import Blob
from league.bots.models import SourceFile
from league.ladder.models import RatingChange
from league.matches.models import Match, Meeting, Record
from league.matches.records import codec
from league.operate import inspection
from league.operate.inspection import Subject
from league.operate.models import Inspection
from tests.league.factories import (
    make_bot,
    make_bundle,
    make_match,
    make_player,
    make_user,
    make_version,
    rate_all,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    players = [make_player() for _ in range(3)]
    matches = [make_match(players) for _ in range(2)]
    rate_all()
    return matches


def damage_records(match):
    stored = Record.objects.get(match=match)
    record = codec.unpack(bytes(stored.data))
    record["steps"][-1]["set"] = {"/seats/0/money": 999}
    Record.objects.filter(pk=stored.pk).update(data=codec.pack(record))


def damage_ledger(match):
    RatingChange.objects.filter(match=match, seat=0).update(mu=99.0)


def damage_standings(_):
    Meeting.objects.update(met=77)


def damage_matches(match):
    Record.objects.filter(match=match).delete()


def test_sound_data_is_found_sound(played, client):
    make_version(make_bot(make_user()), make_bundle())
    for subject in Subject:
        found = inspection.inspect(subject)
        # A bundle and its three files, and two matches.
        expected = 4 if subject == Subject.BLOBS else 2
        assert (found.looked_at, found.wrong, found.named) == (expected, 0, [])
    page = client.get("/status/inspections/").content.decode()
    assert page.count("yes, all") == len(Subject)


def damage_blobs(_):
    make_version(make_bot(make_user()), make_bundle())
    Blob.objects.update(data=b"other")


def lose_blobs(_):
    make_version(make_bot(make_user()), make_bundle())
    Blob.objects.update(data=None)


def forget_blobs(_):
    old = timezone.now() - timedelta(days=9)
    store.put({store.digest_of(b"unused"): b"unused"})
    Blob.objects.update(created_at=old)


def damage_bundles(_):
    make_version(make_bot(make_user()), make_bundle())
    SourceFile.objects.first().delete()


@pytest.mark.parametrize(
    ("subject", "damage"),
    [
        (Subject.RECORDS, damage_records),
        (Subject.LEDGER, damage_ledger),
        (Subject.STANDINGS, damage_standings),
        (Subject.MATCHES, damage_matches),
        (Subject.BLOBS, damage_blobs),
        (Subject.BLOBS, lose_blobs),
        (Subject.BLOBS, forget_blobs),
        (Subject.BLOBS, damage_bundles),
    ],
)
def test_every_kind_of_damage_is_found_and_named(played, client, subject, damage):
    damage(played[0])
    with pytest.raises(SystemExit):
        call_command("inspect_data", "--only", subject)
    found = Inspection.objects.get()
    assert found.wrong >= 1
    assert found.named[0] in client.get("/status/inspections/").content.decode().replace(
        "&#x27;", "'"
    )


def test_a_void_match_must_say_why(played):
    Match.objects.filter(pk=played[0].pk).update(status=Match.Status.VOID)
    found = inspection.inspect(Subject.MATCHES)
    assert found.named == [f"match {played[0].pk} is void without a reason"]


def asked_in_turn():
    asked = []
    while subject := inspection.due():
        asked.append(inspection.inspect(subject).subject)
    return asked


def test_each_question_is_asked_once_a_night(played, settings):
    settings.INSPECT_HOUR = (timezone.now().hour + 12) % 24
    assert inspection.due() is None
    settings.INSPECT_HOUR = timezone.now().hour
    assert asked_in_turn() == [*Subject]


def test_a_large_league_leaves_the_long_questions_to_a_timer(played, settings, monkeypatch):
    monkeypatch.setitem(inspection._MAX_MATCHES, Subject.LEDGER, 1)
    monkeypatch.setitem(inspection._MAX_MATCHES, Subject.STANDINGS, 1)
    settings.INSPECT_HOUR = timezone.now().hour
    assert asked_in_turn() == ["records", "matches", "blobs"]


def test_before_the_first_night_the_page_says_so(client):
    assert "Nothing has been inspected yet" in client.get("/status/inspections/").content.decode()
