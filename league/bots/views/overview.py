"""The page of a bot: its strength, its style, its opponents and its latest matches."""

from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from engine.game import Game
from engine.registry import GAMES
from league.accounts.models import User
from league.bots.models import Bot, BotVersion
from league.bots.views import seat_rows
from league.bots.views.playing_style import PlayingStyle, playing_style
from league.bots.views.rating_chart import PERIODS, chart
from league.bots.views.versions import counts
from league.errors import Refused
from league.ladder import queries
from league.ladder.models import Entry
from league.ladder.services import PROVISIONAL
from league.matches import bench_rule, revealing, services
from league.matches.game_options import ChallengeOptionsForm
from league.matches.models import Style
from league.matches.queries import challenges_left
from league.matches.statistics import meetings
from league.tournaments.queries.lists import trophies
from league.web.filters import Filters
from league.web.guest_pages import same_for_guests

RECENT_ROWS = 10
FAULT_SAMPLE = 200
OPPONENT_COLUMNS = 5
MAX_SUGGESTIONS = 40
_STATISTICS_SECONDS = 15


def find(request: HttpRequest, slug: str) -> Bot:
    """Return a bot that the visitor may see, with everything that the head of its pages shows."""
    bots = (
        Bot.objects.visible_to(request.user)
        .select_related("owner", "active")
        .defer("active__steps")
    )
    return get_object_or_404(bots.prefetch_related("active__plays"), slug=slug)


def is_owner(request: HttpRequest, bot: Bot) -> bool:
    """Return whether the visitor owns the bot."""
    return request.user.is_authenticated and bot.owner_id == request.user.pk


@require_safe
@same_for_guests
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a bot at a glance."""
    return render(request, "bots/bot.html", _overview(request, find(request, slug)))


@require_POST
@login_required
def challenge(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for an unrated match of this bot against others."""
    assert isinstance(request.user, User)
    bot = find(request, slug)
    others = [name.strip().lower() for name in request.POST.getlist("opponent")]
    game = request.POST.get("game", "")
    form = ChallengeOptionsForm(request.POST, games=_games(bot))
    try:
        table = [bot.slug, *filter(None, others)]
        match = services.challenge(request.user, game, table, options=form.chosen(game))
    except Refused as refusal:
        context = _overview(request, bot)
        context |= {"refused": refusal.message, "opponents": others, "options_form": form}
        return render(request, "bots/bot.html", context, status=refusal.status)
    messages.success(request, "The match is queued. It is not rated.")
    return redirect(match)


def _games(bot: Bot) -> list[str]:
    return bot.active.games if bot.active else []


def _overview(request: HttpRequest, bot: Bot) -> dict[str, Any]:
    standings = queries.standings(bot)
    filters = Filters(request.GET, ("game", "period", "table"))
    game = filters.choice("game", GAMES, _main_game(bot))
    period = filters.choice("period", PERIODS, "30")
    recent = seat_rows.fetch(seat_rows.of_bot(bot)).order_by("-finished_at", "-match")[:RECENT_ROWS]
    latest = list(recent)
    mark = (_marks(standings), latest[0].pk if latest else None)
    statistics = _statistics(bot, game, mark)
    plays = _games(bot)
    return {
        "section": "bots",
        "bot": bot,
        "own": is_owner(request, bot),
        "counts": counts(bot),
        "standings": standings,
        "removed": filters.removed,
        "missing": _missing(bot, {standing.game for standing in standings}),
        "unaccepted": bot.active is None and not Bot.objects.accepted().filter(pk=bot.pk).exists(),
        "placement": PROVISIONAL,
        "game": game,
        "period": period,
        "periods": PERIODS.items(),
        "as_table": filters.yes("table", default=False),
        "enough": meetings.ENOUGH,
        "recent": seat_rows.rows(latest),
        "trophies": trophies(bot),
        "benched": _benched(bot),
        "event_running": revealing.EVENT_RUNNING,
        "chart": chart(bot, game, period) if game else None,
        **statistics,
        "head_to_head": _head_to_head(statistics["most_met"]),
        "bench_rule": (bench_rule.FAULTY_COUNT, bench_rule.LATEST_COUNT),
        "plays": [GAMES[slug] for slug in plays],
        **_challenge_form(request, bot, plays),
    }


