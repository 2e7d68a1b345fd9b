"""What organisers and owners of bots type, and why it is not taken."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot
from league.matches.game_options import GameOptionsForm
from league.tournaments.forms.zone_field import ZoneField
from league.tournaments.models import Role, Versions
from league.tournaments.planning import bounds
from league.tournaments.planning.config import MAX_DEALS, MAX_ENTRIES, BadConfig, Config
from league.tournaments.planning.formats import FORMATS, Format, dump, load
from league.tournaments.planning.schedule import Schedule

REPEATS = [
    ("once", "once"),
    ("daily", "every day"),
    ("weekly", "every week"),
    ("cron", "by a cron line"),
]
_DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
_OWN_ROUNDS = {"swiss", "round-robin", "series"}


def _moment() -> forms.DateTimeInput:
    return forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


class _Whole(forms.IntegerField):
    """A whole number, with words for those who typed another one."""

    default_error_messages = {
        "invalid": "Write a whole number.",
        "min_value": "At least %(limit_value)s.",
        "max_value": "At most %(limit_value)s.",
    }


class TournamentForm(GameOptionsForm):
    """A tournament in four parts: game, format, entry, time."""

    name = forms.CharField(min_length=3, max_length=60, label="Name")
    about = forms.CharField(max_length=300, required=False, label="In a sentence")
    game = forms.ChoiceField(
        choices=[(game.slug, game.name) for game in GAMES.values()], widget=forms.RadioSelect
    )
    seats = _Whole(
        min_value=2, max_value=5, label="Seats per table", help_text="All tables are full."
    )

    format = forms.ChoiceField(
        choices=[(form.slug, f"{form.name}: {form.summary}") for form in FORMATS.values()],
        widget=forms.RadioSelect,
    )
    rounds = _Whole(
        min_value=0,
        required=False,
        label="Rounds",
        help_text="A round robin without a number plays a whole turn; a knock-out needs none.",
    )
    deals = _Whole(min_value=1, max_value=MAX_DEALS, label="Deals per pod")
    mirrored = forms.BooleanField(
        required=False,
        label="Mirror seats: each deal once per seat",
        help_text="Duplicate deals take the luck of the cards out, and cost games.",
    )
    advance = _Whole(
        min_value=1,
        required=False,
        label="How many of a pod go on",
        help_text="Only in a knock-out; 2 unless you say.",
    )
    points = forms.CharField(
        max_length=60,
        required=False,
        label="Points by place",
        help_text="Such as 5, 3, 1, 0. Unless you say, as many as sit behind.",
    )

    max_entries = _Whole(
        min_value=2, max_value=MAX_ENTRIES, initial=64, label="At most so many bots"
    )
    per_user = _Whole(min_value=1, max_value=50, initial=2, label="Bots per user")
    invite_code = forms.CharField(
        max_length=40,
        required=False,
        label="Invite code",
        help_text="Only who knows it can enter. Empty: open for everybody.",
    )
    best_of_ladder = _Whole(
        min_value=1, max_value=1000, required=False, label="Only the best of the ladder"
    )
    no_provisional = forms.BooleanField(required=False, label="Only bots that have a rank")
    versions = forms.ChoiceField(
        choices=Versions.choices,
        initial=Versions.FROZEN,
        label="Which version plays",
        widget=forms.RadioSelect,
    )
    rated = forms.BooleanField(
        required=False, label="Counts for the ratings", help_text="Needs the organiser role."
    )

    starts_at = forms.DateTimeField(label="Start", widget=_moment())
    locks_at = forms.DateTimeField(
        label="Entry is open until", required=False, widget=_moment(), help_text="Or the start."
    )
    zone = ZoneField()
    repeat = forms.ChoiceField(choices=REPEATS, initial="once", label="Repeat")
    cron = forms.CharField(
        max_length=60,
        required=False,
        label="Cron line",
        help_text="Such as 30 18 * * FRI: minute, hour, day, month, day of the week.",
    )
    opens_hours = _Whole(
        min_value=1,
        max_value=24 * 28,
        initial=24,
        required=False,
        label="Hours before the start at which entry opens",
    )
    missed = forms.ChoiceField(
        choices=[("skip", "skip it"), ("run", "make up for the latest")],
        initial="skip",
        required=False,
        label="A date we missed",
    )
    house = forms.BooleanField(required=False, label="House bots enter by themselves")
    carries_over = forms.BooleanField(
        required=False, initial=True, label="Who was in the last one is in the next"
    )
    expected = _Whole(
        min_value=1,
        max_value=MAX_ENTRIES,
        required=False,
        label="Bots expected",
        help_text="For the estimate below. Unless you say, all that play this game here today.",
    )

    parts = (
        ("Game", ("name", "about", "game", "seats")),
        ("Format", ("format", "rounds", "deals", "mirrored", "advance", "points")),
        (
            "Entry",
            (
                *("max_entries", "per_user", "invite_code", "best_of_ladder", "no_provisional"),
                *("versions", "rated"),
            ),
        ),
        ("Time", ("starts_at", "locks_at", "zone", "repeat")),
    )
    recurring = ("cron", "opens_hours", "missed", "house", "carries_over")

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_bound and "zone" not in self.initial:
            self.fields["zone"].widget.attrs["data-guess-zone"] = ""
        self.add_option_fields()
        if user is None or not (user.is_staff or user.is_organiser):
            self.fields["rated"].disabled = True

    @property
    def fieldsets(self) -> list[tuple[str, list[Any]]]:
        """The parts with their fields."""
        return [(title, [self[name] for name in names]) for title, names in self.parts]

    @property
    def recurring_fields(self) -> list[Any]:
        """What only a cup needs."""
        return [self[name] for name in self.recurring]

    def clean_points(self) -> list[int]:
        """Numbers by commas."""
        said = self.cleaned_data["points"].replace(",", " ").split()
        if not all(word.isdecimal() for word in said):
            raise ValidationError(
                "Write whole numbers with commas between them, such as 5, 3, 1, 0."
            )
        return [int(word) for word in said]

    def clean(self) -> dict[str, Any]:
        """What only shows when all of it is there."""
        self._clean_game()
        self._clean_format()
        self._clean_times()
        self._clean_repeat()
        return self.cleaned_data

    def _clean_game(self) -> None:
        game, seats = self.cleaned_data.get("game"), self.cleaned_data.get("seats")
        if game and seats and seats not in GAMES[game].seats:
            possible = ", ".join(map(str, GAMES[game].seats))
            self.add_error("seats", f"{GAMES[game].name} is played by {possible}.")
        elif game and seats:
            self.check_options(game, seats)

    def _clean_format(self) -> None:
        if not {"format", "seats", "deals", "points"} <= self.cleaned_data.keys():
            return
        try:
            _, config = settled = load(self._config())
            if problems := bounds.config_problems(config):
                raise BadConfig(problems)
            self.cleaned_data["settled"] = settled
        except BadConfig as bad:
            for problem in bad.problems:
                known = problem.field in self.fields
                self.add_error(problem.field if known else None, problem.message)

    def _config(self) -> dict[str, Any]:
        """The choices that the format has."""
        chosen = self.cleaned_data
        config = {name: chosen[name] for name in ("format", "seats", "deals", "mirrored")}
        if chosen["points"]:
            config["points"] = chosen["points"]
        if chosen.get("rounds") and chosen["format"] in _OWN_ROUNDS:
            config["rounds"] = chosen["rounds"]
        if chosen["format"] == "knockout":
            config["advance"] = chosen.get("advance") or min(2, chosen["seats"] - 1)
        return config

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
            self.add_error("locks_at", "Entry must close before the start, or with it.")
        if bounds.has_passed(starts_at, timezone.now()):
            self.add_error("starts_at", "This moment has passed.")
        elif bounds.has_passed(locks_at, timezone.now()):
            self.add_error("locks_at", "This moment has passed.")

    def _clean_repeat(self) -> None:
        if (
            self.cleaned_data.get("repeat", "once") == "once"
            or "starts_at" not in self.cleaned_data
        ):
            return
        for problem in self.schedule().problems():
            self.add_error(problem.field, problem.message)

    def schedule(self) -> Schedule:
        """When a cup comes round; daily and weekly follow from the start."""
        chosen = self.cleaned_data
        at: datetime = chosen["starts_at"]
        day = _DAYS[at.weekday()] if chosen["repeat"] == "weekly" else "*"
        cron = f"{at.minute} {at.hour} * * {day}"
        if chosen["repeat"] == "cron":
            cron = chosen.get("cron", "")
        zone = chosen.get("zone", "UTC")
        return Schedule(cron, zone, "run" if chosen.get("missed") == "run" else "skip")

    def dates(self) -> list[datetime]:
        """The next five dates of a cup."""
        ready = {"repeat", "starts_at", "zone"} <= self.cleaned_data.keys()
        if not ready or self.cleaned_data["repeat"] == "once" or self.schedule().problems():
            return []
        before = max(self.cleaned_data["starts_at"] - timedelta(seconds=1), timezone.now())
        return self.schedule().preview(before)

    @property
    def settled(self) -> tuple[Format[Any], Config] | None:
        """Format and config, if they can be played."""
        return self.cleaned_data.get("settled")

    def facts(self) -> dict[str, Any]:
        """What `services.create` takes."""
        chosen = self.cleaned_data
        _, config = chosen["settled"]
        names = ("about", "max_entries", "per_user", "invite_code", "no_provisional", "versions")
        stored = dump(config)
        stored.pop("seed")
        return {
            "name": chosen["name"],
            "game": chosen["game"],
            "config": stored,
            "options": self.options_of(chosen["game"]),
            "rated": chosen["rated"],
            "best_of_ladder": chosen["best_of_ladder"] or 0,
            **{name: chosen[name] for name in names},
        }

    def times(self) -> dict[str, Any]:
        """Start and end of entry of a tournament that takes place once."""
        return {name: self.cleaned_data[name] for name in ("starts_at", "locks_at", "zone")}

    def cup_facts(self) -> dict[str, Any]:
        """What a cup has besides."""
        chosen = self.cleaned_data
        schedule = self.schedule()
        closing = chosen["starts_at"] - chosen["locks_at"]
        hours = chosen.get("opens_hours") or 24
        return {
            "cron": schedule.cron,
            "zone": schedule.zone,
            "missed": schedule.missed,
            "closing_minutes": int(closing.total_seconds() // 60),
            "entry_minutes": hours * 60,
            "house": chosen["house"],
            "carries_over": chosen["carries_over"],
            "looked_at": max(chosen["starts_at"] - timedelta(seconds=1), timezone.now()),
        }


class AmendForm(forms.Form):
    """What can change of a tournament that is published."""

    about = TournamentForm.base_fields["about"]
    max_entries = TournamentForm.base_fields["max_entries"]
    starts_at = TournamentForm.base_fields["starts_at"]
    locks_at = forms.DateTimeField(label="Entry is open until", widget=_moment())
    zone = ZoneField()

    def clean(self) -> dict[str, Any]:
        """Read the times in the zone."""
        zone = ZoneInfo(self.cleaned_data.get("zone", "UTC"))
        for name in ("starts_at", "locks_at"):
            if moment := self.cleaned_data.get(name):
                self.cleaned_data[name] = moment.replace(tzinfo=zone)
        return self.cleaned_data

    def values(self) -> dict[str, Any]:
        """What `amend` takes."""
        return {name: value for name, value in self.cleaned_data.items() if name != "zone"}


class EntryForm(forms.Form):
    """Which bot enters."""

    bot = forms.ChoiceField(label="Bot")
    invite_code = forms.CharField(max_length=40, label="Invite code")

    def __init__(self, *args: Any, bots: list[Bot], invited: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bot"].choices = [(bot.slug, bot.name) for bot in bots]  # type: ignore[attr-defined]
        if not invited:
            del self.fields["invite_code"]


class RoleForm(forms.Form):
    """Who helps."""

    username = forms.CharField(max_length=30, label="User name")
    kind = forms.ChoiceField(choices=Role.Kind.choices, initial=Role.Kind.REFEREE, label="Role")

    def clean_username(self) -> User:
        """Somebody who is here."""
        name = self.cleaned_data["username"]
        found = User.objects.filter(username__iexact=name, deleted_at=None).first()
        if found is None:
            raise ValidationError(f"There is nobody called {name}.")
        return found


class ConfirmActionForm(forms.Form):
    """What cannot be undone: who does it types the name of the tournament."""

    because = forms.CharField(max_length=150, label="Reason", help_text="Everybody can read it.")
    typed = forms.CharField(max_length=100, label="Name of the tournament")

    def __init__(self, *args: Any, name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = name
        self.fields["typed"].help_text = f"Type {name} to confirm."

    def clean_typed(self) -> str:
        """Exactly, but for the case."""
        typed: str = self.cleaned_data["typed"]
        if typed.strip().casefold() != self._name.casefold():
            raise ValidationError(f"This is not the name. Type {self._name}.")
        return typed
