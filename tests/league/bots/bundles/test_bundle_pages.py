"""Uploading files by the form, and the pages of versions that have files."""

import json
import zipfile
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from league.blobs.models import Blob
from league.bots import checks, services
from league.bots.models import Bot, BotVersion, Source
from league.bots.source import file_view
from league.bots.views import difference, source as source_page
from league.web.throttling import Limit
from runners.bundles.bundle import Bundle
from runners.bundles.limits import BundleLimits
from runners.bundles.pack import pack
from tests.league.factories import make_bot, make_bundle, make_user
from tests.league.reading import text_of

pytestmark = pytest.mark.django_db

SCRIPT = {"HX-Request": "true"}
HEAD = b"{'descr': '<f4', 'fortran_order': False, 'shape': (12, 3), }".ljust(117) + b"\n"
ARRAY = b"\x93NUMPY\x01\x00" + len(HEAD).to_bytes(2, "little") + HEAD + bytes(144)
BUNDLE = make_bundle()
BIG = Bundle(
    {
        **BUNDLE.files,
        "config.json": b'{"depth": 3}\n',
        "nets/first.npy": ARRAY,
        "picture.svg": b"<svg onload='alert(1)'></svg>",
        "page.html": b"<script>alert(1)</script>",
    }
)


@pytest.fixture
def mira(client):
    user = make_user("mira")
    client.force_login(user)
    return user


@pytest.fixture
def shark(mira):
    """A bot whose only version is a bundle."""
    bot = make_bot(mira, "Shark")
    services.upload(bot, BIG)
    return bot


def form_of(files, **fields):
    """The form as the script of the page fills it."""
    parts = [SimpleUploadedFile(path.rpartition("/")[2], data) for path, data in files.items()]
    return {"file": parts, "paths": json.dumps(list(files)), **fields}


def listing_of(files):
    return json.dumps([[path, len(data)] for path, data in files.items()])


def accept(version):
    """Activate a version without its check."""
    BotVersion.objects.filter(pk=version.pk).update(status=BotVersion.Status.ACCEPTED)
    services.activate(version.bot, version.number)


def test_a_dropped_folder_becomes_a_version_and_what_is_junk_is_left_out(client, mira):
    files = {f"shark/{path}": data for path, data in BUNDLE.files.items()}
    junk = {"shark/.git/HEAD": b"", "shark/__pycache__/model.cpython-311.pyc": b"x"}
    client.post("/bots/new/", form_of(files | junk, name="Shark", note="a net"))
    version = BotVersion.objects.get()
    assert (version.source_id, version.source.bundle) == (BUNDLE.digest, True)
    assert (version.bot.name, version.note) == ("Shark", "a net")


def test_several_files_and_a_zip_work_without_a_script(client, mira):
    flat = {path: data for path, data in BUNDLE.files.items() if "/" not in path}
    files = [SimpleUploadedFile(path, data) for path, data in flat.items()]
    client.post("/bots/new/", {"name": "Flat", "code": "x = 1", "file": files})
    packed = SimpleUploadedFile("shark.zip", pack(BUNDLE, compress=True))
    client.post("/bots/new/", {"name": "Zip", "code": "x = 1", "file": packed})
    flat_version, zip_version = BotVersion.objects.order_by("bot__name")
    assert flat_version.source_id == Bundle(flat).digest
    assert zip_version.source_id == BUNDLE.digest


def test_a_script_is_told_where_to_go_and_gets_only_what_it_shows(client, mira):
    answer = client.post("/bots/new/", form_of(BUNDLE.files, name="Shark"), headers=SCRIPT)
    upload = f"/uploads/{BotVersion.objects.get().pk}/"
    assert (answer.status_code, answer["HX-Redirect"]) == (204, upload)
    answer = client.post("/bots/new/", form_of(BUNDLE.files, name="Shark"), headers=SCRIPT)
    assert (answer.status_code, "<html" in answer.content.decode()) == (409, False)
    assert "upload a new version of it instead" in text_of(answer)
    answer = client.post("/bots/new/", form_of(BUNDLE.files, name=""), headers=SCRIPT)
    assert (answer.status_code, "Name: This field is required." in text_of(answer)) == (422, True)


