"""What nothing refers to goes, and nothing else, whatever happens at the same time."""

import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.utils import timezone

from league.blobs import collecting, store
from league.blobs.models import Blob
from league.bots.models import Source, SourceFile
from tests.league.blobs.stores import use

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]
DATA = b"weights" * 1000
DIGEST = store.digest_of(DATA)


def put(data=DATA):
    named = {store.digest_of(data): data}
    store.write_ahead(named)
    with transaction.atomic():
        store.put(named)


def refer(digest=DIGEST, path="weights.bin"):
    source, _ = Source.objects.get_or_create(digest="0" * 64, defaults={"bundle": True})
    return SourceFile.objects.create(source=source, path=path, blob_id=digest)


def age(days=2):
    Blob.objects.update(created_at=timezone.now() - timedelta(days=days))


def test_what_nothing_refers_to_goes_after_a_day(blob_store):
    put()
    assert collecting.collect_old() == 0
    age()
    assert collecting.collect_old() == 1
    assert not Blob.objects.exists()
    if storage := store.outside():
        assert not storage.exists(store.name_of(DIGEST))


def test_what_something_refers_to_stays(blob_store):
    put()
    refer()
    age()
    assert collecting.collect_old() == 0
    assert collecting.collect([DIGEST]) == 0
    assert store.read(DIGEST) == DATA


def test_what_lost_its_last_reference_can_go_at_once(blob_store):
    put()
    refer().delete()
    assert collecting.collect([DIGEST, "f" * 64]) == 1
    put()
    assert store.read(DIGEST) == DATA


def test_files_of_crashed_uploads_go_after_a_day(settings, tmp_path):
    use(settings, str(tmp_path))
    put()
    refer()
    store.write_ahead({store.digest_of(b"stray"): b"stray"})
    growing = tmp_path / DIGEST[:2] / f"{DIGEST}.0123456789abcdef.growing"
    growing.write_bytes(b"half")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "README").write_text("of the operator")
    assert collecting.collect_strays() == 0
    for path in tmp_path.rglob("*"):
        os.utime(path, (0, 0))
    assert collecting.collect_strays() == 2
    left = sorted(path.name for path in Path(tmp_path).rglob("*") if path.is_file())
    assert left == sorted(["README", DIGEST])
    assert Blob.objects.count() == 1


def test_strays_of_a_bucket_go_too(blob_store):
    put()
    refer()
    if storage := store.outside():
        store.write_ahead({store.digest_of(b"stray"): b"stray"})
        later = timezone.now() + timedelta(days=2)
        assert collecting.collect_strays(now=later) == 1
        assert storage.exists(store.name_of(DIGEST))
    else:
        assert collecting.collect_strays() == 0


@pytest.mark.parametrize("first", ["upload", "collector"])
def test_a_new_reference_and_the_collector_never_lose_a_blob(settings, tmp_path, first):
    use(settings, str(tmp_path))
    put()
    age()
    inside, other_begins = threading.Event(), threading.Event()

    def upload():
        store.write_ahead({DIGEST: DATA})
        with transaction.atomic():
            store.put({DIGEST: DATA})
            if first == "upload":
                inside.set()
                other_begins.wait(10)
            refer()
        connection.close()

    def collect():
        with transaction.atomic():
            collecting.collect([DIGEST])
            if first == "collector":
                inside.set()
                other_begins.wait(10)
        connection.close()

    one, other = (upload, collect) if first == "upload" else (collect, upload)
    threads = [threading.Thread(target=one), threading.Thread(target=other)]
    threads[0].start()
    inside.wait(10)
    threads[1].start()
    # The second one waits for the first, wherever it waits.
    threads[1].join(0.5)
    other_begins.set()
    for thread in threads:
        thread.join(20)
    assert SourceFile.objects.get().blob_id == DIGEST
    assert store.read(DIGEST) == DATA
