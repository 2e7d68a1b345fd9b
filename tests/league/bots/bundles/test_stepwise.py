"""Uploads file by file: only what is missing is sent, and nobody learns what others have."""

import json
from datetime import timedelta
from io import BytesIO

import pytest
from django.test import Client
from django.utils import timezone

from league.blobs import collecting, store
from league.blobs.models import Blob
from league.bots import services
from league.bots.bundles import stepwise
from league.bots.models import BotVersion, OpenUpload
from league.errors import Refused
from runners.bundles.bundle import Bundle
from tests.league.asking import ROOT, ask
from tests.league.blobs.stores import nobody_listens, use
from tests.league.factories import (
    SOURCE,
    make_bot,
    make_bundle,
    make_key,
    make_user,
    make_version,
)

pytestmark = pytest.mark.django_db
BUNDLE = make_bundle(b"w" * 1000)
FILES = {file.digest: BUNDLE.files[file.path] for file in BUNDLE.listing.files}
WEIGHTS = store.digest_of(b"w" * 1000)


@pytest.fixture
def owner():
    return make_user("mira")


@pytest.fixture
def bot(owner):
    return make_bot(owner, "Shark")


@pytest.fixture
def key(owner, bot):
    return make_key(owner)


def announced(bundle=BUNDLE, note=""):
    files = [
        {"path": file.path, "size": file.size, "digest": file.digest}
        for file in bundle.listing.files
    ]
    return {"files": files, "note": note}


def begin(key, bundle=BUNDLE, slug="shark", **more):
    return ask(f"bots/{slug}/uploads", key=key, method="POST", send=announced(bundle, **more))


def send(key, upload, digest, data):
    return Client().put(
        f"{ROOT}uploads/{upload}/blobs/{digest}",
        data,
        content_type="application/octet-stream",
        headers={"Authorization": f"Bearer {key}"},
    )


def finish(key, upload):
    return ask(f"uploads/{upload}/finish", key=key, method="POST")


def test_a_bundle_comes_file_by_file_and_goes_on_where_it_stopped(bot, key, blob_store):
    begun = begin(key, note="in steps")
    assert begun.status_code == 201, begun.json()
    assert begun["Location"].endswith(f"/api/v1/uploads/{begun.json()['id']}")
    assert sorted(begun.json()["missing"]) == sorted(FILES)
    upload = begun.json()["id"]
    for digest in sorted(FILES)[:2]:
        assert send(key, upload, digest, FILES[digest]).status_code == 204
        assert send(key, upload, digest, FILES[digest]).status_code == 204
    again = begin(key, note="in steps").json()
    assert again["id"] == upload
    assert again["missing"] == sorted(FILES)[2:]
    early = finish(key, upload)
    assert (early.status_code, early.json()["code"]) == (409, "L016")
    assert "1 contents are missing" in early.json()["detail"]
    send(key, upload, again["missing"][0], FILES[again["missing"][0]])
    assert ask(f"uploads/{upload}", key=key).json()["missing"] == []
    finished = finish(key, upload)
    assert finished.status_code == 202, finished.json()
    assert finished["Location"].endswith("/api/v1/bots/shark/versions/1")
    facts = {"digest": BUNDLE.digest, "bundle": True, "note": "in steps", "status": "waiting"}
    assert finished.json().items() >= facts.items()
    assert finish(key, upload).status_code == 404
    assert not OpenUpload.objects.exists()
    assert not services.upload(make_bot(make_user()), BUNDLE).reused


def test_only_what_changed_has_to_be_sent(bot, key):
    make_version(bot, BUNDLE)
    better = make_bundle(b"better")
    assert begin(key, better).json()["missing"] == [store.digest_of(b"better")]


def test_the_same_bundle_again_leads_to_its_version(bot, key):
    version = make_version(bot, BUNDLE)
    upload = begin(key).json()
    assert upload["missing"] == []
    answer = finish(key, upload["id"])
    assert (answer.status_code, answer.json()["reused"]) == (202, True)
    assert answer.json()["number"] == version.number


