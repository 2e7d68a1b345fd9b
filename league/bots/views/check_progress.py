"""The steps of a check as its page shows them: finished, running and still to come."""

from dataclasses import dataclass
from typing import Any, Literal

from league.bots.models import BotVersion
from league.bots.source.findings import excerpt, numbered
from runners.boxed import FILE
from runners.failures import InfrastructureError
from runners.upload.asked import view_as_text
from runners.upload.source import read_outline
from runners.upload.steps import COMMON_STEPS, PER_GAME_STEPS, TITLES, StepName

BUNDLE = "the bundle"
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
    notices: tuple[dict[str, Any], ...] = ()
    """Messages that do not stop the check."""

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
    file: str
    """The one it is about."""
    asked: dict[str, Any] | None
    """The question it failed at, if it was one."""
    view: str
    """What the bot saw then."""
    command: str
    """To reproduce the failure; empty for a step that only reads."""

    @property
    def place(self) -> str:
        """Return the file, and the line if it is known."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


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
    notices = tuple(step.get("notices", ()))
    return Row(state, text[:1].upper() + text[1:], step["ms"], label, notices)


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
            asked = step.get("asked")
            return Failure(
                message=step["message"],
                excerpt=_excerpt(version, step, line, column),
                line=line,
                traceback=step.get("traceback") or "",
                file=_file_of(version, step),
                asked=asked,
                view=view_as_text(asked["view"]) if asked else "",
                command=_command(version, step),
            )
    return None


def _file_of(version: BotVersion, step: dict[str, Any]) -> str:
    """Return the file that a step is about; of a bundle as a whole that is the bundle."""
    return step.get("file") or (BUNDLE if version.source.bundle else FILE)


def _excerpt(
    version: BotVersion, step: dict[str, Any], line: int | None, column: int | None
) -> str:
    """Return the line in question. A step has that of a bundle, whose files are elsewhere."""
    if not version.source.bundle:
        return excerpt(version.source.text, line, column)
    return numbered(step["excerpt"], line, column) if line and step.get("excerpt") else ""


def _command(version: BotVersion, step: dict[str, Any]) -> str:
    seed, game = step.get("seed"), step.get("game")
    if not seed:
        return ""
    path = f"{version.bot.slug}/" if version.source.bundle else FILE
    return f"karat check {path}{f' --game {game}' if game else ''} --seed {seed}"
