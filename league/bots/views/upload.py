"""Uploading in a browser. Guests may use the form, too; to upload they sign up."""

from dataclasses import dataclass, replace

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from bots_sdk.starters import starter
from engine.registry import GAMES
from league.accounts.models import User
from league.bots import drafts, services
from league.bots.drafts import Draft
from league.bots.forms import CodeForm, NewBotForm
from league.bots.models import Bot, BotQuerySet, BotVersion
from league.bots.source.budget import read_for
from league.bots.source.diff import Difference, compare
from league.bots.source.findings import Reading
from league.errors import Refused
from league.web.client_address import counted_address
from league.web.htmx import HtmxRequest
from league.web.throttling import Budget, Limit
from runners.faults import Message, message

CHECKS_PER_USER = Limit("checks-user", 120)
CHECKS_PER_GUESTS = Limit("checks-guests", 600)
"""Per address, behind which a whole class may be typing."""
DRAFTS = Budget("drafts", 100, 10 * 60)
"""Per address. A draft is stored on the way to sign-up, so there are as many as sign-ups."""
_SIMPLEST_BOT = '''from bots_sdk import Bot


class MyBot(Bot):
    """Plays all games, and takes the first thing that it may do."""

    def decide(self, view, options):
        return options[0]
'''


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the page says besides the fields of the form."""

    reading: Reading | None = None
    refusal: Message | None = None
    change: Difference | None = None
    namesake: Bot | None = None
    """A bot of the user that has this name already."""
    status: int = 200


def new(request: HttpRequest) -> HttpResponse:
    """Write, check and upload the first version of a bot."""
    if request.method != "POST":
        return _editor(request, NewBotForm(initial=_initial(request)))
    form = NewBotForm(request.POST, request.FILES)
    if busy := _busy(request):
        return _editor(request, form, feedback=busy)
    if not form.is_valid():
        return _editor(request, form, feedback=Feedback(status=422))
    try:
        reading = _read(request, form)
    except Refused as refused:
        return _editor(request, form, feedback=_refusal(refused))
    if reading.problems:
        return _editor(request, form, feedback=Feedback(reading, status=422))
    data = form.cleaned_data
    if not isinstance(request.user, User):
        if later := _later(DRAFTS.seconds_to_wait(counted_address(request))):
            return _editor(request, form, feedback=replace(later, reading=reading))
        drafts.store(request, Draft(reading.text, data["name"], data["note"]))
        return _redirect_to("accounts:signup", request.path)
    try:
        upload = services.create_bot(request.user, data["name"], data["source"], data["note"])
    except Refused as refused:
        own = request.user.bots.filter(name__iexact=data["name"]).first()
        feedback = Feedback(reading, refused.message, namesake=own, status=refused.status)
        return _editor(request, form, feedback=feedback)
    drafts.drop(request)
    return redirect(upload.version)


def new_version(request: HttpRequest, slug: str) -> HttpResponse:
    """Write, check and upload the next version of an own bot. Code survives a lost session."""
    if not isinstance(request.user, User):
        form = CodeForm(request.POST, request.FILES)
        if request.method == "POST" and form.is_valid() and not _busy(request):
            if later := _later(DRAFTS.seconds_to_wait(counted_address(request))):
                return _editor(request, form, feedback=later)
            code = form.cleaned_data["source"].decode(errors="replace")
            drafts.store(request, Draft(code, note=form.cleaned_data["note"], bot=slug))
        return _redirect_to("accounts:login", request.path)
    bot = get_object_or_404(request.user.bots.select_related("active__source"), slug=slug)
    if request.method != "POST":
        return _editor(request, CodeForm(initial=_initial_version(request, bot)), bot)
    form = CodeForm(request.POST, request.FILES)
    if not form.is_valid():
        return _editor(request, form, bot, Feedback(status=422))
    try:
        reading = _read(request, form)
    except Refused as refused:
        return _editor(request, form, bot, _refusal(refused))
    if reading.problems:
        return _editor(
            request, form, bot, Feedback(reading, change=_change(bot, reading), status=422)
        )
    try:
        upload = services.upload(bot, form.cleaned_data["source"], form.cleaned_data["note"])
    except Refused as refused:
        feedback = Feedback(reading, refusal=refused.message, status=refused.status)
        return _editor(request, form, bot, feedback)
    drafts.drop(request)
    return (
        _redirect_to_former(request, upload.version) if upload.reused else redirect(upload.version)
    )


@require_POST
def check(request: HtmxRequest, slug: str = "") -> HttpResponse:
    """Read the code without running it and show what is wrong; for htmx only that part."""
    bot = get_object_or_404(_bots_of(request), slug=slug) if slug else None
    form = CodeForm(request.POST, request.FILES) if bot else NewBotForm(request.POST, request.FILES)
    if isinstance(form, NewBotForm):
        form.allow_no_name()
    if busy := _busy(request):
        return _editor(request, form, bot, busy)
    feedback = Feedback(status=422)
    if form.is_valid():
        try:
            reading = _read(request, form)
        except Refused as refused:
            return _editor(request, form, bot, _refusal(refused))
        feedback = Feedback(reading, change=_change(bot, reading) if bot else None)
    if request.htmx:
        context = {"feedback": feedback, "bot": bot, "form": form}
        return render(request, "bots/_findings.html", context)
    return _editor(request, form, bot, feedback)


def _busy(request: HttpRequest) -> Feedback | None:
    """Return a refusal for somebody who checks code too often."""
    if isinstance(request.user, User):
        seconds = CHECKS_PER_USER.seconds_to_wait(str(request.user.pk))
    else:
        seconds = CHECKS_PER_GUESTS.seconds_to_wait(counted_address(request))
    return _later(seconds)


def _later(seconds: int) -> Feedback | None:
    return Feedback(refusal=message("L008", seconds=seconds), status=429) if seconds else None


def _refusal(refused: Refused) -> Feedback:
    return Feedback(refusal=refused.message, status=refused.status)


def _read(request: HttpRequest, form: CodeForm) -> Reading:
    """Read the code. The text of a file goes into the editor, where its author can mend it."""
    reading = read_for(request, form.cleaned_data["source"])
    if form.cleaned_data["file"] and reading.text:
        form.show_text(reading.text)
    return reading


def _initial(request: HttpRequest) -> dict[str, str]:
    """Return what a guest wrote before signing up, or a starter bot."""
    draft = drafts.find(request)
    if draft and "game" not in request.GET:
        return {"name": draft.name, "code": draft.code, "note": draft.note}
    game = request.GET.get("game", next(iter(GAMES)))
    return {"code": starter(game) if game in GAMES else _SIMPLEST_BOT}


def _initial_version(request: HttpRequest, bot: Bot) -> dict[str, str]:
    """Return the draft, the version to start from, or the active one."""
    draft = drafts.find(request, bot.slug)
    if draft:
        return {"code": draft.code, "note": draft.note}
    number = request.GET.get("from", "")
    versions = bot.versions.filter(number=number) if number.isdecimal() else bot.versions.none()
    version = versions.select_related("source").first() or bot.active
    return {"code": version.source.text if version else _SIMPLEST_BOT}


def _change(bot: Bot, reading: Reading) -> Difference | None:
    active = bot.active
    return compare(active.source.text, reading.text) if active and reading.text else None


def _redirect_to_former(request: HttpRequest, version: BotVersion) -> HttpResponse:
    """Explain that this code was uploaded before, and lead to its version."""
    number = version.number
    if version.fit:
        text = f"This is the same code as v{number}, so v{number} is active now. Its rating stays."
    elif version.benched_at:
        text = (
            f"This is the same code as v{number}, which is benched. Unbench it or change the code."
        )
    else:
        text = f"This is the same code as v{number}, whose check is not finished."
    messages.info(request, text)
    if version.checked_at is None:
        return redirect(version)
    return redirect("bots:versions", version.bot.slug)


def _bots_of(request: HttpRequest) -> BotQuerySet:
    owned = Bot.objects.select_related("active__source")
    return owned.filter(owner=request.user) if isinstance(request.user, User) else owned.none()


def _redirect_to(view: str, back: str) -> HttpResponse:
    return redirect(f"{reverse(view)}?{urlencode({'next': back})}")


def _editor(
    request: HttpRequest, form: CodeForm, bot: Bot | None = None, feedback: Feedback | None = None
) -> HttpResponse:
    feedback = feedback or Feedback()
    user = request.user
    context = {
        "form": form,
        "bot": bot,
        "feedback": feedback,
        "check_url": reverse("bots:check-version", args=[bot.slug])
        if bot
        else reverse("bots:check"),
        "post_url": reverse("bots:new-version", args=[bot.slug]) if bot else reverse("bots:new"),
        "left": services.uploads_left(user) if isinstance(user, User) else None,
        "games": list(GAMES),
        "chosen": request.GET.get("game", next(iter(GAMES))),
        "draft": request.method != "POST" and drafts.find(request, bot.slug if bot else ""),
        "limit": settings.LIMITS.source_kib,
        "section": "bots",
    }
    return render(request, "bots/new.html", context, status=feedback.status)
