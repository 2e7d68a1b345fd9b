"""Tournaments as they are stored. `planning` has the pure functions that plan them."""

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse

from league.bots.models import Bot, BotVersion
from league.matches.models import Match

DEFAULT_ENTRIES = 64
DEFAULT_REVEAL_MINUTES = 5


class Versions(models.TextChoices):
    """Which version of a bot plays."""

    FROZEN = "frozen", "the version that is active at the start"
    LATEST = "latest", "the version that is active at each round"


class Terms(models.Model):
    """What an organiser chooses; a recurring tournament hands it on to its occurrences."""

    game = models.CharField(max_length=30)
    config = models.JSONField()
    """As `formats.dump` writes it."""
    options = models.JSONField(default=dict, blank=True)
    """Options of the game that differ from their defaults."""
    about = models.CharField(max_length=300, blank=True)
    rated = models.BooleanField(default=False)
    max_entries = models.PositiveSmallIntegerField(default=DEFAULT_ENTRIES)
    per_user = models.PositiveSmallIntegerField(default=2)
    invite_code = models.CharField(max_length=40, blank=True)
    best_of_ladder = models.PositiveSmallIntegerField(default=0)
    """Only bots of this rank or better may enter; 0 for everybody."""
    no_provisional = models.BooleanField(default=False)
    versions = models.CharField(max_length=10, choices=Versions, default=Versions.FROZEN)
    sealed_from = models.PositiveSmallIntegerField(default=0)
    """Results of this round and all later ones are sealed until they are revealed; 0 for none."""
    reveal_after_minutes = models.PositiveIntegerField(null=True, blank=True)
    """How long after the start the first reveal is due; None if the organiser reveals by hand."""
    reveal_every_minutes = models.PositiveIntegerField(default=DEFAULT_REVEAL_MINUTES)
    """How long after a reveal the next one is due, if reveals follow a schedule."""
    freeze_after_minutes = models.PositiveIntegerField(null=True, blank=True)
    """How long after the start the public standings stop; None if they do not."""

    class Meta:
        abstract = True

    def terms(self) -> dict[str, Any]:
        """Return all of them but game and config, by the names of their fields."""
        names = (field.name for field in Terms._meta.fields)
        return {name: getattr(self, name) for name in names if name not in {"game", "config"}}

    @property
    def event_night(self) -> bool:
        """Return whether results of it are revealed later than they are known."""
        return bool(self.sealed_from) or self.freeze_after_minutes is not None


class RecurringTournament(Terms):
    """A cron line, and the terms of the tournament that is held at each of its dates."""

    name = models.CharField(max_length=60)
    slug = models.SlugField(max_length=60, unique=True)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        related_name="recurring_tournaments",
        null=True,
        blank=True,
    )
    cron = models.CharField(max_length=60)
    zone = models.CharField(max_length=40, default="UTC")
    missed = models.CharField(max_length=4, default="skip")
    entry_minutes = models.PositiveIntegerField(default=60 * 24)
    """How long before the start entry opens."""
    closing_minutes = models.PositiveIntegerField(default=0)
    """How long before the start entry closes."""
    house = models.BooleanField(default=False)
    """Whether house bots enter automatically."""
    carries_over = models.BooleanField(default=True)
    """Whether bots of the last occurrence enter the next one, unless withdrawn."""
    stopped = models.BooleanField(default=False)
    blocked_because = models.CharField(max_length=300, blank=True)
    """Why entry to its next date could not open so far."""
    looked_at = models.DateTimeField()
    """Dates up to this moment have been dealt with."""
    count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return reverse("tournaments:recurring", args=[self.slug])


class TournamentQuerySet(models.QuerySet["Tournament"]):
    """Selections of tournaments."""

    def public(self) -> "TournamentQuerySet":
        """Return those that were published; drafts are for their organisers."""
        return self.exclude(published_at=None)

    def live(self) -> "TournamentQuerySet":
        """Return those that are being played."""
        return self.filter(state=Tournament.State.RUNNING).order_by("started_at")

    def coming(self) -> "TournamentQuerySet":
        """Return those that are open or locked, the next first."""
        states = [Tournament.State.OPEN, Tournament.State.LOCKED]
        return self.filter(state__in=states).order_by("starts_at")

    def not_over(self) -> "TournamentQuerySet":
        """Return those that are neither final nor cancelled."""
        return self.exclude(state__in=[Tournament.State.FINAL, Tournament.State.CANCELLED])

    def past(self) -> "TournamentQuerySet":
        """Return those that are final or cancelled, the latest first."""
        over = [Tournament.State.FINAL, Tournament.State.CANCELLED]
        return self.public().filter(state__in=over).order_by("-finished_at")


