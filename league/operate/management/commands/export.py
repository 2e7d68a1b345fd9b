"""`manage.py export`: matches and ratings as JSON lines."""

import json
import os
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from engine.registry import GAMES
from league.ladder.models import Ladder, RatingChange
from league.ladder.ratings.arithmetic import Versions
from league.matches.models import Match, Record, Seat
from league.matches.records.codec import unpack
from league.matches.records.display_names import with_current_names


class Command(BaseCommand):
    """The export of public data for analysis."""

    help = "Write finished matches (or, with --ratings, the ledger) as JSON lines to stdout."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the options."""
        parser.add_argument("--game", choices=list(GAMES), help="only this game")
        parser.add_argument("--ratings", action="store_true", help="write the ledger instead")

    def handle(self, *_: Any, game: str | None, ratings: bool, **__: Any) -> None:
        """Write the matches or the ledger line by line."""
        try:
            for line in _ledger(game) if ratings else _records(game):
                self.stdout.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
            self.stdout.flush()
        except BrokenPipeError:
            # The reader, such as `head`, has closed the pipe; Python would complain again on exit.
            with open(os.devnull, "wb") as null:
                os.dup2(null.fileno(), self.stdout.fileno())


def _records(game: str | None) -> Any:
    records = Record.objects.filter(match__status=Match.Status.FINISHED, match__hidden=False)
    if game:
        records = records.filter(match__game=game)
    renamed = set(Seat.objects.exclude(bot__renamed_at=None).values_list("match", flat=True))
    for record in records.order_by("pk").iterator(chunk_size=200):
        document = unpack(record.data)
        if record.match_id in renamed:
            seats = Seat.objects.filter(match=record.match_id).select_related("bot")
            document = with_current_names(document, seats)
        yield {"match": record.match_id, "record": document}


def _ledger(game: str | None) -> Any:
    lines = RatingChange.objects.select_related("bot", "version").order_by(
        "ladder", "ledger_position", "seat"
    )
    if game:
        lines = lines.filter(ladder=game)
    versions = {slug: Versions(slug) for slug in Ladder.objects.values_list("game", flat=True)}
    for line in lines.iterator(chunk_size=500):
        yield {
            "game": line.ladder_id,
            "ledger_position": line.ledger_position,
            "arithmetic": versions[line.ladder_id].at(line.ledger_position),
            "match": line.match_id,
            "seat": line.seat,
            "bot": line.bot.slug,
            "version": line.version.number,
            "before": [line.mu_before, line.sigma_before],
            "after": [line.mu, line.sigma],
            "expected_place": line.expected,
        }
