"""Bots, their versions and the code of them."""

import json
import uuid
from collections.abc import Iterable
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse

from league.accounts.models import User
from league.blobs.models import Blob
from league.jobs.leases import Job

OWNER_BANNED = "its owner is banned"
ERASED = "its code was erased"
DELETED = "its owner deleted its code"
"""Reasons of suspensions that are not about the code."""
MAX_PATH_LENGTH = 500
"""The most characters that BUNDLE_PATH_LENGTH can allow."""


class BotQuerySet(models.QuerySet["Bot"]):
    """Selections of bots."""

    def playing(self, game: str) -> "BotQuerySet":
        """Return those whose active version plays this game."""
        return self.filter(active__plays__game=game)

    def accepted(self) -> "BotQuerySet":
        """Return those of which some version passed its check once."""
        accepted = BotVersion.objects.filter(status=BotVersion.Status.ACCEPTED)
        return self.filter(models.Exists(accepted.filter(bot=models.OuterRef("pk"))))

    def public(self) -> "BotQuerySet":
        """Return those that everybody may see: accepted once, and not hidden by staff."""
        return self.accepted().filter(hidden_at=None)

    def visible_to(self, user: object) -> "BotQuerySet":
        """Return the public ones, and those without an accepted version to owners and staff."""
        shown = self.filter(hidden_at=None)
        if not isinstance(user, User):
            return shown.accepted()
        return (
            shown
            if user.is_staff
            else shown.filter(models.Q(owner=user) | models.Q(pk__in=shown.accepted().values("pk")))
        )

    def named(self, *slugs: str) -> "BotQuerySet":
        """Return those with these slugs; PostgreSQL refuses text with a zero byte."""
        return self.filter(slug__in=[slug for slug in slugs if "\0" not in slug])


class Bot(models.Model):
    """What a user owns and a spectator knows by name; its active version plays."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="bots", null=True, blank=True
    )
    """Nobody owns a house bot."""
    name = models.CharField(max_length=40)
    slug = models.SlugField(max_length=50, unique=True)
    about = models.CharField(max_length=200, blank=True)
    active = models.ForeignKey(
        "BotVersion", models.SET_NULL, related_name="+", null=True, blank=True
    )
    notes_public = models.BooleanField(
        default=False, help_text="Everybody may read what the bot notes beside its moves."
    )
    enters = models.BooleanField(
        default=True, help_text="Enters the ladders of its games by itself."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    renamed_at = models.DateTimeField(null=True, blank=True, editable=False)
    """Records of earlier matches hold another name, which is not shown."""
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)
    """Its owner took it out of play; nothing is active until it comes back."""
    hidden_at = models.DateTimeField(null=True, blank=True, editable=False)
    """Staff took it out of all lists."""

    objects = BotQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("name"), name="bot_name_whatever_its_case")
        ]
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_house(self) -> bool:
        """Return whether it belongs to the league itself."""
        return self.owner_id is None

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return reverse("bots:bot", args=[self.slug])


class Source(models.Model):
    """The code of a version, stored once however often it was uploaded: a text or a bundle."""

    digest = models.CharField(max_length=64, primary_key=True)
    """Of the text; of the listing if it is a bundle."""
    text = models.TextField()
    """Of the file with the bot."""
    bundle = models.BooleanField(default=False)
    """Whether it has files, that one among them."""
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.digest[:12]


class SourceFile(models.Model):
    """A file of a bundle."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="files")
    path = models.CharField(max_length=MAX_PATH_LENGTH)
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="files")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["source", "path"], name="path_in_a_bundle")
        ]

    def __str__(self) -> str:
        return self.path


