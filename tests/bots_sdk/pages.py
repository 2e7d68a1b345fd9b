"""The generated parts of the authors' pages: real views, the limits, every error."""

import json
import re
from pathlib import Path

from engine.registry import GAMES
from engine.rng import Rng
from runners.box.manifest import manifest
from runners.box.policy import USELESS_MODULES
from runners.faults import CODES, message
from runners.limits import Limits
from runners.news import News
from tests.mistakes.outputs import HEADING

DOCS = Path(__file__).parents[2] / "docs"
SHOWN = 6
"""So many options are written out."""

ALWAYS = ("decision", "seat", "asked")
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


def asked_in(game, seats, seed):
    """Every question of a random match, as a bot is asked: view, news and options."""
    rng, pick, news = Rng(seed), Rng(f"{seed} moves"), News()
    state = game.start(seats, {}, rng, news)
    while asked := game.to_move(state):
        for seat in asked:
            view = game.view(state, seat)
            view |= {"news": news.read(seat), "time_left_ms": Limits().decision_cpu_ms}
            yield view, game.options(state, seat)
        # Short barters make better examples than random ones.
        options = [game.options(state, seat) for seat in asked]
        moves = [some[pick.below(min(len(some), 7))] for some in options]
        game.play(state, moves, rng, news)


def example(game, decision):
    """The first question of this kind, some rounds into a match."""
    for seed in map(str, range(99)):
        for seats in game.seats:
            for number, (view, options) in enumerate(asked_in(game, seats, seed)):
                if view["decision"] == decision and number >= 12:
                    return view, options
    raise AssertionError(f"{game.slug} never asks {decision}")


def lines_of(fields):
    """JSON with a line for each field."""
    inner = ",\n".join(f"  {json.dumps(name)}: {json.dumps(fields[name])}" for name in fields)
    return f"{{\n{inner}\n}}"


def whole_view(game, decision):
    view, _ = example(game, decision)
    last = view["news"][-1:]
    return lines_of({**view, "news": last})


def decision_example(game, decision):
    view, options = example(game, decision)
    fields = {name: view[name] for name in (*ALWAYS, *LOOK_AT.get(decision, ()))}
    first = [options[at] for at in range(min(SHOWN, len(options)))]
    return lines_of({**fields, "options": first, "number of options": len(options)})


def examples():
    """The JSON block of every heading of views.md that has one."""
    wholes = {"edel-stein-reich": "BARTER_REPLY", "basari": "CHOOSE_ACTION"}
    for game in GAMES.values():
        whole = wholes.get(game.slug, "PLACE")
        yield f"### What a seat of {game.name} sees", whole_view(game, whole)
        for decision in sorted({view["decision"] for view, _ in questions(game)}):
            yield f"### {game.name}: `{decision}`", decision_example(game, decision)


def questions(game):
    for seed in "1234":
        for seats in game.seats:
            yield from asked_in(game, seats, seed)


def replace_json(page, heading, block):
    """The page with this JSON as the first block below a heading."""
    start = page.index(f"\n{heading}\n")
    begun = page.index("```json\n", start) + len("```json\n")
    return page[:begun] + block + page[page.index("\n```", begun) :]


def views_page(page):
    for heading, block in examples():
        page = replace_json(page, heading, block)
    return page


def limits_page(page):
    limits = Limits()
    rows = [
        ("one decision", f"{limits.decision_cpu_ms} ms", f"{limits.decision_wall_ms // 1000} s"),
        (
            "all decisions of a match",
            f"{limits.bank_cpu_ms // 1000} s",
            f"{limits.bank_wall_ms // 1000} s",
        ),
        ("loading the file", f"{limits.load_cpu_ms // 1000} s", f"{limits.load_wall_ms // 1000} s"),
        (
            "the check of an upload, all its games together",
            "–",
            f"{limits.check_wall_ms // 1000} s",
        ),
    ]
    times = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    sizes = "".join(
        f"| {what} | {size} |\n"
        for what, size in (
            ("memory", f"{limits.memory_mib} MiB"),
            ("source file", f"{limits.source_kib} KiB"),
            ("output per match", f"{limits.log_kib} KiB are kept"),
            ("answer", f"{limits.reply_kib} KiB"),
        )
    )
    page = replace_rows(page, "| | CPU time | wall-clock time |", times)
    return replace_rows(page, "| | maximum |", sizes)


def replace_rows(page, head, rows):
    """The page with these rows below the head of a table."""
    begun = page.index("\n", page.index(f"\n{head}\n|---") + len(head) + 2) + 1
    end = begun
    while page.startswith("|", end):
        end = page.index("\n", end) + 1
    return page[:begun] + rows + page[end:]


KINDS = {
    "upload": ("Before a match: the check", "The version is not accepted."),
    "load": ("In a match", "The seat forfeits before its first move."),
    "soft": ("In a match", "A fallback move is played. The third in one match forfeits."),
    "hard": ("In a match", "The seat forfeits; fallback moves finish its game."),
    "notice": ("In a match", "Nothing happens; it is only said."),
    "wait": ("Not your fault", "Nothing is wrong."),
    "ours": ("Not your fault", "It never costs you anything."),
    "limit": ("Refused", "Nothing was changed."),
}
"""Where a code stands on the page, and what follows from it."""


def errors_page(page):
    parts = [
        "# Errors\n",
        "Every message of Karat has a code. This page has all of them, in the words of the command",
        "and the site, which also say where it happened.\n",
    ]
    chapter = None
    for code, one in CODES.items():
        title, consequence = KINDS[one.kind]
        title = KINDS["upload"][0] if code.startswith("E1") else title
        if title != chapter:
            parts.append(f"## {title}\n")
            chapter = title
        told = message(code)
        parts.append(f"### {code} {one.title}\n\n{told.explanation}\n\n{told.fix}\n")
        parts.append(f"*{consequence}*\n")
        if code == "E105":
            parts.append(imports())
    # What follows takes real boxes and a league: tests/league/bots/test_mistakes.py writes it.
    _, heading, mistakes = page.partition(f"\n{HEADING}\n")
    return "\n".join(parts) + heading + mistakes


def imports():
    gone = sorted(name for name in USELESS_MODULES if not name.startswith("_"))
    ours = ", ".join(f"`{name}`" for name in sorted(manifest().importable))
    wrapped = re.sub(r"(.{1,96})(?: |$)", r"\1\n", ", ".join(f"`{name}`" for name in gone) + ".")
    return (
        f"A file may import {ours} and the whole standard library, except these\n"
        f"modules, which cannot work in a box:\n\n{wrapped}"
    )


PAGES = {
    "views.md": views_page,
    "limits.md": limits_page,
    "errors.md": errors_page,
}
"""For each page with generated parts: the page as it should be, given the page as it is."""
