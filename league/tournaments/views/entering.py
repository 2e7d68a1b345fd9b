"""Entering and withdrawing a bot."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from league.accounts.models import User
from league.bots.models import Bot
from league.errors import Refused
from league.tournaments.services import entries
from league.tournaments.views.page import find_tournament


@login_required
@require_POST
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter one of one's own bots."""
    tournament = find_tournament(request, slug)
    user, bot = _own_bot(request)
    try:
        entries.enter(tournament, bot, user, request.POST.get("invite_code", "").strip())
    except Refused as refusal:
        messages.error(request, refusal.message.explanation)
    else:
        messages.success(request, f"{bot} is in {tournament}.")
    return redirect(tournament)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Withdraw one of one's own bots."""
    tournament = find_tournament(request, slug)
    user, bot = _own_bot(request)
    try:
        entries.withdraw(tournament, bot, user)
    except Refused as refusal:
        messages.error(request, refusal.message.explanation)
    else:
        messages.success(request, f"{bot} has left {tournament}.")
    return redirect(tournament)


def _own_bot(request: HttpRequest) -> tuple[User, Bot]:
    assert isinstance(request.user, User)
    bots = Bot.objects.named(request.POST.get("bot", ""))
    return request.user, get_object_or_404(bots, owner=request.user)
