"""All moves one could think of, by the notation of the rules and not by the engine."""

from itertools import combinations_with_replacement, product

COLOURS = "RYGB"


def imaginable_moves(game, state, seat):
    """Return moves, legal or not: all of the notation that come near, and some nonsense."""
    slug = game.slug
    if slug not in WORDS:
        # Of a game from elsewhere no notation is known here: what any seat may do, and nonsense.
        return [
            *NONSENSE,
            *(move for one in game.to_move(state) for move in game.options(state, one)),
        ]
    moves = [*NONSENSE, *WORDS[slug]]
    if slug == "edelsteinsuche":
        moves += [f"draw {row}.{slot}" for row in range(-1, 5) for slot in range(7)]
        moves += [f"hide {slot}" for slot in range(7)]
        return moves
    own = state.gems[seat]
    upto = [own >> 15, own >> 10 & 31, own >> 5 & 31, own & 31]
    if state.decision.startswith("BARTER"):
        counts = product(*(range(count + 2) for count in upto))
        moves += [f"offer {r}.{y}.{g}.{b}" for r, y, g, b in counts]
    moves += [f"pick {colour}" for colour in COLOURS + "X"]
    moves += [
        f"trade {give} {''.join(take)}"
        for give in COLOURS
        for size in (1, 2, 3)
        for take in combinations_with_replacement(COLOURS, size)
    ]
    moves += ["trade B YR", "trade RR B", "trade B"]
    if slug == "edel-stein-reich":
        moves += _event_uses(state)
    return moves


def _event_uses(state):
    moves = [f"{word} {colour}" for word in ("score", "take") for colour in COLOURS + "X"]
    moves += [
        f"swap {give} {opponent} {take}"
        for give, opponent, take in product(COLOURS, range(state.n + 1), COLOURS)
    ]
    if state.using in ("V34", "V35"):
        named = [["", *(f" {seat}{colour}" for colour in COLOURS)] for seat in range(state.n)]
        moves += ["strip" + "".join(losses) for losses in product(*named)]
        moves += ["strip 1R 0R", "strip 0R 0R", "strip  0R"]
    return moves


NONSENSE = [
    "",
    " ",
    "MONEY",
    "accept ",
    "offer",
    "offer ",
    "offer 1",
    "offer 1.0.0",
    "offer 1.0.0.0.0",
    "offer -1.0.0.2",
    "offer 01.0.0.0",
    "offer +1.0.0.0",
    "offer 1.0.0.0 ",
    "offer 1.0.0.٣",
    "offer 99.0.0.0",
    "offer 1.0.0.0\n",
    "draw 1.1 ",
    "draw 01.1",
    "hide",
    "hide 1.1",
    "draw",
    "💎" * 100,
]
_SHARED = ["accept", "decline", "gems", "free"]
WORDS = {
    "edel-stein-reich": [*_SHARED, "money", "event", "open", "hidden", "use", "points"],
    "basari": [*_SHARED, "workers", "points", "money"],
    "edelsteinsuche": ["normal", "unique", "show", "stop", "continue", "accept"],
}
