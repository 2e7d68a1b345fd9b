"""The generated parts of docs/views.md: real views, their fields, real questions, event cards."""

import json

from engine.registry import GAMES
from tests.bots_sdk.event_examples import event_examples
from tests.bots_sdk.field_tables import field_tables
from tests.bots_sdk.questions import asked_in, questions

MAX_OPTIONS_SHOWN = 6
WHOLE_VIEWS = {
    "edel-stein-reich": "BARTER_REPLY",
    "basari": "BARTER_REPLY",
    "edelsteinsuche": "PLACE",
}
"""The decision in which a game's whole view is shown."""
ALWAYS_SHOWN = ("decision", "seat", "asked")
LOOK_AT = {
    "BARTER_OPEN": ("barter",),
    "BARTER_SINGLE": ("barter",),
    "BARTER_REPLY": ("barter",),
    "EVENT_SOURCE": ("event", "event_pile", "event_discards"),
    "EVENT_USE": ("using", "supply"),
    "FREE_TRADE": ("supply",),
    "FREE_PICK": ("supply", "picking"),
    "TURN_START": ("turn", "active"),
    "DRAW": ("unique", "draws"),
    "PLACE": ("hand", "drawn_from"),
    "UNIQUE_MORE": ("unique", "draws"),
}
"""Besides the hands of all seats: what an author looks at first in each decision."""


def views_page(page):
    """Return the page with all its generated parts up to date."""
    for game in GAMES.values():
        whole, _ = example(game, WHOLE_VIEWS[game.slug])
        heading = f"### What a seat of {game.name} sees"
        page = replace_json(page, heading, lines_of({**whole, "news": whole["news"][-1:]}))
        page = replace_rest(page, heading, field_tables(game, whole))
        for decision in sorted({view["decision"] for view, _ in questions(game)}):
            block = decision_example(game, decision)
            page = replace_json(page, f"### {game.name}: `{decision}`", block)
    for kind, text in event_examples().items():
        page = replace_last_cell(page, kind, text)
    return page


def example(game, decision):
    """Return the first question of this kind, some rounds into a match."""
    for seed in map(str, range(99)):
        for seats in game.seats:
            for number, (view, options) in enumerate(asked_in(game, seats, seed)):
                if view["decision"] == decision and number >= 12:
                    return view, options
    raise AssertionError(f"{game.slug} never asks {decision}")


def decision_example(game, decision):
    view, options = example(game, decision)
    fields = {name: view[name] for name in (*ALWAYS_SHOWN, *LOOK_AT.get(decision, ()))}
    first = [options[at] for at in range(min(MAX_OPTIONS_SHOWN, len(options)))]
    return lines_of({**fields, "options": first, "number of options": len(options)})


def lines_of(fields):
    """Return JSON with a line for each field."""
    inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(fields[name])}" for name in fields)
    return f"{{\n{inner}\n}}"


def replace_json(page, heading, block):
    """Return the page with this JSON as the first block below a heading."""
    start = page.index(f"\n{heading}\n")
    begun = page.index("```json\n", start) + len("```json\n")
    return page[:begun] + block + page[page.index("\n```", begun) :]


def replace_rest(page, heading, text):
    """Return the page with this text between the first block below a heading and the next one."""
    begun = page.index("\n```\n", page.index(f"\n{heading}\n")) + len("\n```\n")
    return f"{page[:begun]}\n{text}{page[page.index(chr(10) + '###', begun) :]}"


def replace_last_cell(page, kind, text):
    """Return the page with this text as the last cell of the row of an event card."""
    begun = page.index(f"\n| `{kind}` | ") + 1
    end = page.index("\n", begun)
    cells = page[begun:end].split(" | ")
    return page[:begun] + " | ".join([*cells[:-1], f"{text} |"]) + page[end:]
