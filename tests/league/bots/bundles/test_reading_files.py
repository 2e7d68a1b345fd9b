"""Reading the files of a version by the API: the same bytes for who may, nothing for others."""

from io import BytesIO
from zipfile import ZipFile

import pytest

from league.blobs.models import Blob
from league.bots import services
from league.bots.models import BotVersion
from runners.bundles.pack import pack
from runners.bundles.unpack import unpack
from tests.league.asking import ask
from tests.league.factories import make_bot, make_bundle, make_key, make_user, make_version

pytestmark = pytest.mark.django_db
BUNDLE = make_bundle(b"<html>weights")
FILES = "bots/shark/versions/1/files"
ZIP = "bots/shark/versions/1/bundle.zip"


@pytest.fixture
def version():
    return make_version(make_bot(make_user("mira"), "Shark"), BUNDLE)


@pytest.fixture
def key(version):
    return make_key(version.bot.owner)


def test_the_owner_reads_every_file_and_the_same_zip(version, key, blob_store):
    listed = ask(FILES, key=key).json()
    assert (listed["digest"], listed["entry"]) == (BUNDLE.digest, "bot.py")
    assert listed["size"] == BUNDLE.listing.size
    for file in BUNDLE.listing.files:
        row = {"path": file.path, "size": file.size, "digest": file.digest}
        assert row in listed["files"]
        answer = ask(f"{FILES}/{file.path}", key=key)
        assert answer.content == BUNDLE.files[file.path]
    answer = ask(ZIP, key=key)
    assert answer.content == pack(BUNDLE)
    assert unpack(answer.content) == BUNDLE
    assert ask("bots/shark/versions/1/source", key=key).content == BUNDLE.files["bot.py"]


def test_what_is_sent_is_saved_and_never_shown(version, key):
    for path in (f"{FILES}/data/weights.bin", ZIP):
        answer = ask(path, key=key)
        assert answer["Content-Type"] == "application/octet-stream"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Disposition"].startswith("attachment; filename=")
        assert answer["Cache-Control"] == "private, no-cache"
        assert "Authorization" in answer["Vary"]


def test_what_the_caller_has_already_is_not_read_again(version, key):
    path = f"{FILES}/data/weights.bin"
    etag = ask(path, key=key)["ETag"]
    Blob.objects.update(data=None)
    assert ask(path, key=key, **{"If-None-Match": etag}).status_code == 304
    lost = ask(path, key=key)
    assert (lost.status_code, lost.json()["code"]) == (503, "S003")


@pytest.mark.parametrize(
    ("public", "data", "paths"),
    [
        pytest.param(False, False, None, id="private"),
        pytest.param(True, False, ["bot.py", "model.py"], id="published code"),
        pytest.param(True, True, ["bot.py", "data/weights.bin", "model.py"], id="with data"),
        pytest.param(False, True, None, id="data without code is private"),
    ],
)
def test_others_read_what_is_published(version, public, data, paths):
    BotVersion.objects.filter(pk=version.pk).update(source_public=public, data_public=data)
    for key in (None, make_key(make_user())):
        listed, zipped = ask(FILES, key=key), ask(ZIP, key=key)
        if paths is None:
            assert (listed.status_code, zipped.status_code) == (404, 404)
            assert ask(f"{FILES}/bot.py", key=key).status_code == 404
            continue
        readable = [file["path"] for file in listed.json()["files"] if file["digest"]]
        assert sorted(readable) == paths
        assert len(listed.json()["files"]) == 3
        assert sorted(ZipFile(BytesIO(zipped.content)).namelist()) == paths
        for path in BUNDLE.files:
            expected = 200 if path in paths else 404
            assert ask(f"{FILES}/{path}", key=key).status_code == expected


def test_data_of_house_bots_is_public():
    make_version(make_bot(None, "Shark"), BUNDLE)
    assert ask(f"{FILES}/data/weights.bin").content == b"<html>weights"


def test_a_key_that_may_not_read_reads_nothing_private(version):
    key = make_key(version.bot.owner, "upload")
    assert ask(FILES, key=key).status_code == 403
    services.publish_source(version, True)
    assert ask(f"{FILES}/bot.py", key=key).status_code == 200
    assert ask(f"{FILES}/data/weights.bin", key=key).status_code == 404


def test_a_single_file_has_no_list_of_files(version, key):
    make_version(version.bot)
    answer = ask("bots/shark/versions/2/files", key=key)
    assert (answer.status_code, answer.json()["code"]) == (404, "L010")
    assert "single file" in answer.json()["detail"]
    assert ask("bots/shark/versions/2", key=key).json()["bundle"] is False


@pytest.mark.parametrize("path", ["no.py", "../bot.py", "data", "data/", "BOT.PY", "%00"])
def test_a_file_that_is_not_there_is_not_there(version, key, path):
    assert ask(f"{FILES}/{path}", key=key).status_code == 404


def test_lists_of_versions_say_which_have_files(version, key):
    make_version(version.bot)
    items = ask("bots/shark/versions", key=key).json()["items"]
    assert [(item["number"], item["bundle"]) for item in items] == [(2, False), (1, True)]
