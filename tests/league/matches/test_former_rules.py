"""A match played by the former rules: its record keeps its bytes, its pages name its winner."""

import json

import pytest
from django.core.cache import cache
from django.core.management import call_command

from engine.record.reading import read
from league.matches.models import Match, Record
from league.matches.records import codec
from league.matches.records.verification import verify_stored
from league.matches.statistics.rebuild import rebuild
from tests.engine.test_golden import GOLDEN
from tests.league.factories import make_match, make_player
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

LAST = "bot 2 wins with 94 points; B bot 1 has 65 and A bot 0 forfeited with 103."


@pytest.fixture
def match():
    """A match whose record was written before `end` knew of forfeits."""
    cache.clear()
    made = make_match([make_player() for _ in range(3)], "basari")
    record = read((GOLDEN / "former/basari-winner-forfeits.json").read_bytes())
    for seat in made.seats.all():
        seat.place = record["outcome"]["placements"][seat.number]
        seat.forfeited = seat.number in record["outcome"]["forfeits"]
        seat.save()
    Match.objects.filter(pk=made.pk).update(rules=record["rules"], seed=record["seed"])
    Record.objects.update(data=codec.pack(record), digest=record["digest"])
    made.refresh_from_db()
    return made


def test_every_page_names_the_winner_of_the_outcome(client, match):
    page = f"/matches/{match.pk}/"
    for url in (
        page,
        f"{page}?view=public",
        f"{page}?step=132",
        f"{page}embed/",
        f"{page}?view=text",
    ):
        told = text_of(client.get(url))
        assert LAST in told, url
        assert "bot 0 wins" not in told
    assert any(LAST in sentence for sentence in client.get("/").context["on_table"].last)


def test_the_record_is_served_as_it_was_written_and_stays_true(client, match):
    written = read((GOLDEN / "former/basari-winner-forfeits.json").read_bytes())
    assert client.get(f"/api/v1/matches/{match.pk}/record").json() == written
    assert verify_stored(Record.objects.get()) is None


def test_it_can_be_compacted_and_counted_again(client, match):
    before = codec.unpacked(Record.objects.get().data)
    call_command("compact", "--keep", "0")
    stored = Record.objects.get()
    assert stored.compact
    assert json.loads(codec.unpacked(stored.data)) == json.loads(before)
    assert verify_stored(stored) is None
    rebuild(write=True)
    assert LAST in text_of(client.get(f"/matches/{match.pk}/"))
