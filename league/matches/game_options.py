"""Options of a game that somebody chooses for a challenge or a tournament: in forms and in words.

The game itself says what it can play; whatever is left alone stays at its default.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from engine.game import SEAT_LETTERS, BadSetup, Option
from engine.registry import GAMES
from league.errors import Refused


def chosen_options(
    game: str, seats: int, options: Mapping[str, Any], code: str = "L004"
) -> dict[str, Any]:
    """Return the options that differ from the defaults; refuse what the game cannot play."""
    try:
        resolved = GAMES[game].resolve_options(seats, options)
    except BadSetup as error:
        raise Refused(code, status=422, reason=str(error).rstrip(".")) from None
    defaults = GAMES[game].options_allowed
    return {name: value for name, value in resolved.items() if value != defaults[name].default}


def describe_options(game: str, options: Mapping[str, Any]) -> list[str]:
    """Return a line for every option, such as `Max turns per seat: 60 instead of 100`."""
    allowed = GAMES[game].options_allowed
    return [
        f"{title_of(name)}: {text_of(allowed[name], value)} instead of"
        f" {text_of(allowed[name], allowed[name].default)}"
        for name, value in options.items()
        if name in allowed
    ]


def title_of(name: str) -> str:
    """Return `Max turns per seat`."""
    return name.replace("_", " ").capitalize()


def text_of(option: Option, value: Any) -> str:
    """Return a value as people read it: a seat is a letter, and no seat is left to chance."""
    if value is None:
        return "by chance"
    return f"seat {SEAT_LETTERS[value]}" if option.is_seat else str(value)


def field_name(game: str, name: str) -> str:
    """Return the name of the field of an option; every game has fields of its own."""
    return f"option-{game}-{name}"


class GameOptionsForm(forms.Form):
    """Fields for the options of several games. Those of the game that is played count."""

    def add_option_fields(self, games: Iterable[str] = GAMES) -> None:
        """Add the fields. An option with a single value needs none."""
        for game in games:
            for name, option in GAMES[game].options_allowed.items():
                if len(_values(option)) > 1:
                    self.fields[field_name(game, name)] = _field(name, option)

    @property
    def option_groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The name of each game with its fields."""
        return [
            (game.name, fields)
            for game in GAMES.values()
            if (
                fields := [
                    self[field_name(game.slug, name)]
                    for name in game.options_allowed
                    if field_name(game.slug, name) in self.fields
                ]
            )
        ]

    def options_of(self, game: str) -> dict[str, Any]:
        """Return what was chosen for a game; options left empty are not in it."""
        chosen = {
            name: self.cleaned_data.get(field_name(game, name))
            for name in GAMES[game].options_allowed
        }
        return {name: value for name, value in chosen.items() if value is not None}

    def check_options(self, game: str, seats: int) -> None:
        """Say at its field why a table of so many seats cannot be played with an option."""
        for name, value in self.options_of(game).items():
            try:
                GAMES[game].resolve_options(seats, {name: value})
            except BadSetup as error:
                self.add_error(field_name(game, name), str(error))


class ChallengeOptionsForm(GameOptionsForm):
    """The options of a challenge, for the games that a bot plays."""

    def __init__(self, *args: Any, games: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.add_option_fields(games)

    def chosen(self, game: str) -> dict[str, Any]:
        """Return the options of the game; refuse what is none."""
        if not self.is_valid():
            field, problems = next(iter(self.errors.items()))
            label = self.fields[field].label
            raise Refused("L004", status=422, reason=f"{label}: {str(problems[0]).rstrip('.')}")
        return self.options_of(game) if game in GAMES else {}


def initial_options(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fields begin with."""
    return {field_name(game, name): value for name, value in options.items()}


def _values(option: Option) -> list[Any]:
    assert isinstance(option.allowed, Iterable)
    return list(option.allowed)


def _field(name: str, option: Option) -> forms.Field:
    default = text_of(option, option.default)
    if isinstance(option.allowed, range):
        return forms.IntegerField(
            min_value=option.allowed[0],
            max_value=option.allowed[-1],
            required=False,
            label=title_of(name),
            help_text=f"{option.allowed[0]} to {option.allowed[-1]}; {default} if left empty.",
        )
    others = {str(value): value for value in _values(option) if value != option.default}
    choices = [(key, text_of(option, value)) for key, value in others.items()]
    return forms.TypedChoiceField(
        choices=[("", default), *choices],
        coerce=others.__getitem__,
        empty_value=None,
        required=False,
        label=title_of(name),
    )
