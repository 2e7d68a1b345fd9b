"""Bots and versions as the API sends and takes them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Field, Schema
from pydantic import StrictBool, StringConstraints

from league.accounts.auth import ApiRequest, Caller
from league.accounts.models import Token
from league.api.unknown_names import Body
from league.bots import checks, house_bots
from league.bots.models import Bot, BotVersion

MAX_NUMBER = 2**31 - 1
Line = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""One line of text."""
Slug = Annotated[str, StringConstraints(min_length=1, max_length=50, pattern=r"^[-\w]+$")]
Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
"""The number of a version."""
# Not the choices of the models: all are named Status, and names in the document are unique.
CheckStatus = Literal["waiting", "checking", "accepted", "rejected", "stuck"]
MAX_SOURCE = 1 << 20
"""Characters, as many as fit into a body. The limit of a source in bytes has its own error code."""
_SLUG = "sapphire-shark"
_SOURCE = """from bots_sdk import Bot


class MyBot(Bot):
    def decide(self, view, options):
        return options[0]
"""
_TIME = "2026-03-01T12:00:00Z"


class BotIn(Body):
    """A new bot."""

    name: Annotated[str, StringConstraints(min_length=3, max_length=40)] = Field(
        examples=["Sapphire Shark"]
    )
    about: Line = Field("", examples=["Never barters below yellow."])


class BotChange(Body):
    """What is to change of a bot; whatever is left out stays as it is."""

    name: Annotated[str, StringConstraints(min_length=3, max_length=40)] | None = Field(
        None, description="Its address, the slug, stays.", examples=["Sapphire Whale"]
    )
    about: Line | None = Field(None, examples=["Never barters below yellow."])
    retired: StrictBool | None = Field(
        None,
        description="True takes it out of play; false brings it back with the version active last.",
        examples=[False],
    )


class BotOut(Schema):
    """A bot."""

    slug: str = Field(examples=[_SLUG])
    name: str = Field(examples=["Sapphire Shark"])
    about: str = Field(examples=["Never barters below yellow."])
    owner: str | None = Field(description="Null for house bots.", examples=["mira"])
    version: int | None = Field(description="The active version.", examples=[7])
    games: list[str] = Field(
        description="Games that the active version plays.", examples=[["edel-stein-reich"]]
    )
    house_name: str | None = Field(
        None,
        description="What `karat play --bots` calls it, if it is a house bot.",
        examples=[None],
    )
    created_at: datetime = Field(examples=[_TIME])
    retired_at: datetime | None = Field(
        None, description="Since when it plays no more.", examples=[None]
    )
    url: str = Field(description="Its page.", examples=[f"https://karat.example/bots/{_SLUG}/"])


class UploadIn(Body):
    """A file with one bot class."""

    source: str = Field(max_length=MAX_SOURCE, examples=[_SOURCE])
    note: Line = Field("", description="What is new in it.", examples=["first try"])


class VersionOut(Schema):
    """A version of a bot."""

    bot: str = Field(examples=[_SLUG])
    number: int = Field(examples=[7])
    status: CheckStatus = Field(
        description="It plays once `accepted`; `stuck` is our failure, which staff resolve.",
        examples=["accepted"],
    )
    code: str | None = Field(description="Why it was rejected.", examples=[None])
    active: bool = Field(description="Whether it plays for its bot.", examples=[True])
    benched_because: str | None = Field(
        description="Why the fault rule stopped it; activating it lifts this.", examples=[None]
    )
    suspended_because: str | None = Field(
        None, description="Why staff stopped it; only staff can lift this.", examples=[None]
    )
    games: list[str] = Field(examples=[["edel-stein-reich"]])
    note: str = Field(examples=["first try"])
    digest: str = Field(
        description="SHA-256 of the source; of the list of its files if it is a bundle.",
        examples=["9f86d081884c7d65…"],
    )
    bundle: bool = Field(description="Whether it has files.", examples=[False])
    source_public: bool = Field(examples=[False])
    data_public: bool = Field(
        description="Whether publishing the source published the data files, too.",
        examples=[False],
    )
    created_at: datetime = Field(examples=[_TIME])
    checked_at: datetime | None = Field(examples=[_TIME])
    url: str = Field(
        description="The page of its check.", examples=["https://karat.example/uploads/912/"]
    )


class MessageOut(Schema):
    """A code with its explanation."""

    code: str = Field(examples=["E102"])
    title: str = Field(examples=["No bot class found"])
    explanation: str = Field(examples=["We looked for a class that inherits from `Bot`."])
    fix: str = Field(examples=["Write `class MyBot(Bot):`."])