def test_a_look_at_files_needs_only_the_python_ones(client, mira):
    files = BIG.files | {".DS_Store": b"junk"}
    python = {path: data for path, data in files.items() if path.endswith(".py")}
    form = form_of(python, listing=listing_of(files))
    answer = client.post("/bots/check/", form, headers=SCRIPT)
    page = text_of(answer)
    assert "No problems found." in page
    assert "1 left out" in page
    assert "NumPy array" in page
    kept = answer.context["feedback"].reading.kept
    assert [list(files)[at] for at in kept] == list(BIG.files)
    assert not Source.objects.exists()


@pytest.mark.parametrize(
    ("files", "words"),
    [
        pytest.param({"model.py": b"x = 1\n"}, ["E109", "no bot.py", "top"], id="no bot"),
        pytest.param(
            {**BUNDLE.files, "model.py": b"def best(\n"},
            ["E101", "model.py", "line 1"],
            id="syntax",
        ),
        pytest.param(
            {**BUNDLE.files, "bot.py": b"import nett\n" + BUNDLE.files["bot.py"]},
            ["E110", "nett", "bot.py"],
            id="missing module",
        ),
        pytest.param({**BUNDLE.files, "fast.so": b""}, ["E109", "fast.so"], id="compiled"),
        pytest.param({**BUNDLE.files, "../x": b""}, ["E109", "../x"], id="leads out"),
        pytest.param({**BUNDLE.files, "BOT.py": b""}, ["E109", "BOT.py"], id="case"),
    ],
)
def test_a_look_names_the_file_that_is_wrong(client, mira, files, words):
    answer = client.post("/bots/check/", form_of(files), headers=SCRIPT)
    page = text_of(answer)
    assert all(word.lower() in page.lower() for word in words), page
    assert "data-refused" in answer.content.decode()
    answer = client.post("/bots/new/", form_of(files, name="Shark"))
    assert answer.status_code == 422
    assert not Bot.objects.exists()


def test_limits_are_told_from_names_and_sizes_alone(client, mira, settings):
    settings.BUNDLE_LIMITS = BundleLimits(unpacked_mib=64, packed_mib=20, files=3)
    for listing, words in [
        ([["bot.py", 9], ["big.npy", 65 << 20]], "65.0 MB"),
        ([["bot.py", 9], ["big.npy", 21 << 20]], "a form takes 20 MB"),
        ([["shark.zip", 21 << 20]], "The archive has 21.0 MB"),
        ([["bot.py", 1], *([f"{n}.npy", 1] for n in range(9))], "has 10 files, the limit is 3"),
    ]:
        form = {"paths": "[]", "listing": json.dumps(listing)}
        page = text_of(client.post("/bots/check/", form, headers=SCRIPT))
        assert "E109" in page
        assert words in page


def test_contents_that_are_too_much_for_a_look_are_read_when_it_is_asked_for(client, mira):
    form = {"paths": "[]", "listing": listing_of(BUNDLE.files)}
    answer = client.post("/bots/check/", form, headers=SCRIPT)
    assert "is read when you press Check" in text_of(answer)
    packed = pack(BUNDLE)
    form = {"paths": "[]", "listing": listing_of({"shark.zip": packed})}
    assert "is read when you press Check" in text_of(client.post("/bots/check/", form))
    form |= form_of({"shark.zip": packed})
    page = text_of(client.post("/bots/check/", form, headers=SCRIPT))
    assert "No problems found." in page
    assert "model.py" in page


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"paths": '["a"]'}, id="too few names"),
        pytest.param({"paths": '{"a": 1}'}, id="no list"),
        pytest.param({"paths": "[1, 2, 3]"}, id="no names"),
        pytest.param({"paths": '["a", "a", "b"]'}, id="twice"),
        pytest.param({"listing": '[["bot.py", -1]]'}, id="negative"),
        pytest.param({"listing": '["bot.py"]'}, id="no sizes"),
        pytest.param({"listing": "nonsense"}, id="no JSON"),
    ],
)
def test_lists_that_do_not_fit_the_files_are_refused(client, mira, fields):
    form = form_of(BUNDLE.files, name="Shark") | fields
    assert client.post("/bots/new/", form).status_code == 422
    assert client.post("/bots/new/", form, headers=SCRIPT).status_code == 422
    assert not Bot.objects.exists()


