"""Uploading in a browser. Guests may use the form, too; to upload they sign up."""

from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from league.accounts.models import User
from league.bots import drafts, services
from league.bots.bundles.sent_files import SentFiles
from league.bots.drafts import Draft
from league.bots.forms import NewBotForm, UploadForm
from league.bots.models import Bot, BotQuerySet, BotVersion
from league.bots.source.budget import read_for
from league.bots.source.diff import Difference, compare
from league.bots.source.findings import Reading
from league.bots.views import editor
from league.bots.views.editor import Feedback
from league.errors import Refused
from league.web.client_address import counted_address
from league.web.htmx import HtmxRequest, redirect_script
from league.web.throttling import Budget, Limit
from runners.bundles.bundle import Bundle
from runners.bundles.unpack import is_zip
from runners.faults import message

CHECKS_PER_USER = Limit("checks-user", 120)
CHECKS_PER_GUESTS = Limit("checks-guests", 600)
"""Per address, behind which a whole class may be typing."""
DRAFTS = Budget("drafts", 100, 10 * 60)
"""Per address. A draft is stored on the way to sign-up, so there are as many as sign-ups."""


def new(request: HtmxRequest) -> HttpResponse:
    """Write, check and upload the first version of a bot."""
    if request.method != "POST":
        return editor.show(request, NewBotForm(initial=editor.initial(request)))
    return redirect_script(request, _submit_bot(request, NewBotForm(request.POST, request.FILES)))


def new_version(request: HtmxRequest, slug: str) -> HttpResponse:
    """Write, check and upload the next version of an own bot. Code survives a lost session."""
    if not isinstance(request.user, User):
        return redirect_script(request, _keep_version(request, slug))
    bot = get_object_or_404(_bots_of(request.user), slug=slug)
    if request.method != "POST":
        form = UploadForm(initial=editor.initial_version(request, bot))
        return editor.show(request, form, bot)
    form = UploadForm(request.POST, request.FILES)
    return redirect_script(request, _submit_version(request, form, bot))


@require_GET
@never_cache
def resume(request: HtmxRequest, key: UUID) -> HttpResponse:
    """Upload the code that its author sent before signing in, as its form would have.

    Nobody can be lured here: the code was sent with the form by this very session, and the address
    with the key of the draft was only ever told to it.
    """
    user = request.user
    if not isinstance(user, User):
        return _redirect_to("accounts:login", request.path)
    draft = drafts.find_by_key(request, key)
    if draft is None:
        return _redirect_without_draft(request, user)
    fields = {"name": draft.name, "code": draft.code, "note": draft.note}
    if not draft.bot:
        return _submit_bot(request, NewBotForm(fields), key)
    bot = _bots_of(user).filter(slug=draft.bot).first()
    if bot is None:
        refused = Feedback(not_own=draft.bot, status=403)
        return editor.show(request, NewBotForm(initial=fields), feedback=refused)
    return _submit_version(request, UploadForm(fields), bot)


@require_POST
def check(request: HtmxRequest, slug: str = "") -> HttpResponse:
    """Read the code without running it and show what is wrong; for htmx only that part."""
    bot = get_object_or_404(_bots_of(request.user), slug=slug) if slug else None
    form = (
        UploadForm(request.POST, request.FILES) if bot else NewBotForm(request.POST, request.FILES)
    )
    if isinstance(form, NewBotForm):
        form.allow_no_name()
    if busy := _busy(request):
        return editor.show(request, form, bot, busy)
    feedback = Feedback(status=422)
    if form.is_valid():
        try:
            reading = _read(request, form)
        except Refused as refused:
            return editor.show(request, form, bot, editor.refusal(refused))
        change = _change(bot, reading) if bot else None
        is_guest = not isinstance(request.user, User)
        feedback = Feedback(reading, change=change, sign_in=is_guest and bool(reading.files))
    return editor.show(request, form, bot, feedback)


def _submit_bot(
    request: HtmxRequest, form: NewBotForm, draft_key: UUID | None = None
) -> HttpResponse:
    """Upload a new bot. A guest signs up first; whatever is wrong opens the editor again.

    A draft is uploaded once, however many tabs try.
    """
    if busy := _busy(request):
        return editor.show(request, form, feedback=busy)
    if not form.is_valid():
        return editor.show(request, form, feedback=Feedback(status=422))
    try:
        reading = _read(request, form)
    except Refused as refused:
        return editor.show(request, form, feedback=editor.refusal(refused))
    if reading.problems:
        return editor.show(request, form, feedback=Feedback(reading, status=422))
    data = form.cleaned_data
    user = request.user
    if not isinstance(user, User):
        if reading.files:
            return editor.show(request, form, feedback=_sign_in_first(reading))
        if later := _later(DRAFTS.seconds_to_wait(counted_address(request))):
            return editor.show(request, form, feedback=replace(later, reading=reading))
        draft = Draft(reading.text, data["name"], data["note"])
        return _ask_to_sign_in(request, draft, "signup" if settings.SIGN_UP else "login")
    try:
        with transaction.atomic():
            drafts.claim(draft_key)
            upload = services.create_bot(user, data["name"], _content(form, reading), data["note"])
    except drafts.Gone:
        return _redirect_without_draft(request, user)
    except Refused as refused:
        own = user.bots.filter(name__iexact=data["name"]).first()
        feedback = Feedback(reading, refused.message, namesake=own, status=refused.status)
        return editor.show(request, form, feedback=feedback)
    drafts.drop(request)
    return redirect(upload.version)


