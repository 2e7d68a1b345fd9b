"""The API of bots: find and create them, upload versions, choose which one plays."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Status

from league.accounts.auth import ApiRequest, Caller, anyone, uploader
from league.api.paging import Page, Paging, Rows
from league.api.problems import Problem
from league.bots import erasing, house_bots, retirement, services
from league.bots.bundles import forms
from league.bots.models import Bot, BotVersion
from league.bots.ownership import own_bot, refuse_unreadable, visible_to
from league.bots.schemas import (
    BotChange,
    BotIn,
    BotOut,
    CheckedVersion,
    Number,
    Slug,
    VersionOut,
    show_bot,
    show_check,
    show_version,
)
from league.errors import Refused

router = Router(tags=["Bots"], auth=anyone)


def _bots(caller: Caller) -> QuerySet[Bot]:
    bots = Bot.objects.visible_to(caller.user).select_related("owner", "active")
    return bots.prefetch_related("active__plays")


def _version(slug: Slug, number: Number) -> BotVersion:
    versions = BotVersion.objects.select_related("bot", "source").prefetch_related("plays")
    return get_object_or_404(versions, bot__slug=slug, number=number)


@router.get("/bots", response=Page[BotOut])
def list_bots(request: ApiRequest, paging: Query[Paging]) -> dict[str, Any]:
    """List all bots, by their slug; of those without an accepted version only your own."""
    rows = Rows(_bots(request.auth), ("slug",), paging)
    return rows.page(request, [show_bot(request, bot) for bot in rows.items])


@router.post("/bots", auth=uploader, response={201: BotOut, 409: Problem})
def create_bot(request: ApiRequest, response: HttpResponse, bot: BotIn) -> Status[BotOut]:
    """Create a bot. It plays as soon as a version of it is accepted."""
    created = services.create(request.auth.owner, bot.name, bot.about)
    response["Location"] = request.build_absolute_uri(f"{request.path}/{created.slug}")
    return Status(201, show_bot(request, created))


@router.get("/bots/{slug:slug}", response=BotOut)
def read_bot(request: ApiRequest, slug: Slug) -> BotOut:
    """Read one bot."""
    bot = _bots(request.auth).filter(slug=slug).first()
    if bot is not None:
        return show_bot(request, bot)
    if namesakes := house_bots.namesakes(slug):
        reason = f"`{slug}` is a house bot of several games; here it is {', '.join(namesakes)}"
        raise Refused("L010", status=404, reason=reason)
    raise Refused("L010", status=404)


@router.patch("/bots/{slug:slug}", auth=uploader, response={200: BotOut, 409: Problem})
def change_bot(request: ApiRequest, slug: Slug, change: BotChange) -> BotOut:
    """Rename your bot, describe it, retire it or bring it back; all of it or, if one of it is
    refused, nothing.
    """
    with transaction.atomic():
        bot = own_bot(request.auth, slug)
        if change.name is not None:
            retirement.rename(bot, change.name)
        if change.about is not None:
            services.describe(bot, change.about)
        if change.retired is not None:
            (retirement.retire if change.retired else retirement.bring_back)(bot)
    return show_bot(request, _bots(request.auth).get(pk=bot.pk))


@router.delete("/bots/{slug:slug}", auth=uploader, response={204: None, 409: Problem})
def delete_bot(request: ApiRequest, slug: Slug) -> Status[None]:
    """Delete your bot with all its versions, if it never played a match. The match of a check does
    not count. A bot that has played can be retired.
    """
    retirement.delete(own_bot(request.auth, slug))
    return Status(204, None)


@router.get("/bots/{slug:slug}/versions", response=Page[VersionOut])
def list_versions(request: ApiRequest, slug: Slug, paging: Query[Paging]) -> dict[str, Any]:
    """List the versions of a bot, the latest first."""
    bot = get_object_or_404(visible_to(request.auth), slug=slug)
    versions = bot.versions.select_related("bot", "source").defer("source__text")
    versions = versions.prefetch_related("plays")
    rows = Rows(versions, ("-number",), paging)
    return rows.page(request, [show_version(request, version) for version in rows.items])


@router.post(
    "/bots/{slug:slug}/versions",
    auth=uploader,
    response={202: CheckedVersion, 400: Problem, 413: Problem, 503: Problem},
    openapi_extra=forms.BODY,
)
def upload_version(
    request: ApiRequest, response: HttpResponse, slug: Slug
) -> Status[CheckedVersion]:
    """Upload the next version: a file, a `.zip` or several files. A worker checks it: poll the
    version until its `status` is `accepted` or `rejected`. An accepted version becomes the active
    one and joins the ladders of its games. Identical code reactivates its earlier version with its
    rating (`reused`).
    """
    bot = own_bot(request.auth, slug)
    data, note = forms.read_upload(request)
    upload = services.upload(bot, data, note)
    version = _version(slug, upload.version.number)
    response["Location"] = request.build_absolute_uri(f"{request.path}/{version.number}")
    return Status(202, show_check(request, version, upload.reused))


@router.get("/bots/{slug:slug}/versions/{int:number}", response=CheckedVersion)
def read_version(request: ApiRequest, slug: Slug, number: Number) -> CheckedVersion:
    """Read one version and the progress of its check."""
    get_object_or_404(visible_to(request.auth), slug=slug)
    return show_check(request, _version(slug, number))


@router.get(
    "/bots/{slug:slug}/versions/{int:number}/source",
    response={200: None, 403: Problem},
    openapi_extra={"responses": {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}},
)
def read_source(request: ApiRequest, slug: Slug, number: Number) -> HttpResponse:
    """Read the source of a version, of a bundle the file with the bot. It must be published, or be
    yours (with the scope `read`).
    """
    get_object_or_404(visible_to(request.auth), slug=slug)
    version = _version(slug, number)
    refuse_unreadable(request.auth, version)
    response = HttpResponse(version.source.text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-v{number}.py"'
    return response


@router.post(
    "/bots/{slug:slug}/versions/{int:number}/activate",
    auth=uploader,
    response={200: CheckedVersion, 409: Problem},
)
def activate_version(request: ApiRequest, slug: Slug, number: Number) -> CheckedVersion:
    """Let an accepted version play for its bot from the next match on. This also unbenches it."""
    services.activate(own_bot(request.auth, slug), number)
    return show_check(request, _version(slug, number))


@router.delete(
    "/bots/{slug:slug}/versions/{int:number}",
    auth=uploader,
    response={200: CheckedVersion, 409: Problem},
)
def delete_version(request: ApiRequest, slug: Slug, number: Number) -> CheckedVersion:
    """Delete the code of a version of yours that does not play now, with all its files. Its number,
    its matches and its ratings stay.
    """
    bot = own_bot(request.auth, slug)
    erasing.erase_version(get_object_or_404(bot.versions, number=number))
    return show_check(request, _version(slug, number))
