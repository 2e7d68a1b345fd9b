"""Running the `karat` command: a wrong call gets one sentence, not a page of usage."""

import sys

from bots_sdk.installation import install_command

try:
    from typer import Abort
    from typer.exceptions import TyperException

    from bots_sdk.cli.app import app
    from bots_sdk.cli.output import NO, WRONG_USE, aside
except ModuleNotFoundError as missing:
    if missing.name not in {"typer", "rich", "trueskill"}:
        raise
    sys.exit(f"The karat command needs {missing.name}; install it with: {install_command('cli')}")


def main() -> None:
    """Run the command and end the process with its status."""
    try:
        status = app(prog_name="karat", standalone_mode=False)
    except TyperException as error:
        aside.print(_explain(error), markup=False)
        status = WRONG_USE
    except Abort:
        status = NO
    sys.exit(status or 0)


def _explain(error: TyperException) -> str:
    """Return what is wrong with the call, and what was probably meant or where to look."""
    sentence = error.format_message().rstrip(".")
    # Of a wrong option, the library lists everything that looks a little like it, the best first.
    if options := getattr(error, "possibilities", None):
        return f"{sentence.partition(' (')[0]}. Did you mean {options[0]}?"
    return sentence if sentence.endswith("?") else f"{sentence}; see karat --help."
