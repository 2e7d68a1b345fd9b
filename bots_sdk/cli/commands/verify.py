"""`karat verify`: play recorded matches again."""

from contextlib import closing
from pathlib import Path

import typer

from bots_sdk.cli.output import NO, ended_by_ctrl_c, followed, print_json, refuse, say
from bots_sdk.cli.records import records_of
from engine.record.reading import RecordError, read
from engine.record.verify import verify


def run(files: list[Path], as_json: bool) -> None:
    """Check all records of all files; exit status 1 if any is not true."""
    for path in files:
        if not path.is_file():
            refuse(f"There is no file {path}.")
    wrong: list[dict[str, str]] = []
    records = followed((one for path in files for one in records_of(path)), None, "Verifying")
    with ended_by_ctrl_c("all records") as checked, closing(records):
        for where, text in records:
            try:
                verify(read(text))
            except RecordError as error:
                wrong.append({"record": where, "place": error.place, "problem": error.problem})
            checked.count += 1
    if as_json:
        print_json({"records": checked.count, "wrong": wrong})
    else:
        for problem in wrong:
            place = f", {problem['place']}" if problem["place"] else ""
            say(f"{problem['record']}{place}: {problem['problem']}")
        say(f"{checked.count - len(wrong):,} of {checked.count:,} records are true.")
    if wrong:
        raise typer.Exit(NO)
