"""Creating and changing a tournament: one page that works without JavaScript."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from league.accounts.models import User
from league.errors import Refused
from league.tournaments import presets
from league.tournaments.forms.manage import AmendForm
from league.tournaments.forms.tournament import TournamentForm
from league.tournaments.models import Entry, RecurringTournament, Tournament
from league.tournaments.planning.formats import dump
from league.tournaments.queries.estimate import Estimate, count_bots, estimate
from league.tournaments.queries.standing import Standing
from league.tournaments.services import lifecycle, permissions, quotas
from league.tournaments.services.amending import AMENDABLE, amend
from league.tournaments.services.recurring import create_recurring
from league.tournaments.views.page import find_tournament, page_context

_DATE = "%a %d %b %Y, %H:%M %Z"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Preview a new tournament, save it as a draft, or publish it."""
    user = _user(request)
    if request.method != "POST":
        form = TournamentForm(initial=_initial(request, user), user=user)
        return _page(request, form)
    form = TournamentForm(request.POST, user=user)
    if not form.is_valid() or request.POST.get("do") == "preview":
        return _page(request, form)
    try:
        tournament = _save(form, user, publish=request.POST.get("do") == "publish")
    except Refused as refusal:
        form.add_error(None, refusal.message.explanation)
        return _page(request, form)
    messages.success(request, _success_text(tournament))
    if isinstance(tournament, RecurringTournament):
        return redirect(tournament)
    return redirect("tournaments:manage", tournament.slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change a tournament: everything until somebody has entered, later what harms nobody."""
    tournament, user = find_tournament(request, slug), _user(request)
    if not permissions.may_manage(tournament, user):
        raise Http404
    if tournament.state in AMENDABLE and not _is_changeable(tournament):
        return _amend(request, tournament, user)
    if not _is_changeable(tournament):
        raise Http404
    if request.method != "POST":
        return _page(
            request, TournamentForm(initial=presets.values_of(tournament), user=user), tournament
        )
    form = TournamentForm(request.POST, user=user)
    if not form.is_valid() or request.POST.get("do") == "preview":
        return _page(request, form, tournament)
    try:
        lifecycle.change(tournament, user, **form.terms(), **form.times())
        if request.POST.get("do") == "publish" and tournament.state == Tournament.State.DRAFT:
            lifecycle.publish(tournament, user)
    except Refused as refusal:
        form.add_error(None, refusal.message.explanation)
        return _page(request, form, tournament)
    messages.success(request, _success_text(tournament))
    return redirect("tournaments:manage", tournament.slug)


def _is_changeable(tournament: Tournament) -> bool:
    """Return whether everything can still change, because nobody has entered."""
    is_open = tournament.state in {Tournament.State.DRAFT, Tournament.State.OPEN}
    return is_open and not tournament.entries.filter(status=Entry.Status.PLAYING).exists()


def _amend(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    initial = presets.dates(tournament) | {
        "about": tournament.about,
        "max_entries": tournament.max_entries,
    }
    form = AmendForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        try:
            changes = amend(tournament, user, **form.values())
            text = f"Changed {'; '.join(changes)}." if changes else "Nothing was changed."
            messages.success(request, text)
            return redirect("tournaments:manage", tournament.slug)
        except Refused as refusal:
            form.add_error(None, refusal.message.explanation)
    context = page_context(request, tournament, Standing(tournament), "manage") | {"form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/amend.html", context, status=status)


@login_required
@require_POST
def cost(request: HttpRequest) -> HttpResponse:
    """Render the cost line and the preview for the current form."""
    form = TournamentForm(request.POST, user=_user(request))
    form.is_valid()
    return render(request, "tournaments/_cost.html", _estimates(form, _user(request)))


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _initial(request: HttpRequest, user: User) -> dict[str, Any]:
    """Return the values of a template, or of an earlier tournament of one's own."""
    now = timezone.now()
    if preset := presets.find(request.GET.get("template", "")):
        return preset.values(now)
    like = request.GET.get("like", "").replace("\0", "")  # PostgreSQL would not take it
    earlier = Tournament.objects.filter(slug=like).first()
    if earlier and permissions.may_referee(earlier, user):
        return presets.copy_of(earlier, now)
    return presets.defaults(now)


def _page(
    request: HttpRequest, form: TournamentForm, tournament: Tournament | None = None
) -> HttpResponse:
    context = {
        "section": "tournaments",
        "form": form,
        "tournament": tournament,
        "presets": presets.presets(),
        **_estimates(form, _user(request), tournament),
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "tournaments/new.html", context, status=status)


def _estimates(
    form: TournamentForm, user: User, tournament: Tournament | None = None
) -> dict[str, Any]:
    """Return cost, quota, preview and dates, as far as the form is complete enough."""
    filled = form
    if not form.is_bound:
        initial = {name: field.initial for name, field in form.fields.items()}
        filled = TournamentForm({**initial, **form.initial, "name": "preview"})
        filled.is_valid()
    organiser = (tournament.organiser if tournament else None) or user
    return {
        "quota": _quota(filled, organiser, tournament),
        "estimate": _estimate(filled, organiser),
        "dates": [f"{date:{_DATE}}" for date in filled.dates()],
    }


def _quota(form: TournamentForm, organiser: User, tournament: Tournament | None) -> str:
    """Return how much of the organiser's quota it would use."""
    if form.plan is None:
        return ""
    _, config = form.plan
    max_entries = form.cleaned_data.get("max_entries") or config.seats
    return quotas.sentence(organiser, quotas.max_games(dump(config), max_entries), tournament)


def _estimate(form: TournamentForm, organiser: User) -> Estimate | None:
    choices = form.cleaned_data
    if form.plan is None or "game" not in choices or "seats" not in choices:
        return None
    format_, config = form.plan
    max_entries = choices.get("max_entries") or config.seats
    expected = choices.get("expected") or count_bots(choices["game"])
    bots = min(expected, max_entries)
    return estimate(format_, config, choices["game"], bots, organiser=organiser)


def _save(form: TournamentForm, user: User, *, publish: bool) -> Tournament | RecurringTournament:
    if form.cleaned_data["repeat"] != "once":
        terms = form.terms() | form.recurring_terms() | {"stopped": not publish}
        return create_recurring(user, **terms)
    tournament = lifecycle.create(user, **form.terms(), **form.times())
    if publish:
        lifecycle.publish(tournament, user)
    return tournament


def _success_text(tournament: Tournament | RecurringTournament) -> str:
    if isinstance(tournament, RecurringTournament):
        status = "saved, and stopped" if tournament.stopped else "scheduled"
        return f"{tournament} is {status}."
    tournament.refresh_from_db()
    status = "open for entries" if tournament.state == "open" else "saved as a draft"
    return f"{tournament} is {status}."
