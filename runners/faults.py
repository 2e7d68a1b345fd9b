"""The codes of faults, refusals and notices, with the words that explain them.

Command, site, API and documents print these texts and no others. Nothing here decides what happens
after a fault; it only says which ones are soft and which are hard.
"""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["upload", "load", "soft", "hard", "notice", "ours", "wait", "limit"]
Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class Code:
    """One code. Explanation and fix are templates.

    `[first {value}|second {other}|third]` shows the first alternative of which all values are
    known, or nothing. Whole numbers are grouped (`{match}`: 48,211) unless asked not to be
    (`{match:d}`: 48211). Values stand only inside brackets, so every text is readable without any.
    """

    code: str
    title: str
    kind: Kind
    explanation: str
    fix: str


@dataclass(frozen=True, slots=True)
class Message:
    """A code in words, ready to be shown."""

    code: str
    title: str
    kind: Kind
    explanation: str
    fix: str

    @property
    def link(self) -> str:
        """The page about this code."""
        return f"/docs/errors/{self.code}/"


_AT = "[Match {match}, step {step}: |Match {match}: |Step {step}: ]"
_ASKED = (
    "[Match {match}, step {step}, {decision}: |Match {match}, step {step}: "
    "|Step {step}, {decision}: |Step {step}: ]"
)
_FORFEITS = "It forfeits; fallback moves finish the match."
_FORFEITS_THE_REST = "It forfeits the rest of this match."

_UPLOAD = (
    Code(
        "E101",
        "Python cannot read the file",
        "upload",
        "[Line {line}, column {column}: {error}.|Line {line}: {error}.|{error}."
        "|Line {line} is not Python.|Part of it is not Python.]",
        "Python stops here, so nothing after this line was checked. "
        "[{hint}.|Look at this line and at the end of the one before it.]"
        "[ (We use Python {python}.)]",
    ),
    Code(
        "E102",
        "No bot class found",
        "upload",
        "We looked for a class that inherits from `Bot` and found none."
        "[ Classes in the file: {classes}.]",
        "[Change line {line} to `class {name}(Bot):`|Write `class MyBot(Bot):`]"
        " and add `from bots_sdk import Bot` at the top.",
    ),
    Code(
        "E103",
        "More than one bot class",
        "upload",
        "Found [{count}: {classes}|{classes}|{count}|several]."
        " We cannot know which one should play.",
        "Keep one, or add `BOT = [{name}|MyBot]` at the end of the file.",
    ),
    Code(
        "E104",
        "`decide` has the wrong parameters",
        "upload",
        "[Line {line}: ][`{signature}`|`decide`] takes [{count}|other] parameters,"
        " the league calls it with 3: `decide(self, view, options)`.",
        "Write `def decide(self, view, options):`."
        " If you do not need the options, keep the name and ignore it.",
    ),
    Code(
        "E105",
        "This import is not allowed",
        "upload",
        "[Line {line}: `{statement}`. |`{statement}`. ]"
        "Bots run without network, files and processes, so this module would not work.",
        "Allowed: [{allowed}|the standard library without network, files and processes; numpy]."
        " The full list is at /docs/errors/E105/.",
    ),
    Code(
        "E106",
        "The file cannot be used",
        "upload",
        "[{reason}.|It is not one text file of a size that we take.]",
        'Upload one `.py` text file. Large tables: see "Shrinking a bot" in the docs.',
    ),
    Code(
        "E107",
        "The bot does not play this game",
        "upload",
        "[`{name}` plays {games}, not {game}.|`games` does not name the game.]",
        "Check it for a game that it plays, or change `games` or the base class."
        " Without `games`, a plain `Bot` plays all games.",
    ),
)

