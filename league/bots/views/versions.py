"""The versions of a bot with the ratings they had, and what its owner may do with them."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Prefetch, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from league.bots import services
from league.bots.forms import AboutForm
from league.bots.models import DELETED, ERASED, Bot, BotVersion, SmokeMatch, SourceFile
from league.ladder import current_ratings
from league.ladder.current_ratings import CurrentRating
from league.ladder.models import Entry

ROWS = 50


@dataclass(frozen=True, slots=True)
class Row:
    """A version on the page."""

    version: BotVersion
    ratings: list[CurrentRating]
    readable: bool
    file_count: int = 0
    """Of a bundle; 0 for a single file."""
    size: int = 0

    @property
    def download_url(self) -> str:
        """Return where its owner gets the code."""
        page = "bots:archive" if self.file_count else "bots:download"
        return reverse(page, args=[self.version.bot.slug, self.version.number])

    @property
    def erased(self) -> bool:
        """Return whether its code was deleted."""
        return self.version.suspended_because in (DELETED, ERASED)


def counts(bot: Bot) -> dict[str, int]:
    """Return the numbers in the tabs of a bot's pages."""
    played = Entry.objects.filter(bot=bot).aggregate(matches=Sum("matches"), faults=Sum("faulty"))
    return {
        "versions": bot.versions.count(),
        "matches": played["matches"] or 0,
        "faults": played["faults"] or 0,
    }


def versions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all versions, the latest first."""
    bots = Bot.objects.visible_to(request.user).select_related("owner", "active")
    bot = get_object_or_404(bots, slug=slug)
    numbers = counts(bot)
    played = Prefetch("smoke_matches", SmokeMatch.objects.results())
    rows = bot.versions.defer("steps").prefetch_related(played)
    page: Any = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    page.object_list = _rows(request, bot, list(page.object_list))
    own = request.user.is_authenticated and bot.owner_id == request.user.pk
    context = {
        "bot": bot,
        "counts": numbers,
        "page": page,
        "own": own,
        "may_watch": own or request.user.is_staff,
        "may_compare": sum(row.readable for row in page) > 1,
        "next_number": numbers["versions"] + 1,
        "form": AboutForm(initial={"about": bot.about, "notes_public": bot.notes_public}),
        "section": "bots",
    }
    return render(request, "bots/versions.html", context)


def _rows(request: HttpRequest, bot: Bot, versions: list[BotVersion]) -> list[Row]:
    ratings = current_ratings.of_versions([version.pk for version in versions])
    sizes = _sizes(versions)
    for version in versions:
        version.bot = bot
    return [
        Row(
            version,
            ratings.get(version.pk, []),
            services.may_read_source(version, request.user),
            *sizes.get(version.source_id, (0, 0)),
        )
        for version in versions
    ]


def _sizes(versions: list[BotVersion]) -> dict[str, tuple[int, int]]:
    """Return the number of files and the bytes of those that are bundles, by their digests."""
    files = SourceFile.objects.filter(source__in=[version.source_id for version in versions])
    sums = files.values_list("source").annotate(Count("pk"), Sum("blob__size"))
    return {digest: (count, size) for digest, count, size in sums.order_by()}
