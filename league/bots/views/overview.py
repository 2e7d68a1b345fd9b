"""The page of a bot: how strong it is, how it plays, whom it beats, what it did lately."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot, BotVersion
from league.bots.views import seat_rows as sat
from league.bots.views.playing_style import habits
from league.bots.views.rating_chart import PERIODS, chart
from league.bots.views.versions import counts
from league.errors import Refused
from league.ladder import queries
from league.ladder.services import PROVISIONAL
from league.matches import services
from league.matches.game_options import ChallengeOptionsForm
from league.matches.models import Style
from league.matches.statistics import meetings
from league.tournaments.queries.lists import trophies
from league.web.filters import Filters
from league.workers.playing import BENCH_FAULTY, BENCH_LAST

RECENT = 10
LOOKED_BACK = 200
OPPONENTS = 5
SUGGESTED = 40


def find(slug: str) -> Bot:
    """The bot with everything its head shows."""
    found = Bot.objects.public().select_related("owner", "active").prefetch_related("active__plays")
    return get_object_or_404(found, slug=slug)


def owned(request: HttpRequest, bot: Bot) -> bool:
    """Whether the visitor owns the bot."""
    return request.user.is_authenticated and bot.owner_id == request.user.pk


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """What there is to know of a bot at a glance."""
    return render(request, "bots/bot.html", _overview(request, find(slug)))


@require_POST
@login_required
def challenge(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for an unrated match of this bot against others."""
    assert isinstance(request.user, User)
    bot = find(slug)
    others = [name.strip().lower() for name in request.POST.getlist("opponent")]
    game = request.POST.get("game", "")
    form = ChallengeOptionsForm(request.POST, games=_games(bot))
    try:
        table = [bot.slug, *filter(None, others)]
        made = services.challenge(request.user, game, table, options=form.chosen(game))
    except Refused as no:
        kept = {"refused": no.message, "opponents_asked": others, "options_form": form}
        shown = _overview(request, bot) | kept
        return render(request, "bots/bot.html", shown, status=no.status)
    messages.success(request, "The match is queued. It is not rated.")
    return redirect(made)


def _games(bot: Bot) -> list[str]:
    return bot.active.games if bot.active else []


def _overview(request: HttpRequest, bot: Bot) -> dict[str, Any]:
    standings = queries.standings(bot)
    wanted = Filters(request.GET, ("game", "period", "table"))
    usual = max(standings, key=lambda one: one.entry.matches).game if standings else ""
    game = wanted.choice("game", GAMES, usual)
    period = wanted.choice("period", PERIODS, "30")
    recent = sat.fetched(sat.of_bot(bot)).order_by("-finished_at", "-match")[:RECENT]
    plays = _games(bot)
    return {
        "section": "bots",
        "bot": bot,
        "own": owned(request, bot),
        "counts": counts(bot),
        "standings": standings,
        "removed": wanted.removed,
        "missing": [GAMES[slug] for slug in GAMES if slug not in {s.game for s in standings}],
        "placement": PROVISIONAL,
        "game": game,
        "period": period,
        "periods": PERIODS.items(),
        "chart": chart(bot, game, period) if game else None,
        "as_table": wanted.yes("table", default=False),
        "habits": _habits(bot, game),
        "head_to_head": _head_to_head(bot, game),
        "enough": meetings.ENOUGH,
        "recent": sat.rows(list(recent)),
        "trophies": trophies(bot),
        "benched": _benched(bot),
        "faults": _faults(bot),
        "bench_rule": (BENCH_FAULTY, BENCH_LAST),
        "plays": [GAMES[slug] for slug in plays],
        **_challenge_form(request, bot, plays),
    }


def _habits(bot: Bot, game: str) -> Any:
    style = Style.objects.filter(version=bot.active_id, game=game).first()
    return habits(style.matches, style.counts) if style else None


def _head_to_head(bot: Bot, game: str) -> dict[str, Any]:
    """The opponents it met most, a row for each size of table."""
    met = meetings.against(bot, game)
    most = sorted(met, key=lambda other: -meetings.altogether(met[other]).met)[:OPPONENTS]
    bots = Bot.objects.in_bulk(most)
    sizes = sorted({size for other in most for size in met[other]})
    return {
        "opponents": [bots[other] for other in most],
        "rows": [(size, [(bots[o], met[o].get(size)) for o in most]) for size in sizes],
    }


def _benched(bot: Bot) -> BotVersion | None:
    """The latest version, if it sits on the bench and nothing newer plays."""
    benched = bot.versions.exclude(benched_at=None).filter(suspended_at=None)
    latest = benched.defer("steps").first()
    if latest is None or (bot.active and bot.active.number > latest.number):
        return None
    return latest


def _faults(bot: Bot) -> dict[str, int]:
    """In how many of its latest matches it committed one."""
    latest = sat.of_bot(bot).order_by("-finished_at", "-match")
    seen = latest.values_list("faulty", flat=True)[:LOOKED_BACK]
    return {"faulty": sum(seen), "of": len(seen)}


def _challenge_form(request: HttpRequest, bot: Bot, plays: list[str]) -> dict[str, Any]:
    """What the form suggests: house bots are always there to play."""
    if not request.user.is_authenticated or not plays:
        return {}
    assert isinstance(request.user, User)
    house = Bot.objects.playing(plays[0]).filter(owner=None).exclude(pk=bot.pk)
    mine = request.user.bots.exclude(pk=bot.pk).exclude(active=None)
    first = list(house.order_by("pk")[:2])
    return {
        "challenges_left": services.challenges_left(request.user),
        "options_form": ChallengeOptionsForm(games=plays),
        "suggested": [*mine[:SUGGESTED], *house[:SUGGESTED]],
        "opponents_asked": [one.slug for one in first],
    }
