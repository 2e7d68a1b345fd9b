"""The page of all commands, written from their own help: `python -m bots_sdk.cli.reference`."""

from pathlib import Path

import typer

from bots_sdk.cli.app import app

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
WIDTH = 98

_OPENING = """\
# Commands

Everything `karat` can do, as `karat COMMAND --help` says it. This page is written by
`python -m bots_sdk.cli.reference`.

Exit status: 0 means success, 1 that the answer is no, 2 that the command was used wrongly. Results
go to standard output, everything else to standard error; with `--json` the result is one JSON
object. Ctrl-C ends a command cleanly, with what was finished so far.

`karat` alone lists the commands, and `karat --version` prints the version, for a report of a
problem. `karat --install-completion` lets bash, zsh, fish or PowerShell complete commands, options,
games, house bots and files; `karat --show-completion` prints what it would install.
"""


def page() -> str:
    """Return the text of the page."""
    karat = typer.main.get_group(app)
    context = karat.make_context("karat", ["--help"], resilient_parsing=True)
    context.terminal_width = WIDTH
    parts = [_OPENING]
    for name in karat.list_commands(context):
        command = karat.commands[name]
        if command.hidden:
            continue
        inner = type(context)(command, parent=context, info_name=name)
        lines = command.get_help(inner).splitlines()
        text = "\n".join(f"    {line}".rstrip() for line in lines)
        parts.append(f"## karat {name}\n\n{text}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
