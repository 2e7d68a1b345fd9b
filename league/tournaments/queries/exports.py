"""Standings for programs: as values, and as the rows of a table."""

from collections.abc import Iterator
from typing import Any

from league.tournaments import presentation
from league.tournaments.queries.standing import Standing

_FIELDS = (
    *("place", "bot", "name", "owner", "points", "head_to_head", "score", "rating", "shown_rating"),
    "games",
    *("byes", "forfeits", "decided_by", "status"),
)


def values(standing: Standing) -> list[dict[str, Any]]:
    """Return the standings for programs, with numbers as exact as JSON has them."""
    return [
        {
            "place": row.place,
            "bot": (entry := standing.entries[row.entry]).bot.slug,
            "name": entry.bot.name,
            "owner": entry.bot.owner.shown_name if entry.bot.owner else None,
            "points": float(row.points),
            "head_to_head": row.head_to_head,
            "score": round(float(row.score), 4),
            "rating": row.rating,
            "shown_rating": None if row.rating is None else presentation.rating(row.rating),
            "games": row.games,
            "byes": row.byes,
            "forfeits": row.forfeits,
            "decided_by": row.decided_by,
            "status": row.status,
            "by_round": [None if points is None else float(points) for points in row.by_round],
        }
        for row in (standing.rows if standing.started else [])
    ]


def table(standing: Standing) -> Iterator[list[Any]]:
    """Yield a header row, and a row for each entry."""
    yield [*_FIELDS, *(f"round_{one.number}" for one in standing.rounds)]
    for line in values(standing):
        yield [*(line[name] for name in _FIELDS), *line["by_round"]]