class OpenUpload(models.Model):
    """A bundle that is uploaded file by file. `bundles.stepwise` says how long it may take."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="open_uploads")
    digest = models.CharField(max_length=64)
    """The digest of the bundle that it will be."""
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["bot", "digest"], name="open_upload_of_a_bundle")
        ]

    def __str__(self) -> str:
        return f"upload {self.pk} to {self.bot}"


class OpenUploadFile(models.Model):
    """A file that was promised, and the content once it is there."""

    upload = models.ForeignKey(OpenUpload, models.CASCADE, related_name="files")
    path = models.CharField(max_length=MAX_PATH_LENGTH)
    size = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="awaited_by", null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["upload", "path"], name="path_in_an_open_upload")
        ]

    def __str__(self) -> str:
        return self.path


class VersionQuerySet(models.QuerySet["BotVersion"]):
    """Selections of versions."""

    def waiting(self) -> "VersionQuerySet":
        """Return those that wait for their check, the longest waiting first."""
        waiting = self.filter(status=BotVersion.Status.WAITING, suspended_at=None)
        return waiting.order_by("created_at", "pk")

    def fit(self) -> "VersionQuerySet":
        """Return those that may play."""
        return self.filter(status=BotVersion.Status.ACCEPTED, benched_at=None, suspended_at=None)

    def suspended_code(self, digests: Iterable[str]) -> "VersionQuerySet":
        """Return versions with code of these digests that staff suspended because of the code."""
        return self.filter(source__in=digests, suspended_at__isnull=False).exclude(
            suspended_because__in=[OWNER_BANNED, ERASED, DELETED]
        )


class BotVersion(Job):
    """An uploaded file, never changed. Its row is also the job of its check."""

    class Status(models.TextChoices):
        """The stages of the check."""

        WAITING = "waiting"
        CHECKING = "checking"
        ACCEPTED = "accepted"
        REJECTED = "rejected"
        STUCK = "stuck"

    WAITING = Status.WAITING
    RUNNING = Status.CHECKING

    bot = models.ForeignKey(Bot, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    source = models.ForeignKey(Source, models.PROTECT, related_name="versions")
    note = models.CharField(max_length=200, blank=True)
    source_public = models.BooleanField(default=False)
    data_public = models.BooleanField(default=False)
    """Whether publishing the source publishes the data files of a bundle, too."""
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    code = models.CharField(max_length=4, blank=True)
    """Why it was rejected."""
    steps = models.JSONField(default=list)
    """The finished steps of the check."""
    benched_at = models.DateTimeField(null=True, blank=True)
    """By the fault rule; its owner may lift it."""
    benched_because = models.CharField(max_length=300, blank=True)
    suspended_at = models.DateTimeField(null=True, blank=True)
    """By staff; only staff lift it."""
    suspended_because = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    activated_at = models.DateTimeField(null=True, blank=True)

    objects = VersionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_number_of_a_bot")
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["created_at"],
                name="versions_to_check",
                condition=models.Q(status__in=["waiting", "checking"]),
            )
        ]
        ordering: ClassVar = ["-number"]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"

    @property
    def games(self) -> list[str]:
        """Return the games it plays."""
        return [play.game for play in self.plays.all()]

    @property
    def fit(self) -> bool:
        """Return whether it may play."""
        accepted = self.status == self.Status.ACCEPTED
        return accepted and self.benched_at is None and self.suspended_at is None

    def readable_steps(self) -> list[dict[str, Any]]:
        """Return the steps of the check without lone surrogates, which cannot be encoded."""
        text = json.dumps(self.steps, ensure_ascii=False)
        steps: list[dict[str, Any]] = json.loads(text.encode(errors="replace"))
        return steps

    def get_absolute_url(self) -> str:
        """Return the address of its check."""
        return reverse("bots:upload", args=[self.pk])


class SmokeMatchQuerySet(models.QuerySet["SmokeMatch"]):
    """Selections of smoke matches."""

    def results(self) -> "SmokeMatchQuerySet":
        """Return how they ended, without the long fields."""
        return self.defer("record", "printed", "marks")


class SmokeMatch(models.Model):
    """The match of a check: how the bot did, and for some weeks what its owner can watch."""

    version = models.ForeignKey(BotVersion, models.CASCADE, related_name="smoke_matches")
    game = models.CharField(max_length=30)
    seat_count = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    score = models.IntegerField()
    slowest_ms = models.FloatField(default=0.0)
    fault = models.CharField(max_length=4, blank=True)
    """The code of what went wrong first."""
    fault_step = models.PositiveIntegerField(null=True, blank=True)
    kept = models.BooleanField(default=True)
    """Whether it can still be watched; if not, what follows is empty."""
    record = models.BinaryField()
    """With what the bot noted, compressed."""
    printed = models.TextField(blank=True)
    cut = models.BooleanField(default=False)
    marks = models.JSONField(default=list)
    """After each decision: its step, and how much was printed until then."""
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    objects = SmokeMatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "smoke matches"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "game"], name="smoke_match_of_a_version")
        ]
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"smoke match of {self.version} in {self.game}"

    def get_absolute_url(self) -> str:
        """Return the address where it can be watched."""
        return reverse("bots:smoke-match", args=[self.version_id, self.game])

    @property
    def watch_url(self) -> str:
        """Return the same address, beginning at the fault."""
        step = "" if self.fault_step is None else f"?step={self.fault_step}"
        return f"{self.get_absolute_url()}{step}"


class Plays(models.Model):
    """A game that a version plays."""

    version = models.ForeignKey(BotVersion, models.CASCADE, related_name="plays")
    game = models.CharField(max_length=30)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "game"], name="version_plays_a_game_once")
        ]
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.version} plays {self.game}"


class StoredDraft(models.Model):
    """Code of a guest that waits for its author to sign in. `drafts` says how long."""

    key = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    address = models.CharField(max_length=45, blank=True)
    """Where it came from, so that nobody fills the table."""
    data = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["-created_at"], name="drafts_latest"),
            models.Index(fields=["address", "-created_at"], name="drafts_of_address"),
        ]

    def __str__(self) -> str:
        return f"draft of {self.created_at:%Y-%m-%d %H:%M}"
