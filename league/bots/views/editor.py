"""The page on which a bot is written, checked and uploaded, and what it says besides its fields."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from bots_sdk.starters import starter
from engine.registry import GAMES
from league.accounts.models import User
from league.bots import drafts, services
from league.bots.bundles import quota
from league.bots.forms import UploadForm
from league.bots.models import Bot, BotVersion
from league.bots.source.diff import Difference
from league.bots.source.findings import Reading
from league.errors import Refused
from league.web.htmx import HtmxRequest
from runners.faults import Message

_FORM_KIB = 64
"""What a form has besides the code."""
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
    sign_in: bool = False
    """Whether files were sent by a guest, for whom they are not kept."""
    not_own: str = ""
    """The slug of somebody else's bot, of which this was to be the next version."""
    status: int = 200


def refusal(refused: Refused) -> Feedback:
    """Return the words of a refusal, with its status."""
    return Feedback(refusal=refused.message, status=refused.status)


def initial(request: HtmxRequest) -> dict[str, str]:
    """Return what a guest wrote before signing up, or a starter bot."""
    draft = drafts.find(request)
    if draft and "game" not in request.GET:
        return {"name": draft.name, "code": draft.code, "note": draft.note}
    game = request.GET.get("game", next(iter(GAMES)))
    return {"code": starter(game) if game in GAMES else _SIMPLEST_BOT}


def initial_version(request: HtmxRequest, bot: Bot) -> dict[str, str]:
    """Return the draft, or the code of the version to start from. Of a bundle there is none: its
    files are not edited here.
    """
    draft = drafts.find(request, bot.slug)
    if draft:
        return {"code": draft.code, "note": draft.note}
    version = _version_to_start_from(request, bot)
    if version is None:
        return {"code": _SIMPLEST_BOT}
    return {"code": "" if version.source.bundle else version.source.text}


def show(
    request: HtmxRequest, form: UploadForm, bot: Bot | None = None, feedback: Feedback | None = None
) -> HttpResponse:
    """Show the editor with this form: for a new bot, or a version of `bot`. A script gets only
    what the page says besides the fields.
    """
    draft = None if feedback or form.is_bound else drafts.find(request, bot.slug if bot else "")
    feedback = feedback or Feedback()
    check = reverse("bots:check-version", args=[bot.slug]) if bot else reverse("bots:check")
    context: dict[str, object] = {"form": form, "bot": bot, "feedback": feedback}
    context["check_url"] = check
    context["post_url"] = (
        reverse("bots:new-version", args=[bot.slug]) if bot else reverse("bots:new")
    )
    if request.htmx:
        return render(request, "bots/_answer.html", context, status=feedback.status)
    context |= {
        "games": list(GAMES),
        "chosen": request.GET.get("game", next(iter(GAMES))),
        "draft": draft,
        "base": None if draft or form.is_bound or not bot else _bundle_to_start_from(request, bot),
        "section": "bots",
        **_limits(request.user),
    }
    return render(request, "bots/new.html", context, status=feedback.status)


def _version_to_start_from(request: HtmxRequest, bot: Bot) -> BotVersion | None:
    """Return the version that `?from=` names, or the active one."""
    number = request.GET.get("from", "")
    versions = bot.versions.filter(number=number) if number.isdecimal() else bot.versions.none()
    return versions.select_related("source").first() or bot.active


def _bundle_to_start_from(request: HtmxRequest, bot: Bot) -> BotVersion | None:
    version = _version_to_start_from(request, bot)
    return version if version and version.source.bundle else None


def _limits(user: object) -> dict[str, object]:
    """Return what may be uploaded, and what a page may send to have it looked at: of a guest no
    more than any request may have.
    """
    look_kib = (settings.DATA_UPLOAD_MAX_MEMORY_SIZE >> 10) - _FORM_KIB
    own = user if isinstance(user, User) else None
    return {
        "limit": settings.LIMITS.source_kib,
        "bundle_limits": settings.BUNDLE_LIMITS,
        "look_kib": look_kib,
        "check_kib": settings.BUNDLE_LIMITS.packed_mib << 10 if own else look_kib,
        "left": services.uploads_left(own) if own else None,
        "space": quota.usage(own) if own else None,
    }