def test_guests_may_look_at_files_and_are_told_that_they_are_not_kept(client):
    look = client.post("/bots/check/", form_of(BUNDLE.files), headers=SCRIPT)
    assert "No problems found." in text_of(look)
    assert "Sign in to upload files." in text_of(look)
    for address in ("/bots/new/", "/bots/shark/versions/new/"):
        answer = client.post(address, form_of(BUNDLE.files, name="Shark"), headers=SCRIPT)
        assert answer.status_code == 403
        assert "Sign in to upload files." in text_of(answer)
    packed = SimpleUploadedFile("shark.zip", pack(BUNDLE))
    answer = client.post("/bots/shark/versions/new/", {"file": packed})
    assert (answer.status_code, "draft" in client.session) == (403, False)


def test_the_form_says_how_much_there_may_be_and_how_much_is_taken(client, shark):
    page = text_of(client.get("/bots/new/"))
    assert "A bundle may have 500 files with 64 MB" in page
    assert "of 200" in page
    assert "how to free space" in page
    page = text_of(client.get("/me/"))
    assert "Shark v1" in page
    assert "delete the code of versions" in page


def test_a_bundle_is_not_edited_in_the_box(client, shark):
    accept(shark.versions.get())
    page = client.get("/bots/shark/versions/new/")
    assert "v1 is a bundle" in text_of(page)
    assert page.context["form"].initial["code"] == ""
    client.post("/bots/shark/versions/new/", form_of(BUNDLE.files))
    assert shark.versions.count() == 2


def test_the_quota_is_refused_with_what_is_used(client, shark, settings):
    settings.BUNDLE_QUOTA_MIB = 0
    answer = client.post("/bots/shark/versions/new/", form_of({**BUNDLE.files, "new": b"x"}))
    assert answer.status_code == 413
    assert "L015" in text_of(answer)


def test_the_versions_say_how_large_a_bundle_is(client, shark):
    assert f"bundle, {len(BIG.files)} files," in text_of(client.get("/bots/shark/versions/"))


def test_the_tree_leads_to_each_file(client, shark):
    page = client.get("/bots/shark/versions/1/")
    assert f"{len(BIG.files)} files: 2 Python" in text_of(page)
    assert '<span class="nc">MyBot</span>' in page.content.decode()
    assert "style=" not in page.content.decode()
    page = client.get("/bots/shark/versions/1/files/config.json/")
    assert '<span class="mi">3</span>' in page.content.decode()
    page = text_of(client.get("/bots/shark/versions/1/files/nets/first.npy/"))
    assert "float32, 12 × 3" in page
    for missing in ("nothing.py", "nets", "../bot.py"):
        assert client.get(f"/bots/shark/versions/1/files/{missing}/").status_code == 404


def test_nothing_of_a_file_is_markup_of_the_page(client, shark):
    for name in ("picture.svg", "page.html"):
        page = client.get(f"/bots/shark/versions/1/files/{name}/").content.decode()
        assert "alert(1)" in page
        assert "<svg onload" not in page
        assert "<script>alert" not in page