@pytest.mark.parametrize(
    ("public", "data", "missing"),
    [
        pytest.param(False, False, 3, id="private"),
        pytest.param(True, False, 1, id="published code"),
        pytest.param(True, True, 0, id="published with data"),
    ],
)
def test_what_others_have_counts_only_if_everybody_may_read_it(bot, key, public, data, missing):
    other = make_version(make_bot(make_user()), BUNDLE)
    services.publish_source(other, public, data=data)
    assert len(begin(key).json()["missing"]) == missing


def test_files_of_hidden_and_unaccepted_bots_are_nobodys(bot, key):
    hidden = make_version(make_bot(make_user()), BUNDLE)
    services.publish_source(hidden, True, data=True)
    hidden.bot.hidden_at = timezone.now()
    hidden.bot.save()
    unaccepted = make_version(
        make_bot(make_user()), make_bundle(b"w" * 1000, "2"), status=BotVersion.Status.WAITING
    )
    services.publish_source(unaccepted, True, data=True)
    assert len(begin(key).json()["missing"]) == 3


def test_files_of_house_bots_are_everybodys(bot, key):
    make_version(make_bot(None, "Network"), BUNDLE)
    assert begin(key).json()["missing"] == []


def test_a_private_content_is_answered_like_one_that_nobody_has(bot, key):
    make_version(make_bot(make_user()), BUNDLE)
    upload = begin(key).json()
    for digest in upload["missing"]:
        for data in (b"guess", b"", FILES[digest] + b"x"):
            answer = send(key, upload["id"], digest, data)
            assert (answer.status_code, answer.json()["code"]) == (422, "L009")
    unknown = send(key, upload["id"], "f" * 64, b"x")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "L010")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"w" * 999 + b"v", "another digest", id="other bytes"),
        pytest.param(b"w" * 999, "1,000 bytes in the list, and 999 were sent", id="too few"),
        pytest.param(b"w" * 5000, "1,000 bytes in the list, and more", id="too many"),
    ],
)
def test_what_is_not_what_was_announced_is_not_stored(bot, key, data, reason):
    upload = begin(key).json()["id"]
    answer = send(key, upload, WEIGHTS, data)
    assert answer.status_code == 422
    assert reason in answer.json()["detail"]
    assert "data/weights.bin" in answer.json()["detail"]
    assert not Blob.objects.exists()


def test_a_digest_with_another_size_has_to_be_sent_and_is_then_refused(bot, key):
    make_version(bot, BUNDLE)
    document = announced()
    for file in document["files"]:
        if file["digest"] == WEIGHTS:
            file["size"] = 7
    upload = ask("bots/shark/uploads", key=key, method="POST", send=document).json()
    assert upload["missing"] == [WEIGHTS]
    assert send(key, upload["id"], WEIGHTS, FILES[WEIGHTS]).status_code == 422


@pytest.mark.parametrize(
    ("path", "code", "reason"),
    [
        pytest.param("../bot.py", "E109", "leads out", id="outside"),
        pytest.param("a/b/c/d/e/f/g/h/i.txt", "E109", "9 parts", id="too deep"),
        pytest.param("x.so", "E109", "compiled", id="an extension module"),
        pytest.param("BOT.py", "E109", "same name", id="a name that differs in case"),
        pytest.param("__pycache__/x.pyc", "E109", "left out", id="junk"),
        pytest.param("bot.py", "L009", "twice", id="a path twice"),
    ],
)
def test_a_list_that_is_no_bundle_is_refused(bot, key, path, code, reason):
    document = announced()
    document["files"].append({"path": path, "size": 1, "digest": "a" * 64})
    answer = ask("bots/shark/uploads", key=key, method="POST", send=document)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert reason in answer.json()["detail"]


def test_one_digest_has_one_size(bot, key):
    document = announced()
    document["files"].append({"path": "copy.bin", "size": 1, "digest": WEIGHTS})
    answer = ask("bots/shark/uploads", key=key, method="POST", send=document)
    assert "two sizes" in answer.json()["detail"]


