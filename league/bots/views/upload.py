"""Uploading in a browser: the form, open to guests, and the page of the check."""

from dataclasses import dataclass, replace

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import conditional_page, require_POST
from django.views.decorators.vary import vary_on_headers

from bots_sdk.starters import starter
from engine.registry import GAMES
from league.accounts.models import User
from league.bots import drafts, queries, services
from league.bots.drafts import Draft
from league.bots.forms import CodeForm, NewBotForm
from league.bots.models import Bot, BotQuerySet, BotVersion
from league.bots.source.budget import read_for
from league.bots.source.diff import Difference, compare
from league.bots.source.findings import Reading
from league.bots.views import check_progress
from league.errors import Refused
from league.web.client_address import counted_address
from league.web.throttling import Budget, Limit
from runners.faults import Message, message

CHECKS_OF_USER = Limit("checks-user", 120)
CHECKS_OF_GUESTS = Limit("checks-guests", 600)
"""From one address, behind which a whole class may be typing."""
DRAFTS = Budget("drafts", 100, 10 * 60)
"""From one address. A draft is kept on the way to sign-up, so there are as many as sign-ups."""
SIMPLEST = "simplest"
_SIMPLEST_BOT = '''from bots_sdk import Bot


class MyBot(Bot):
    """Plays all games, and takes the first thing that it may do."""

    def decide(self, view, options):
        return options[0]
'''


@dataclass(frozen=True, slots=True)
class Told:
    """What the form says besides its fields."""

    reading: Reading | None = None
    change: Difference | None = None
    refusal: Message | None = None
    taken: Bot | None = None
    """A bot of the user that has this name already."""
    status: int = 200


def new(request: HttpRequest) -> HttpResponse:
    """The first version of a bot. Guests write and check it; to upload it they sign up."""
    if request.method != "POST":
        return _editor(request, NewBotForm(initial=_beginning(request)))
    form = NewBotForm(request.POST, request.FILES)
    if busy := _busy(request):
        return _editor(request, form, told=busy)
    if not form.is_valid():
        return _editor(request, form, told=Told(status=422))
    try:
        reading = _read(request, form)
    except Refused as refused:
        return _editor(request, form, told=_not_read(refused))
    if reading.problems:
        return _editor(request, form, told=Told(reading, status=422))
    said = form.cleaned_data
    if not isinstance(request.user, User):
        if later := _later(DRAFTS.seconds_to_wait(counted_address(request))):
            return _editor(request, form, told=replace(later, reading=reading))
        drafts.keep(request, Draft(reading.text, said["name"], said["note"]))
        return _to("accounts:signup", request.path)
    try:
        upload = services.found(request.user, said["name"], said["source"], said["note"])
    except Refused as refused:
        own = request.user.bots.filter(name__iexact=said["name"]).first()
        told = Told(reading, refusal=refused.message, taken=own, status=refused.status)
        return _editor(request, form, told=told)
    drafts.drop(request)
    return redirect(upload.version)


def new_version(request: HttpRequest, slug: str) -> HttpResponse:
    """The next version of a bot of one's own. Whose session ended meanwhile keeps the code."""
    if not isinstance(request.user, User):
        form = CodeForm(request.POST, request.FILES)
        if request.method == "POST" and form.is_valid() and not _busy(request):
            if later := _later(DRAFTS.seconds_to_wait(counted_address(request))):
                return _editor(request, form, told=later)
            note, data = form.cleaned_data["note"], form.cleaned_data["source"]
            drafts.keep(request, Draft(data.decode(errors="replace"), note=note, bot=slug))
        return _to("accounts:login", request.path)
    bot = get_object_or_404(request.user.bots.select_related("active__source"), slug=slug)
    if request.method != "POST":
        return _editor(request, CodeForm(initial=_last(request, bot)), bot)
    form = CodeForm(request.POST, request.FILES)
    if not form.is_valid():
        return _editor(request, form, bot, Told(status=422))
    try:
        reading = _read(request, form)
    except Refused as refused:
        return _editor(request, form, bot, _not_read(refused))
    if reading.problems:
        return _editor(request, form, bot, Told(reading, _change(bot, reading), status=422))
    try:
        upload = services.upload(bot, form.cleaned_data["source"], form.cleaned_data["note"])
    except Refused as refused:
        told = Told(reading, refusal=refused.message, status=refused.status)
        return _editor(request, form, bot, told)
    drafts.drop(request)
    return _same_code(request, upload.version) if upload.reused else redirect(upload.version)


@require_POST
def check(request: HttpRequest, slug: str = "") -> HttpResponse:
    """What can be told of the code at once: read, never run. A part of the page for htmx."""
    bot = get_object_or_404(_bots_of(request), slug=slug) if slug else None
    form = CodeForm(request.POST, request.FILES) if bot else NewBotForm(request.POST, request.FILES)
    if isinstance(form, NewBotForm):
        form.name_later()
    if busy := _busy(request):
        return _editor(request, form, bot, busy)
    told = Told(status=422)
    if form.is_valid():
        try:
            reading = _read(request, form)
        except Refused as refused:
            return _editor(request, form, bot, _not_read(refused))
        told = Told(reading, _change(bot, reading) if bot else None)
    if request.headers.get("HX-Request"):
        return render(request, "bots/_findings.html", {"told": told, "bot": bot, "form": form})
    return _editor(request, form, bot, told)


