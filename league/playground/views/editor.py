"""The playground: write a bot, choose a table, run, and watch, all on one page."""

import secrets
from uuid import uuid4

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from engine.registry import GAMES
from league.accounts.models import User
from league.bots import drafts
from league.bots.drafts import Draft
from league.bots.source.budget import read_for
from league.bots.source.findings import Problem, Reading
from league.bots.views.upload import DRAFTS
from league.errors import Refused
from league.playground import services
from league.playground.forms import RunForm, is_starter, usual_setup
from league.playground.services import Client, Setup
from league.playground.views import page
from league.playground.views.page import Feedback
from league.web.client_address import counted_address
from league.web.htmx import HtmxRequest
from league.web.throttling import Limit
from runners.faults import message

RUNS_OF_CLIENT = Limit("playground-client", 30)
RUNS_OF_ADDRESS = Limit("playground-address", 600)
"""Of guests: behind one address a whole class may be trying its bots."""
_SESSION_KEY = "playground"


@never_cache
def editor(request: HtmxRequest) -> HttpResponse:
    """Show the page with a starter bot, or run what is in it."""
    if not settings.PLAYGROUND:
        if request.method == "POST":
            raise Http404
        return redirect("bots:new")
    if request.method != "POST":
        return page.show(request, RunForm(initial=_initial(request)))
    form = RunForm(request.POST, request.FILES)
    if "choose" in request.POST:
        if is_starter(request.POST.get("code", "")):
            form.choose_usual_opponents()
        return page.show(request, RunForm(initial=dict(form.data.items())))
    return _run(request, form)


def _run(request: HtmxRequest, form: RunForm) -> HttpResponse:
    client = _client(request)
    if seconds := _seconds_to_wait(request, client):
        refusal = message("L008", seconds=seconds)
        response = page.show(request, form, Feedback(refusal=refusal, status=429))
        response["Retry-After"] = str(seconds)
        return response
    if not form.is_valid():
        return page.show(request, form, Feedback(status=422))
    try:
        reading = read_for(request, form.cleaned_data["source"])
        if problem := _unfit(reading, form.cleaned_data["game"]):
            text = "" if reading.bundle else reading.text
            reading = Reading(text, (problem,), reading.name, reading.games)
        if reading.text:
            form.show_text(reading.text)
        if reading.problems:
            return page.show(request, form, Feedback(reading=reading, status=422))
        run = services.start(client, _setup(request, form, reading))
    except Refused as refused:
        response = page.show(
            request, form, Feedback(refusal=refused.message, status=refused.status)
        )
        response["Retry-After"] = str(refused.values.get("seconds", 1))
        return response
    return page.show(request, form, run=run) if request.htmx else redirect(run)


@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    """Take the code along to the form that uploads it, which asks for a name."""
    code = request.POST.get("code", "").replace("\r\n", "\n")
    if not 0 < len(code.encode(errors="replace")) <= settings.LIMITS.source_kib << 10:
        return redirect("bots:new")
    if seconds := DRAFTS.seconds_to_wait(counted_address(request)):
        context = {"message": message("L008", seconds=seconds)}
        response = render(request, "429.html", context, status=429)
        response["Retry-After"] = str(seconds)
        return response
    drafts.store(request, Draft(code))
    return redirect("bots:new")


def _initial(request: HttpRequest) -> dict[str, str]:
    game = request.GET.get("game", "")
    return usual_setup(game if game in GAMES else next(iter(GAMES)))


def _client(request: HttpRequest) -> Client:
    """Return who asks; a guest gets a name in their session, for a day."""
    if isinstance(request.user, User):
        return Client(f"user-{request.user.pk}", request.user)
    if _SESSION_KEY not in request.session:
        request.session[_SESSION_KEY] = uuid4().hex
        request.session.set_expiry(drafts.LIFETIME)
    return Client(f"guest-{request.session[_SESSION_KEY]}")


def _seconds_to_wait(request: HttpRequest, client: Client) -> int:
    seconds = RUNS_OF_CLIENT.seconds_to_wait(client.name)
    if client.user is None:
        seconds = max(seconds, RUNS_OF_ADDRESS.seconds_to_wait(counted_address(request)))
    return seconds


def _unfit(reading: Reading, game: str) -> Problem | None:
    """Return what to say to a bundle, and to a bot that does not play the game it was put to."""
    if reading.bundle:
        return Problem(message("E106", reason="The playground plays single files, no archives"))
    if reading.problems or game in reading.games:
        return None
    games = ", ".join(reading.games)
    return Problem(message("E107", name=reading.name, games=games, game=game))


def _setup(request: HttpRequest, form: RunForm, reading: Reading) -> Setup:
    """Return the match to play: with the seed of the last one, with a chosen or with a new one."""
    data = form.cleaned_data
    again = request.POST.get("again", "").replace("\0", "")[:64]
    seed = again or data["seed"] or secrets.token_hex(4)
    return Setup(reading.text, data["game"], data["opponents"], seed)
