"""The form in which an owner enters a bot."""

from typing import Any

from django import forms

from league.bots.models import Bot


class EntryForm(forms.Form):
    """A bot, and the code of a tournament by invitation."""

    bot = forms.ChoiceField(label="Bot")
    invite_code = forms.CharField(max_length=40, label="Invite code")

    def __init__(self, *args: Any, bots: list[Bot], by_invitation: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["bot"].choices = [(bot.slug, bot.name) for bot in bots]  # type: ignore[attr-defined]
        if not by_invitation:
            del self.fields["invite_code"]
