"""Matches and what is stored of them. The row of a match is its job."""

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Coalesce
from django.urls import reverse

from engine.game import SEAT_LETTERS
from league.bots.models import Bot, BotVersion
from league.jobs.leases import Job

COUNTS_AT = Coalesce("revealed_at", "finished_at")
"""From when on a match counts for ratings, as `Match.counts_at` has it."""


class MatchQuerySet(models.QuerySet["Match"]):
    """Selections of matches."""

    def queued(self) -> "MatchQuerySet":
        """Return the queued matches in the order they are played."""
        return self.filter(status=Match.Status.QUEUED).order_by("priority", "pk")

    def finished(self) -> "MatchQuerySet":
        """Return the finished matches, the latest first."""
        # That they have a time goes without saying, but tells SQLite which index is in order.
        finished = self.filter(status=Match.Status.FINISHED, finished_at__isnull=False)
        return finished.order_by("-finished_at", "-pk")

    def public(self) -> "MatchQuerySet":
        """Return the matches that may be seen: those of a group when the whole group is over, and
        sealed ones when they are revealed.
        """
        return self.filter(hidden=False)

    def unrated(self, game: str) -> "MatchQuerySet":
        """Return the finished matches that have to be rated, in the order of the ledger. Hidden
        ones are not among them: a rating would tell how they ended.
        """
        return (
            self.public()
            .filter(game=game, status=Match.Status.FINISHED, rated=True, ledger_position=None)
            .order_by(COUNTS_AT, "pk")
        )


class Match(Job):
    """A match of some versions. Its seed and its moves determine everything else."""

    class Status(models.TextChoices):
        """How far it has come."""

        QUEUED = "queued"
        RUNNING = "running"
        FINISHED = "finished"
        VOID = "void"

    WAITING = Status.QUEUED
    RUNNING = Status.RUNNING

    class Kind(models.TextChoices):
        """Why it is played."""

        LADDER = "ladder"
        CHALLENGE = "challenge"
        TOURNAMENT = "tournament"

    game = models.CharField(max_length=30)
    seat_count = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    seed = models.CharField(max_length=64)
    kind = models.CharField(max_length=10, choices=Kind)
    rated = models.BooleanField(default=False)
    priority = models.SmallIntegerField(default=50)
    """The lowest is played first, among those of its lane."""
    lane = models.CharField(max_length=60, blank=True)
    """Whose turn it uses up (`workers.turns`)."""
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="challenges", null=True, blank=True
    )
    group = models.UUIDField(null=True, blank=True)
    """Matches of one deal with the seats rotated."""
    hidden = models.BooleanField(default=False)
    """Not public yet: other matches of its group are not over, or it is sealed."""
    sealed = models.BooleanField(default=False, db_default=False)
    """Hidden until its tournament reveals it."""
    revealed_at = models.DateTimeField(null=True, blank=True)
    """When its seal ended, and from when on it counts for ratings; None if it was not over then, or
    never sealed.
    """
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    void_because = models.CharField(max_length=200, blank=True)
    decisions = models.PositiveIntegerField(default=0)
    duration_ms = models.PositiveIntegerField(default=0)
    """How long the playing took."""
    fault_count = models.PositiveSmallIntegerField(default=0)
    excitement = models.FloatField(default=0.0)
    """How much there is to watch: the swing of its chances; 0 until they are estimated."""
    rules = models.CharField(max_length=10, blank=True)
    ledger_position = models.PositiveBigIntegerField(null=True, blank=True)
    """Its position in the ledger of its ladder."""

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game", "ledger_position"], name="one_place_in_the_ledger"
            ),
        ]
        indexes: ClassVar = [
            # One for each, because SQLite takes a partial index only if its condition is asked for.
            models.Index(
                fields=["priority", "id"],
                name="matches_queued",
                condition=models.Q(status="queued"),
            ),
            models.Index(
                fields=["lane", "priority", "id"],
                name="matches_queued_by_lane",
                condition=models.Q(status="queued"),
            ),
            # Without it, SQLite counts the queue of a ladder among all matches of the ladder.
            models.Index(
                fields=["kind", "game"],
                name="matches_queued_of_kind",
                condition=models.Q(status="queued"),
            ),
            models.Index(
                fields=["id"], name="matches_running", condition=models.Q(status="running")
            ),
            models.Index(fields=["id"], name="matches_void", condition=models.Q(status="void")),
            models.Index(
                "game",
                COUNTS_AT,
                "id",
                name="matches_to_rate",
                condition=models.Q(status="finished", rated=True, ledger_position=None),
            ),
            models.Index(fields=["-finished_at", "-id"], name="matches_latest"),
            models.Index(fields=["game", "-finished_at", "-id"], name="matches_latest_of_game"),
            models.Index(fields=["kind", "-finished_at", "-id"], name="matches_latest_of_kind"),
            models.Index(
                fields=["-excitement", "-id"],
                name="matches_most_exciting",
                condition=models.Q(status="finished"),
            ),
            models.Index(
                fields=["group"], name="matches_of_group", condition=models.Q(group__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.pk} of {self.game}"

    @property
    def counts_at(self) -> datetime | None:
        """Return from when on it counts for ratings: its end, or its reveal if it was sealed."""
        return self.revealed_at or self.finished_at

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return reverse("matches:match", args=[self.pk])

    def seats_by_place(self) -> "list[Seat]":
        """Return the seats in the order of their places."""
        seats = self.seats.all()
        return sorted(seats, key=lambda seat: (seat.place is None, seat.place, seat.number))

    def get_record_url(self) -> str:
        """Return the address of its record."""
        return reverse("api:read_record", args=[self.pk])


class Seat(models.Model):
    """A version at the table, and how it ended. The version is pinned when the match is made."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    version = models.ForeignKey(BotVersion, models.PROTECT, related_name="seats")
    bot = models.ForeignKey(Bot, models.PROTECT, related_name="seats")
    game = models.CharField(max_length=30)
    finished_at = models.DateTimeField(null=True, blank=True)
    """As of the match, so that a bot's latest matches are one index lookup."""
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.IntegerField(null=True, blank=True)
    forfeited = models.BooleanField(default=False)
    faulty = models.BooleanField(default=False)
    think_ms = models.FloatField(default=0.0)
    """Its total thinking time."""
    slowest_ms = models.FloatField(default=0.0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "number"], name="seat_of_a_match")
        ]
        indexes: ClassVar = [
            models.Index(fields=["bot", "-finished_at", "-match"], name="seats_of_bot"),
            models.Index(fields=["version", "-finished_at", "-match"], name="seats_of_version"),
        ]
        ordering: ClassVar = ["number"]

    def __str__(self) -> str:
        return f"seat {self.letter} of match {self.match_id}"

    @property
    def letter(self) -> str:
        """Return the letter that people know the seat by."""
        return SEAT_LETTERS[self.number]


