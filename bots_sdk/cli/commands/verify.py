"""`karat verify`: play recorded matches again."""

from contextlib import closing
from pathlib import Path

import typer

from bots_sdk.cli.output import NO, print_json, refuse, say, show_progress, stop_on_ctrl_c
from bots_sdk.cli.records import records_of
from engine.record.reading import RecordError, read
from engine.record.verify import verify


def run(files: list[Path], as_json: bool) -> None:
    """Check all records of all files; exit status 1 if any is wrong."""
    for path in files:
        if not path.is_file():
            refuse(f"There is no file {path}.")
    wrong: list[dict[str, str]] = []
    progress = show_progress((one for path in files for one in records_of(path)), None, "Verifying")
    with stop_on_ctrl_c("all records") as done, closing(progress):
        for where, text in progress:
            try:
                verify(read(text))
            except RecordError as error:
                wrong.append({"record": where, "place": error.place, "problem": error.problem})
            done.count += 1
    if as_json:
        print_json({"records": done.count, "wrong": wrong})
    else:
        for problem in wrong:
            place = f", {problem['place']}" if problem["place"] else ""
            say(f"{problem['record']}{place}: {problem['problem']}")
        say(f"{done.count - len(wrong):,} of {done.count:,} records are correct.")
        if not wrong:
            say(f"Watch {'it' if done.count == 1 else 'them'}:  karat watch {files[0]}")
    if wrong:
        raise typer.Exit(NO)