def _marks(standings: list[queries.Standing]) -> tuple[object, ...]:
    """Return numbers that change whenever the bot is rated."""
    return tuple((one.game, one.entry.matches, one.strength.mu) for one in standings)


def _statistics(bot: Bot, game: str, mark: tuple[object, ...]) -> dict[str, Any]:
    """Return what is summed up over many matches, computed again after a match of the bot.

    Sums of statistics can follow a match a little later, so they are kept for seconds only.
    """
    shown = (bot.pk, bot.active_id, bot.retired_at, game, mark)
    key = f"bot-{sha256(repr(shown).encode()).hexdigest()}"
    cached: dict[str, Any] | None = cache.get(key)
    if cached is None:
        cached = {
            "style": _playing_style(bot, game),
            "most_met": _most_met(bot, game),
            "faults": _faults(bot),
        }
        cache.set(key, cached, _STATISTICS_SECONDS)
    return cached


def _missing(bot: Bot, on_ladders: set[str]) -> list[Game]:
    """Return the games whose ladders it could still enter; a retired bot enters none."""
    return [] if bot.retired_at else [GAMES[slug] for slug in GAMES if slug not in on_ladders]


def _main_game(bot: Bot) -> str:
    """Return the game that it played most on ladders, also of a bot that plays no more."""
    entries = Entry.objects.filter(bot=bot).order_by("-matches", "pk")
    return entries.values_list("ladder", flat=True).first() or ""


def _playing_style(bot: Bot, game: str) -> PlayingStyle | None:
    """Return the style of its active version; of one that retired, that of the last one."""
    version = bot.active_id
    if bot.retired_at:
        last = bot.versions.exclude(activated_at=None).order_by("-activated_at")
        version = last.values_list("pk", flat=True).first()
    style = Style.objects.filter(version=version, game=game).first()
    return playing_style(GAMES[game], style.matches, style.counts) if style else None


def _most_met(bot: Bot, game: str) -> dict[int, meetings.Sizes]:
    """Return the opponents it met most, by their keys."""
    met = meetings.against(bot, game)
    most = sorted(met, key=lambda other: -meetings.altogether(met[other]).met)[:OPPONENT_COLUMNS]
    return {other: met[other] for other in most}


def _head_to_head(met: dict[int, meetings.Sizes]) -> dict[str, Any]:
    """Return these opponents under their current names, with a row for each size of table."""
    bots = Bot.objects.in_bulk(met)
    sizes = sorted({size for other in met for size in met[other]})
    return {
        "opponents": [bots[other] for other in met],
        "rows": [(size, [(bots[o], met[o].get(size)) for o in met]) for size in sizes],
    }


def _benched(bot: Bot) -> BotVersion | None:
    """Return the latest version if it is benched and nothing newer plays."""
    benched = bot.versions.exclude(benched_at=None).filter(suspended_at=None)
    latest = benched.defer("steps").first()
    if latest is None or (bot.active and bot.active.number > latest.number):
        return None
    return latest


def _faults(bot: Bot) -> dict[str, int]:
    """Count its latest matches with a fault."""
    latest = seat_rows.of_bot(bot).order_by("-finished_at", "-match")
    sample = latest.values_list("faulty", flat=True)[:FAULT_SAMPLE]
    return {"faulty": sum(sample), "of": len(sample)}


def _challenge_form(request: HttpRequest, bot: Bot, plays: list[str]) -> dict[str, Any]:
    """Return what the form suggests: own bots, and house bots, which are always there."""
    if not request.user.is_authenticated or not plays:
        return {}
    assert isinstance(request.user, User)
    house = Bot.objects.playing(plays[0]).filter(owner=None).exclude(pk=bot.pk)
    mine = request.user.bots.exclude(pk=bot.pk).exclude(active=None)
    first = list(house.order_by("pk")[:2])
    return {
        "challenges_left": challenges_left(request.user),
        "options_form": ChallengeOptionsForm(games=plays),
        "opponent_numbers": range(1, max(max(GAMES[slug].seats) for slug in plays)),
        "suggested": [*mine[:MAX_SUGGESTIONS], *house[:MAX_SUGGESTIONS]],
        "opponents": [one.slug for one in first],
    }
