"""The upload form, open to guests, and the page of the check."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from league.bots import checks, services
from league.bots.models import Bot, BotVersion, SmokeMatch
from league.bots.views import upload
from league.web.throttling import Limit
from tests.league.factories import (
    GAME,
    SOURCE,
    make_bot,
    make_player,
    make_smoke_match,
    make_user,
    make_version,
)
from tests.league.reading import markup_of, text_of

pytestmark = pytest.mark.django_db

PASSWORD = "open sesame"
BROKEN = SOURCE.replace("options):", "options)")
HTMX = {"HX-Request": "true"}


@pytest.fixture
def mira(client):
    user = make_user("mira", email="mira@example.org")
    client.force_login(user)
    return user


@pytest.mark.parametrize("game", ["edel-stein-reich", "basari", "edelsteinsuche", "simplest"])
def test_every_bot_to_begin_with_passes_the_check_at_once(client, game):
    code = client.get("/bots/new/", {"game": game}).context["form"].initial["code"]
    told = client.post("/bots/check/", {"code": code}, headers=HTMX)
    assert "No problems found" in told.content.decode()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        pytest.param(BROKEN, ["E101", "Line 5, column 36", "5 |", "Go to line 5"], id="syntax"),
        pytest.param("x = 1\n", ["E102"], id="no class"),
        pytest.param(SOURCE + "\nimport socket\n", ["E105", "import socket"], id="import"),
        pytest.param(
            "import os\nimport socket\n\nclass A:\n    pass\n",
            ["2 problems", "E102", "E105"],
            id="two",
        ),
        pytest.param(
            SOURCE.replace("Bot):", 'Bot):\n    games = ["chess"]'), ["E107", "chess"], id="game"
        ),
        pytest.param("(" * 5000, ["E101", "too many nested"], id="nested"),
        pytest.param("   ", ["Paste your bot here"], id="empty"),
        pytest.param("<script>alert(1)</script>", ["&lt;script&gt;"], id="markup"),
    ],
)
def test_a_check_names_what_is_wrong_and_where_and_never_runs_the_code(client, code, said):
    part = client.post("/bots/check/", {"code": code}, headers=HTMX).content.decode()
    assert all(word in part for word in said), part
    assert "<html" not in part
    page = client.post("/bots/check/", {"code": code}).content.decode()
    assert all(word in page for word in said)
    assert "<html" in page


def test_a_check_runs_nothing(client, tmp_path):
    mark = tmp_path / "mark"
    code = f"{SOURCE}\nopen({str(mark)!r}, 'w')\n"
    client.post("/bots/check/", {"code": code}, headers=HTMX)
    client.post("/bots/new/", {"name": "Shark", "code": code})
    assert not mark.exists()


def test_guests_may_not_check_or_leave_drafts_without_end(client, monkeypatch):
    monkeypatch.setattr(upload, "CHECKS_PER_GUESTS", Limit("checks", 1))
    client.post("/bots/check/", {"code": SOURCE}, headers=HTMX)
    for address in ("/bots/check/", "/bots/new/"):
        answer = client.post(address, {"code": SOURCE, "name": "Tin Cup"})
        assert (answer.status_code, "L008" in answer.content.decode()) == (429, True)
        assert "class MyBot" in answer.content.decode()
    client.post("/bots/tin-cup/versions/new/", {"code": SOURCE})
    assert "draft" not in client.session


@pytest.mark.parametrize(
    ("form", "said", "status"),
    [
        pytest.param({"code": BROKEN}, "E101", 422, id="what the check finds"),
        pytest.param({"name": "<b>"}, "L002", 422, id="no name"),
        pytest.param({"name": "Taken"}, "There is a bot", 409, id="a name that is taken"),
        pytest.param({"name": "Mine"}, "upload a new version of it instead", 409, id="my name"),
        pytest.param({"name": ""}, "required", 422, id="empty name"),
        pytest.param({"code": "", "name": "Ruby"}, "Paste your bot", 422, id="no code"),
    ],
)
def test_what_cannot_be_uploaded_comes_back_with_the_reason_and_the_code(
    client, mira, form, said, status
):
    make_bot(make_user(), "Taken")
    make_bot(mira, "Mine")
    answer = client.post("/bots/new/", {"name": "Ruby", "code": SOURCE, **form})
    assert (answer.status_code, said in text_of(answer)) == (status, True)
    assert "class MyBot" in answer.content.decode() or not form.get("code", "x")
    assert not BotVersion.objects.exists()
    assert Bot.objects.count() == 2


def test_a_file_goes_before_the_box_and_one_that_cannot_be_read_is_refused(client, mira):
    file = SimpleUploadedFile("bot.py", b"\xef\xbb\xbf" + SOURCE.encode())
    client.post("/bots/new/", {"name": "From a file", "code": "x", "file": file})
    assert BotVersion.objects.get().source.text == SOURCE
    for data, said in [
        (b"PK\x03\x04zip", "E109"),
        (b"\xff", "not UTF-8"),
        (b"#" * 300_000, "293 KB, the limit is 256 KB"),
    ]:
        file = SimpleUploadedFile("bot.py", data)
        answer = client.post("/bots/new/", {"name": "Another", "code": "", "file": file})
        assert said in text_of(answer)
    file = SimpleUploadedFile("bot.py", BROKEN.encode())
    answer = client.post("/bots/new/", {"name": "Another", "code": "", "file": file})
    assert "def decide(self, view, options)\n" in answer.content.decode()
    assert Bot.objects.count() == 1


def test_the_quota_is_told_before_and_after_it_is_used_up(client, mira, settings):
    settings.UPLOADS_PER_DAY = 2
    assert "You can upload 2 more versions today." in text_of(client.get("/bots/new/"))
    make_version(make_bot(mira))
    assert "You can upload 1 more version today." in text_of(client.get("/bots/new/"))
    make_version(make_bot(mira))
    answer = client.post("/bots/new/", {"name": "Third", "code": SOURCE})
    assert (answer.status_code, "L001" in answer.content.decode()) == (429, True)
    assert not Bot.objects.filter(name="Third").exists()


# A new version


def test_a_check_of_a_new_version_shows_what_changed(client, mira):
    bot = make_player(mira)
    code = bot.active.source.text.replace("options[0]", "options[-1]")
    part = client.post(f"/bots/{bot.slug}/versions/check/", {"code": code}, headers=HTMX)
    assert "Against v1: 1 line added, 1 removed" in text_of(part)
    assert "<ins>        return options[-1]</ins>" in part.content.decode()


def test_identical_code_goes_back_to_its_version_and_says_so(client, mira):
    bot = make_player(mira)
    make_version(bot)
    form = {"code": bot.active.source.text}
    page = client.post(f"/bots/{bot.slug}/versions/new/", form, follow=True)
    assert "This is the same code as v1, so v1 is active now. Its rating stays." in text_of(page)
    assert bot.versions.count() == 2


# The check


def check_now():
    lease = checks.claim()
    assert lease is not None
    return checks.run(lease)


def test_an_upload_waits_with_its_place_and_is_never_called_failed(client, mira):
    make_version(make_bot(make_user()), status=BotVersion.Status.WAITING)
    version = make_version(make_bot(mira), status=BotVersion.Status.WAITING)
    page = client.get(f"/uploads/{version.pk}/")
    said = text_of(page)
    assert "W001 Waiting" in said
    assert "You are number 2 in the queue" in said
    assert "You may close this page" in said
    assert "failed" not in page.content.decode().lower()
    assert "hx-get" in page.content.decode()


def test_a_fragment_is_sent_again_only_when_something_changed(client, mira):
    version = make_version(make_bot(mira), status=BotVersion.Status.WAITING)
    first = client.get(f"/uploads/{version.pk}/", headers=HTMX)
    assert "<html" not in first.content.decode()
    again = client.get(f"/uploads/{version.pk}/", headers={**HTMX, "If-None-Match": first["ETag"]})
    assert again.status_code == 304
    BotVersion.objects.update(
        status="checking", steps=[{"name": "text", "ok": True, "text": "readable text", "ms": 0.1}]
    )
    later = client.get(f"/uploads/{version.pk}/", headers={**HTMX, "If-None-Match": first["ETag"]})
    assert later.status_code == 200
    assert re.search(r"running</span><span[^>]*>Python can parse it", markup_of(later))


def test_a_rejected_upload_shows_code_line_caret_and_fix_and_keeps_the_text(client, mira):
    version = services.upload(make_bot(mira), BROKEN.encode()).version
    check_now()
    page = client.get(f"/uploads/{version.pk}/")
    said = page.content.decode()
    assert "E101" in said
    assert (
        "5 |     def decide(self, view, options)\n  |                                    ^" in said
    )
    assert "hx-get" not in said
    link = re.search(r'href="(/bots/[^"]+)">Upload a fixed version', said)[1]
    assert client.get(link).context["form"].initial["code"] == BROKEN


def test_our_failure_is_told_as_ours(client, mira):
    version = make_version(make_bot(mira), status=BotVersion.Status.STUCK)
    page = client.get(f"/uploads/{version.pk}/")
    assert "S002" in text_of(page)
    assert "notice message ours" in page.content.decode()
    assert "Upload a fixed version" not in text_of(page)


@pytest.mark.parametrize(
    ("slowest_ms", "fault", "said"),
    [
        pytest.param(44.0, "", "slowest decision 44 ms of 250 ms ·", id="computing"),
        pytest.param(
            900.0,
            "",
            "slowest decision 900 ms of 2.0 s, waiting included ·",
            id="sleeping",
        ),
        pytest.param(251.0, "E302", "slowest decision 251 ms ·", id="too slow"),
    ],
)
def test_a_time_is_compared_with_the_limit_that_applies(client, mira, slowest_ms, fault, said):
    version = make_version(make_bot(mira))
    make_smoke_match(version)
    SmokeMatch.objects.update(slowest_ms=slowest_ms, fault=fault)
    assert said in text_of(client.get(f"/uploads/{version.pk}/"))
    assert said in text_of(client.get(f"/uploads/{version.pk}/smoke/{GAME}/"))


def test_an_accepted_upload_tells_where_it_goes(client, mira):
    version = make_version(make_bot(mira), games=["basari", "edelsteinsuche"])
    said = text_of(client.get(f"/uploads/{version.pk}/"))
    assert "Your first rating appears in about 2 minutes." in said
    assert "Basari" in said
    assert "hx-get" not in said