class AskedOut(Schema):
    """The question that a bot failed at."""

    decision: str = Field(examples=["CHOOSE_ACTION"])
    method: str = Field(description="The method that had to answer.", examples=["choose_action"])
    seat: str = Field(examples=["A"])
    view: dict[str, Any] = Field(
        description="The fields of the view that matter first.", examples=[{"round": 3}]
    )
    move: str | None = Field(None, description="What it answered.", examples=["diamonds"])
    options: list[str] = Field(description="The first of them.", examples=[["money", "gems"]])
    option_count: int = Field(examples=[4])


class StepOut(Schema):
    """A step of the check of an upload."""

    name: str = Field(examples=["syntax"])
    ok: bool = Field(examples=[True])
    text: str = Field(examples=["parses as Python 3.11"])
    ms: float = Field(examples=[1.2])
    game: str | None = Field(None, examples=[None])
    message: MessageOut | None = Field(None, examples=[None])
    line: int | None = Field(None, examples=[None])
    column: int | None = Field(None, examples=[None])
    excerpt: str | None = Field(None, examples=[None])
    traceback: str | None = Field(None, examples=[None])
    asked: AskedOut | None = Field(
        None, description="What the bot was asked when it failed.", examples=[None]
    )
    notices: list[MessageOut] = Field(
        [], description="What is worth knowing and no reason to refuse it.", examples=[[]]
    )
    seed: str | None = Field(
        None,
        description="The seed of a step that runs the bot; `karat check --seed` repeats it.",
        examples=["5f0c2a9d41e7b386"],
    )
    watch_url: str | None = Field(
        None,
        description="Where you can watch the match of this step, as long as logs are kept.",
        examples=["https://karat.example/uploads/912/smoke/basari/"],
    )


class CheckedVersion(VersionOut):
    """A version with its check. Poll it until `status` is final."""

    steps: list[StepOut] | None = Field(description="Null unless the bot is yours.")
    place_in_queue: int | None = Field(
        description="While it waits; 1 is checked next.", examples=[None]
    )
    reused: bool = Field(
        False, description="Whether identical code was uploaded before.", examples=[False]
    )


def show_bot(request: HttpRequest, bot: Bot) -> BotOut:
    """Return the public data of a bot."""
    return BotOut(
        slug=bot.slug,
        name=bot.name,
        about=bot.about,
        owner=bot.owner.shown_name if bot.owner else None,
        version=bot.active.number if bot.active else None,
        games=bot.active.games if bot.active else [],
        house_name=house_bots.house_name(bot.slug) if bot.is_house else None,
        created_at=bot.created_at,
        retired_at=bot.retired_at,
        url=request.build_absolute_uri(bot.get_absolute_url()),
    )


def show_version(request: HttpRequest, version: BotVersion) -> VersionOut:
    """Return the public data of a version."""
    return VersionOut(**_facts(request, version))


def show_check(request: ApiRequest, version: BotVersion, reused: bool = False) -> CheckedVersion:
    """Return a version with its check. Its steps quote the source, so not everybody sees them."""
    return CheckedVersion(
        **_facts(request, version),
        steps=_steps(request, version) if _may_see_steps(request.auth, version) else None,
        place_in_queue=checks.place_in_queue(version),
        reused=reused,
    )


def _may_see_steps(caller: Caller, version: BotVersion) -> bool:
    """Return whether the caller owns the bot and may read; publishing the code is not enough."""
    return caller.is_user(version.bot.owner_id) and caller.may(Token.Scope.READ)


def _steps(request: HttpRequest, version: BotVersion) -> list[StepOut]:
    watch_urls = {
        one.game: request.build_absolute_uri(one.watch_url)
        for one in version.smoke_matches.results()
        if one.kept
    }
    return [
        StepOut(**step, watch_url=watch_urls.get(step["game"]) if step["name"] == "match" else None)
        for step in version.readable_steps()
    ]


def _facts(request: HttpRequest, version: BotVersion) -> dict[str, Any]:
    return {
        "bot": version.bot.slug,
        "number": version.number,
        "status": version.status,
        "code": version.code or None,
        "active": version.bot.active_id == version.pk,
        "benched_because": version.benched_because or None,
        "suspended_because": version.suspended_because or None,
        "games": version.games,
        "note": version.note,
        "digest": version.source_id,
        "bundle": version.source.bundle,
        "source_public": version.source_public,
        "data_public": version.data_public,
        "created_at": version.created_at,
        "checked_at": version.checked_at,
        "url": request.build_absolute_uri(version.get_absolute_url()),
    }