class Tournament(Terms):
    """One tournament. Whoever moves it on locks its row."""

    class State(models.TextChoices):
        """The stages of its life."""

        DRAFT = "draft"
        OPEN = "open"
        LOCKED = "locked"
        RUNNING = "running"
        FINAL = "final"
        CANCELLED = "cancelled"

    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=80, unique=True)
    recurring = models.ForeignKey(
        RecurringTournament,
        models.SET_NULL,
        related_name="occurrences",
        null=True,
        blank=True,
    )
    planned_at = models.DateTimeField(null=True, blank=True)
    """The date of the recurring tournament that it belongs to."""
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="tournaments", null=True, blank=True
    )
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    max_games = models.PositiveIntegerField(default=0)
    """What counts for the quota of its organiser: the games of a full field, and from the start on
    the exact number.
    """
    locks_at = models.DateTimeField()
    starts_at = models.DateTimeField()
    zone = models.CharField(max_length=40, default="UTC")
    """The time zone of its organiser."""
    paused = models.BooleanField(default=False)
    """Whether no further round begins until somebody resumes it."""
    master_seed = models.CharField(max_length=64)
    """Secret until the tournament is final."""
    created_at = models.DateTimeField(auto_now_add=True)
    published_at = models.DateTimeField(null=True, blank=True)
    """None for a draft, and for one that was cancelled as a draft."""
    started_at = models.DateTimeField(null=True, blank=True)
    frozen_at = models.DateTimeField(null=True, blank=True)
    """When its public standings stopped."""
    played_at = models.DateTimeField(null=True, blank=True)
    """When its last game was over, while sealed results keep it from being final."""
    next_reveal_at = models.DateTimeField(null=True, blank=True)
    """When the next reveal is due, if reveals follow a schedule."""
    places_shown = models.PositiveSmallIntegerField(default=0)
    """How many lines of the final standings are revealed, from the last one upwards."""
    unsealed_at = models.DateTimeField(null=True, blank=True)
    """When its seal ended for good: nothing is sealed from then on."""
    finished_at = models.DateTimeField(null=True, blank=True)
    cancelled_because = models.CharField(max_length=200, blank=True)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["recurring", "planned_at"], name="one_tournament_for_a_date"
            )
        ]
        indexes = [
            models.Index(fields=["state", "starts_at"], name="tournaments_by_state"),
            models.Index(fields=["state", "-finished_at"], name="tournaments_latest"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return reverse("tournaments:detail", args=[self.slug])

    @property
    def over(self) -> bool:
        """Return whether it is final or cancelled."""
        return self.state in {self.State.FINAL, self.State.CANCELLED}

    def seals(self, number: int) -> bool:
        """Return whether results of this round are sealed if it is played now."""
        if self.unsealed_at is not None:
            return False
        return self.frozen_at is not None or 0 < self.sealed_from <= number


class Entry(models.Model):
    """A bot in a tournament."""

    class Status(models.TextChoices):
        """Whether it plays."""

        PLAYING = "playing"
        WITHDRAWN = "withdrawn"
        DISQUALIFIED = "disqualified"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="tournament_entries")
    version = models.ForeignKey(
        BotVersion, models.PROTECT, related_name="tournament_entries", null=True, blank=True
    )
    """The version that plays; set when the tournament starts."""
    entered_at = models.DateTimeField(auto_now_add=True)
    status = models.CharField(max_length=12, choices=Status, default=Status.PLAYING)
    rank = models.PositiveSmallIntegerField(default=0)
    """Its place in the seeding; 0 until entry is locked."""
    rating = models.FloatField(null=True, blank=True)
    """The cautious rating when entry was locked."""
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    """Its place after the last finished round."""

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "bot"], name="bot_enters_once")
        ]

    def __str__(self) -> str:
        return f"{self.bot} in {self.tournament}"


class Round(models.Model):
    """A round as it was planned. Its results are those of its matches; a finished round also keeps
    them in its plan, so that its matches are not read again.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    plan = models.JSONField()
    """As `plan.Round.to_json` writes it."""
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    sealed = models.BooleanField(default=False)
    """Whether results of it are sealed, and with them everything about later rounds."""
    frozen = models.BooleanField(default=False)
    """Whether the freeze sealed it: then it is revealed with the places."""
    revealed_at = models.DateTimeField(null=True, blank=True)
    """When its seal ended; None if it never had one, or still has."""
    replaced_ids = models.JSONField(default=list)
    """Sealed matches that re-runs replaced; they are revealed with the round."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_is_planned_once")
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament}"


class Game(models.Model):
    """The match in which a planned match of a table is played. A re-run replaces the match."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="games")
    table = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    """Its place among the matches of the table, from 0."""
    attempt = models.PositiveSmallIntegerField(default=1)
    """Counts re-runs of the table, which deal other cards."""
    match = models.OneToOneField(Match, models.PROTECT, related_name="tournament_game")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["round", "table", "number"], name="planned_match_is_made_once"
            )
        ]
        ordering = ["table", "number"]

    def __str__(self) -> str:
        return f"table {self.table}, game {self.number} of {self.round}"


class Role(models.Model):
    """A user who helps to run a tournament."""

    class Kind(models.TextChoices):
        """What they may do."""

        ORGANISER = "organiser"
        REFEREE = "referee"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="roles")
    kind = models.CharField(max_length=10, choices=Kind)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="one_role_in_a_tournament")
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.kind} of {self.tournament}"


class Action(models.Model):
    """A line of the audit log: who did what. Without a user it was the league itself."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="actions")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True
    )
    what = models.CharField(max_length=300)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.user or 'the league'}: {self.what}"
