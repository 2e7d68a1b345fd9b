"""Fields that several forms of tournaments share."""

from typing import Any

from django import forms

from league.tournaments.planning.schedule import known_zones

MOMENT_FORMAT = "%Y-%m-%dT%H:%M"
"""How browsers write a moment."""


class MomentInput(forms.DateTimeInput):
    """A date and a time, chosen in the browser."""

    def __init__(self) -> None:
        super().__init__(attrs={"type": "datetime-local"}, format=MOMENT_FORMAT)


class WholeNumberField(forms.IntegerField):
    """A whole number, with plain messages."""

    default_error_messages = {
        "invalid": "Enter a whole number.",
        "min_value": "At least %(limit_value)s.",
        "max_value": "At most %(limit_value)s.",
    }


class ZoneField(forms.ChoiceField):
    """A time zone of a list. With JavaScript, a new form chooses that of the browser."""

    default_error_messages = {"invalid_choice": "%(value)s is not a time zone of this list."}

    def __init__(self, **kwargs: Any) -> None:
        defaults: dict[str, Any] = {"choices": _zones, "initial": "UTC", "label": "Time zone"}
        super().__init__(**defaults | kwargs)


def _zones() -> list[tuple[str, str]]:
    names = sorted(known_zones() - {"UTC"})
    return [(name, name.replace("_", " ")) for name in ["UTC", *names]]
