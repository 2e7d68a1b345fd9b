"""Sentences that the barter games share."""

from collections.abc import Mapping

from engine.barter.gems import INDEX, NAMES
from engine.barter.steps import Accept, BarterOpening, Choose, Free, Lapse, Majority, Offer
from engine.barter.views import H, SharedTable
from engine.narration import joined, name, names


def gems(vector: list[int]) -> str:
    """Return `2 red and 1 blue`."""
    return joined(
        [f"{count} {colour}" for count, colour in zip(vector, NAMES, strict=True) if count]
        or ["nothing"]
    )


def colour(letter: str) -> str:
    """Return `red` for `R`."""
    return NAMES[INDEX[letter]]


def offer_vector(move: str) -> list[int]:
    """Return the gem vector of an offer."""
    return [int(count) for count in move.removeprefix("offer ").split(".")]


def start(view: SharedTable[H]) -> str:
    """Tell with what everybody begins, and who is how old."""
    ages = view["age_rank"]
    youngest_first = sorted(range(len(ages)), key=ages.__getitem__)
    return (
        f"Everybody starts with 3 gems of each colour; from young to old: {names(youngest_first)}."
    )


def choose(step: Choose) -> str:
    """Tell who chose what."""
    return f"{joined(f'{name(s)} chooses {move}' for s, move in enumerate(step['moves']))}."


def lapse(step: Lapse) -> str:
    """Tell why nobody performs an action."""
    if len(step["seats"]) == 2:
        return f"Neither makes an offer, so nobody gets {step['action']}."
    return f"{names(step['seats'])} all chose {step['action']}, so none of them gets it."


def barter(step: BarterOpening, reasons: Mapping[str, str]) -> str:
    """Tell who barters for what, and why this one opens."""
    why = reasons[step["why"]]
    return (
        f"{names(step['seats'])} both want {step['action']} and barter for it; "
        f"{name(step['opener'])} opens, {why}."
    )


def offer(step: Offer, view: SharedTable[H]) -> str:
    """Tell what is offered, and why it is enough."""
    who, what = name(step["seat"]), gems(offer_vector(step["move"]))
    if step["by"] == "opening":
        return f"{who} offers {what}."
    if step["by"] == "single":
        assert view["barter"] is not None
        return f"{who} offers {what}, which {name(view['barter']['to_answer'])} must take."
    better = "more gems" if step["by"] == "number" else "as many gems of higher value"
    return f"{who} raises to {what}: {better}."


def accept(step: Accept) -> str:
    """Tell who takes the gems offered last, and who acts for it."""
    verb = "can only accept" if step["forced"] else "accepts"
    return f"{name(step['seat'])} {verb} and gets the gems; {name(step['from'])} may act."


def free(step: Free) -> str:
    """Tell what the free choice brought."""
    word, *letters = step["move"].split()
    who = name(step["seat"])
    if word == "pick":
        return f"{who} picks 1 {colour(letters[0])} from the supply."
    give, take = letters
    vector = [take.count(letter) for letter in INDEX]
    return f"{who} gives 1 {colour(give)} to the supply and takes {gems(vector)}."


def score(step: Majority, value: int, unit: str) -> str:
    """Tell who is paid for the most gems of a colour, and what goes back."""
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
