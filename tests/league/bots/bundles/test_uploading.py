"""Bundles as versions: a zip or several files, stored once, and never mistaken for other code."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.blobs import store
from league.blobs.models import Blob
from league.bots import moderation, services
from league.bots.bundles import playing, sources
from league.bots.models import BotVersion, Source, SourceFile
from league.errors import Refused
from runners.bundles.bundle import Bundle
from runners.bundles.pack import pack
from runners.failures import InfrastructureError
from tests.league.asking import ask
from tests.league.blobs.stores import nobody_listens, use
from tests.league.factories import SOURCE, make_bot, make_bundle, make_key, make_user, make_version

pytestmark = pytest.mark.django_db
BUNDLE = make_bundle()


@pytest.fixture
def owner():
    return make_user("mira")


@pytest.fixture
def bot(owner):
    return make_bot(owner, "Shark")


@pytest.fixture
def key(owner, bot):
    return make_key(owner)


def test_a_zip_becomes_a_version_with_files(bot, blob_store):
    version = services.upload(bot, pack(BUNDLE, compress=True), "with weights").version
    assert version.source_id == BUNDLE.digest
    assert version.source.bundle
    assert version.source.text == BUNDLE.files["bot.py"].decode()
    assert sources.listing(version.source_id) == BUNDLE.listing
    assert sources.load(version.source_id) == BUNDLE


def test_files_that_came_together_are_the_same_version(bot):
    first = services.upload(bot, pack(BUNDLE)).version
    again = services.upload(bot, BUNDLE)
    in_a_folder = services.upload(bot, Bundle({f"my/{p}": d for p, d in BUNDLE.files.items()}))
    assert again.version == in_a_folder.version == first
    assert again.reused
    assert in_a_folder.reused


def test_versions_share_the_files_that_did_not_change(bot):
    for number in range(3):
        make_version(bot, make_bundle(note=str(number)))
    assert Blob.objects.count() == 5
    assert SourceFile.objects.count() == 9


def test_a_bundle_of_one_file_is_not_the_file_alone(bot):
    single = services.upload(bot, SOURCE.encode()).version
    bundle = services.upload(bot, Bundle({"bot.py": SOURCE.encode()})).version
    assert not single.source.bundle
    assert bundle.source.bundle
    assert single.source_id != bundle.source_id


def test_nobody_takes_the_place_of_a_bundle_by_uploading_its_list(bot):
    with pytest.raises(Refused, match="the list of the files of a bundle"):
        services.upload(bot, BUNDLE.listing.text.encode())
    assert not Source.objects.exists()


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        pytest.param({"main.py": b""}, r"bot\.py", id="no bot.py"),
        pytest.param({"bot.py": b"\xff"}, r"`bot\.py`.*UTF-8", id="an entry that is no text"),
        pytest.param({"bot.py": b"", "../x": b""}, "out of the bundle", id="a path that leads out"),
        pytest.param({"bot.py": b"", "x.so": b""}, r"`x\.so`.*compiled", id="an extension module"),
        pytest.param({"bot.py": b"x" * (300 << 10)}, r"`bot\.py`.*limit", id="a large entry"),
    ],
)
def test_files_that_are_no_bundle_are_refused_by_name(bot, files, reason):
    with pytest.raises(Refused, match=reason) as refusal:
        services.upload(bot, Bundle(files))
    assert (refusal.value.code, refusal.value.status) == ("E109", 422)
    assert not Source.objects.exists()
    assert not Blob.objects.exists()


def test_limits_are_those_of_the_operator(bot, settings):
    settings.BUNDLE_LIMITS = type(settings.BUNDLE_LIMITS)(files=2)
    with pytest.raises(Refused, match="3 files, the limit is 2"):
        services.upload(bot, BUNDLE)


def test_suspended_code_stays_out_as_a_bundle_too(bot, owner):
    single = make_version(bot)
    moderation.suspend(single, "it cheats")
    wrapped = Bundle({"bot.py": single.source.text.encode(), "notes.txt": b"nothing to see"})
    bundle = make_version(make_bot(make_user()), BUNDLE)
    moderation.suspend(bundle, "it cheats")
    for code in (wrapped, BUNDLE, pack(BUNDLE)):
        with pytest.raises(Refused) as refusal:
            services.upload(make_bot(owner), code)
        assert refusal.value.code == "L013"
    # The file with the bot alone is nothing that many could not have in common.
    other = make_bundle(b"other weights")
    assert not services.upload(make_bot(owner), other).reused


def test_a_store_that_does_not_answer_refuses_the_upload(bot, settings, monkeypatch):
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    use(settings, f"s3://key:secret@karat?endpoint_url={nobody_listens()}&region_name=us-east-1")
    with pytest.raises(Refused) as refusal:
        services.upload(bot, BUNDLE)
    assert (refusal.value.code, refusal.value.status) == ("S003", 503)
    assert not BotVersion.objects.exists()


def test_the_api_takes_a_zip(bot, key):
    form = {"source": SimpleUploadedFile("shark.zip", pack(BUNDLE)), "note": "zipped"}
    answer = ask("bots/shark/versions", key=key, form=form)
    assert answer.status_code == 202, answer.json()
    facts = {"digest": BUNDLE.digest, "bundle": True, "note": "zipped", "data_public": False}
    assert answer.json().items() >= facts.items()


def test_the_api_takes_several_files_with_their_paths(bot, key):
    paths, contents = zip(*BUNDLE.files.items(), strict=True)
    names = [path.rpartition("/")[2] for path in paths]
    files = [SimpleUploadedFile(name, data) for name, data in zip(names, contents, strict=True)]
    answer = ask("bots/shark/versions", key=key, form={"files": files, "paths": paths})
    assert answer.status_code == 202, answer.json()
    assert answer.json()["digest"] == BUNDLE.digest


def test_files_without_paths_lie_beside_each_other(bot, key):
    files = [SimpleUploadedFile("bot.py", SOURCE.encode()), SimpleUploadedFile("w.bin", b"w")]
    answer = ask("bots/shark/versions", key=key, form={"files": files})
    assert answer.json()["digest"] == Bundle({"bot.py": SOURCE.encode(), "w.bin": b"w"}).digest


@pytest.mark.parametrize(
    ("paths", "more", "reason"),
    [
        pytest.param(["bot.py"], {}, "2 files and 1 paths", id="a path too few"),
        pytest.param(["bot.py", "bot.py"], {}, "twice", id="a path twice"),
        pytest.param(["bot.py", "/etc/passwd"], {}, "leads out", id="an absolute path"),
        pytest.param(["bot.py", "w"], {"source": "x"}, "source", id="files and a source"),
    ],
)
def test_a_form_with_files_that_does_not_add_up_is_explained(bot, key, paths, more, reason):
    files = [SimpleUploadedFile("bot.py", SOURCE.encode()), SimpleUploadedFile("w", b"w")]
    answer = ask("bots/shark/versions", key=key, form={"files": files, "paths": paths, **more})
    assert answer.status_code == 422
    assert reason in answer.json()["detail"]


def test_a_refusal_names_the_file(bot, key):
    form = {"files": [SimpleUploadedFile("bot.py", b"\xff"), SimpleUploadedFile("w", b"w")]}
    assert ask("bots/shark/versions", key=key, form=form).json()["file"] == "bot.py"


def test_code_that_plays_is_fetched_once_and_then_asks_for_nothing(bot, blob_store):
    version = make_version(bot, make_bundle(note=blob_store))
    single = make_version(bot)
    bundle = playing.code(version.source_id)
    assert (bundle.folder / "data" / "weights.bin").read_bytes() == b"weights"
    assert bundle.text == version.source.text
    assert playing.code(single.source_id) == single.source.text
    with CaptureQueriesContext(connection) as queries:
        assert playing.code(version.source_id) is bundle
        playing.code(single.source_id)
    assert len(queries) == 0


def test_a_lost_file_is_a_failure_of_ours_when_it_is_to_play(bot):
    version = make_version(bot, make_bundle(b"lost"))
    Blob.objects.filter(pk=store.digest_of(b"lost")).update(data=None)
    with pytest.raises(InfrastructureError, match="missing"):
        playing.code(version.source_id)
    Blob.objects.filter(pk=store.digest_of(b"lost")).update(data=b"lust")
    with pytest.raises(InfrastructureError, match="damaged"):
        playing.code(version.source_id)