def test_files_come_back_as_they_were_and_are_never_shown_by_a_browser(client, shark):
    for path, data in BIG.files.items():
        answer = client.get(f"/bots/shark/versions/1/raw/{path}")
        assert answer.content == data
        assert answer["Content-Type"] == "application/octet-stream"
        assert answer["Content-Disposition"].startswith("attachment; filename=")
        assert answer["X-Content-Type-Options"] == "nosniff"
    answer = client.get("/bots/shark/versions/1/bundle.zip")
    assert answer.content == pack(BIG)
    assert zipfile.ZipFile(BytesIO(answer.content)).testzip() is None
    again = client.get(
        "/bots/shark/versions/1/bundle.zip", headers={"If-None-Match": answer["ETag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_others_read_the_code_or_the_data_as_the_owner_decided(client, shark):
    accept(shark.versions.get())
    pages = [
        "",
        "bundle.zip",
        "files/model.py/",
        "raw/model.py",
        "raw/config.json",
        "files/config.json/",
    ]

    def statuses():
        answers = [client.get(f"/bots/shark/versions/1/{page}") for page in pages]
        return [answer.status_code for answer in answers]

    assert statuses() == [200] * 6
    client.logout()
    assert statuses() == [404] * 6
    client.force_login(shark.owner)
    client.post("/bots/shark/versions/1/publish/", {"public": "1", "back": "source"})
    client.logout()
    assert statuses() == [200, 200, 200, 200, 404, 404]
    page = client.get("/bots/shark/versions/1/")
    assert "not its data files" in text_of(page)
    assert "config.json" in text_of(page)
    digests = {file.path: file.digest for file in BIG.listing.files}
    assert digests["config.json"] not in page.content.decode()
    archive = zipfile.ZipFile(BytesIO(client.get("/bots/shark/versions/1/bundle.zip").content))
    assert sorted(archive.namelist()) == ["bot.py", "model.py"]
    client.force_login(shark.owner)
    client.post("/bots/shark/versions/1/publish/", {"public": "data"})
    client.logout()
    assert statuses() == [200] * 6


def test_a_difference_is_told_file_by_file(client, shark):
    changed = Bundle(
        {
            "bot.py": BIG.files["bot.py"],
            "model.py": BIG.files["model.py"] + b"# more\n",
            "config.json": b'{"depth": 4}\n',
            "nets/first.npy": ARRAY + b"x",
            "new.txt": b"new",
            "page.html": BIG.files["page.html"],
        }
    )
    services.upload(shark, changed)
    page = text_of(client.get("/bots/shark/diff/?old=1&new=2"))
    assert "3 files changed, 1 added, 2 removed." in page
    assert "1 line added, 1 removed" in page
    assert "2 unchanged files" in page
    services.upload(shark, b"from bots_sdk import Bot\n")
    page = text_of(client.get("/bots/shark/diff/?old=2&new=3"))
    assert "1 file changed, 5 removed." in page
    assert "All files are identical." in text_of(client.get("/bots/shark/diff/?old=1&new=1"))


def test_a_difference_leaves_out_data_that_may_not_be_read(client, shark):
    accept(shark.versions.get())
    services.upload(shark, Bundle({**BIG.files, "config.json": b"{}"}))
    for number, public in ((1, "data"), (2, "1")):
        client.post(f"/bots/shark/versions/{number}/publish/", {"public": public})
    client.logout()
    page = text_of(client.get("/bots/shark/diff/?old=1&new=2"))
    assert "Data files are not compared" in page
    assert "All files are identical." in page
    assert "config.json" not in page


def test_reading_and_comparing_without_end_is_refused(client, shark, monkeypatch):
    assert client.get("/bots/shark/versions/1/").status_code == 200
    # None at all: where processes share a cache, tests beside this one may empty it at any time.
    monkeypatch.setattr(source_page, "READINGS_PER_USER", Limit("readings", 0))
    monkeypatch.setattr(difference, "DIFFERENCES_PER_USER", Limit("differences", 0))
    for page in ("versions/1/", "versions/1/bundle.zip", "versions/1/raw/bot.py", "diff/"):
        assert client.get(f"/bots/shark/{page}").status_code == 429


def test_a_damaged_store_is_said_to_be_our_fault(client, shark):
    Blob.objects.filter(files__path="config.json").update(data=b"damaged")
    for page in ("files/config.json/", "raw/config.json", "bundle.zip"):
        answer = client.get(f"/bots/shark/versions/1/{page}")
        assert (answer.status_code, "S003" in text_of(answer)) == (503, True)


def test_long_files_are_offered_and_not_shown(client, shark, monkeypatch):
    monkeypatch.setattr(file_view, "MAX_TEXT", 5)
    page = text_of(client.get("/bots/shark/versions/1/files/config.json/"))
    assert "Download it to look inside." in page


def test_the_owner_deletes_the_code_of_a_version_that_does_not_play(client, shark):
    accept(shark.versions.get())
    page = "/bots/shark/versions/1/delete/"
    assert "Delete the code of v1" in text_of(client.get(page))
    answer = client.post(page)
    assert (answer.status_code, "L014" in text_of(answer)) == (409, True)
    accept(services.upload(shark, BUNDLE).version)
    answer = client.post(page, follow=True)
    assert "The code of v1 is deleted." in text_of(answer)
    assert "code deleted" in text_of(answer)
    assert "suspended by staff" not in text_of(answer)
    client.force_login(make_user("eve"))
    assert client.post("/bots/shark/versions/2/delete/").status_code == 404


def test_the_check_of_a_bundle_says_which_file_failed(client, shark):
    broken = Bundle({**BUNDLE.files, "model.py": b"def best(options)\n    pass\n"})
    version = services.upload(shark, broken).version
    BotVersion.objects.exclude(pk=version.pk).update(status=BotVersion.Status.ACCEPTED)
    checks.run(checks.claim())
    page = client.get(f"/uploads/{version.pk}/")
    assert "model.py:1" in text_of(page)
    assert "1 | def best(options)" in page.content.decode()
    assert "drop the folder again" in text_of(page)
