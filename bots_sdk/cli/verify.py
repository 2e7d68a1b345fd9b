"""`karat verify`: play recorded matches again."""

from collections.abc import Iterator
from pathlib import Path

import typer

from bots_sdk.cli.output import NO, out, print_json, progress, refuse
from engine.reading import MAX_BYTES, RecordError, read
from engine.verify import verify


def run(files: list[Path], as_json: bool) -> None:
    """Check all records of all files; exit status 1 if any is not true."""
    for path in files:
        if not path.is_file():
            refuse(f"There is no file {path}.")
    checked = 0
    wrong: list[dict[str, str]] = []
    with progress() as bar:
        task = bar.add_task("Verifying", total=None, rate="")
        for path in files:
            for where, text in _records(path):
                try:
                    verify(read(text))
                except RecordError as error:
                    wrong.append({"record": where, "place": error.place, "problem": error.problem})
                checked += 1
                bar.update(task, completed=checked)
    if as_json:
        print_json({"records": checked, "wrong": wrong})
    else:
        for problem in wrong:
            place = f", {problem['place']}" if problem["place"] else ""
            out.print(f"{problem['record']}{place}: {problem['problem']}", markup=False)
        true = checked - len(wrong)
        out.print(f"{true:,} of {checked:,} records are true.")
    if wrong:
        raise typer.Exit(NO)


def _records(path: Path) -> Iterator[tuple[str, bytes]]:
    """Every record of a file with its place; a line too long for a record is cut, and fails."""
    try:
        with path.open("rb") as file:
            if path.suffix != ".jsonl":
                yield str(path), file.read(MAX_BYTES + 1)
                return
            number = 0
            while line := file.readline(MAX_BYTES + 1):
                number += 1
                if line.strip():
                    yield f"{path}:{number}", line
    except OSError as error:
        refuse(f"{path} cannot be read: {error.strerror}.")
