"""Sentences that the barter games share. A seat appears as `{0}`, for the reader to fill in."""

from collections.abc import Iterable, Mapping
from typing import Any

from engine.barter.gems import INDEX, NAMES
from engine.game import Seat, View

Step = Mapping[str, Any]


def joined(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def name(seat: Seat) -> str:
    """The place where a seat's name goes."""
    return f"{{{seat}}}"


def names(seats: Iterable[Seat]) -> str:
    """`{0} and {2}`."""
    return joined(map(name, seats))


def gems(vector: list[int]) -> str:
    """`2 red and 1 blue`."""
    return joined(
        [f"{count} {colour}" for count, colour in zip(vector, NAMES, strict=True) if count]
        or ["nothing"]
    )


def colour(letter: str) -> str:
    """`red` for `R`."""
    return NAMES[INDEX[letter]]


def offered(move: str) -> list[int]:
    """The gem vector of an offer."""
    return [int(count) for count in move.removeprefix("offer ").split(".")]


def start(view: View) -> str:
    """With what everybody begins, and who is how old."""
    ages = view["age_rank"]
    youngest_first = sorted(range(len(ages)), key=ages.__getitem__)
    return (
        f"Everybody starts with 3 gems of each colour; from young to old: {names(youngest_first)}."
    )


def choose(step: Step) -> str:
    """Who chose what."""
    return f"{joined(f'{name(s)} chooses {move}' for s, move in enumerate(step['moves']))}."


def lapse(step: Step) -> str:
    """Why nobody performs an action."""
    if len(step["seats"]) == 2:
        return f"Neither makes an offer, so nobody gets {step['action']}."
    return f"{names(step['seats'])} all chose {step['action']}, so none of them gets it."


def barter(step: Step, reasons: Mapping[str, str]) -> str:
    """Who barters for what, and why this one opens."""
    why = reasons[step["why"]]
    return (
        f"{names(step['seats'])} both want {step['action']} and barter for it; "
        f"{name(step['opener'])} opens, {why}."
    )


def offer(step: Step, view: View) -> str:
    """What is offered, and why it is enough."""
    who, what = name(step["seat"]), gems(offered(step["move"]))
    if step["by"] == "opening":
        return f"{who} offers {what}."
    if step["by"] == "single":
        return f"{who} offers {what}, which {name(view['barter']['to_answer'])} must take."
    better = "more gems" if step["by"] == "number" else "as many gems of higher value"
    return f"{who} raises to {what}: {better}."


def accept(step: Step) -> str:
    """Who takes the gems offered last, and who acts for it."""
    said = "can only accept" if step["forced"] else "accepts"
    return f"{name(step['seat'])} {said} and gets the gems; {name(step['from'])} may act."


def free(step: Step) -> str:
    """What the free choice brought."""
    word, *letters = step["move"].split()
    who = name(step["seat"])
    if word == "pick":
        return f"{who} picks 1 {colour(letters[0])} from the supply."
    give, take = letters
    taken = [take.count(letter) for letter in INDEX]
    return f"{who} gives 1 {colour(give)} to the supply and takes {gems(taken)}."


def score(step: Step, value: int, unit: str) -> str:
    """Who is paid for the most gems of a colour, and what goes back."""
    hue = colour(step["colour"])
    leaders = [seat for seat, back in enumerate(step["returned"]) if back]
    if not leaders:
        return f"{hue.capitalize()}: nobody has a gem"
    pay, back = step["paid"][leaders[0]], step["returned"][leaders[0]]
    if len(leaders) == 1:
        return (
            f"{hue.capitalize()}: {names(leaders)} alone has the most, gets {pay} {unit} "
            f"and returns {back}"
        )
    return (
        f"{hue.capitalize()}: {names(leaders)} tie for the most and share {value}: "
        f"{pay} {unit} each, and each returns {back}"
    )


def winners(step: Step) -> list[Seat]:
    """Who is first at the end and did not forfeit; nobody if all did."""
    forfeits = step.get("forfeits", ())
    return [s for s, place in enumerate(step["placements"]) if place == 1 and s not in forfeits]


def ranking(step: Step, unit: str) -> str:
    """The final order with the scores."""
    order = sorted(range(len(step["placements"])), key=lambda seat: step["placements"][seat])
    scores, first, forfeits = step["scores"], winners(step), step.get("forfeits", ())
    if not first:
        told = [f"{name(s)} has {scores[s]}" for s in order]
        return f"All seats forfeited, so nobody wins: {joined(told)} {unit}."
    rest = [f"{name(s)} has {scores[s]}" for s in order if s not in (*first, *forfeits)]
    rest += [f"{name(s)} forfeited with {scores[s]}" for s in order if s in forfeits]
    verb = "wins" if len(first) == 1 else "share the first place"
    behind = f"; {joined(rest)}" if rest else ""
    return f"{names(first)} {verb} with {scores[first[0]]} {unit}{behind}."
