"""Contents are stored once, whole or not at all, and what is read is what was stored."""

import os
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction

from league.blobs import store
from league.blobs.models import Blob
from league.config.blob_store import storages
from runners.failures import InfrastructureError
from tests.league.blobs.stores import nobody_listens, use

pytestmark = pytest.mark.django_db
DATA = bytes(range(256)) * 1000


def put(*contents):
    named = {store.digest_of(data): data for data in contents}
    store.write_ahead(named)
    with transaction.atomic():
        store.put(named)
    return list(named)


def files_below(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


def test_what_is_stored_is_read_again(blob_store):
    digests = put(DATA, b"", b"other")
    assert [store.read(digest) for digest in digests] == [DATA, b"", b"other"]
    assert Blob.objects.get(pk=digests[0]).size == len(DATA)


def test_a_content_is_stored_once_however_often_it_comes(blob_store):
    assert put(DATA) == put(DATA)
    assert Blob.objects.count() == 1


def test_outside_of_the_database_it_has_no_bytes(blob_store):
    (digest,) = put(DATA)
    outside = blob_store != "database"
    assert (Blob.objects.get(pk=digest).data is None) is outside
    assert (store.outside() is not None) is outside


def test_a_content_that_nobody_stored_is_a_failure_of_ours(blob_store):
    with pytest.raises(InfrastructureError, match=r"missing|cannot be read"):
        store.read(store.digest_of(DATA))


def test_a_damaged_content_is_a_failure_of_ours_until_it_comes_again(blob_store):
    (digest,) = put(DATA)
    if storage := store.outside():
        storage.delete(store.name_of(digest))
        with pytest.raises(InfrastructureError):
            store.read(digest)
        put(DATA)
        assert store.read(digest) == DATA
    else:
        Blob.objects.filter(pk=digest).update(data=DATA[1:])
        with pytest.raises(InfrastructureError, match="damaged"):
            store.read(digest)


def test_a_file_outside_with_other_bytes_is_never_taken_for_the_content(settings, tmp_path):
    use(settings, f"file:{tmp_path}/blobs")
    (digest,) = put(DATA)
    (path,) = files_below(tmp_path)
    path.write_bytes(DATA[::-1])
    with pytest.raises(InfrastructureError, match="damaged"):
        store.read(digest)


def test_a_write_that_fails_leaves_nothing_in_the_folder(settings, tmp_path, monkeypatch):
    use(settings, str(tmp_path))

    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InfrastructureError, match="No space left"):
        put(DATA)
    assert files_below(tmp_path) == []
    assert not Blob.objects.exists()


def test_files_of_the_folder_are_for_their_owner_alone(settings, tmp_path):
    use(settings, str(tmp_path))
    put(DATA)
    (path,) = files_below(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_bucket_that_does_not_answer_is_a_failure_of_ours(settings, monkeypatch):
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    use(settings, f"s3://key:secret@karat?endpoint_url={nobody_listens()}&region_name=us-east-1")
    with pytest.raises(InfrastructureError, match="cannot be written"):
        put(DATA)
    Blob.objects.create(digest=store.digest_of(DATA), size=len(DATA))
    with pytest.raises(InfrastructureError, match="cannot be read"):
        store.read(store.digest_of(DATA))


def test_what_the_database_has_is_read_after_the_store_changed(settings, tmp_path):
    (digest,) = put(DATA)
    use(settings, str(tmp_path))
    assert store.read(digest) == DATA


def test_the_place_is_named_without_keys(blob_store):
    names = {"database": "in the database", "folder": "in folder /", "bucket": "karat/league"}
    assert names[blob_store] in store.describe()
    assert "secret" not in store.describe()


def test_a_place_that_cannot_be_read_is_no_place(settings):
    use(settings, f"s3://key:secret@karat?endpoint_url={nobody_listens()}&region_name=us-east-1")
    with pytest.raises(OSError, match="Could not connect"):
        store.describe()


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        pytest.param("blobs", "BLOB_STORE must be", id="a relative folder"),
        pytest.param("ftp://host/blobs", "BLOB_STORE must be", id="another protocol"),
        pytest.param("file://host/blobs", "BLOB_STORE must be", id="a file of another host"),
        pytest.param("s3:///prefix", "BLOB_STORE must be", id="no bucket"),
        pytest.param("s3://bucket?endpoint=x", "knows endpoint_url", id="an unknown option"),
    ],
)
def test_an_address_of_no_store_stops_the_start(address, reason):
    with pytest.raises(ImproperlyConfigured, match=reason):
        storages(address)


@pytest.mark.parametrize(
    ("address", "options"),
    [
        pytest.param("/srv/blobs", {"location": "/srv/blobs"}, id="a folder"),
        pytest.param("file:/srv/my%20blobs", {"location": "/srv/my blobs"}, id="file:"),
        pytest.param("file:///srv/blobs", {"location": "/srv/blobs"}, id="file://"),
        pytest.param(
            "s3://karat/a/b/?endpoint_url=https://s3.example",
            {"bucket_name": "karat", "location": "a/b", "endpoint_url": "https://s3.example"},
            id="a bucket",
        ),
        pytest.param(
            "s3://me:s%2Fcret@karat",
            {"bucket_name": "karat", "location": "", "access_key": "me", "secret_key": "s/cret"},
            id="keys in the address",
        ),
    ],
)
def test_an_address_says_where_blobs_are(address, options):
    assert storages(address)["blobs"]["OPTIONS"] == options
