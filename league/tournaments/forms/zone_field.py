"""The field in which a time zone is chosen."""

from typing import Any

from django import forms

from league.tournaments.planning.schedule import known_zones


class ZoneField(forms.ChoiceField):
    """A time zone of a list. A new form chooses that of the browser, if it has JavaScript."""

    default_error_messages = {"invalid_choice": "%(value)s is not a time zone of this list."}

    def __init__(self, **kwargs: Any) -> None:
        facts: dict[str, Any] = {"choices": _choices, "initial": "UTC"}
        super().__init__(**facts | {"label": "Time zone of these times"} | kwargs)


def _choices() -> list[tuple[str, str]]:
    names = sorted(known_zones() - {"UTC"})
    return [(name, name.replace("_", " ")) for name in ["UTC", *names]]