def _submit_version(request: HtmxRequest, form: UploadForm, bot: Bot) -> HttpResponse:
    """Upload a version. Whatever is wrong opens the editor again."""
    if not form.is_valid():
        return editor.show(request, form, bot, Feedback(status=422))
    try:
        reading = _read(request, form)
    except Refused as refused:
        return editor.show(request, form, bot, editor.refusal(refused))
    if reading.problems:
        feedback = Feedback(reading, change=_change(bot, reading), status=422)
        return editor.show(request, form, bot, feedback)
    note = form.cleaned_data["note"]
    try:
        upload = services.upload(bot, _content(form, reading), note)
    except Refused as refused:
        return editor.show(request, form, bot, replace(editor.refusal(refused), reading=reading))
    drafts.drop(request)
    return (
        _redirect_to_former(request, upload.version) if upload.reused else redirect(upload.version)
    )


def _keep_version(request: HtmxRequest, slug: str) -> HttpResponse:
    """Keep the code of somebody whose session ended, and ask them to sign in. Files are not kept:
    without an account they would be too much to store for anybody.
    """
    form = UploadForm(request.POST, request.FILES)
    if request.method != "POST" or not form.is_valid() or _busy(request):
        return _redirect_to("accounts:login", request.path)
    if later := _later(DRAFTS.seconds_to_wait(counted_address(request))):
        return editor.show(request, form, feedback=later)
    source = form.cleaned_data["source"]
    if isinstance(source, SentFiles) or is_zip(source):
        return editor.show(request, form, feedback=_sign_in_first())
    code = source.decode(errors="replace")
    return _ask_to_sign_in(request, Draft(code, note=form.cleaned_data["note"], bot=slug), "login")


def _ask_to_sign_in(request: HttpRequest, draft: Draft, how: str) -> HttpResponse:
    """Store the code; the upload goes on by itself after this `how`: `login` or `signup`."""
    key = drafts.store(request, draft)
    return _redirect_to(f"accounts:{how}", reverse("bots:resume", args=[key]))


def _redirect_without_draft(request: HttpRequest, user: User) -> HttpResponse:
    """Lead on when another tab has uploaded the code, or has put a later draft in its place."""
    if drafts.find(request):
        return redirect("bots:new")
    running = BotVersion.objects.filter(bot__owner=user, checked_at=None).order_by("-pk").first()
    return redirect(running or "accounts:me")


def _busy(request: HttpRequest) -> Feedback | None:
    """Return a refusal for somebody who checks code too often."""
    if isinstance(request.user, User):
        seconds = CHECKS_PER_USER.seconds_to_wait(str(request.user.pk))
    else:
        seconds = CHECKS_PER_GUESTS.seconds_to_wait(counted_address(request))
    return _later(seconds)


def _later(seconds: int) -> Feedback | None:
    return Feedback(refusal=message("L008", seconds=seconds), status=429) if seconds else None


def _read(request: HtmxRequest, form: UploadForm) -> Reading:
    """Read the code. The text of a file goes into the editor, where its author can mend it."""
    reading = read_for(request, form.cleaned_data["source"])
    if form.cleaned_data["file"] and reading.text and not reading.bundle:
        form.show_text(reading.text)
    return reading


def _content(form: UploadForm, reading: Reading) -> bytes | Bundle:
    """Return what is stored: a bundle that was opened already, or the bytes of a single file."""
    source = form.cleaned_data["source"]
    return reading.bundle or (b"" if isinstance(source, SentFiles) else source)


def _sign_in_first(reading: Reading | None = None) -> Feedback:
    return Feedback(reading, sign_in=True, status=403)


def _change(bot: Bot, reading: Reading) -> Difference | None:
    """Return the lines that changed since the active version, if both are single files."""
    active = bot.active
    if active is None or active.source.bundle or reading.bundle or not reading.text:
        return None
    return compare(active.source.text, reading.text)


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


def _bots_of(user: object) -> BotQuerySet:
    owned = Bot.objects.select_related("active__source")
    return owned.filter(owner=user) if isinstance(user, User) else owned.none()


def _redirect_to(view: str, back: str) -> HttpResponse:
    return redirect(f"{reverse(view)}?{urlencode({'next': back})}")
