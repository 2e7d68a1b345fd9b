"""The form in which a tournament is created and changed."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from engine.registry import GAMES
from league.accounts.models import User
from league.matches.game_options import GameOptionsForm
from league.tournaments.forms.fields import WholeNumberField
from league.tournaments.forms.recurrence import RecurrenceForm
from league.tournaments.models import DEFAULT_ENTRIES, DEFAULT_REVEAL_MINUTES, Versions
from league.tournaments.planning import bounds
from league.tournaments.planning.config import (
    MAX_DEALS,
    MAX_ENTRIES,
    MAX_ROUNDS,
    BadConfig,
    Config,
    seat_counts,
)
from league.tournaments.planning.formats import FORMATS, KNOCKOUT, Format, dump, load
from league.tournaments.sealing.terms import (
    FIELDS as EVENT_FIELDS,
    MAX_MINUTES,
    MIN_REVEAL_MINUTES,
    problems as event_problems,
)

DEFAULT_ADVANCE = 2
DESCRIPTION_LENGTH = 300


def _games() -> list[tuple[str, str]]:
    return [(game.slug, game.name) for game in GAMES.values()]


class TournamentForm(RecurrenceForm, GameOptionsForm):
    """A tournament in five parts: game, format, entry, event night, time."""

    name = forms.CharField(min_length=3, max_length=60, label="Name")
    about = forms.CharField(max_length=DESCRIPTION_LENGTH, required=False, label="Description")
    game = forms.ChoiceField(choices=_games, widget=forms.RadioSelect)
    seats = WholeNumberField(label="Seats per table", help_text="All tables are full.")

    format = forms.ChoiceField(
        choices=[(form.slug, f"{form.name}: {form.summary}") for form in FORMATS.values()],
        widget=forms.RadioSelect,
    )
    rounds = WholeNumberField(
        min_value=0,
        required=False,
        label="Rounds",
        help_text="Leave it empty for a full round robin. A knock-out needs none.",
    )
    deals = WholeNumberField(min_value=1, max_value=MAX_DEALS, label="Deals per pod")
    mirrored = forms.BooleanField(
        required=False,
        label="Mirrored seats: each deal is played once per seat",
        help_text="Duplicate deals take out the luck of the cards, and cost more games.",
    )
    advance = WholeNumberField(
        min_value=1,
        required=False,
        label="Bots that advance from a pod",
        help_text=f"Only in a knock-out. Default: {DEFAULT_ADVANCE}.",
    )
    points = forms.CharField(
        max_length=60,
        required=False,
        label="Points by place",
        help_text="Comma-separated list, such as 5, 3, 1, 0. Default: the number of bots behind.",
    )

    max_entries = WholeNumberField(
        min_value=2, max_value=MAX_ENTRIES, initial=DEFAULT_ENTRIES, label="Maximum entries"
    )
    per_user = WholeNumberField(min_value=1, max_value=50, initial=2, label="Bots per user")
    invite_code = forms.CharField(
        max_length=40,
        required=False,
        label="Invite code",
        help_text="Required to enter. Leave it empty to let everybody in.",
    )
    best_of_ladder = WholeNumberField(
        min_value=1,
        max_value=1000,
        required=False,
        label="Lowest rank on the ladder",
        help_text="Only bots of this rank or better may enter. Default: no limit.",
    )
    no_provisional = forms.BooleanField(required=False, label="Only bots with a rank")
    versions = forms.ChoiceField(
        choices=Versions.choices,
        initial=Versions.FROZEN,
        label="Version that plays",
        widget=forms.RadioSelect,
    )
    sealed_from = WholeNumberField(
        min_value=1,
        max_value=MAX_ROUNDS,
        required=False,
        label="First sealed round",
        help_text="Results of this and all later rounds stay secret until they are revealed."
        " Default: none.",
    )
    freeze_after_minutes = WholeNumberField(
        min_value=1,
        max_value=MAX_MINUTES,
        required=False,
        label="Minutes until the board is frozen",
        help_text="From the start. Then the public standings stop, and the places are revealed at"
        " the end. Default: never.",
    )
    reveal_after_minutes = WholeNumberField(
        min_value=0,
        max_value=MAX_MINUTES,
        required=False,
        label="Minutes until the first reveal",
        help_text="From the start. Leave it empty to reveal by hand.",
    )
    reveal_every_minutes = WholeNumberField(
        min_value=MIN_REVEAL_MINUTES,
        max_value=MAX_MINUTES,
        initial=DEFAULT_REVEAL_MINUTES,
        required=False,
        label="Minutes between reveals",
    )
    rated = forms.BooleanField(
        required=False, label="Counts for ratings", help_text="Requires the organiser role."
    )
    expected = WholeNumberField(
        min_value=1,
        max_value=MAX_ENTRIES,
        required=False,
        label="Expected bots",
        help_text="For the estimate below. Default: all bots that play this game today.",
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
        ("Event night", EVENT_FIELDS),
        ("Time", ("starts_at", "locks_at", "zone", "repeat")),
    )

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sizes = seat_counts()
        self.fields["seats"].widget.attrs |= {"min": sizes[0], "max": sizes[-1]}
        if not self.is_bound and "zone" not in self.initial:
            self.fields["zone"].widget.attrs["data-guess-zone"] = ""
        self.add_option_fields()
        if user is None or not (user.is_staff or user.is_organiser):
            self.fields["rated"].disabled = True

    @property
    def fieldsets(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the parts with their fields."""
        return [(title, [self[name] for name in names]) for title, names in self.parts]

    def clean_seats(self) -> int:
        """Refuse a size of tables that no game has."""
        seats: int = self.cleaned_data["seats"]
        sizes = seat_counts()
        if seats not in sizes:
            raise ValidationError(f"Choose {sizes[0]} to {sizes[-1]} seats.")
        return seats

    def clean_points(self) -> list[int]:
        """Read whole numbers with commas or spaces between them."""
        words = self.cleaned_data["points"].replace(",", " ").split()
        if not all(word.isdecimal() for word in words):
            raise ValidationError("Enter whole numbers separated by commas, such as 5, 3, 1, 0.")
        return [int(word) for word in words]

    def clean(self) -> dict[str, Any]:
        """Check what depends on several fields."""
        self._clean_game()
        self._clean_format()
        self._clean_event()
        self.clean_dates()
        return self.cleaned_data

    def _clean_game(self) -> None:
        game, seats = self.cleaned_data.get("game"), self.cleaned_data.get("seats")
        if game and seats and seats not in GAMES[game].seats:
            sizes = ", ".join(map(str, GAMES[game].seats))
            self.add_error("seats", f"{GAMES[game].name} is played by {sizes}.")
        elif game and seats:
            self.check_options(game, seats)

    def _clean_format(self) -> None:
        if not {"format", "seats", "deals", "points"} <= self.cleaned_data.keys():
            return
        try:
            _, config = plan = load(self._choices())
            if problems := bounds.config_problems(config):
                raise BadConfig(problems)
            self.cleaned_data["plan"] = plan
        except BadConfig as error:
            for problem in error.problems:
                known = problem.field in self.fields
                self.add_error(problem.field if known else None, problem.message)

    def _clean_event(self) -> None:
        if self.plan is None:
            return
        max_entries = self.cleaned_data.get("max_entries", DEFAULT_ENTRIES)
        for problem in event_problems(self._event_terms(), *self.plan, max_entries, hosted=True):
            self.add_error(problem.field, problem.message)

    def _event_terms(self) -> dict[str, Any]:
        """Return the terms of an event night, with what the defaults of its fields stand for."""
        terms = {name: self.cleaned_data.get(name) for name in EVENT_FIELDS}
        every = terms["reveal_every_minutes"] or DEFAULT_REVEAL_MINUTES
        sealed_from = terms["sealed_from"] or 0
        return terms | {"sealed_from": sealed_from, "reveal_every_minutes": every}

    def _choices(self) -> dict[str, Any]:
        """Return what was chosen of the fields that the format has."""
        data = self.cleaned_data
        choices = {name: data[name] for name in ("format", "seats", "deals", "mirrored")}
        if data["points"]:
            choices["points"] = data["points"]
        if data.get("rounds") and data["format"] != KNOCKOUT.slug:
            choices["rounds"] = data["rounds"]
        if data["format"] == KNOCKOUT.slug:
            choices["advance"] = data.get("advance") or min(DEFAULT_ADVANCE, data["seats"] - 1)
        return choices

    @property
    def plan(self) -> tuple[Format[Any], Config] | None:
        """Return format and config, if they can be played."""
        return self.cleaned_data.get("plan")

    def terms(self) -> dict[str, Any]:
        """Return what `lifecycle.create` takes, without dates."""
        data = self.cleaned_data
        _, config = data["plan"]
        names = ("about", "max_entries", "per_user", "invite_code", "no_provisional", "versions")
        stored = dump(config)
        stored.pop("seed")
        return {
            "name": data["name"],
            "game": data["game"],
            "config": stored,
            "options": self.options_of(data["game"]),
            "rated": data["rated"],
            "best_of_ladder": data["best_of_ladder"] or 0,
            **{name: data[name] for name in names},
            **self._event_terms(),
        }