class Record(models.Model):
    """The public record, compressed; served as it is stored."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="record")
    data = models.BinaryField()
    digest = models.CharField(max_length=71)
    compact = models.BooleanField(default=False)
    """Only moves and times are stored; `codec.unpack` plays the rest again."""

    def __str__(self) -> str:
        return f"record of match {self.match_id}"


class SeatLog(models.Model):
    """What only the owner of a bot sees of a match, for some weeks."""

    seat = models.OneToOneField(Seat, models.CASCADE, primary_key=True, related_name="log")
    printed = models.TextField(blank=True)
    cut = models.BooleanField(default=False)
    marks = models.JSONField(default=list)
    """After each decision: its step, and how much was printed until then."""
    notes = models.JSONField(default=dict)
    """What the bot noted beside its moves, by step."""
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"log of {self.seat}"


class FaultQuerySet(models.QuerySet["Fault"]):
    """Selections of faults."""

    def public(self) -> "FaultQuerySet":
        """Return the faults of public matches."""
        return self.filter(seat__match__hidden=False)


class Fault(models.Model):
    """A bot misbehaved. `detail` is public, the traceback is for its owner."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="faults")
    version = models.ForeignKey(BotVersion, models.CASCADE, related_name="faults")
    step = models.PositiveIntegerField(null=True, blank=True)
    code = models.CharField(max_length=4)
    detail = models.CharField(max_length=500)
    traceback = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    objects = FaultQuerySet.as_manager()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["code", "-id"], name="faults_of_code"),
        ]
        ordering: ClassVar = ["-pk"]

    def __str__(self) -> str:
        return f"{self.code} at {self.seat}"


class PendingBenchReason(models.Model):
    """Why a version is benched, not published until the matches it is based on are public."""

    version = models.OneToOneField(
        BotVersion, models.CASCADE, primary_key=True, related_name="pending_bench_reason"
    )
    because = models.CharField(max_length=300)
    match_ids = models.JSONField(default=list)
    """The matches it is based on that were hidden when it was benched."""

    def __str__(self) -> str:
        return f"{self.version}: {self.because}"


class Style(models.Model):
    """How a version plays a game: what `style.styles` counts, added up over its matches."""

    version = models.ForeignKey(BotVersion, models.CASCADE, related_name="styles")
    game = models.CharField(max_length=30)
    matches = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "game"], name="one_style_a_game")
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.matches} matches of {self.game}"


class Meeting(models.Model):
    """How often two bots sat at tables of one size, and which of them finished ahead.

    A pair is stored once: `one` is the older bot. In all other matches the two tied.
    """

    game = models.CharField(max_length=30)
    seat_count = models.PositiveSmallIntegerField()
    one = models.ForeignKey(Bot, models.CASCADE, related_name="+")
    other = models.ForeignKey(Bot, models.CASCADE, related_name="+")
    met = models.PositiveIntegerField(default=0)
    one_ahead = models.PositiveIntegerField(default=0)
    other_ahead = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["one", "other", "game", "seat_count"], name="a_pair_is_kept_once"
            ),
            models.CheckConstraint(
                condition=models.Q(one__lt=models.F("other")), name="a_pair_has_an_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one} and {self.other}, {self.seat_count} seats: met {self.met} times"
