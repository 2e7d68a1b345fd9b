"""Tournaments and cups for staff. What can happen to them happens in their own console.

What staff change here is checked like what organisers choose, and written into the same log.
"""

from typing import Any, TypeVar

from django.contrib import admin
from django.http import HttpRequest

from engine.registry import GAMES
from league.accounts.models import User
from league.errors import Refused
from league.matches.game_options import chosen_options
from league.tournaments.models import Cup, Terms, Tournament
from league.tournaments.services import lifecycle, quotas
from league.tournaments.services.recurring import schedule_of
from league.web.generics import ModelAdmin, ModelForm

_FIXED_AT_LOCK = ("game", "config", "options", "rated", "versions", "locks_at", "max_entries")
T = TypeVar("T", bound=Terms)


class TermsForm(ModelForm[T]):
    """What can be changed, if it can be played."""

    def clean(self) -> dict[str, Any]:
        """Check game, config and options together, and store them as organisers' choices are."""
        terms = super().clean() or self.cleaned_data
        if "config" not in self.fields or not {"game", "config"} <= terms.keys():
            return terms
        if terms["game"] not in GAMES:
            self.add_error("game", f"There is no such game; there are {', '.join(GAMES)}.")
        elif not isinstance(terms["config"], dict):
            self.add_error("config", "This is not a config: write an object.")
        else:
            self._check(terms)
        return terms

    def _check(self, terms: dict[str, Any]) -> None:
        field = "config"
        try:
            terms["config"] = lifecycle.complete_config(terms["game"], terms["config"])
            field = "options"
            options = terms.get("options") or {}
            seats = terms["config"]["seats"]
            terms["options"] = chosen_options(terms["game"], seats, dict(options), "L011")
        except (Refused, TypeError, ValueError) as error:
            message = error.message.explanation if isinstance(error, Refused) else str(error)
            self.add_error(field, message)


class CupForm(TermsForm[Cup]):
    """As for a tournament, and when it recurs."""

    def clean(self) -> dict[str, Any]:
        """Check the cron line and the time zone, too."""
        terms = super().clean()
        if {"cron", "zone", "missed"} <= terms.keys():
            cup = Cup(cron=terms["cron"], zone=terms["zone"], missed=terms["missed"])
            for problem in schedule_of(cup).problems():
                self.add_error(problem.field, problem.message)
        return terms


@admin.register(Tournament)
class Tournaments(ModelAdmin[Tournament]):
    """Where they stand. The seed is nobody's to see before the end."""

    form = TermsForm[Tournament]
    list_display = ("name", "state", "game", "rated", "organiser", "starts_at", "finished_at")
    list_filter = ("state", "game", "rated")
    list_select_related = ("organiser",)
    search_fields = ("name", "slug")
    raw_id_fields = ("organiser", "cup")
    exclude = ("master_seed",)
    readonly_fields = ("state", "max_games", "published_at", "started_at", "finished_at")

    def has_add_permission(self, _: HttpRequest) -> bool:
        """They are made on their own page, with a seed."""
        return False

    def get_readonly_fields(
        self,
        request: HttpRequest,  # noqa: ARG002  Django passes it
        obj: Tournament | None = None,
    ) -> tuple[str, ...]:
        """What rounds were planned with does not change any more."""
        fixed = obj is not None and obj.state not in {"draft", "open"}
        return self.readonly_fields + (_FIXED_AT_LOCK if fixed else ())

    def save_model(
        self,
        request: HttpRequest,
        obj: Tournament,
        form: ModelForm[Tournament],
        change: bool,
    ) -> None:
        """Save it, and write into its log who changed what."""
        assert isinstance(request.user, User)
        if obj.state in {"draft", "open"}:
            obj.max_games = quotas.max_games(obj.config, obj.max_entries)
        former = Tournament.objects.get(pk=obj.pk)
        touched = form.changed_data
        fields = [name for name in touched if getattr(obj, name) != getattr(former, name)]
        super().save_model(request, obj, form, change)
        if fields:
            lifecycle.note(obj, request.user, f"changed it in the admin: {', '.join(fields)}")


@admin.register(Cup)
class Cups(ModelAdmin[Cup]):
    """When they come round."""

    form = CupForm
    list_display = ("name", "game", "cron", "zone", "stopped", "count", "organiser")
    list_filter = ("game", "stopped")
    list_select_related = ("organiser",)
    search_fields = ("name", "slug")
    raw_id_fields = ("organiser",)
    readonly_fields = ("count", "looked_at", "blocked_because")

    def has_add_permission(self, _: HttpRequest) -> bool:
        """They are made on their own page."""
        return False
