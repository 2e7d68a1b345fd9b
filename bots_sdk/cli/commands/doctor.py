"""`karat doctor`: whether bots can be boxed on this machine, how, and what to do if not."""

from dataclasses import asdict

import typer

from bots_sdk.cli.output import NO, print_json, say
from runners.box.kernel import unix
from runners.box.modes import Mode
from runners.box.remedies import Remedy, find_remedy, read_system
from runners.box.select import Choice, choose
from runners.plugins.discovery import refusals

WITHOUT_BOXES = (
    "Without boxes, karat new, play, arena, duel, watch, verify, rerun and push work all the same, "
    "and karat check reads the file."
)


def run(as_json: bool) -> None:
    """Test every wall; exit status 1 if one does not hold."""
    choice = choose(embedded=True)
    held = choice.mode is not None and choice.held
    remedy = None
    if unix.HAS_BOXES and choice.advice and choice.mode in (None, Mode.LANDLOCK):
        remedy = find_remedy(read_system())
    if as_json:
        print_json(
            {
                "held": held,
                "mode": choice.mode,
                "rated": choice.rated,
                "walls": [asdict(wall) for wall in choice.walls],
                "advice": choice.advice,
                "remedy": asdict(remedy) if remedy else None,
                "refusals": [asdict(refusal) for refusal in refusals()],
            }
        )
    else:
        _show(choice, held, remedy)
    if not held:
        raise typer.Exit(NO)


def _show(choice: Choice, held: bool, remedy: Remedy | None) -> None:
    say(f"mode    {choice.mode or 'none: no bot is played'}")
    say(f"rated   {'yes' if choice.rated else 'no'}")
    for wall in choice.walls:
        mark = "held  " if wall.held else "BROKEN"
        behaviour = "" if wall.held else f"  ({wall.seen})"
        say(f"{mark}  a bot {wall.name}{behaviour}")
    if choice.advice and not remedy:
        say(choice.advice)
    for refusal in refusals():
        say(str(refusal))
    if remedy:
        if choice.mode:
            say("Landlock keeps the bots; namespaces, which are better, cannot.")
        say(remedy.problem)
        say(f"Fix it:  {remedy.command}")
    if held:
        say("All walls hold.")
    else:
        say("Do not run strangers' bots on this machine.")
        say(WITHOUT_BOXES)
