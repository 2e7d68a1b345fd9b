"""What can happen to bots and versions. Checks of uploads are in `checks`."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.db.models.functions import Length
from django.utils import timezone
from django.utils.text import slugify

from bots_sdk import house
from engine.registry import GAMES
from league.accounts import names, quota_day, services as accounts
from league.accounts.models import User
from league.blobs import collecting
from league.bots.bundles import contents, quota, sources
from league.bots.bundles.contents import Content
from league.bots.models import Bot, BotVersion
from league.errors import Refused
from league.jobs import wake
from runners.bundles.bundle import Bundle

_NAME = re.compile(r"[^\W_](?:[\w .'-]{1,38})[\w.']\Z")
RESERVED = frozenset({"new", "check", "house", "feed"})
"""Words that addresses use where the name of a bot would stand."""
HIDDEN_SLUG = "hidden-bot"
"""How the addresses of hidden bots begin, which nobody else may take."""


def create(owner: User | None, name: str, about: str = "") -> Bot:
    """Create a bot without any version yet."""
    name, slug = resolve_name(name, owner)
    try:
        with transaction.atomic():
            return Bot.objects.create(owner=owner, name=name, slug=slug, about=about[:200])
    except IntegrityError:
        raise Refused("L002", reason=f"There is a bot `{name}` already") from None


def resolve_name(name: str, owner: User | None, bot: Bot | None = None) -> tuple[str, str]:
    """Return the form of a name that is shown and the one for addresses, or refuse it.

    `bot` is the one that would get the name, if it has another one now. The league's own bots may
    be called what they like.
    """
    name = names.normalize(name)
    slug = slugify(name)
    if not _NAME.match(name) or not slug or slug in RESERVED or slug.startswith(HIDDEN_SLUG):
        raise Refused("L002", status=422, reason=f"`{name[:40]}` is not a name for a bot")
    if owner is not None and (reason := names.refusal_reason(name)):
        raise Refused("L002", status=422, reason=reason)
    if owner is not None and slug in _house_names():
        raise Refused("L002", status=422, reason=f"`{name}` is the name of a house bot")
    others = Bot.objects.exclude(pk=bot.pk) if bot else Bot.objects.all()
    if others.filter(slug=slug).exists() or others.filter(name__iexact=name).exists():
        raise Refused("L002", reason=f"There is a bot `{name}` already")
    foreign = others.exclude(owner=owner) if owner else others.none()
    as_long = foreign.alias(length=Length("name")).filter(length=len(name))
    if other := names.lookalike(name, as_long.values_list("name", flat=True)):
        raise Refused("L002", reason=f"`{name}` looks like `{other}`, which is somebody else's bot")
    return name, slug


@cache
def _house_names() -> frozenset[str]:
    """Return what the house bots of all games are called on the command line."""
    return frozenset(name for game in GAMES for name in house.names(game))


@dataclass(frozen=True, slots=True)
class Upload:
    """The version an upload led to; `reused` if this very code was uploaded before."""

    version: BotVersion
    reused: bool


def upload(bot: Bot, data: bytes | Bundle, note: str = "") -> Upload:
    """Store a file, a zip or several files as the next version. Identical code reuses its old
    version.
    """
    refuse_retired(bot)
    content = contents.read(data)
    quota.check(bot.owner, content.sizes)
    with _written_ahead(content):
        return store_version(bot, content, note)


def create_bot(owner: User, name: str, data: bytes | Bundle, note: str = "") -> Upload:
    """Create a bot with its first version; neither without the other."""
    content = contents.read(data)
    quota.check(owner, content.sizes)
    with _written_ahead(content), transaction.atomic():
        return store_version(create(owner, name), content, note)


@contextmanager
def _written_ahead(content: Content) -> Iterator[None]:
    """Have the files of a bundle in a store outside of the database, and take those back that a
    refused upload left there.
    """
    try:
        contents.write_ahead(content)
        yield
    except Refused:
        collecting.discard(content.blobs)
        raise


@transaction.atomic
def store_version(bot: Bot, content: Content, note: str = "") -> Upload:
    """Store code that was read as the next version, or reuse its old one."""
    if BotVersion.objects.suspended_code(content.digests).exists():
        raise Refused("L013")
    if bot.owner:
        accounts.take_turns(bot.owner)
        quota.check(bot.owner, content.sizes)
    sources.put_blobs(content)
    bot = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
    refuse_retired(bot)
    same = bot.versions.filter(source=content.digest)
    former = same.exclude(status=BotVersion.Status.REJECTED).first()
    if former:
        if former.fit:
            activate(bot, former.number)
        return Upload(former, reused=True)
    check_uploads_left(bot.owner)
    source = sources.store_source(content)
    last = bot.versions.aggregate(last=Max("number"))["last"] or 0
    version = bot.versions.create(number=last + 1, source=source, note=note.strip()[:200])
    wake.workers()
    return Upload(version, reused=False)


def refuse_retired(bot: Bot) -> None:
    """Refuse uploads to a bot that its owner took out of play."""
    if bot.retired_at:
        raise Refused("L014", reason=f"{bot} is retired", fix="Bring it back on its settings page")


def uploads_left(owner: User) -> int:
    """Return how many versions the user may still upload today."""
    used = BotVersion.objects.filter(bot__owner=owner, created_at__gte=quota_day.today()).count()
    return max(0, int(settings.UPLOADS_PER_DAY) - used)


def check_uploads_left(owner: User | None) -> None:
    """Refuse another upload today if there were as many as one may."""
    if owner is not None and uploads_left(owner) == 0:
        when = quota_day.until_tomorrow()
        raise Refused("L001", status=429, count=settings.UPLOADS_PER_DAY, when=when)


@transaction.atomic
def activate(bot: Bot, number: int) -> BotVersion:
    """Let an accepted version play from the next match on, even a benched one; for a retired bot,
    from its return on.
    """
    bot = Bot.objects.select_for_update(no_key=True).get(pk=bot.pk)
    version = bot.versions.filter(number=number).first()
    if version is None:
        raise Refused("L010", status=404, reason=f"{bot} has no version {number}")
    if version.status != BotVersion.Status.ACCEPTED:
        raise Refused("L003", version=number)
    if version.suspended_at is not None or bot.hidden_at is not None:
        raise Refused("L013")
    version.benched_at, version.benched_because = None, ""
    version.activated_at = timezone.now()
    version.save(update_fields=["benched_at", "benched_because", "activated_at"])
    # A retired bot plays it when it comes back: `fall_back` takes the one activated last.
    bot.active = None if bot.retired_at else version
    bot.save(update_fields=["active"])
    return version


@transaction.atomic
def bench(version: BotVersion, because: str) -> bool:
    """Bench a version; the last good one plays instead, if there is one. Return whether it was
    not benched before.
    """
    # The bot before its version, as in `activate`, because another order would deadlock.
    bot = Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)
    benched = BotVersion.objects.filter(pk=version.pk, benched_at=None).update(
        benched_at=timezone.now(), benched_because=because[:300]
    )
    if benched and bot.active_id == version.pk:
        fall_back(bot)
    return bool(benched)


def lock_in_order(bot_ids: Iterable[int]) -> None:
    """Hold these bots until the end of the transaction: always by key, lowest first."""
    bots = Bot.objects.filter(pk__in=bot_ids).order_by("pk")
    list(bots.select_for_update(no_key=True).values_list("pk"))


def fall_back(bot: Bot) -> None:
    """Let the last good version of a locked bot play, if there is one."""
    good = bot.versions.fit().exclude(activated_at=None).order_by("-activated_at")
    bot.active = None if bot.hidden_at or bot.retired_at else good.first()
    bot.save(update_fields=["active"])


def describe(bot: Bot, about: str) -> None:
    """Change the sentence on the bot's page."""
    Bot.objects.filter(pk=bot.pk).update(about=about.strip()[:200])


def publish_source(version: BotVersion, public: bool, *, data: bool = False) -> None:
    """Let everybody read the code of this version, or only its owner; of a bundle the data files
    only with `data`.
    """
    BotVersion.objects.filter(pk=version.pk).update(
        source_public=public, data_public=public and data
    )


def publish_notes(bot: Bot, public: bool) -> None:
    """Let everybody read what the bot notes in matches from now on, or only its owner."""
    Bot.objects.filter(pk=bot.pk).update(notes_public=public)


def may_read_source(version: BotVersion, user: object) -> bool:
    """Return whether somebody may read the source: its owner, and everybody if it is published or
    a house bot's, unless staff hid the bot.
    """
    if (version.source_public or version.bot.is_house) and version.bot.hidden_at is None:
        return True
    return _owns(version, user)


def may_read_data(version: BotVersion, user: object) -> bool:
    """Return whether somebody may read the data files of a bundle, too."""
    published = version.data_public or version.bot.is_house
    return _owns(version, user) or (published and may_read_source(version, user))


def _owns(version: BotVersion, user: object) -> bool:
    return isinstance(user, User) and version.bot.owner_id == user.pk
