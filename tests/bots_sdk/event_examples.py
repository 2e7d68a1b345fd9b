"""What each event card of Edel, Stein & Reich did in a real match, as a sentence."""

from itertools import pairwise

from engine.games.edel_stein_reich import GAME
from engine.games.edel_stein_reich.cards import COLOUR_BONUS, EVENT, PER_GEM
from engine.rng import Rng

COLOURS = ("R", "Y", "G", "B")
NAMES = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
MAX_MATCHES = 2000


def event_examples():
    """Return a sentence for each kind of event card, taken from the first match that shows it."""
    sentences = {}
    for number in range(MAX_MATCHES):
        for kind, sentence in effects_in(GAME.seats[number % len(GAME.seats)], f"events {number}"):
            sentences.setdefault(kind, sentence)
        if len(sentences) == len(set(EVENT.values())):
            return dict(sorted(sentences.items()))
    raise AssertionError(f"no example of {set(EVENT.values()) - set(sentences)}")


def effects_in(seats, seed):
    """Yield the kinds of cards that did something in a random match, and what."""
    steps = []
    rng, pick = Rng(seed), Rng(f"{seed} moves")

    def listen(t, state, fields):
        steps.append((t, GAME.view(state, None), dict(fields)))

    state = GAME.start(seats, {}, rng, listen)
    while asked := GAME.to_move(state):
        options = [GAME.options(state, seat) for seat in asked]
        GAME.play(state, [some[pick.below(min(len(some), 9))] for some in options], rng, listen)
    for (_, before, _), (t, after, fields) in pairwise(steps):
        if t == "use" and fields["move"] != "decline":
            yield EVENT[fields["card"]], use(before, after, fields)
        elif t == "score":
            yield from bonuses(before, fields)
        elif t == "certificates" and 4 in fields["paid"]:
            yield "certificate", certificates(fields)


def use(before, after, fields):
    """Return who has what before and after a card was used."""
    changes = [
        f"seat {seat} {gems(one)} → {gems(other)}{money(one, other)}"
        for seat, (one, other) in enumerate(zip(before["seats"], after["seats"], strict=True))
        if one["gems"] != other["gems"]
    ]
    return f"seat {fields['seat']} plays `{fields['move']}`: {', '.join(changes) or 'no change'}"


def gems(seat):
    return f"`{'.'.join(map(str, seat['gems']))}`"


def money(one, other):
    return f" and {other['money'] - one['money']} million" * (other["money"] > one["money"])


def bonuses(before, fields):
    """Yield the cards that paid for a colour, where one alone did."""
    colour = COLOURS.index(fields["colour"])
    counts = [seat["gems"][colour] for seat in before["seats"]]
    paying = {COLOUR_BONUS[colour], PER_GEM[colour], "every_sole_majority"}
    for seat, amount in enumerate(fields["bonus"]):
        kinds = [EVENT[card] for card in before["seats"][seat]["held"] if EVENT[card] in paying]
        if amount and len(kinds) == 1:
            have = ", ".join(map(str, counts))
            name = NAMES[fields["colour"]]
            yield (
                kinds[0],
                f"seats have {have} {name} gems; the card of seat {seat} pays {amount} million",
            )


def certificates(fields):
    held, paid = (", ".join(map(str, fields[name])) for name in ("held", "paid"))
    return f"seats have {held} certificates and get {paid} million"
