"""The codes of faults, refusals and notices, with the words that explain them.

Command, site, API and documents print these texts and no others. Nothing here decides what happens
after a fault; it only says which ones are soft and which are hard.
"""

from runners.codes import Code, Kind, Message, Situation, Value, fill
from runners.upload.codes import UPLOAD_CODES

__all__ = ["CODES", "HARD", "SOFT", "Code", "Kind", "Message", "Situation", "Value", "message"]

_AT = "[{at}: |Match {match}, step {step}: |Match {match}: |Step {step}: ]"
_ASKED = _AT + "[asked for {decision}, ]"
_FORFEITS = "It forfeits; fallback moves finish the match."
_NOT_STARTED = {
    Situation.CHECK: "The check does not pass.",
    Situation.LOCAL: _FORFEITS,
    Situation.LEAGUE: _FORFEITS,
}
_MOVE_LOST = {
    Situation.CHECK: "The check does not pass: in a match, a fallback move would be played.",
    Situation.LOCAL: "A fallback move was played instead; the third fault of a match forfeits.",
    Situation.LEAGUE: "The league [played `{fallback}`|made its fallback move] for you."
    "[ Reproduce it on your machine: `karat rerun {match:d} --step {step:d} {file}`.]",
}
_MATCH_LOST = {
    Situation.CHECK: "The check does not pass: in a match, the bot would forfeit.",
    Situation.LOCAL: _FORFEITS,
    Situation.LEAGUE: _FORFEITS,
}

_FAULTS = (
    Code(
        "E201",
        "The bot does not start",
        "load",
        "[`{file}`|your file] stopped while it was loaded, before any move."
        "[ `{module}`, line {line}, in `{where}`: `{error}`.| `{module}`, line {line}: `{error}`."
        "| Line {line}, in `{where}`: `{error}`.| Line {line}: `{error}`.| `{error}`.| {reason}.]",
        "Code outside of functions runs at load time. Move it into `__init__` or a method,"
        " or compute large tables when first needed.",
        _NOT_STARTED,
    ),
    Code(
        "E301",
        "Illegal answer",
        "soft",
        _ASKED + "[`{method}`|your bot] returned [`{move}`|a move that is not legal here]."
        "[ {reason}.]",
        "Return one of [the {count} options: {options}|`options`]; check with `x in options`.",
        _MOVE_LOST,
    ),
    Code(
        "E302",
        "Too slow",
        "hard",
        _ASKED + "[`{method}` gave no answer|no answer]"
        " [{reason}|after {cpu_ms} ms of computing time ({wall_s} s in all)"
        "|within the time of a decision or of the match]."
        "[ Your median is {median_ms} ms.]",
        "[{remedy}|Look for a loop that does not end, or a search that is too wide.]"
        "[ {left} more faulty matches of the next {matches} bench this version.]"
        " `view.time_left_ms` tells you how long you have.",
        _MATCH_LOST,
    ),
    Code(
        "E303",
        "Your bot raised an exception",
        "soft",
        _ASKED + "`[{where}|decide]` raised [`{error}`|an exception]"
        "[ in line {line} of `{module}`| in line {line}].",
        "Check what that line assumes about the view and the options.",
        _MOVE_LOST,
    ),
    Code(
        "E304",
        "Out of memory",
        "hard",
        _ASKED + "the bot used more than [{memory_mib} MB|its memory] and was stopped."
        "[ Memory grew from {from_mib} MB to {to_mib} MB over {decisions} decisions, which usually"
        " means a list or cache that is never emptied."
        "| The usual cause is a list or cache that is never emptied.]",
        "Keep less from one decision to the next, or empty what you keep.",
        _MATCH_LOST,
    ),
    Code(
        "E305",
        "Log cut",
        "notice",
        "[{at}: |Match {match}: ][`{file}`|the bot] printed more than"
        " [{log_kib} KB. We kept the first {log_kib} KB|we keep. We kept the beginning].",
        'Use `self.note("…")` for one line per decision;'
        " it appears next to the step in the replay.",
        {
            Situation.CHECK: "This is a notice, not a fault: the check goes on.",
            Situation.LOCAL: "This is a notice, not a fault: the match went on.",
            Situation.LEAGUE: "This is a notice, not a fault: the match went on.",
        },
    ),
    Code(
        "E306",
        "Nothing useful returned",
        "soft",
        _ASKED + "`[{method}|decide]` returned [{returned}|something that is not a move]."
        "[ {hint}.| Most often a branch has no `return`.]",
        "In every branch, return one of [the {count} options: {options}|`options`].",
        _MOVE_LOST,
    ),
    Code(
        "E307",
        "Tried to leave the box",
        "hard",
        _ASKED + "the bot made a system call that no bot may make[ ({call})].",
        "Opening files or sockets merely fails with an exception; if a library did this by"
        ' accident, see "Libraries that touch the system" in the docs.',
        {
            **_MATCH_LOST,
            Situation.LEAGUE: "It forfeits, and the version is benched until you upload another"
            " one.",
        },
    ),
    Code(
        "E308",
        "The bot's process ended",
        "hard",
        _ASKED + "the process stopped by itself[ ({reason})]. The usual causes are `sys.exit`,"
        " `os._exit` or a crash inside a C library.",
        "Leave a method with `return` or an exception, and nothing else.",
        _MATCH_LOST,
    ),
    Code(
        "E309",
        "The answer could not be read",
        "hard",
        _ASKED + "what came back was not one answer to our question[ ({reason})].",
        "Bots answer by returning from `decide`; a move is a short text such as `offer 1.0.2.0`.",
        _MATCH_LOST,
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
        "S003",
        "Our store of files does not answer",
        "ours",
        "The league cannot read or write the files of bots at the moment.",
        "Nothing was stored. Try again in a few minutes.",
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
    Code(
        "L015",
        "No space left for files",
        "limit",
        "[{reason}.|The files of your bots would take more space than a user has.]",
        "Delete the code of versions you no longer need on the page of their bot, or make the files"
        " smaller: weights as float16 take half of float32. Equal files count once.",
    ),
    Code(
        "L016",
        "Not possible with this upload",
        "limit",
        "[{reason}.|The upload is not in a state that allows this.]",
        "[{fix}.|Begin the upload again.]",
    ),
)

CODES: dict[str, Code] = {
    one.code: one for one in (*UPLOAD_CODES, *_FAULTS, *_NOT_THE_AUTHORS, *_REFUSALS)
}
"""Every code there is, in the order of the documents."""

SOFT = frozenset(code for code, one in CODES.items() if one.kind == "soft")
"""The fallback move is played and the game goes on; the third of a seat in one match forfeits."""

HARD = frozenset(code for code, one in CODES.items() if one.kind in {"hard", "load"})
"""The box is gone and the seat forfeits."""


def message(code: str, situation: Situation = Situation.LEAGUE, /, **values: Value) -> Message:
    """Return the words of a code. Unknown values are None or left out; the sentences read on."""
    one = CODES[code]
    fix = f"{one.consequence.get(situation, '')} {one.fix}"
    return Message(code, one.title, one.kind, fill(one.explanation, values), fill(fix, values))
