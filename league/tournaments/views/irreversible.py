"""What cannot be undone: the page names the consequence and asks for the tournament's name."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from league.accounts.models import User
from league.errors import Refused
from league.matches.models import Match
from league.tournaments import presentation
from league.tournaments.forms.manage import ConfirmActionForm
from league.tournaments.models import Entry, Tournament
from league.tournaments.planning.formats import load
from league.tournaments.planning.plan import letters
from league.tournaments.planning.scoring import table_points
from league.tournaments.queries.rounds import public_round
from league.tournaments.queries.standing import Standing
from league.tournaments.services import lifecycle, refereeing, tables
from league.tournaments.views.manage import REFEREE_ACTIONS, find_managed
from league.tournaments.views.page import page_context
from league.tournaments.wording import count


@dataclass(frozen=True, slots=True)
class IrreversibleAction:
    """Something that cannot be undone."""

    title: str
    consequence: str
    do: Callable[[User, str], object]
    """Takes the user who does it and the reason."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_action(request: HttpRequest, slug: str, do: str) -> HttpResponse:
    """Name the consequence, ask for the name of the tournament, and do it."""
    if do not in IRREVERSIBLE_ACTIONS:
        raise Http404
    tournament, user = find_managed(request, slug, referee=do in REFEREE_ACTIONS)
    try:
        action = IRREVERSIBLE_ACTIONS[do](tournament, request.GET)
    except Refused as refusal:
        messages.error(request, refusal.message.explanation)
        return redirect("tournaments:manage", slug)
    data = request.POST if request.method == "POST" else None
    form = ConfirmActionForm(data, name=tournament.name)
    if form.is_valid():
        try:
            action.do(user, form.cleaned_data["because"])
        except Refused as refusal:
            messages.error(request, refusal.message.explanation)
        return redirect("tournaments:manage", slug)
    context = page_context(request, tournament, Standing(tournament), "manage")
    context |= {"action": action, "form": form}
    return render(request, "tournaments/confirm_action.html", context)


def _cancel(tournament: Tournament, _: QueryDict) -> IrreversibleAction:
    games = Match.objects.filter(tournament_game__round__tournament=tournament)
    waiting = games.filter(status=Match.Status.QUEUED).count()
    lost = f" {count(waiting, 'waiting game')} will not be played." if waiting else ""
    return IrreversibleAction(
        f"Cancel {tournament}",
        f"Nobody gets a place in {tournament}.{lost} It cannot be opened again.",
        lambda user, because: lifecycle.cancel(tournament, user, because),
    )


def _disqualify(tournament: Tournament, query: QueryDict) -> IrreversibleAction:
    entries = tournament.entries.exclude(status=Entry.Status.DISQUALIFIED)
    entry = get_object_or_404(entries.select_related("bot"), bot__slug=query.get("bot", ""))
    return IrreversibleAction(
        f"Disqualify {entry.bot}",
        f"{entry.bot} plays no further round and is placed behind everybody. Games it has played"
        " stay, and so does what others won against it. It cannot enter again.",
        lambda user, because: refereeing.disqualify(tournament, user, entry.bot.slug, because),
    )


def _pod(tournament: Tournament, query: QueryDict) -> tuple[int, int, str]:
    """Return round and table, and what is at stake there."""
    number, table = (_whole_number(query.get(name, "")) for name in ("round", "table"))
    row, planned = tables.latest_table(tournament, number, table)
    games = f"{count(len(planned.matches()), 'game')} of {count(len(planned.entries), 'bot')}"
    if row.sealed:
        return number, table, games
    _, config = load(tournament.config)
    played = public_round(row)
    points = table_points(config, played, played.tables[planned.number - 1])
    unit = "penalty points" if config.fewest_wins else "points"
    total = presentation.number(sum(points.values(), Fraction(0)))
    return number, table, f"{games} and {total} {unit}"


def _whole_number(text: str) -> int:
    if not text.isdecimal():
        raise Http404
    return int(text)


def _rerun(tournament: Tournament, query: QueryDict) -> IrreversibleAction:
    number, table, stake = _pod(tournament, query)
    return IrreversibleAction(
        f"Re-run pod {letters(table)} of round {number}",
        f"Voids {stake}, and deals the games again with other cards. Nothing else changes.",
        lambda user, because: refereeing.rerun_table(tournament, user, number, table, because),
    )


def _void(tournament: Tournament, query: QueryDict) -> IrreversibleAction:
    number, table, stake = _pod(tournament, query)
    tables.voidable_table(tournament, number, table)
    return IrreversibleAction(
        f"Void pod {letters(table)} of round {number}",
        f"Voids {stake}. Everybody in the pod gets the points of an average game instead.",
        lambda user, because: refereeing.void_table(tournament, user, number, table, because),
    )


IRREVERSIBLE_ACTIONS: dict[str, Callable[[Tournament, QueryDict], IrreversibleAction]] = {
    "cancel": _cancel,
    "disqualify": _disqualify,
    "rerun": _rerun,
    "void": _void,
}
