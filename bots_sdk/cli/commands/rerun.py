"""`karat rerun`: ask a bot again what it was asked at one step of a match, on this machine."""

from pathlib import Path
from typing import Any

import typer

from bots_sdk.cli.account import explain_refusals, league_url, load_account
from bots_sdk.cli.bots import games_of, read_bot_file
from bots_sdk.cli.commands.watch import seat_names, sentence
from bots_sdk.cli.output import NO, answer_no, print_json, refuse, say
from bots_sdk.cli.records import records_of
from bots_sdk.client.api import Client
from bots_sdk.local.matches import program
from bots_sdk.local.rerun import StepReached, ask_again
from engine.game import SEAT_LETTERS, Seat
from engine.record.reading import RecordError, read
from engine.record.recorder import Record
from runners.failures import Failure
from runners.faults import message
from runners.untrusted import Misplayed

SHOWN_OPTIONS = 12


def run(match: str, step: int, path: Path, letter: str | None, as_json: bool) -> None:
    """Play up to the step as recorded, ask the bot, and show its answer."""
    bot = read_bot_file(path)
    games_of(bot)
    record = _record_of(match)
    seat = _asked_seat(record, step, letter)
    try:
        reached = ask_again(record, program(bot), seat, step)
    except RecordError as error:
        answer_no(f"The record of {match} cannot be played again: {error}.")
    except Misplayed as error:
        _say_failure(error.failure)
        raise typer.Exit(NO) from None
    if as_json:
        print_json(_summary(record, step, seat, reached))
    else:
        _show(record, step, seat, reached, path)
    if reached.failure:
        raise typer.Exit(NO)


def _record_of(match: str) -> Record:
    """Return the record in a file, or that of a match of the league."""
    path = Path(match)
    if path.suffix in {".json", ".jsonl"}:
        if not path.is_file():
            refuse(f"There is no file {path}.")
        data = next((text for _, text in records_of(path)), b"")
    else:
        account, url = load_account(), league_url()
        if url is None:
            refuse(f"Which league played match {match}? Run karat login, or name a record file.")
        with explain_refusals():
            data = Client(url, account.token if account else None).record(match)
    try:
        return read(data)
    except RecordError as error:
        answer_no(f"The record of {match} cannot be read: {error}.")


def _asked_seat(record: Record, step: int, letter: str | None) -> Seat:
    """Return who was asked at this step: the seat named, the one at fault, or the only one."""
    if not 0 <= step < len(record["steps"]):
        refuse(f"The match has steps 0 to {len(record['steps']) - 1}, not {step}.")
    seats = _seats_asked(record["steps"][step])
    if not seats:
        refuse(f"Nobody was asked at step {step}: {record['steps'][step]['t']}.")
    if letter:
        seats = [seat for seat in seats if SEAT_LETTERS[seat] == letter.upper()]
        if not seats:
            refuse(f"Seat {letter} was not asked at step {step}.")
    elif len(seats) > 1:
        at_fault = [fault["seat"] for fault in record["faults"] if fault["step"] == step]
        seats = at_fault or seats
    if len(seats) > 1:
        letters = ", ".join(SEAT_LETTERS[seat] for seat in seats)
        refuse(f"Seats {letters} were asked at step {step}; choose one with --seat.")
    return seats[0]


def _seats_asked(step: dict[str, Any]) -> list[Seat]:
    if "moves" in step:
        return [seat for seat, forced in enumerate(step["forced"]) if not forced]
    return [step["seat"]] if "move" in step and not step["forced"] else []


def _summary(record: Record, step: int, seat: Seat, reached: StepReached) -> dict[str, object]:
    recorded, reply, failure = record["steps"][step], reached.reply, reached.failure
    return {
        "step": step,
        "seat": seat,
        "decision": reached.question.view["decision"],
        "options": len(reached.question.options),
        "recorded": recorded["moves"][seat] if "moves" in recorded else recorded["move"],
        "move": reply.move if reply else None,
        "note": reply.note if reply else None,
        "ms": round(reached.ms, 1),
        "code": failure.code if failure else None,
        "detail": failure.detail if failure else None,
        "traceback": failure.traceback if failure else None,
    }


def _show(record: Record, step: int, seat: Seat, reached: StepReached, path: Path) -> None:
    names = seat_names(record)
    options = reached.question.options
    some = ", ".join(options[i] for i in range(min(len(options), SHOWN_OPTIONS)))
    more = ", …" if len(options) > SHOWN_OPTIONS else ""
    say(f"Step {step}, {reached.question.view['decision']}, asked of {names[seat]}")
    say(f"Options: {len(options):,} ({some}{more})")
    say(f"In the match: {sentence(record['steps'][step], names)}")
    if reached.failure:
        _say_failure(reached.failure)
    elif reached.reply:
        note = f"  “{reached.reply.note}”" if reached.reply.note else ""
        say(f"{path} answers: {reached.reply.move} ({reached.ms:.1f} ms){note}")


def _say_failure(failure: Failure) -> None:
    say(f"{failure.code} {message(failure.code).title}: {failure.detail}")
    if failure.traceback:
        say(failure.traceback.rstrip())
