"""Tournaments for staff. Their console is the place to run them.

What staff change here is checked like the choices of organisers, and written into the same log.
"""

from typing import Any, TypeVar

from django.contrib import admin
from django.http import HttpRequest

from engine.registry import GAMES
from league.accounts.models import User
from league.errors import Refused
from league.matches.game_options import chosen_options
from league.tournaments.models import RecurringTournament, Terms, Tournament
from league.tournaments.sealing.terms import FIELDS as EVENT_FIELDS
from league.tournaments.services import quotas
from league.tournaments.services.audit import note
from league.tournaments.services.recurring import schedule_of
from league.tournaments.services.terms import complete_config, refuse_event
from league.web.generics import ModelAdmin, ModelForm

_FIXED_AT_LOCK = (
    *("game", "config", "options", "rated", "versions", "locks_at", "max_entries"),
    *EVENT_FIELDS,
)
_SEAL = ("frozen_at", "played_at", "next_reveal_at", "places_shown", "unsealed_at")
T = TypeVar("T", bound=Terms)


class TermsForm(ModelForm[T]):
    """The terms, refused if they cannot be played."""

    def clean(self) -> dict[str, Any]:
        """Check game, config and options together, and complete them like organisers' choices."""
        terms = super().clean() or self.cleaned_data
        if "config" not in self.fields or not {"game", "config"} <= terms.keys():
            return terms
        if terms["game"] not in GAMES:
            self.add_error("game", f"There is no such game. Choose one of {', '.join(GAMES)}.")
        elif not isinstance(terms["config"], dict):
            self.add_error("config", "Enter a JSON object.")
        else:
            self._check(terms)
        return terms

    def _check(self, terms: dict[str, Any]) -> None:
        field = "config"
        try:
            terms["config"] = complete_config(terms["game"], terms["config"])
            field = "options"
            options = terms.get("options") or {}
            seats = terms["config"]["seats"]
            terms["options"] = chosen_options(terms["game"], seats, dict(options), "L011")
            field = "sealed_from"
            hosted = terms.get("organiser") is not None
            refuse_event(terms["config"], terms, hosted=hosted)
        except (Refused, TypeError, ValueError) as error:
            message = error.message.explanation if isinstance(error, Refused) else str(error)
            self.add_error(field, message)


class RecurringTournamentForm(TermsForm[RecurringTournament]):
    """The terms of a recurring tournament, and its schedule."""

    def clean(self) -> dict[str, Any]:
        """Check the cron expression and the time zone as well."""
        terms = super().clean()
        if {"cron", "zone", "missed"} <= terms.keys():
            recurring = RecurringTournament(
                cron=terms["cron"], zone=terms["zone"], missed=terms["missed"]
            )
            for problem in schedule_of(recurring).problems():
                self.add_error(problem.field, problem.message)
        return terms


@admin.register(Tournament)
class Tournaments(ModelAdmin[Tournament]):
    """Tournaments without their seed, which nobody may see before the end."""

    form = TermsForm[Tournament]
    list_display = ("name", "state", "game", "rated", "organiser", "starts_at", "finished_at")
    list_filter = ("state", "game", "rated")
    list_select_related = ("organiser",)
    search_fields = ("name", "slug")
    raw_id_fields = ("organiser", "recurring")
    exclude = ("master_seed",)
    readonly_fields = (
        *("state", "max_games", "published_at", "started_at", "finished_at"),
        *_SEAL,
    )

    def has_add_permission(self, _: HttpRequest) -> bool:
        """Refuse: they are created on their own page, with a seed."""
        return False

    def get_readonly_fields(
        self,
        request: HttpRequest,  # noqa: ARG002  Django passes it
        obj: Tournament | None = None,
    ) -> tuple[str, ...]:
        """Return the fields that no longer change once rounds depend on them."""
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
        fields = [name for name in form.changed_data if getattr(obj, name) != getattr(former, name)]
        super().save_model(request, obj, form, change)
        if fields:
            note(obj, request.user, f"changed it in the admin: {', '.join(fields)}")


@admin.register(RecurringTournament)
class RecurringTournaments(ModelAdmin[RecurringTournament]):
    """Recurring tournaments and their schedules."""

    form = RecurringTournamentForm
    list_display = ("name", "game", "cron", "zone", "stopped", "count", "organiser")
    list_filter = ("game", "stopped")
    list_select_related = ("organiser",)
    search_fields = ("name", "slug")
    raw_id_fields = ("organiser",)
    readonly_fields = ("count", "looked_at", "blocked_because")

    def has_add_permission(self, _: HttpRequest) -> bool:
        """Refuse: they are created on their own page."""
        return False
