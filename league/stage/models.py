"""What a wall shows: one row for the league's own wall, and one for each tournament with a wall.

The clock of a premiere is part of the row, so every server process and every viewer works out the
same moment of the match from it.
"""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Coalesce

from league.matches.models import Match
from league.tournaments.models import Tournament

LEAGUE = 0
"""Stands for the missing tournament of the league's own wall."""


class Stage(models.Model):
    """A wall and the clock of its premiere. Whoever changes it locks its row."""

    class Pane(models.TextChoices):
        """What a presenter can keep on the wall."""

        AUTO = "auto", "In turn"
        PREMIERE = "premiere", "The match"
        STANDINGS = "standings", "Standings"
        BRACKET = "bracket", "Bracket"

    tournament = models.OneToOneField(
        Tournament, models.CASCADE, related_name="stage", null=True, blank=True
    )
    """None for the league's own wall."""
    match = models.ForeignKey(Match, models.SET_NULL, related_name="+", null=True, blank=True)
    """The premiere. It may be sealed: then it is served by its wall alone, step by step."""
    position_ms = models.FloatField(default=0.0)
    """How far the premiere was, at speed 1, when its clock was last set."""
    running_since = models.DateTimeField(null=True, blank=True)
    """When the clock was last set; None while it is paused."""
    speed = models.FloatField(default=1.0)
    pane = models.CharField(max_length=10, choices=Pane, default=Pane.AUTO)
    take = models.PositiveIntegerField(default=0)
    """Counts premieres and jumps back: whoever has steps of another take forgets them."""
    revision = models.PositiveIntegerField(default=0)
    """Counts all changes; a press on a remote names the revision that it was based on."""
    presented_at = models.DateTimeField(null=True, blank=True)
    """The latest press of a presenter; None while the wall runs by itself."""
    recent = models.JSONField(default=list, blank=True)
    """The latest matches of this wall, the last one at the end."""
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints: ClassVar = [
            # Databases take any number of empty values for different ones.
            models.UniqueConstraint(Coalesce("tournament", LEAGUE), name="one_stage_of_a_wall")
        ]

    def __str__(self) -> str:
        return f"wall of {self.tournament or 'the league'}"
