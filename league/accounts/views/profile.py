"""The public profile of a user."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from engine.registry import GAMES
from league.accounts.models import User
from league.ladder import current_ratings
from league.ladder.services import PROVISIONAL
from league.pages.glyph import glyph
from league.tournaments.queries.lists import trophies


def user(request: HttpRequest, name: str) -> HttpResponse:
    """Show a user's bots with their ratings. Those who left are shown as former members."""
    person = get_object_or_404(User, username__iexact=name)
    if person.username != name:
        return redirect("accounts:user", person.username)
    context = {
        "person": person,
        "glyph": glyph(person.username),
        "bots": current_ratings.of_bots(list(person.bots.public().select_related("active"))),
        "games": list(GAMES),
        "placement": PROVISIONAL,
        "trophies": trophies(person),
        "of_user": True,
        "own": person.pk == request.user.pk,
    }
    return render(request, "accounts/user.html", context)
