"""Making a tournament or a cup: one page that works without JavaScript."""

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
from league.tournaments.forms.tournament import AmendForm, TournamentForm
from league.tournaments.models import Cup, Entry, Tournament
from league.tournaments.planning.formats import dump
from league.tournaments.queries.estimate import Estimate, estimate, playing_here
from league.tournaments.services import lifecycle, quotas, recurring
from league.tournaments.services.amending import AMENDABLE, amend
from league.tournaments.views.public import find, frame

_DATE = "%a %d %b %Y, %H:%M %Z"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """A new tournament: a look at its cost, a draft, or at once for everybody."""
    user = _user(request)
    if request.method != "POST":
        form = TournamentForm(initial=_beginning(request, user), user=user)
        return _page(request, form)
    form = TournamentForm(request.POST, user=user)
    if not form.is_valid() or request.POST.get("do") == "preview":
        return _page(request, form)
    try:
        made = _made(form, user, publish=request.POST.get("do") == "publish")
    except Refused as no:
        form.add_error(None, no.message.explanation)
        return _page(request, form)
    messages.success(request, _told(made))
    if isinstance(made, Cup):
        return redirect(made)
    return redirect("tournaments:manage", made.slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what nobody has entered yet, or what harms nobody of a tournament that some have."""
    tournament, user = find(request, slug), _user(request)
    if not lifecycle.may_manage(tournament, user):
        raise Http404
    if tournament.state in AMENDABLE and not _free(tournament):
        return _amend(request, tournament, user)
    if not _free(tournament):
        raise Http404
    if request.method != "POST":
        return _page(
            request, TournamentForm(initial=presets.draft(tournament), user=user), tournament
        )
    form = TournamentForm(request.POST, user=user)
    if not form.is_valid() or request.POST.get("do") == "preview":
        return _page(request, form, tournament)
    try:
        lifecycle.change(tournament, user, **form.facts(), **form.times())
        if request.POST.get("do") == "publish" and tournament.state == Tournament.State.DRAFT:
            lifecycle.publish(tournament, user)
    except Refused as no:
        form.add_error(None, no.message.explanation)
        return _page(request, form, tournament)
    messages.success(request, _told(tournament))
    return redirect("tournaments:manage", tournament.slug)


def _free(tournament: Tournament) -> bool:
    """Whether everything can still change: nobody relies on it."""
    is_open = tournament.state in {Tournament.State.DRAFT, Tournament.State.OPEN}
    return is_open and not tournament.entries.filter(status=Entry.Status.PLAYING).exists()


def _amend(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    start = presets.dates(tournament) | {
        "about": tournament.about,
        "max_entries": tournament.max_entries,
    }
    form = AmendForm(request.POST if request.method == "POST" else None, initial=start)
    if form.is_valid():
        try:
            changes = amend(tournament, user, **form.values())
            said = f"Changed {'; '.join(changes)}." if changes else "Nothing was changed."
            messages.success(request, said)
            return redirect("tournaments:manage", tournament.slug)
        except Refused as no:
            form.add_error(None, no.message.explanation)
    context = frame(request, tournament, "manage") | {"form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/amend.html", context, status=status)


@login_required
@require_POST
def cost(request: HttpRequest) -> HttpResponse:
    """The cost line and the preview for what is in the form now."""
    form = TournamentForm(request.POST, user=_user(request))
    form.is_valid()
    return render(request, "tournaments/_cost.html", _estimated(form, _user(request)))


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _beginning(request: HttpRequest, user: User) -> dict[str, Any]:
    """The values of a template, or of an earlier tournament of one's own."""
    now = timezone.now()
    if preset := presets.PRESETS.get(request.GET.get("template", "")):
        return preset.values(now)
    like = request.GET.get("like", "").replace("\0", "")  # PostgreSQL would not take it
    earlier = Tournament.objects.filter(slug=like).first()
    if earlier and lifecycle.may_referee(earlier, user):
        return presets.like(earlier, now)
    return presets.fresh(now)


def _page(
    request: HttpRequest, form: TournamentForm, tournament: Tournament | None = None
) -> HttpResponse:
    context = {
        "section": "tournaments",
        "form": form,
        "tournament": tournament,
        "presets": presets.PRESETS.values(),
        **_estimated(form, _user(request), tournament),
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "tournaments/new.html", context, status=status)


def _estimated(
    form: TournamentForm, user: User, tournament: Tournament | None = None
) -> dict[str, Any]:
    """Cost, quota, preview and dates as far as the form says enough."""
    asked = form
    if not form.is_bound:
        unbound = {name: field.initial for name, field in form.fields.items()}
        asked = TournamentForm({**unbound, **form.initial, "name": "preview"})
        asked.is_valid()
    organiser = (tournament.organiser if tournament else None) or user
    return {
        "quota": _quota(asked, organiser, tournament),
        "estimate": _estimate(asked, organiser),
        "dates": [f"{date:{_DATE}}" for date in asked.dates()],
    }


def _quota(form: TournamentForm, organiser: User, tournament: Tournament | None) -> str:
    """What it would take of what its organiser may book."""
    if form.settled is None:
        return ""
    _, config = form.settled
    most = form.cleaned_data.get("max_entries") or config.seats
    return quotas.sentence(organiser, quotas.max_games(dump(config), most), tournament)


def _estimate(form: TournamentForm, organiser: User) -> Estimate | None:
    chosen = form.cleaned_data
    if form.settled is None or "game" not in chosen or "seats" not in chosen:
        return None
    format_, config = form.settled
    most = chosen.get("max_entries") or config.seats
    expected = chosen.get("expected") or playing_here(chosen["game"], most)
    bots = min(expected, most)
    return estimate(format_, config, chosen["game"], bots, organiser=organiser)


def _made(form: TournamentForm, user: User, *, publish: bool) -> Tournament | Cup:
    if form.cleaned_data["repeat"] != "once":
        facts = form.facts() | form.cup_facts() | {"stopped": not publish}
        return recurring.create_cup(user, **facts)
    made = lifecycle.create(user, **form.facts(), **form.times())
    if publish:
        lifecycle.publish(made, user)
    return made


def _told(made: Tournament | Cup) -> str:
    if isinstance(made, Cup):
        return f"{made} is saved, and stopped." if made.stopped else f"{made} comes round now."
    made.refresh_from_db()
    return f"{made} is {'open for entries' if made.state == 'open' else 'saved as a draft'}."
