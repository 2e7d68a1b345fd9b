"""`karat rerun`: ask a bot again what it was asked at one step of a match, on this machine."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import typer

from bots_sdk.cli.account import explain_refusals, league_url, load_account
from bots_sdk.cli.bots import games_of, read_bot_file
from bots_sdk.cli.commands.watch import seat_names, sentence
from bots_sdk.cli.fault_report import explain_fault, name_bot
from bots_sdk.cli.output import NO, answer_no, print_json, refuse, say
from bots_sdk.cli.records import record_at
from bots_sdk.client.api import Client
from bots_sdk.local.matches import Entrant, program, screen
from bots_sdk.local.recorded_decisions import UnclearDecision, find_decision
from bots_sdk.local.rerun import StepReached, ask_again
from bots_sdk.local.stuck import end_stuck_command
from engine.game import SEAT_LETTERS, Seat
from engine.record.reading import RecordError, read
from engine.record.recorder import Record
from runners.failures import Failure
from runners.limits import DEFAULT
from runners.match import Fault, describe_decision
from runners.prints import Prints
from runners.untrusted import Misplayed
from runners.watchdog import end_process_on_defiance

SHOWN_OPTIONS = 12
MAX_OPTIONS = 300
"""Options that `--view` lists."""


@dataclass(frozen=True, slots=True)
class RerunRequest:
    """What to ask again: `match` as it was typed, and the decision that it means."""

    match: str
    record: Record
    bot: Entrant
    seat: Seat
    step: int

    @property
    def command(self) -> str:
        """The command that asks the same again."""
        words = ["karat", "rerun", self.match, "--step", str(self.step), self.bot.file]
        return shlex.join([*words, "--seat", SEAT_LETTERS[self.seat]])


def run(
    match: str, step: int | None, path: Path, letter: str | None, with_view: bool, as_json: bool
) -> None:
    """Play up to the step as recorded, ask the bot, and show its answer."""
    bot = read_bot_file(path)
    games_of(bot)
    record = _record_of(match)
    try:
        # In a record a bot is called like its file, or like its class.
        seat, step = find_decision(record, [bot.name, program(bot).bot], step, letter)
    except UnclearDecision as error:
        refuse(str(error))
    request = RerunRequest(match, record, bot, seat, step)
    try:
        reached = _ask(request)
    except Misplayed as error:
        _refuse_start(request, error.failure, as_json)
    if as_json:
        print_json(_summary(request, reached, with_view))
    else:
        _show(request, reached, with_view)
    if reached.failure:
        raise typer.Exit(NO)


def _ask(request: RerunRequest) -> StepReached:
    prints = Prints(screen(), DEFAULT.log_kib << 10)
    seat, step = request.seat, request.step
    try:
        with end_process_on_defiance(end_stuck_command):
            return ask_again(request.record, program(request.bot), seat, step, prints)
    except RecordError as error:
        answer_no(f"The record of {request.match} cannot be played again: {error}.")


def _refuse_start(request: RerunRequest, failure: Failure, as_json: bool) -> NoReturn:
    """Show why the bot cannot even be asked, and end."""
    if as_json:
        print_json({"step": None, "seat": request.seat, **_failure_fields(failure)})
    else:
        _say_failure(request, failure, None)
    raise typer.Exit(NO)


def _record_of(match: str) -> Record:
    """Return the record in a file, or that of a match of the league."""
    data = record_at(match)
    if data is None:
        account, url = load_account(), league_url()
        if url is None:
            refuse(f"Which league played match {match}? Run karat login, or name a record file.")
        with explain_refusals():
            data = Client(url, account.token if account else None).record(match)
    try:
        return read(data)
    except RecordError as error:
        answer_no(f"The record of {match} cannot be read: {error}.")


def _summary(request: RerunRequest, reached: StepReached, with_view: bool) -> dict[str, object]:
    recorded, reply = request.record["steps"][reached.step], reached.reply
    question = reached.question
    summary = {
        "step": reached.step,
        "seat": request.seat,
        "decision": question.view["decision"],
        "options": len(question.options),
        "recorded": recorded["moves"][request.seat] if "moves" in recorded else recorded["move"],
        "move": reply.move if reply else None,
        "note": reply.note if reply else None,
        "ms": round(reached.ms, 1),
        **_failure_fields(reached.failure),
    }
    if with_view:
        summary["view"] = {**question.view, "news": reached.news}
        summary["moves"] = _some_options(reached, MAX_OPTIONS)
    return summary


def _failure_fields(failure: Failure | None) -> dict[str, str | None]:
    return {
        "code": failure.code if failure else None,
        "detail": failure.detail if failure else None,
        "traceback": failure.traceback if failure else None,
    }


def _some_options(reached: StepReached, count: int) -> list[str]:
    options = reached.question.options
    return [options[i] for i in range(min(len(options), count))]


def _show(request: RerunRequest, reached: StepReached, with_view: bool) -> None:
    record, step = request.record, reached.step
    names = seat_names(record)
    count = len(reached.question.options)
    shown = _some_options(reached, MAX_OPTIONS if with_view else SHOWN_OPTIONS)
    more = ", …" if count > len(shown) else ""
    say(f"Step {step}, {reached.question.view['decision']}, asked of {names[request.seat]}")
    if step != request.step:
        say(f"It does not come to step {request.step}: it fails for good before.")
    if with_view:
        say("The bot saw:")
        for line in view_lines({**reached.question.view, "news": reached.news}):
            say(f"  {line}")
    say(f"Options: {count:,} ({', '.join(shown)}{more})")
    say(f"In the match: {sentence(record['steps'][step], names)}")
    if reached.failure:
        _say_failure(request, reached.failure, reached)
        return
    if reached.reply:
        note = f"  “{reached.reply.note}”" if reached.reply.note else ""
        say(f"{request.bot.file} answers: {reached.reply.move} ({_time(reached)}){note}")
    say(f"Next:  {shlex.join(['karat', 'check', request.bot.file])}")


def _time(reached: StepReached) -> str:
    """Return the computing time, and what a league would say to it."""
    limit = DEFAULT.decision_cpu_ms
    if reached.cpu_ms <= limit:
        return f"{reached.cpu_ms:.1f} ms"
    return (
        f"{reached.cpu_ms:,.0f} ms of computing time; the league's limit is {limit} ms: "
        "there it forfeits here, E302"
    )


def view_lines(view: Mapping[str, Any]) -> Iterator[str]:
    """Yield a view field by field; lists of objects have a line for each of them."""
    for name, value in view.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{name}:"
            for number, one in enumerate(value):
                yield f"  [{number}] {_as_json(one)}"
        else:
            yield f"{name}: {_as_json(value)}"


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _say_failure(request: RerunRequest, failure: Failure, reached: StepReached | None) -> None:
    """Print what went wrong, and how to try again."""
    step = reached.step if reached else None
    asked = describe_decision(reached.question, reached.reply) if reached else None
    fault = Fault(request.seat, step, failure.code, failure.detail, failure.traceback, asked)
    when = "loading" if step is None else f"step {step}"
    place = f"{name_bot(request.seat, request.bot)}, {when}"
    for line in explain_fault(fault, request.bot, place, boxed=False):
        say(line)
    say(f"Change the file and try again:  {request.command}")
