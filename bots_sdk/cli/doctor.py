"""`karat doctor`: whether bots can be boxed on this machine."""

from dataclasses import asdict

import typer

from bots_sdk.cli.output import NO, out, print_json
from runners.box.selftest import check


def run(as_json: bool) -> None:
    """Try every wall; exit status 1 if one does not hold."""
    walls = check()
    held = all(wall.held for wall in walls)
    if as_json:
        print_json({"held": held, "walls": [asdict(wall) for wall in walls]})
    else:
        for wall in walls:
            mark = "held  " if wall.held else "BROKEN"
            shown = "" if wall.held else f"  ({wall.seen})"
            out.print(f"{mark}  a bot {wall.name}{shown}", markup=False)
        verdict = "All walls hold." if held else "Do not run strangers' bots on this machine."
        out.print(verdict)
    if not held:
        raise typer.Exit(NO)
