"""`karat doctor`: whether bots can be boxed on this machine, how, and what to do if not."""

from dataclasses import asdict

import typer

from bots_sdk.cli.output import NO, out, print_json
from runners.box.select import Choice, choose
from runners.plugins.discovery import refusals


def run(as_json: bool) -> None:
    """Test every wall; exit status 1 if one does not hold."""
    choice = choose(embedded=True)
    held = choice.mode is not None and choice.held
    if as_json:
        print_json(
            {
                "held": held,
                "mode": choice.mode,
                "rated": choice.rated,
                "walls": [asdict(wall) for wall in choice.walls],
                "advice": choice.advice,
                "refusals": [asdict(refusal) for refusal in refusals()],
            }
        )
    else:
        _show(choice, held)
    if not held:
        raise typer.Exit(NO)


def _show(choice: Choice, held: bool) -> None:
    out.print(f"mode    {choice.mode or 'none: no bot is played'}", markup=False)
    out.print(f"rated   {'yes' if choice.rated else 'no'}")
    for wall in choice.walls:
        mark = "held  " if wall.held else "BROKEN"
        behaviour = "" if wall.held else f"  ({wall.seen})"
        out.print(f"{mark}  a bot {wall.name}{behaviour}", markup=False)
    if choice.advice:
        out.print(choice.advice, markup=False)
    for refusal in refusals():
        out.print(str(refusal), markup=False)
    out.print("All walls hold." if held else "Do not run strangers' bots on this machine.")