_FAULTS = (
    Code(
        "E201",
        "The bot does not start",
        "load",
        "Your file stopped while it was loaded, before any move."
        "[ Line {line}, in `{where}`: `{error}`.| Line {line}: `{error}`.| `{error}`.| {reason}.]",
        "Code outside of functions runs at load time. Move it into `__init__` or a method,"
        " or compute large tables when first needed.",
    ),
    Code(
        "E301",
        "Illegal answer",
        "soft",
        _ASKED + "your bot answered [`{move}`|with a move that is not legal here].[ {reason}.]",
        "The league [played `{fallback}`|made its fallback move] for you."
        " Return one of `options`, or check with `x in options`.",
    ),
    Code(
        "E302",
        "Too slow",
        "hard",
        _AT + "no answer [{reason}|after {cpu_ms} ms of computing time ({wall_s} s in all)"
        "|within the time of a decision or of the match]."
        "[ Your median is {median_ms} ms, this decision was {decision}.|"
        " This decision was {decision}.]",
        f"[{{remedy}}|{_FORFEITS}]"
        "[ {left} more faulty matches of the next {matches} bench this version.]"
        " `view.time_left_ms` tells you how long you have.",
    ),
    Code(
        "E303",
        "Your bot raised an exception",
        "soft",
        _AT + "[`{error}`|an exception came out of your code][ in line {line}],"
        " in `[{where}|decide]`[ called for {decision}].",
        "The league [played `{fallback}`|made its fallback move] for you."
        "[ Reproduce it on your machine: `karat rerun {match:d} --step {step:d} {file}`."
        "| Reproduce it on your machine with `karat rerun`.]",
    ),
    Code(
        "E304",
        "Out of memory",
        "hard",
        _AT + "the bot used more than [{memory_mib} MB|its memory] and was stopped."
        "[ Memory grew from {from_mib} MB to {to_mib} MB over {decisions} decisions, which usually"
        " means a list or cache that is never emptied."
        "| The usual cause is a list or cache that is never emptied.]",
        _FORFEITS_THE_REST,
    ),
    Code(
        "E305",
        "Log cut",
        "notice",
        "[Match {match}: ]the bot printed more than [{log_kib} KB. We kept the first {log_kib} KB"
        "|we keep. We kept the beginning]; the match went on. This is a notice, not a fault.",
        'Use `self.note("…")` for one line per decision;'
        " it appears next to the step in the replay.",
    ),
    Code(
        "E306",
        "Nothing useful returned",
        "soft",
        _AT + "`decide` returned [`{returned}`|something that is not a move]. Most often a branch"
        " without `return`[ (line {line}: `if` without `else`)].",
        "[Expected one of {count} options: {options}.|Expected one of {count} options."
        "|Expected one of `options`.]",
    ),
    Code(
        "E307",
        "Tried to leave the box",
        "hard",
        _AT + "the bot made a system call that no bot may make[ ({call})]."
        " It forfeits, and the version is benched until you upload another one.",
        "Opening files or sockets merely fails with an exception; if a library did this by"
        ' accident, see "Libraries that touch the system" in the docs.',
    ),
    Code(
        "E308",
        "The bot's process ended",
        "hard",
        _AT + "the process stopped by itself[ ({reason})]. The usual causes are `sys.exit`,"
        " `os._exit` or a crash inside a C library.",
        _FORFEITS_THE_REST,
    ),
    Code(
        "E309",
        "The answer could not be read",
        "hard",
        _AT + "what came back was not one answer to our question[ ({reason})]. Bots answer by"
        " returning from `decide`; a move is a short text such as `offer 1.0.2.0`.",
        _FORFEITS,
    ),
)

_NOT_THE_AUTHORS = (
    Code(
        "W001",
        "Waiting",
        "wait",
        "You are [number {place} in the queue, about {seconds} s|number {place} in the queue"
        "|in the queue].",
        "Nothing is wrong. Uploading again puts you at the end.",
    ),
    Code(
        "S001",
        "Our worker stopped",
        "ours",
        "[Match {match}|A match] did not finish because of us.",
        "It is not rated and runs again[ (try {attempt} of {attempts})]."
        " You do not need to do anything.",
    ),
    Code(
        "S002",
        "We cannot read our own answer",
        "ours",
        "Something on our side broke[ (id {id})].",
        "Your upload is stored. Staff have been told.",
    ),
    Code(
        "L001",
        "Limit",
        "limit",
        "You have uploaded [{count} versions today|as many versions today as one may].",
        "The next one is possible [{when}|tomorrow, 00:00 UTC]."
        " Local testing with `karat duel` has no limit.",
    ),
)

