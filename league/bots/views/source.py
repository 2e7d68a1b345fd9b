"""The code of a version: a file, or the tree of a bundle with one of its files."""

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from league.accounts.models import User
from league.bots import services
from league.bots.bundles import files
from league.bots.models import BotVersion
from league.bots.source import file_view, highlight, tree, version_files
from league.bots.source.version_files import VersionFiles
from league.errors import Refused
from league.pages import errors
from league.web.attachment import attachment
from league.web.client_address import counted_address
from league.web.throttling import Limit
from runners.bundles.bundle import Listing

READINGS_PER_USER = Limit("bundle-readings-user", 120)
READINGS_PER_GUESTS = Limit("bundle-readings-guests", 300)
"""Per minute, for all guests at one address: files are read from the store as a whole."""


@require_safe
def source(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the code of a version to those who may read it; of a bundle all files and the bot."""
    version = find_readable(request, slug, number)
    if version.source.bundle:
        return _bundle(request, version)
    context = _facts(request, version) | {
        "code": highlight.lines(version.source.text),
        "lines": version.source.text.count("\n"),
    }
    return render(request, "bots/source.html", context)


@require_safe
def file(request: HttpRequest, slug: str, number: int, path: str) -> HttpResponse:
    """Show one file of a bundle beside its tree."""
    return _bundle(request, find_readable(request, slug, number), path)


@require_safe
def download(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the file with the bot, as it was uploaded."""
    version = find_readable(request, slug, number)
    response = HttpResponse(version.source.text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-v{number}.py"'
    return response


@require_safe
def download_file(request: HttpRequest, slug: str, number: int, path: str) -> HttpResponseBase:
    """Return one file of a bundle, as it was uploaded."""
    chosen = _of_bundle(request, slug, number).find(path)
    if chosen is None:
        raise Http404
    try:
        _count(request)
        name = path.rpartition("/")[2]
        return attachment(request, chosen.digest, name, lambda: files.read(chosen.digest))
    except Refused as refused:
        return errors.refused(request, refused)


@require_safe
def archive(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Return a bundle as a zip, always the same bytes: all files, or those that may be read."""
    readable = _of_bundle(request, slug, number).readable
    digest = Listing.of(readable).digest
    try:
        _count(request)
        name = f"{slug}-v{number}.zip"
        return attachment(request, digest, name, lambda: files.archive(readable))
    except Refused as refused:
        return errors.refused(request, refused)


def find_readable(request: HttpRequest, slug: str, number: int) -> BotVersion:
    """Return a version whose code this person may read; 404 otherwise."""
    versions = BotVersion.objects.select_related("bot__owner", "bot__active", "source")
    version = get_object_or_404(versions, bot__slug=slug, number=number)
    if not services.may_read_source(version, request.user):
        raise Http404
    return version


def _of_bundle(request: HttpRequest, slug: str, number: int) -> VersionFiles:
    version = find_readable(request, slug, number)
    if not version.source.bundle:
        raise Http404
    return version_files.of_version(version, request.user)


def _bundle(request: HttpRequest, version: BotVersion, path: str = "") -> HttpResponse:
    """Show the tree, and of the file with this path what can be shown; default: the bot."""
    if not version.source.bundle:
        return redirect("bots:source", version.bot.slug, version.number)
    of_version = version_files.of_version(version, request.user)
    chosen = of_version.find(path or of_version.entry)
    if chosen is None:
        raise Http404
    try:
        _count(request)
        shown = file_view.view(chosen)
    except Refused as refused:
        return errors.refused(request, refused)
    context = _facts(request, version) | {
        "tree": tree.rows(of_version.shown),
        "shown": shown,
        "summary": tree.summary(of_version.listing.files),
        "size": of_version.listing.size,
        "without_data": len(of_version.readable) < len(of_version.listing.files),
    }
    return render(request, "bots/bundle.html", context)


def _facts(request: HttpRequest, version: BotVersion) -> dict[str, object]:
    own = version.bot.owner_id is not None and version.bot.owner_id == request.user.pk
    return {"version": version, "bot": version.bot, "own": own, "section": "bots"}


def _count(request: HttpRequest) -> None:
    """Count a reading of files; `Refused` for somebody who reads too much."""
    if isinstance(request.user, User):
        seconds = READINGS_PER_USER.seconds_to_wait(str(request.user.pk))
    else:
        seconds = READINGS_PER_GUESTS.seconds_to_wait(counted_address(request))
    if seconds:
        raise Refused("L008", status=429, seconds=seconds)
