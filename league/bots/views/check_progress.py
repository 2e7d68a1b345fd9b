"""The check of an upload as its page shows it: what is done, what runs, what is still to come."""

from dataclasses import dataclass
from typing import Any, Literal

from league.bots.models import BotVersion
from league.bots.source.findings import place
from runners.failures import InfrastructureError
from runners.upload.source import read_outline

State = Literal["ok", "failed", "running", "waiting", "skipped"]
WORDS: dict[State, str] = {
    "ok": "ok",
    "failed": "stopped",
    "running": "running",
    "waiting": "to come",
    "skipped": "not run",
}
_ONCE = {
    "text": "File is readable text",
    "syntax": "Python can parse it",
    "class": "Has a bot class",
    "imports": "Imports only what a box has",
    "start": "Starts in the sandbox",
}
_PER_GAME = {"answers": "Answers the test set", "match": "Finishes a smoke match"}


@dataclass(frozen=True, slots=True)
class Row:
    """A step on the page."""

    state: State
    text: str
    ms: float | None = None
    game: str = ""

    @property
    def word(self) -> str:
        """The state for people; never told by colour alone."""
        return WORDS[self.state]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why the check stopped, with the line it is about."""

    message: dict[str, Any]
    place: str
    line: int | None
    traceback: str
    options: str
    """Of `karat check`, so that the same happens again; empty for a step that only reads."""


def rows(version: BotVersion) -> list[Row]:
    """All steps in their order, the last being the ladder."""
    done = [_done(step) for step in version.readable_steps()]
    accepted = version.status == BotVersion.Status.ACCEPTED
    rest = [] if accepted else _to_come(version)
    enters: State = "ok" if accepted else _state_of_rest(version)
    return [*done, *rest, Row(enters, "Enters the league")]


def _done(step: dict[str, Any]) -> Row:
    text = str(step["text"])
    game = step.get("game") or ""
    shown = game if step["name"] in _PER_GAME else ""
    state: State = "ok" if step["ok"] else "failed"
    return Row(state, text[:1].upper() + text[1:], step["ms"], shown)


def _to_come(version: BotVersion) -> list[Row]:
    seen = {
        (step["name"], step.get("game") if step["name"] in _PER_GAME else None)
        for step in version.readable_steps()
    }
    steps: list[tuple[str, str | None, str]] = [(name, None, text) for name, text in _ONCE.items()]
    for game in _games(version.source.text):
        steps += [(name, game, text) for name, text in _PER_GAME.items()]
    missing = [(game, text) for name, game, text in steps if (name, game) not in seen]
    state = _state_of_rest(version)
    found = [Row(state, text, game=game or "") for game, text in missing]
    if found and version.status == BotVersion.Status.CHECKING:
        found[0] = Row("running", found[0].text, game=found[0].game)
    return found


def _state_of_rest(version: BotVersion) -> State:
    return "skipped" if version.status == BotVersion.Status.REJECTED else "waiting"


def _games(text: str) -> tuple[str, ...]:
    """Return the games it will be checked for; none while nobody can tell."""
    try:
        outline = read_outline(text)
    except InfrastructureError:
        return ()
    return outline.plays() if outline.name else ()


def failure(version: BotVersion) -> Failure | None:
    """The step that stopped it, if one did."""
    for step in version.readable_steps():
        if not step["ok"]:
            line, column = step.get("line"), step.get("column")
            shown = place(version.source.text, line, column)
            return Failure(
                step["message"], shown, line, step.get("traceback") or "", _options(step)
            )
    return None


def _options(step: dict[str, Any]) -> str:
    seed, game = step.get("seed"), step.get("game")
    if not seed:
        return ""
    return f"--game {game} --seed {seed}" if game else f"--seed {seed}"
