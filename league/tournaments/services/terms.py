"""What a new or changed tournament may be like: its name, dates and config, or a refusal."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.text import slugify

from engine.registry import GAMES
from league.accounts import names
from league.accounts.models import User
from league.errors import Refused
from league.matches.game_options import chosen_options
from league.tournaments.models import DEFAULT_ENTRIES, RecurringTournament, Tournament
from league.tournaments.planning import bounds
from league.tournaments.planning.config import BadConfig
from league.tournaments.planning.formats import SERIES, dump, load
from league.tournaments.sealing import terms as event_terms
from league.tournaments.services.permissions import may_rate

RESERVED = frozenset({"new", "cost", "feed", "recurring"})
"""Words that addresses use where the name of a tournament would stand."""


def check_terms(
    user: User | None, game: str, config: dict[str, Any], fields: Mapping[str, Any], *, hosted: bool
) -> dict[str, Any]:
    """Return `config` and `options` as they are stored; refuse terms that cannot be played, or that
    this user may not choose. `hosted`: somebody organises it.
    """
    if game not in GAMES:
        raise Refused("L011", status=422, reason=f"There is no game `{game[:40]}`")
    refuse_rating(user, rated=bool(fields.get("rated")))
    refuse_moments(fields)
    complete = complete_config(game, config)
    refuse_event(complete, fields, hosted=hosted)
    options = chosen_options(game, complete["seats"], fields.get("options") or {}, "L011")
    return {"config": complete, "options": options}


def refuse_event(config: dict[str, Any], fields: Mapping[str, Any], *, hosted: bool) -> None:
    """Refuse terms of an event night that do not fit together."""
    form, choices = load(config)
    max_entries = fields.get("max_entries", DEFAULT_ENTRIES)
    for problem in event_terms.problems(fields, form, choices, max_entries, hosted=hosted):
        raise Refused("L011", status=422, reason=problem.message.rstrip("."))


def complete_config(game: str, config: dict[str, Any]) -> dict[str, Any]:
    """Return the config as it is stored, with a seed; refuse what this game cannot be played by."""
    if config.get("format") == SERIES.slug:
        config = {**config, "game": game}
    try:
        _, choices = load({"seed": secrets.token_hex(8), **config})
        if problems := bounds.config_problems(choices):
            raise BadConfig(problems)
    except BadConfig as error:
        raise Refused("L011", status=422, reason=str(error).rstrip(".")) from None
    if choices.seats not in GAMES[game].seats:
        sizes = ", ".join(map(str, GAMES[game].seats))
        raise Refused("L011", status=422, reason=f"{GAMES[game].name} has tables of {sizes}")
    return dump(choices)


def refuse_rating(organiser: User | None, *, rated: bool) -> None:
    """Refuse a rated tournament of somebody without the role; the league itself may."""
    if rated and organiser is not None and not may_rate(organiser):
        raise Refused("L007", status=403, reason="A rated tournament needs the organiser role")


def refuse_moments(fields: Mapping[str, Any]) -> None:
    """Refuse dates that are too far away for a calendar to count with."""
    for name in ("starts_at", "locks_at", "looked_at"):
        moment = fields.get(name)
        if moment and (problem := bounds.moment_problem(moment, timezone.now())):
            raise Refused("L011", status=422, reason=problem.rstrip("."))


def refuse_closed(locks_at: datetime) -> None:
    """Refuse a tournament whose entry would be closed already."""
    if bounds.has_passed(locks_at, timezone.now()):
        raise Refused("L011", status=422, reason="Entry cannot end in the past")


def refuse_title(name: str) -> None:
    """Refuse a title that would look different from what was typed."""
    if reason := names.invisible_reason(name):
        raise Refused("L002", status=422, reason=reason)


def free_slug(name: str, model: type[Tournament] | type[RecurringTournament]) -> str:
    """Return a slug for a new one that no other has."""
    refuse_title(name)
    slug = slugify(name)[:50]
    if len(slug) < 3 or slug in RESERVED:
        raise Refused("L002", status=422, reason=f"`{name[:40]}` is not a name for a tournament")
    slugs = set(model.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    if slug not in slugs:
        return slug
    return next(free for n in range(2, len(slugs) + 3) if (free := f"{slug}-{n}") not in slugs)