def test_an_entry_that_is_no_text_is_refused_at_the_end(bot, key):
    bundle = Bundle({"bot.py": b"\xff\xfe"})
    upload = begin(key, bundle).json()["id"]
    send(key, upload, bundle.listing.files[0].digest, b"\xff\xfe")
    answer = finish(key, upload)
    assert (answer.status_code, answer.json()["code"]) == (422, "E109")
    assert answer.json()["file"] == "bot.py"


def test_open_uploads_are_few_and_can_be_deleted(bot, key):
    uploads = [begin(key, make_bundle(note=str(number))).json() for number in range(5)]
    sixth = begin(key, make_bundle(note="6"))
    assert (sixth.status_code, sixth.json()["code"]) == (409, "L016")
    listed = ask("uploads", key=key).json()
    assert [one["id"] for one in listed["items"]] == [one["id"] for one in uploads]
    assert listed["limit_bytes"] == 200 << 20
    assert ask(f"uploads/{uploads[0]['id']}", key=key, method="DELETE").status_code == 204
    assert begin(key, make_bundle(note="6")).status_code == 201


def test_deleting_an_upload_deletes_what_was_sent(bot, key, django_capture_on_commit_callbacks):
    upload = begin(key).json()["id"]
    send(key, upload, WEIGHTS, FILES[WEIGHTS])
    with django_capture_on_commit_callbacks(execute=True):
        ask(f"uploads/{upload}", key=key, method="DELETE")
    assert not Blob.objects.exists()


def test_what_is_not_finished_in_a_day_goes(bot, key):
    upload = begin(key).json()["id"]
    send(key, upload, WEIGHTS, FILES[WEIGHTS])
    assert stepwise.forget_old(10) == 0
    assert collecting.collect([WEIGHTS]) == 0
    OpenUpload.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert stepwise.forget_old(10) == 1
    assert collecting.collect([WEIGHTS]) == 1


def test_uploads_are_their_owners_alone(bot, key):
    upload = begin(key).json()["id"]
    stranger = make_key(make_user())
    for method, path in (
        ("GET", f"uploads/{upload}"),
        ("DELETE", f"uploads/{upload}"),
        ("POST", f"uploads/{upload}/finish"),
    ):
        assert ask(path, key=stranger, method=method).status_code == 404
    assert send(stranger, upload, WEIGHTS, FILES[WEIGHTS]).status_code == 404
    assert begin(stranger).status_code in (403, 404)
    reading = make_key(make_user(), "read")
    assert begin(reading).status_code == 403
    assert ask("uploads").status_code == 401


def test_a_retired_bot_and_a_full_day_are_said_at_the_beginning(bot, key, settings):
    settings.UPLOADS_PER_DAY = 0
    assert begin(key).status_code == 429
    bot.retired_at = timezone.now()
    bot.save()
    assert begin(key).json()["code"] == "L014"


def test_a_body_is_never_read_beyond_what_was_announced(bot):
    upload = stepwise.begin(bot, BUNDLE.listing.files)
    flood = BytesIO(b"w" * (1 << 20))
    with pytest.raises(Refused):
        stepwise.receive(upload, WEIGHTS, flood)
    assert flood.tell() == 1001


def test_a_store_that_does_not_answer_is_said(bot, key, settings, monkeypatch):
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    upload = begin(key).json()["id"]
    use(settings, f"s3://key:secret@karat?endpoint_url={nobody_listens()}&region_name=us-east-1")
    answer = send(key, upload, WEIGHTS, FILES[WEIGHTS])
    assert (answer.status_code, answer.json()["code"]) == (503, "S003")


def test_the_list_of_a_large_bundle_fits_into_a_body(bot, key, settings):
    many = {f"data/{number:03}/{'x' * 150}.bin": bytes([number % 256]) for number in range(499)}
    bundle = Bundle({"bot.py": SOURCE.encode(), **many})
    assert len(json.dumps(announced(bundle))) < settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    upload = begin(key, bundle).json()
    assert len(upload["missing"]) == 257
