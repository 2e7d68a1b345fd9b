"""The settings of a bot, for its owner: its name, retiring it, and deleting it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.bots import retirement
from league.bots.forms import RenameForm
from league.bots.models import Bot
from league.bots.views.versions import counts
from league.errors import Refused
from runners.faults import Message


@login_required
@require_safe
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what the owner can do with the bot."""
    bot = _own_bot(request, slug)
    return _page(request, bot, RenameForm(initial={"name": bot.name}))


@login_required
@require_POST
def rename(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the bot another name."""
    bot = _own_bot(request, slug)
    form = RenameForm(request.POST)
    if not form.is_valid():
        return _page(request, bot, form, status=422)
    try:
        renamed = retirement.rename(bot, form.cleaned_data["name"])
    except Refused as refused:
        return _page(request, bot, form, refused.message, refused.status)
    messages.success(request, f"The bot is called {renamed.name} now. Its address stays.")
    return redirect("bots:settings", bot.slug)


@login_required
@require_POST
def retire(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the bot out of play."""
    bot = retirement.retire(_own_bot(request, slug))
    messages.success(request, f"{bot.name} is retired. Its matches and ratings stay.")
    return redirect(bot)


@login_required
@require_POST
def bring_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a retired bot play again."""
    bot = retirement.bring_back(_own_bot(request, slug))
    if bot.active:
        messages.success(request, f"{bot.name} is back: v{bot.active.number} plays again.")
    else:
        messages.info(request, f"{bot.name} is back. It plays once a version of it is active.")
    return redirect(bot)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask before deleting the bot, and delete it."""
    bot = _own_bot(request, slug)
    refusal: Message | None = None
    if request.method == "POST":
        try:
            retirement.delete(bot)
        except Refused as refused:
            refusal = refused.message
        else:
            messages.success(request, f"{bot.name} is deleted. Its name is free again.")
            return redirect("accounts:me")
    context = {"bot": bot, "may_delete": retirement.may_delete(bot), "refused": refusal}
    status = 409 if refusal else 200
    return render(request, "bots/delete.html", context | {"section": "bots"}, status=status)


def _own_bot(request: HttpRequest, slug: str) -> Bot:
    bots = Bot.objects.filter(hidden_at=None).select_related("owner", "active")
    return get_object_or_404(bots, slug=slug, owner=request.user)


def _page(
    request: HttpRequest,
    bot: Bot,
    form: RenameForm,
    refusal: Message | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "section": "bots",
        "bot": bot,
        "counts": counts(bot),
        "form": form,
        "refused": refusal,
        "may_delete": retirement.may_delete(bot),
        "rename_days": retirement.NAME_STAYS.days,
    }
    return render(request, "bots/settings.html", context, status=status)
