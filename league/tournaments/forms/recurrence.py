"""When a tournament takes place: once, or again and again."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone

from league.tournaments.forms.fields import MomentInput, WholeNumberField, ZoneField
from league.tournaments.planning import bounds
from league.tournaments.planning.schedule import Schedule

DEFAULT_ENTRY_HOURS = 24
REPEATS = [
    ("once", "once"),
    ("daily", "every day"),
    ("weekly", "every week"),
    ("cron", "by a cron expression"),
]
_DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")


class RecurrenceForm(forms.Form):
    """The dates of a tournament that takes place once, and the schedule of one that recurs."""

    starts_at = forms.DateTimeField(label="Start", widget=MomentInput())
    locks_at = forms.DateTimeField(
        label="End of entry",
        required=False,
        widget=MomentInput(),
        help_text="Default: the start.",
    )
    zone = ZoneField()
    repeat = forms.ChoiceField(choices=REPEATS, initial="once", label="Repeat")
    cron = forms.CharField(
        max_length=60,
        required=False,
        label="Cron expression",
        help_text="For example 30 18 * * FRI: minute, hour, day, month, day of the week.",
    )
    opens_hours = WholeNumberField(
        min_value=1,
        max_value=24 * 28,
        initial=DEFAULT_ENTRY_HOURS,
        required=False,
        label="Hours of entry before the start",
    )
    missed = forms.ChoiceField(
        choices=[("skip", "skip them"), ("run", "hold the latest one late")],
        initial="skip",
        required=False,
        label="Missed dates",
    )
    house = forms.BooleanField(required=False, label="House bots enter automatically")
    carries_over = forms.BooleanField(
        required=False, initial=True, label="Bots stay entered for the next date"
    )
    recurring = ("cron", "opens_hours", "missed", "house", "carries_over")

    @property
    def recurring_fields(self) -> list[forms.BoundField]:
        """Return the fields that only recurring tournaments need."""
        return [self[name] for name in self.recurring]

    def clean_dates(self) -> None:
        """Read the dates in their zone, and check the schedule of a recurring tournament."""
        self._clean_times()
        self._clean_schedule()

    def _clean_times(self) -> None:
        zone = ZoneInfo(self.cleaned_data.get("zone", "UTC"))
        for name in ("starts_at", "locks_at"):
            moment: datetime | None = self.cleaned_data.get(name)
            if moment is not None:
                self.cleaned_data[name] = moment.replace(tzinfo=zone)
                if problem := bounds.moment_problem(self.cleaned_data[name], timezone.now()):
                    self.add_error(name, problem)
        starts_at = self.cleaned_data.get("starts_at")
        if starts_at is None:
            return
        locks_at = self.cleaned_data.get("locks_at") or starts_at
        self.cleaned_data["locks_at"] = locks_at
        if locks_at > starts_at:
            self.add_error("locks_at", "Entry must close at the start or before it.")
        if bounds.has_passed(starts_at, timezone.now()):
            self.add_error("starts_at", bounds.PAST)
        elif bounds.has_passed(locks_at, timezone.now()):
            self.add_error("locks_at", bounds.PAST)

    def _clean_schedule(self) -> None:
        if (
            self.cleaned_data.get("repeat", "once") == "once"
            or "starts_at" not in self.cleaned_data
        ):
            return
        for problem in self.schedule().problems():
            self.add_error(problem.field, problem.message)

    def schedule(self) -> Schedule:
        """Return when it recurs; daily and weekly follow from the start."""
        choices = self.cleaned_data
        at: datetime = choices["starts_at"]
        day = _DAYS[at.weekday()] if choices["repeat"] == "weekly" else "*"
        cron = f"{at.minute} {at.hour} * * {day}"
        if choices["repeat"] == "cron":
            cron = choices.get("cron", "")
        zone = choices.get("zone", "UTC")
        return Schedule(cron, zone, "run" if choices.get("missed") == "run" else "skip")

    def dates(self) -> list[datetime]:
        """Return the next dates of a recurring tournament."""
        ready = {"repeat", "starts_at", "zone"} <= self.cleaned_data.keys()
        if not ready or self.cleaned_data["repeat"] == "once" or self.schedule().problems():
            return []
        return self.schedule().preview(self._first_moment())

    def _first_moment(self) -> datetime:
        """Return the moment after which its dates count."""
        starts_at: datetime = self.cleaned_data["starts_at"]
        return max(starts_at - timedelta(seconds=1), timezone.now())

    def times(self) -> dict[str, Any]:
        """Return start and end of entry of a tournament that takes place once."""
        return {name: self.cleaned_data[name] for name in ("starts_at", "locks_at", "zone")}

    def recurring_terms(self) -> dict[str, Any]:
        """Return the fields that only a recurring tournament has."""
        choices = self.cleaned_data
        schedule = self.schedule()
        closing = choices["starts_at"] - choices["locks_at"]
        hours = choices.get("opens_hours") or DEFAULT_ENTRY_HOURS
        return {
            "cron": schedule.cron,
            "zone": schedule.zone,
            "missed": schedule.missed,
            "closing_minutes": int(closing.total_seconds() // 60),
            "entry_minutes": hours * 60,
            "house": choices["house"],
            "carries_over": choices["carries_over"],
            "looked_at": self._first_moment(),
        }
