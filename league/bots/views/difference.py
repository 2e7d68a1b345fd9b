"""What changed between two versions: in one file line by line, in bundles file by file."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.accounts.models import User
from league.bots import services
from league.bots.models import Bot, BotVersion
from league.bots.source import version_files
from league.bots.source.bundle_diff import Comparison, compare_files
from league.bots.source.diff import compare
from league.bots.source.version_files import VersionFiles
from league.errors import Refused
from league.pages import errors
from league.web.client_address import counted_address
from league.web.throttling import Limit
from runners.bundles.bundle import ListedFile
from runners.faults import message

DIFFERENCES_PER_USER = Limit("differences-user", 60)
DIFFERENCES_PER_GUESTS = Limit("differences-guests", 300)
"""Per minute, for all guests at one address."""


@require_safe
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
    versions = {version.number: version for version in readable if version.number in (old, new)}
    context = {"bot": bot, "numbers": numbers, "old": old, "new": new, "section": "bots"}
    try:
        context |= _changes(request, versions[old], versions[new])
    except Refused as refused:
        return errors.refused(request, refused)
    return render(request, "bots/difference.html", context)


def _changes(request: HttpRequest, old: BotVersion, new: BotVersion) -> dict[str, object]:
    """Return what the page shows: the lines of two single files, or the files of bundles."""
    sides = [version_files.of_version(version, request.user) for version in (old, new)]
    if not old.source.bundle and not new.source.bundle:
        return {"change": compare(old.source.text, new.source.text)}
    return {
        "comparison": _compare(*sides),
        "old_bundle": old.source.bundle,
        "new_bundle": new.source.bundle,
        "without_data": not all(side.with_data for side in sides),
    }


def _compare(old: VersionFiles, new: VersionFiles) -> Comparison:
    """Compare two bundles, without data files if those of one may not be read."""
    if not (old.with_data and new.with_data):
        old, new = old.without_data(), new.without_data()
    before = set(old.listing.files)

    def read_text(file: ListedFile) -> str | None:
        return (old if file in before else new).text(file)

    return compare_files(old.listing.files, new.listing.files, read_text)


def _seconds_to_wait(request: HttpRequest) -> int:
    if isinstance(request.user, User):
        return DIFFERENCES_PER_USER.seconds_to_wait(str(request.user.pk))
    return DIFFERENCES_PER_GUESTS.seconds_to_wait(counted_address(request))


def _versions(bot: Bot) -> list[BotVersion]:
    """Return all of them, without the long fields."""
    versions = list(bot.versions.select_related("source").defer("steps", "source__text"))
    for version in versions:
        version.bot = bot
    return versions


def _number(text: str | None, numbers: list[int], default: int) -> int:
    """Return a version number from the address, if it is one of these."""
    number = int(text) if text and text.isdecimal() and len(text) < 9 else default
    return number if number in numbers else default
