"""What the modules of the viewer need to know of a match besides its record, as JSON."""

import json
from collections.abc import Sequence
from typing import Any

from bots_sdk.chances.values import Chances
from bots_sdk.viewer.chances import error_points
from bots_sdk.viewer.files import game_file
from bots_sdk.viewer.log import time_limit_ms
from bots_sdk.viewer.moments import highlights, times_ms
from bots_sdk.viewer.replay import Replay
from engine.catalogue import catalogue
from engine.facets.presentation import Start
from engine.game import Game
from engine.registry import GAMES


def data(replay: Replay, chapters: Sequence[Start], rounds: Sequence[Start]) -> str:
    """Return the JSON, safe within a script element."""
    steps, presentation = replay.record["steps"], replay.presentation
    values = {
        "title": replay.title,
        "times": times_ms(steps, presentation),
        "highlights": highlights(steps, replay.marks, presentation, replay.chances),
        "chapters": _starts(chapters),
        "rounds": _starts(rounds),
        "marks": [[mark.i, mark.kind] for mark in replay.marks],
        "jump": presentation.jump_kind,
        "scoring": [step["i"] for step in steps if presentation.is_scoring(step)],
        "limit": time_limit_ms(replay.record),
        "scoreField": presentation.score_field,
        "scores": _scores(replay),
        "ifScored": _if_scored(replay),
        "chances": _chances(replay.chances),
        **presentation.viewer_data(steps),
        **_cards(replay),
    }
    # Inside a script element only this sign could end it.
    return json.dumps(values, separators=(",", ":")).replace("<", "\\u003c")


def _starts(starts: Sequence[Start]) -> list[list[int | str]]:
    """Return where each begins, its name, and its neutral name if it has one."""
    return [[start.i, start.name, *filter(None, [start.neutral])] for start in starts]


def _scores(replay: Replay) -> list[tuple[int, Any]]:
    """Return the score of every seat as text; without a score so far, only at the end."""
    presentation, record = replay.presentation, replay.record
    if presentation.score_field is None:
        rows = [[""] * len(record["seats"])] * (len(record["steps"]) - 1)
        rows.append([presentation.format_short(score) for score in record["outcome"]["scores"]])
    else:
        return [
            (i, [presentation.format_short(one) for one in row])
            for i, row in _changes(replay.scores)
        ]
    return _changes(rows)


def _if_scored(replay: Replay) -> list[tuple[int, Any]]:
    """Return for every seat what it would have if it were scored now, and how much that adds."""
    if replay.insight["scored"] is None:
        return []
    presentation = replay.presentation
    rows = zip(replay.insight["scored"], replay.scores, strict=True)
    return _changes(
        [
            [(presentation.format_short(then), then - now) for then, now in zip(*row, strict=True)]
            for row in rows
        ]
    )


def _chances(chances: Chances) -> dict[str, Any] | None:
    """Return the rows of the win-chance line in words, and their error in points."""
    if not chances.rows:
        return None
    rows = [
        (row.step, [chances.in_words(row.step, seat) for seat in range(len(row.chances))])
        for row in chances.rows
    ]
    return {"rows": rows, "error": error_points(chances)}


def _changes(rows: Sequence[Any]) -> list[tuple[int, Any]]:
    """Return the rows that differ from the one before, with the step from which on they hold."""
    return [(i, row) for i, row in enumerate(rows) if not i or row != rows[i - 1]]


def _cards(replay: Replay) -> dict[str, Any]:
    """Return the game's numbers and the cards that the record names.

    A redacted copy tells of no other card. Only the plain table needs the titles of cards.
    """
    game = GAMES.get(replay.record["game"])
    if game is None:
        return {"cards": {}, "numbers": {}, "titles": {}}
    facts = catalogue(game)
    steps = json.dumps(replay.record["steps"])
    cards = {name: card for name, card in facts["cards"].items() if f'"{name}"' in steps}
    return {"cards": cards, "numbers": facts["numbers"], "titles": _titles(game, cards)}


def _titles(game: Game, cards: dict[str, Any]) -> dict[str, str]:
    if game_file(game.slug, "viewer.js"):
        return {}
    return {card: game.presentation.card_title(card) for card in cards}
