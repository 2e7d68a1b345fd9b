"""The page on which a bot is written, checked and uploaded, and what it says besides its fields."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from bots_sdk.starters import starter
from engine.registry import GAMES
from league.accounts.models import User
from league.bots import drafts, services
from league.bots.forms import CodeForm
from league.bots.models import Bot
from league.bots.source.diff import Difference
from league.bots.source.findings import Reading
from league.errors import Refused
from runners.faults import Message

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
    not_own: str = ""
    """The slug of somebody else's bot, of which this was to be the next version."""
    status: int = 200


def refusal(refused: Refused) -> Feedback:
    """Return the words of a refusal, with its status."""
    return Feedback(refusal=refused.message, status=refused.status)


def initial(request: HttpRequest) -> dict[str, str]:
    """Return what a guest wrote before signing up, or a starter bot."""
    draft = drafts.find(request)
    if draft and "game" not in request.GET:
        return {"name": draft.name, "code": draft.code, "note": draft.note}
    game = request.GET.get("game", next(iter(GAMES)))
    return {"code": starter(game) if game in GAMES else _SIMPLEST_BOT}


def initial_version(request: HttpRequest, bot: Bot) -> dict[str, str]:
    """Return the draft, the version to start from, or the active one."""
    draft = drafts.find(request, bot.slug)
    if draft:
        return {"code": draft.code, "note": draft.note}
    number = request.GET.get("from", "")
    versions = bot.versions.filter(number=number) if number.isdecimal() else bot.versions.none()
    version = versions.select_related("source").first() or bot.active
    return {"code": version.source.text if version else _SIMPLEST_BOT}


def show(
    request: HttpRequest, form: CodeForm, bot: Bot | None = None, feedback: Feedback | None = None
) -> HttpResponse:
    """Show the editor with this form: for a new bot, or a version of `bot`."""
    draft = None if feedback or form.is_bound else drafts.find(request, bot.slug if bot else "")
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
        "draft": draft,
        "limit": settings.LIMITS.source_kib,
        "section": "bots",
    }
    return render(request, "bots/new.html", context, status=feedback.status)
