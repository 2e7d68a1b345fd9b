"""One version: its code, what changed in it, and what its owner may do with it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from league.accounts.models import User
from league.bots import services
from league.bots.forms import AboutForm
from league.bots.models import Bot, BotVersion
from league.bots.source import highlight
from league.bots.source.diff import compare
from league.errors import Refused
from league.web.client_address import counted_address
from league.web.throttling import Limit
from runners.faults import message

DIFFERENCES_PER_USER = Limit("differences-user", 60)
DIFFERENCES_PER_GUESTS = Limit("differences-guests", 300)
"""Per minute, for all guests at one address."""


def source(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the code of a version to those who may read it."""
    version = _find_readable(request, slug, number)
    context = {
        "version": version,
        "bot": version.bot,
        "code": highlight.lines(version.source.text),
        "lines": version.source.text.count("\n"),
        "own": version.bot.owner_id == request.user.pk,
        "section": "bots",
    }
    return render(request, "bots/source.html", context)


def download(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the file as it was uploaded."""
    version = _find_readable(request, slug, number)
    response = HttpResponse(version.source.text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-v{number}.py"'
    return response


def difference(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what changed between two versions: `?old=3&new=5`. Default: the last two."""
    if seconds := _seconds_to_wait(request):
        refusal = {"message": message("L008", seconds=seconds)}
        return render(request, "429.html", refusal, status=429)
    bot = get_object_or_404(Bot.objects.select_related("owner", "active"), slug=slug)
    readable = [v for v in _versions(bot) if services.may_read_source(v, request.user)]
    if not readable:
        raise Http404
    numbers = [version.number for version in readable]
    new = _number(request.GET.get("new"), numbers, numbers[0])
    old = _number(request.GET.get("old"), numbers, numbers[1 if len(numbers) > 1 else 0])
    texts = {
        version.number: version.source.text
        for version in bot.versions.filter(number__in=[old, new]).select_related("source")
    }
    context = {
        "bot": bot,
        "numbers": numbers,
        "old": old,
        "new": new,
        "change": compare(texts[old], texts[new]),
        "section": "bots",
    }
    return render(request, "bots/difference.html", context)


@login_required
@require_POST
def activate(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let another version play, even a benched one."""
    bot = _own_bot(request, slug)
    try:
        services.activate(bot, number)
        messages.success(request, f"v{number} plays for {bot.name} from the next match on.")
    except Refused as refused:
        messages.error(request, f"{refused.message.explanation} {refused.message.fix}")
    return redirect("bots:versions", bot.slug)


@login_required
@require_POST
def publish(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Publish the code of a version, or make it private again."""
    bot = _own_bot(request, slug)
    version = get_object_or_404(bot.versions, number=number)
    public = request.POST.get("public") == "1"
    services.publish_source(version, public)
    who = "Everybody" if public else "Only you"
    messages.success(request, f"{who} can read the code of v{number} now.")
    return redirect("bots:versions", bot.slug)


@login_required
@require_POST
def describe(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the sentence on the bot's page, and whether its notes are public."""
    bot = _own_bot(request, slug)
    form = AboutForm(request.POST)
    if form.is_valid():
        services.describe(bot, form.cleaned_data["about"])
        services.publish_notes(bot, form.cleaned_data["notes_public"])
        messages.success(request, "Saved.")
    else:
        messages.error(request, "The description is too long: at most 200 characters.")
    return redirect("bots:versions", bot.slug)


def _seconds_to_wait(request: HttpRequest) -> int:
    if isinstance(request.user, User):
        return DIFFERENCES_PER_USER.seconds_to_wait(str(request.user.pk))
    return DIFFERENCES_PER_GUESTS.seconds_to_wait(counted_address(request))


def _own_bot(request: HttpRequest, slug: str) -> Bot:
    return get_object_or_404(Bot, slug=slug, owner=request.user)


def _versions(bot: Bot) -> list[BotVersion]:
    """Return all of them, without the long fields."""
    versions = list(bot.versions.defer("steps"))
    for version in versions:
        version.bot = bot
    return versions


def _find_readable(request: HttpRequest, slug: str, number: int) -> BotVersion:
    """Return a version whose code this person may read; 404 otherwise."""
    versions = BotVersion.objects.select_related("bot__owner", "bot__active", "source")
    version = get_object_or_404(versions, bot__slug=slug, number=number)
    user = request.user if isinstance(request.user, User) else None
    if not services.may_read_source(version, user):
        raise Http404
    return version


def _number(text: str | None, numbers: list[int], default: int) -> int:
    """Return a version number from the address, if it is one of these."""
    number = int(text) if text and text.isdecimal() and len(text) < 9 else default
    return number if number in numbers else default
