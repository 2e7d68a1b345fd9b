"""Ladders, who is on them, and the ledger of ratings."""

from typing import ClassVar

from django.db import models

from league.bots.models import Bot, BotVersion
from league.matches.models import Match


class Ladder(models.Model):
    """The ladder of a game. Its row is the lock of the writer of ratings."""

    game = models.CharField(max_length=30, primary_key=True)
    rated = models.PositiveBigIntegerField(default=0)
    """The last position in its ledger."""
    played_at = models.DateTimeField(null=True, blank=True)
    """When a match was last made for it."""
    tables = models.JSONField(default=dict)
    """How many matches were made for each number of seats."""
    recent_tables = models.JSONField(default=list, blank=True)
    """The bots of the last matches that were made, the latest at the end."""
    need = models.PositiveSmallIntegerField(null=True, blank=True)
    """Whose ratings need matches (`shares.Need`); None if that has to be determined again."""
    need_as_of = models.PositiveBigIntegerField(default=0)
    """The last position in the ledger at that time."""
    need_of = models.CharField(max_length=60, blank=True)
    """A summary of the versions on the ladder at that time (`services._lineup`)."""
    verification = models.JSONField(default=dict, blank=True)
    """When staff asked for a check of all ratings, and its result."""

    def __str__(self) -> str:
        return self.game


class EntryQuerySet(models.QuerySet["Entry"]):
    """Selections of entries."""

    def playing(self, game: str) -> "EntryQuerySet":
        """Return the bots on the ladder with a version that plays."""
        return self.filter(
            ladder=game,
            left_at=None,
            bot__active__benched_at=None,
            bot__active__suspended_at=None,
            bot__active__plays__game=game,
        )


class Entry(models.Model):
    """A bot on a ladder, or one that left it."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="entries")
    entered_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)
    matches = models.PositiveIntegerField(default=0)
    """Rated ones, over all versions."""
    firsts = models.PositiveIntegerField(default=0)
    faulty = models.PositiveIntegerField(default=0)
    queued_at = models.DateTimeField(null=True, blank=True)
    """When a match was last made for it."""
    seats = models.JSONField(default=dict)
    """How often it sat in each seat."""

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "bot"], name="bot_is_on_a_ladder_once")
        ]

    def __str__(self) -> str:
        return f"{self.bot} on {self.ladder}"


class LadderRating(models.Model):
    """The current rating of a version: its last line in the ledger."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="ratings")
    version = models.ForeignKey(BotVersion, models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)
    start_mu = models.FloatField()
    start_sigma = models.FloatField()
    after_no = models.PositiveBigIntegerField()
    """The last position in the ledger when it started."""
    inherited_from = models.ForeignKey(
        BotVersion, models.SET_NULL, related_name="+", null=True, blank=True
    )
    """The version whose rating it started from."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "version"], name="version_starts_once")
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.mu:.2f} ± {self.sigma:.2f}"


class RatingDay(models.Model):
    """The rating of a bot at the end of a day, so that the past is read without the ledger."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="days")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="rating_days")
    version = models.ForeignKey(BotVersion, models.CASCADE, related_name="+")
    """The version whose rating it is: the one that was rated last that day."""
    day = models.DateField()
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField()
    """Rated ones of the bot until then, over all versions."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "bot", "day"], name="one_rating_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.bot} on {self.day}: {self.mu:.2f} ± {self.sigma:.2f}"


class Tally(models.Model):
    """How a bot did in the rated matches with one number of seats."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="tallies")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="tallies")
    seat_count = models.PositiveSmallIntegerField()
    matches = models.PositiveIntegerField(default=0)
    firsts = models.PositiveIntegerField(default=0)
    faulty = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tallies"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "bot", "seat_count"], name="one_tally_a_size")
        ]

    def __str__(self) -> str:
        return f"{self.bot}, {self.seat_count} seats: {self.firsts} of {self.matches} won"


class RatingChange(models.Model):
    """A line of the ledger: what one match did to one version. Only ever appended."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="changes")
    ledger_position = models.PositiveBigIntegerField()
    match = models.ForeignKey(Match, models.CASCADE, related_name="changes")
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey(BotVersion, models.CASCADE, related_name="changes")
    bot = models.ForeignKey(Bot, models.CASCADE, related_name="changes")
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    expected = models.FloatField()
    """The place it was expected to take at this table."""
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["ladder", "ledger_position", "seat"], name="one_line_for_a_seat"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["bot", "ladder", "ledger_position"], name="ledger_of_bot"),
            models.Index(fields=["version", "ledger_position"], name="ledger_of_version"),
        ]

    def __str__(self) -> str:
        return f"{self.ladder} no. {self.ledger_position}, seat {self.seat}"


class ArithmeticChange(models.Model):
    """An entry of the ledger: from here on, matches are rated by this version of the arithmetic.

    Only ever appended. Matches before the first entry were rated by version 1.
    """

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="arithmetic_changes")
    arithmetic = models.PositiveSmallIntegerField()
    after_no = models.PositiveBigIntegerField()
    """The last position in the ledger before it."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "arithmetic"], name="arithmetic_begins_once")
        ]

    def __str__(self) -> str:
        return f"{self.ladder}: arithmetic {self.arithmetic} after no. {self.after_no}"
