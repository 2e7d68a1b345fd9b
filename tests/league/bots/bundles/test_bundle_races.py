"""What happens to files at the same moment comes out as if it had happened one by one."""

import threading
from contextlib import suppress
from io import BytesIO

import pytest
from django.db import connection, transaction

from league.blobs import collecting, store
from league.blobs.models import Blob
from league.bots import erasing, services
from league.bots.bundles import playing, sources, stepwise
from league.bots.models import BotVersion, OpenUpload, Source
from league.errors import Refused
from tests.league.factories import make_bot, make_bundle, make_user, make_version
from tests.league.workers.test_races import at_once

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]
BUNDLE = make_bundle()


def together(*acts):
    """Do all of it at the same moment."""

    def run(act):
        try:
            act()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def begin_and_send(bot, bundle=BUNDLE):
    upload = stepwise.begin(bot, bundle.listing.files)
    for file in bundle.listing.files:
        stepwise.receive(upload, file.digest, BytesIO(bundle.files[file.path]))
    return upload


def test_an_upload_that_is_finished_twice_at_once_is_one_version():
    upload = begin_and_send(make_bot(make_user()))
    results = at_once(lambda _: stepwise.finish(OpenUpload.objects.get(pk=upload.pk)), 3)
    assert results.count(None) == 2
    assert BotVersion.objects.count() == 1
    assert sources.load(BUNDLE.digest) == BUNDLE


def test_the_same_files_from_many_users_are_stored_once():
    bots = [make_bot(make_user()) for _ in range(4)]
    assert None not in at_once(lambda number: services.upload(bots[number], BUNDLE))
    assert Source.objects.count() == 1
    assert Blob.objects.count() == 3


def test_users_with_overlapping_files_never_wait_in_a_circle():
    bots = [make_bot(make_user()) for _ in range(4)]
    bundles = [make_bundle(bytes([number % 2]), str(number % 3)) for number in range(4)]
    for _ in range(5):
        assert None not in at_once(lambda number: services.upload(bots[number], bundles[number]))
    for bundle in bundles:
        assert sources.load(bundle.digest) == bundle


def test_the_quota_is_not_exceeded_by_doing_everything_at_once(settings):
    settings.BUNDLE_QUOTA_MIB = 3
    owner = make_user()
    bots = [make_bot(owner) for _ in range(3)]
    bundles = [make_bundle(bytes([number]) * (2 << 20)) for number in range(3)]
    uploads = at_once(lambda number: services.upload(bots[number], bundles[number]), 3)
    assert uploads.count(None) == 2


def test_uploads_are_opened_up_to_the_limit_whoever_comes_first():
    bot = make_bot(make_user())
    bundles = [make_bundle(note=str(number)) for number in range(8)]
    begun = at_once(lambda number: stepwise.begin(bot, bundles[number].listing.files), 8)
    assert begun.count(None) == 3
    assert OpenUpload.objects.count() == 5


@pytest.mark.parametrize("attempt", range(5))
def test_finishing_while_everything_is_collected_loses_nothing(attempt):
    bot = make_bot(make_user())
    upload = begin_and_send(bot, make_bundle(note=str(attempt)))
    digests = set(Blob.objects.values_list("pk", flat=True))

    def collect():
        for _ in range(20):
            collecting.collect(digests)

    together(lambda: stepwise.finish(upload), collect)
    assert sources.load(upload.digest).digest == upload.digest


@pytest.mark.parametrize("attempt", range(5))
def test_deleting_code_while_others_upload_it_loses_nothing(attempt):
    bot = make_bot(make_user())
    old = make_version(bot, BUNDLE)
    make_version(bot)
    other = make_bot(make_user())
    together(lambda: erasing.erase_version(old), lambda: services.upload(other, BUNDLE))
    assert other.versions.get().source_id == BUNDLE.digest
    assert sources.load(BUNDLE.digest) == BUNDLE
    together(lambda: erasing.erase_version(other.versions.get()))
    assert not Blob.objects.exists()


def test_cancelling_while_a_file_arrives_leaves_nothing():
    upload = stepwise.begin(make_bot(make_user()), BUNDLE.listing.files)
    file = BUNDLE.listing.files[0]

    def receive():
        with suppress(Refused):
            stepwise.receive(upload, file.digest, BytesIO(BUNDLE.files[file.path]))

    together(receive, lambda: stepwise.cancel(OpenUpload.objects.get(pk=upload.pk)))
    collecting.collect(Blob.objects.values_list("pk", flat=True))
    assert not Blob.objects.exists()
    assert not OpenUpload.objects.exists()


def test_processes_of_a_host_fill_an_empty_cache_at_once():
    version = make_version(make_bot(make_user()), make_bundle(b"cold"))
    places = at_once(lambda _: playing.code(version.source_id))
    assert len({place.folder for place in places}) == 1
    assert (places[0].folder / "data/weights.bin").read_bytes() == b"cold"


def test_a_blob_is_held_until_the_transaction_that_refers_to_it_is_over():
    digest = store.digest_of(b"held")
    with transaction.atomic():
        store.put({digest: b"held"})
    holding, done = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            assert store.hold([digest]) == {digest}
            holding.set()
            done.wait(1)

    def collect():
        holding.wait(10)
        collecting.collect([digest])
        assert done.is_set() or not threads[0].is_alive()

    threads = [threading.Thread(target=lambda: (hold(), connection.close()))]
    threads[0].start()
    collect()
    done.set()
    threads[0].join(10)
    assert not Blob.objects.exists()
