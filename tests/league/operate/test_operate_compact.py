"""Records made small and whole again are the same; logs are removed in time."""

import gzip
import json
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from engine.record.recorder import digest
from league.matches.models import Record, SeatLog
from league.matches.records import codec
from league.matches.records.compact import NotCompact, compact, expand
from league.matches.records.verification import verify_stored
from league.operate import maintenance, retention
from tests.league.factories import make_match, make_player

GOLDEN = sorted((Path(__file__).parents[2] / "golden").rglob("*.json"))
REWORDED = [path for path in GOLDEN if path.parent.name == "former" and "suche" in path.stem]
"""Records of before some sentences were put better."""


@pytest.mark.parametrize("path", REWORDED, ids=lambda path: path.stem)
def test_a_record_with_former_sentences_stays_whole(path):
    with pytest.raises(NotCompact):
        compact(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "path", [path for path in GOLDEN if path not in REWORDED], ids=lambda path: path.stem
)
def test_a_compact_record_expands_to_the_same_record(path):
    record = json.loads(path.read_text(encoding="utf-8"))
    small = compact(record)
    again = expand(json.loads(json.dumps(small)))
    assert again == record
    assert digest(again) == record["digest"]
    assert list(again) == list(record)
    assert again["steps"][-1] == record["steps"][-1]
    assert len(codec.pack(small)) < len(codec.pack(record)) / 2


def test_faults_and_notes_survive():
    record = json.loads(GOLDEN[0].read_text(encoding="utf-8"))
    asked = next(step for step in record["steps"] if "moves" in step)
    asked["note"] = [None] * len(asked["moves"])
    asked["note"][1] = "I am the one"
    asked["fault"][0], asked["ms"][0] = "E302", 2000.5
    record["faults"] = [{"step": asked["i"], "seat": 0, "code": "E302", "detail": "Too slow."}]
    record["digest"] = digest(record)
    assert expand(compact(record)) == record


def test_a_record_that_would_come_out_different_stays_whole():
    record = json.loads(GOLDEN[0].read_text(encoding="utf-8"))
    record["steps"][3]["text"] = "Something else happened."
    with pytest.raises(NotCompact):
        compact(record)
    with pytest.raises(NotCompact):
        compact(record | {"rules": "0.0"})


@pytest.mark.django_db
def test_all_but_the_latest_records_are_compacted_and_nobody_sees_it(client):
    players = [make_player() for _ in range(3)]
    matches = [make_match(players, notes={0: "a note"}) for _ in range(3)]
    urls = [f"/api/v1/matches/{match.pk}/record" for match in matches]
    before = [client.get(url).json() for url in urls]
    sizes = {record.pk: len(record.data) for record in Record.objects.all()}
    call_command("compact", "--keep", "1")
    compacted = Record.objects.filter(compact=True)
    assert set(compacted.values_list("pk", flat=True)) == {matches[0].pk, matches[1].pk}
    assert all(len(record.data) < sizes[record.pk] / 2 for record in compacted)
    assert [client.get(url).json() for url in urls] == before
    assert client.get(f"{urls[0]}?view=public").status_code == 200
    assert client.get(f"/matches/{matches[0].pk}/").status_code == 200
    assert [verify_stored(record) for record in Record.objects.all()] == [None] * 3
    assert retention.compact_all(1) == (0, 0)
    call_command("compact", "--expand")
    assert not Record.objects.filter(compact=True).exists()
    assert {record.pk: len(record.data) for record in Record.objects.all()} == sizes


@pytest.mark.django_db
def test_a_damaged_compact_record_is_named_and_not_served_as_true():
    match = make_match([make_player() for _ in range(3)])
    retention.compact_all(0)
    stored = Record.objects.get(pk=match.pk)
    small = json.loads(gzip.decompress(stored.data))
    small["decisions"].pop()
    stored.data = codec.pack(small)
    assert verify_stored(stored) is not None


@pytest.mark.django_db
def test_logs_are_kept_for_some_weeks(settings):
    players = [make_player() for _ in range(3)]
    make_match(players, printed={0: "old"})
    SeatLog.objects.update(created_at=timezone.now() - timedelta(days=settings.LOG_DAYS, hours=1))
    make_match(players, printed={0: "new"})
    assert retention.remove_old_logs() == 1
    assert SeatLog.objects.get().printed == "new"


@pytest.mark.django_db
def test_old_records_are_compacted_once_a_night(settings):
    settings.COMPACT_HOUR = (timezone.now().hour + 12) % 24
    assert not maintenance.compaction_due()
    settings.COMPACT_HOUR = timezone.now().hour
    assert maintenance.compaction_due()
    settings.COMPACT_KEEP = -1
    assert not maintenance.compaction_due()
    settings.COMPACT_KEEP = 5
    call_command("compact", "--keep", "5", stdout=StringIO())
    assert not maintenance.compaction_due()