@login_required
@vary_on_headers("HX-Request")
@conditional_page
def upload(request: HttpRequest, pk: int) -> HttpResponse:
    """The check of an upload, for its owner: the address stays, and so does what it says."""
    versions = BotVersion.objects.select_related("bot", "source").prefetch_related("plays")
    version = get_object_or_404(versions, pk=pk, bot__owner=request.user)
    shown = {
        "version": version,
        "bot": version.bot,
        "rows": check_progress.rows(version),
        "failure": check_progress.failure(version),
        "smoke_matches": version.smoke_matches.results(),
        "limits": settings.LIMITS,
        "wait": queries.wait_of(version),
        "unfinished": version.status in (BotVersion.Status.WAITING, BotVersion.Status.CHECKING),
    }
    if not request.headers.get("HX-Request"):
        return render(request, "bots/upload.html", shown)
    answer = render(request, "bots/_pipeline.html", shown)
    if not shown["unfinished"]:
        answer["HX-Trigger"] = '{"karat:say": "The check is finished."}'
    return answer


def _busy(request: HttpRequest) -> Told | None:
    """What somebody is told who asks too often: looking at code costs time."""
    if isinstance(request.user, User):
        seconds = CHECKS_OF_USER.seconds_to_wait(str(request.user.pk))
    else:
        seconds = CHECKS_OF_GUESTS.seconds_to_wait(counted_address(request))
    return _later(seconds)


def _later(seconds: int) -> Told | None:
    return Told(refusal=message("L008", seconds=seconds), status=429) if seconds else None


def _not_read(refused: Refused) -> Told:
    return Told(refusal=refused.message, status=refused.status)


def _read(request: HttpRequest, form: CodeForm) -> Reading:
    """Look at the code. The text of a file goes into the box, so that it can be mended there."""
    reading = read_for(request, form.cleaned_data["source"])
    if form.cleaned_data["file"] and reading.text:
        form.show_text(reading.text)
    return reading


def _beginning(request: HttpRequest) -> dict[str, str]:
    """What a guest wrote before signing up, or a bot to begin with."""
    draft = drafts.kept(request)
    if draft and "game" not in request.GET:
        return {"name": draft.name, "code": draft.code, "note": draft.note}
    game = request.GET.get("game", next(iter(GAMES)))
    return {"code": starter(game) if game in GAMES else _SIMPLEST_BOT}


def _last(request: HttpRequest, bot: Bot) -> dict[str, str]:
    """What was being written, the version somebody wants to mend, or the active one."""
    draft = drafts.kept(request, bot.slug)
    if draft:
        return {"code": draft.code, "note": draft.note}
    wanted = request.GET.get("from", "")
    chosen = bot.versions.filter(number=wanted) if wanted.isdecimal() else bot.versions.none()
    version = chosen.select_related("source").first() or bot.active
    return {"code": version.source.text if version else _SIMPLEST_BOT}


def _change(bot: Bot, reading: Reading) -> Difference | None:
    active = bot.active
    return compare(active.source.text, reading.text) if active and reading.text else None


def _same_code(request: HttpRequest, version: BotVersion) -> HttpResponse:
    """Where identical code leads, depending on how its version fared."""
    number = version.number
    if version.fit:
        told = (
            f"This is byte for byte v{number}. We make v{number} active instead; its rating stays."
        )
    elif version.benched_at:
        told = f"This is byte for byte v{number}, which is benched. Unbench it, or change the code."
    else:
        told = f"This is byte for byte v{number}, whose check is not finished."
    messages.info(request, told)
    if version.checked_at is None:
        return redirect(version)
    return redirect(f"{version.bot.get_absolute_url()}versions/")


def _bots_of(request: HttpRequest) -> BotQuerySet:
    owned = Bot.objects.select_related("active__source")
    return owned.filter(owner=request.user) if isinstance(request.user, User) else owned.none()


def _to(place: str, back: str) -> HttpResponse:
    return redirect(f"{reverse(place)}?{urlencode({'next': back})}")


def _editor(
    request: HttpRequest, form: CodeForm, bot: Bot | None = None, told: Told | None = None
) -> HttpResponse:
    told = told or Told()
    user = request.user
    shown = {
        "form": form,
        "bot": bot,
        "told": told,
        "check_url": reverse("bots:check-version", args=[bot.slug])
        if bot
        else reverse("bots:check"),
        "post_url": reverse("bots:new-version", args=[bot.slug]) if bot else reverse("bots:new"),
        "left": services.uploads_left(user) if isinstance(user, User) else None,
        "games": list(GAMES),
        "chosen": request.GET.get("game", next(iter(GAMES))),
        "kept": request.method != "POST" and drafts.kept(request, bot.slug if bot else ""),
        "limit": settings.LIMITS.source_kib,
        "section": "bots",
    }
    return render(request, "bots/new.html", shown, status=told.status)