_REFUSALS = (
    Code(
        "L002",
        "This name cannot be used",
        "limit",
        "[{reason}.|The name is taken or not a name.]",
        "Choose another name of 3 to 40 letters, digits, spaces and hyphens.",
    ),
    Code(
        "L003",
        "This version cannot play",
        "limit",
        "[Version {version}|The version] [{reason}|has not passed its checks].",
        "Only a version that passed its checks can be active. Upload a fixed one.",
    ),
    Code(
        "L004",
        "This match cannot be played",
        "limit",
        "[{reason}.|The bots, the game and the seats do not fit together.]",
        "Name one bot for every seat; each must be active and play the game.",
    ),
    Code(
        "L005",
        "No more challenges today",
        "limit",
        "You have asked for [{count} matches today|as many matches today as one may].",
        "The next one is possible [{when}|tomorrow, 00:00 UTC]."
        " Matches on your own machine (`karat play`) have no limit.",
    ),
    Code(
        "L006",
        "Not on this ladder",
        "limit",
        "[{reason}.|The bot cannot enter or leave this ladder.]",
        "A bot enters the ladders of the games its active version plays.",
    ),
    Code(
        "L007",
        "Access refused",
        "limit",
        "[{reason}.|The access key is missing, unknown, revoked or may not do this.]",
        "Create a key with the right scope at /me/tokens/ and run `karat login`.",
    ),
    Code(
        "L008",
        "Too many requests",
        "limit",
        "This was asked for too often.",
        "Try again [in {seconds} s|a little later].",
    ),
    Code(
        "L009",
        "Not understood",
        "limit",
        "[{reason}.|A value is missing or not usable.]",
        "Correct it and send it again; nothing was stored.",
    ),
    Code(
        "L010",
        "Not there",
        "limit",
        "[{reason}.|There is no such thing here, or it is not yours to see.]",
        "Check the address.",
    ),
    Code(
        "L011",
        "Not possible in this tournament",
        "limit",
        "[{reason}.|The tournament is not in a state that allows this.]",
        "The page of the tournament says what is possible now.",
    ),
    Code(
        "L012",
        "No more tournaments now",
        "limit",
        "[{reason}.|You have booked as many tournaments or games as one may.]",
        "[A new day begins {when}.|Wait until one of yours is over, or cancel one.]"
        " Fewer entries, rounds or deals make fewer games; staff can make you an organiser.",
    ),
    Code(
        "L013",
        "Suspended by staff",
        "limit",
        "Staff of this league took this code or this bot out, so it cannot play.",
        "Only staff can lift it. Ask them if you think it was a mistake; uploading the code again"
        " does not help.",
    ),
    Code(
        "L014",
        "Not possible with this bot",
        "limit",
        "[{reason}.|The bot is not in a state that allows this.]",
        "[{fix}.|The settings page of the bot says what is possible now.]",
    ),
)

CODES: dict[str, Code] = {
    one.code: one for one in (*_UPLOAD, *_FAULTS, *_NOT_THE_AUTHORS, *_REFUSALS)
}
"""Every code there is, in the order of the documents."""

SOFT = frozenset(code for code, one in CODES.items() if one.kind == "soft")
"""The fallback move is played and the game goes on; the third of a seat in one match forfeits."""

HARD = frozenset(code for code, one in CODES.items() if one.kind in {"hard", "load"})
"""The box is gone and the seat forfeits."""

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_VALUE = re.compile(r"\{(\w+)(:d)?\}(\.?)")


def message(code: str, **values: Value) -> Message:
    """Return the words of a code. Unknown values are None or left out; the sentences read on."""
    one = CODES[code]
    return Message(
        code, one.title, one.kind, _fill(one.explanation, values), _fill(one.fix, values)
    )


def _fill(template: str, values: dict[str, Value]) -> str:
    """Decide every choice of a template. What a value contains is never read as a template."""
    text = _CHOICE.sub(lambda choice: _choose(choice[1], values), template)
    return text[:1].upper() + text[1:]


def _choose(choice: str, values: dict[str, Value]) -> str:
    for alternative in choice.split("|"):
        if all(values.get(value[1]) is not None for value in _VALUE.finditer(alternative)):
            return _VALUE.sub(lambda value: _show(value, values), alternative)
    return ""


def _show(value: re.Match[str], values: dict[str, Value]) -> str:
    """Return a value as text. A sentence that has a full stop does not get a second one."""
    content = values[value[1]]
    text = f"{content:,}" if isinstance(content, int) and not value[2] else str(content)
    return f"{text.rstrip('.')}." if value[3] else text
