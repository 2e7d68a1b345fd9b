"""The steps of a check as its page shows them: finished, running and still to come."""

from dataclasses import dataclass
from typing import Any, Literal

from league.bots.models import BotVersion
from league.bots.source.findings import excerpt
from runners.failures import InfrastructureError
from runners.upload.source import read_outline
from runners.upload.steps import COMMON_STEPS, PER_GAME_STEPS, TITLES, StepName

State = Literal["ok", "failed", "running", "waiting", "skipped"]
WORDS: dict[State, str] = {
    "ok": "ok",
    "failed": "failed",
    "running": "running",
    "waiting": "to come",
    "skipped": "not run",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A step on the page."""

    state: State
    text: str
    ms: float | None = None
    game: str = ""

    @property
    def word(self) -> str:
        """Return the state in words, because colour alone is not enough."""
        return WORDS[self.state]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why the check stopped, with the line it is about."""

    message: dict[str, Any]
    excerpt: str
    line: int | None
    traceback: str
    options: str
    """Of `karat check`, to reproduce the failure; empty for a step that only reads."""


def rows(version: BotVersion) -> list[Row]:
    """Return all steps in their order, ending with the ladder."""
    finished = [_finished(step) for step in version.readable_steps()]
    accepted = version.status == BotVersion.Status.ACCEPTED
    rest = [] if accepted else _to_come(version)
    enters: State = "ok" if accepted else _state_of_rest(version)
    return [*finished, *rest, Row(enters, "Enters the league")]


def _finished(step: dict[str, Any]) -> Row:
    text = str(step["text"])
    game = step.get("game") or ""
    label = game if step["name"] in PER_GAME_STEPS else ""
    state: State = "ok" if step["ok"] else "failed"
    return Row(state, text[:1].upper() + text[1:], step["ms"], label)


def _to_come(version: BotVersion) -> list[Row]:
    finished = {
        (step["name"], step.get("game") if step["name"] in PER_GAME_STEPS else None)
        for step in version.readable_steps()
    }
    steps: list[tuple[StepName, str | None]] = [(name, None) for name in COMMON_STEPS]
    for game in _games(version.source.text):
        steps += [(name, game) for name in PER_GAME_STEPS]
    state = _state_of_rest(version)
    rows = [
        Row(state, TITLES[name], game=game or "")
        for name, game in steps
        if (name, game) not in finished
    ]
    if rows and version.status == BotVersion.Status.CHECKING:
        rows[0] = Row("running", rows[0].text, game=rows[0].game)
    return rows


def _state_of_rest(version: BotVersion) -> State:
    return "skipped" if version.status == BotVersion.Status.REJECTED else "waiting"


def _games(text: str) -> tuple[str, ...]:
    """Return the games it will be checked for; none if they are not known yet."""
    try:
        outline = read_outline(text)
    except InfrastructureError:
        return ()
    return outline.plays() if outline.name else ()


def failure(version: BotVersion) -> Failure | None:
    """Return why the check failed, if it did."""
    for step in version.readable_steps():
        if not step["ok"]:
            line, column = step.get("line"), step.get("column")
            source_line = excerpt(version.source.text, line, column)
            return Failure(
                step["message"], source_line, line, step.get("traceback") or "", _options(step)
            )
    return None


def _options(step: dict[str, Any]) -> str:
    seed, game = step.get("seed"), step.get("game")
    if not seed:
        return ""
    return f"--game {game} --seed {seed}" if game else f"--seed {seed}"
