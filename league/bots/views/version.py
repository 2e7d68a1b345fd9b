"""One version, and what its owner may do with it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from league.bots import erasing, services
from league.bots.forms import AboutForm
from league.bots.models import Bot
from league.errors import Refused
from runners.faults import Message


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
    """Publish the code of a version, of a bundle with or without its data, or hide it again."""
    bot = _own_bot(request, slug)
    version = get_object_or_404(bot.versions, number=number)
    public = request.POST.get("public")
    services.publish_source(version, public in ("1", "data"), data=public == "data")
    messages.success(request, _who_reads(version.number, public))
    if request.POST.get("back") == "source":
        return redirect("bots:source", bot.slug, number)
    return redirect("bots:versions", bot.slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Ask before deleting the code of a version, and delete it."""
    bot = _own_bot(request, slug)
    version = get_object_or_404(bot.versions.select_related("source"), number=number)
    refusal: Message | None = None
    if request.method == "POST":
        try:
            erasing.erase_version(version)
        except Refused as refused:
            refusal = refused.message
        else:
            messages.success(request, f"The code of v{number} is deleted.")
            return redirect("bots:versions", bot.slug)
    context = {"bot": bot, "version": version, "refused": refusal, "section": "bots"}
    return render(request, "bots/erase.html", context, status=409 if refusal else 200)


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


def _who_reads(number: int, public: str | None) -> str:
    """Return what was published, in a sentence."""
    if public == "data":
        return f"Everybody can read the code and the data files of v{number} now."
    who = "Everybody" if public == "1" else "Only you"
    return f"{who} can read the code of v{number} now."


def _own_bot(request: HttpRequest, slug: str) -> Bot:
    return get_object_or_404(Bot, slug=slug, owner=request.user)
