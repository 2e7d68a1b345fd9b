"""Forms of the console: amending a tournament, its helpers, and what cannot be undone."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError

from league.accounts.models import User
from league.tournaments.forms.fields import MomentInput, ZoneField
from league.tournaments.forms.tournament import TournamentForm
from league.tournaments.models import Role


class AmendForm(forms.Form):
    """What can change of a published tournament."""

    about = TournamentForm.base_fields["about"]
    max_entries = TournamentForm.base_fields["max_entries"]
    starts_at = TournamentForm.base_fields["starts_at"]
    locks_at = forms.DateTimeField(label="End of entry", widget=MomentInput())
    zone = ZoneField()

    def clean(self) -> dict[str, Any]:
        """Read the times in the zone."""
        zone = ZoneInfo(self.cleaned_data.get("zone", "UTC"))
        for name in ("starts_at", "locks_at"):
            if moment := self.cleaned_data.get(name):
                self.cleaned_data[name] = moment.replace(tzinfo=zone)
        return self.cleaned_data

    def values(self) -> dict[str, Any]:
        """Return what `amend` takes."""
        return {name: value for name, value in self.cleaned_data.items() if name != "zone"}


class RoleForm(forms.Form):
    """A user who helps."""

    username = forms.CharField(max_length=30, label="User name")
    kind = forms.ChoiceField(choices=Role.Kind.choices, initial=Role.Kind.REFEREE, label="Role")

    def clean_username(self) -> User:
        """Return the user of this name."""
        name = self.cleaned_data["username"]
        user = User.objects.filter(username__iexact=name, deleted_at=None).first()
        if user is None:
            raise ValidationError(f"There is nobody called {name}.")
        return user


class ConfirmActionForm(forms.Form):
    """Confirms what cannot be undone, by the name of the tournament."""

    because = forms.CharField(max_length=150, label="Reason", help_text="Everybody can read it.")
    typed = forms.CharField(max_length=100, label="Name of the tournament")

    def __init__(self, *args: Any, name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = name
        self.fields["typed"].help_text = f"Type {name} to confirm."

    def clean_typed(self) -> str:
        """Compare the name, whatever its case."""
        typed: str = self.cleaned_data["typed"]
        if typed.strip().casefold() != self._name.casefold():
            raise ValidationError(f"This is not the name. Type {self._name}.")
        return typed
