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

DIFFERENCES_OF_USER = Limit("differences-user", 60)
DIFFERENCES_OF_GUESTS = Limit("differences-guests", 300)
"""A minute, for all guests at one address."""


def source(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The code of a version, for whom it is open."""
    version = _readable(request, slug, number)
    shown = {
        "version": version,
        "bot": version.bot,
        "code": highlight.lines(version.source.text),
        "lines": version.source.text.count("\n"),
        "own": version.bot.owner_id == request.user.pk,
        "section": "bots",
    }
    return render(request, "bots/source.html", shown)


def download(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The file as it was uploaded."""
    version = _readable(request, slug, number)
    answer = HttpResponse(version.source.text, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-v{number}.py"'
    return answer


def difference(request: HttpRequest, slug: str) -> HttpResponse:
    """What changed between two versions: `?old=3&new=5`; the last two, if nothing is said."""
    if seconds := _seconds_to_wait(request):
        refusal = {"message": message("L008", seconds=seconds)}
        return render(request, "429.html", refusal, status=429)
    bot = get_object_or_404(Bot.objects.select_related("owner", "active"), slug=slug)
    open_to = [v for v in _versions(bot) if services.may_read_source(v, request.user)]
    if not open_to:
        raise Http404
    numbers = [version.number for version in open_to]
    new = _number(request.GET.get("new"), numbers, numbers[0])
    old = _number(request.GET.get("old"), numbers, numbers[1 if len(numbers) > 1 else 0])
    texts = {
        version.number: version.source.text
        for version in bot.versions.filter(number__in=[old, new]).select_related("source")
    }
    shown = {
        "bot": bot,
        "numbers": numbers,
        "old": old,
        "new": new,
        "change": compare(texts[old], texts[new]),
        "section": "bots",
    }
    return render(request, "bots/difference.html", shown)


@login_required
@require_POST
def activate(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let another version play, also one from the bench."""
    bot = _own_bot(request, slug)
    try:
        services.activate(bot, number)
        messages.success(request, f"v{number} plays for {bot.name} from the next match on.")
    except Refused as refused:
        messages.error(request, f"{refused.message.explanation} {refused.message.fix}")
    return redirect(f"{bot.get_absolute_url()}versions/")


@login_required
@require_POST
def publish(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Open the code of a version to everybody, or close it again."""
    bot = _own_bot(request, slug)
    version = get_object_or_404(bot.versions, number=number)
    public = request.POST.get("public") == "1"
    services.publish_source(version, public)
    who = "Everybody" if public else "Only you"
    messages.success(request, f"{who} can read the code of v{number} now.")
    return redirect(f"{bot.get_absolute_url()}versions/")


@login_required
@require_POST
def describe(request: HttpRequest, slug: str) -> HttpResponse:
    """The sentence on the bot's page, and whether its notes are open."""
    bot = _own_bot(request, slug)
    form = AboutForm(request.POST)
    if form.is_valid():
        services.describe(bot, form.cleaned_data["about"])
        services.publish_notes(bot, form.cleaned_data["notes_public"])
        messages.success(request, "Saved.")
    else:
        messages.error(request, "The sentence is too long: 200 letters at most.")
    return redirect(f"{bot.get_absolute_url()}versions/")


def _seconds_to_wait(request: HttpRequest) -> int:
    if isinstance(request.user, User):
        return DIFFERENCES_OF_USER.seconds_to_wait(str(request.user.pk))
    return DIFFERENCES_OF_GUESTS.seconds_to_wait(counted_address(request))


def _own_bot(request: HttpRequest, slug: str) -> Bot:
    return get_object_or_404(Bot, slug=slug, owner=request.user)


def _versions(bot: Bot) -> list[BotVersion]:
    """All of them, without what is long."""
    found = list(bot.versions.defer("steps"))
    for version in found:
        version.bot = bot
    return found


def _readable(request: HttpRequest, slug: str, number: int) -> BotVersion:
    """A version whose code this person may read; otherwise it is as if it were not there."""
    versions = BotVersion.objects.select_related("bot__owner", "bot__active", "source")
    version = get_object_or_404(versions, bot__slug=slug, number=number)
    user = request.user if isinstance(request.user, User) else None
    if not services.may_read_source(version, user):
        raise Http404
    return version


def _number(said: str | None, known: list[int], otherwise: int) -> int:
    """A version number from the address, if it is one of these."""
    number = int(said) if said and said.isdecimal() and len(said) < 9 else otherwise
    return number if number in known else otherwise
