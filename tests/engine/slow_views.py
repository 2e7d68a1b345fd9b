"""Views built field by field from a position, to compare the quick ones of the games with.

Nothing here is remembered from one look to the next, and every value is worked out where it stands.
"""

from engine.game import PUBLIC

COLOUR_SHIFTS = (15, 10, 5, 0)


def slow_view(game, state, seat=None):
    """Return what `game.view` has to return; None if the game is not known here."""
    build = BUILDERS.get(game.slug)
    return build(state, seat) if build else None


def _counts(gems):
    return [gems >> shift & 31 for shift in COLOUR_SHIFTS]


def _barter(state):
    barter = state.barter
    return barter and {
        "action": barter.action,
        "seats": list(barter.seats),
        "opener": barter.opener,
        "offer": _counts(barter.offer) if barter.offer else None,
        "by": barter.by,
        "to_answer": barter.to_answer,
        "offers": barter.offers,
    }


def _shared_table(state):
    return {
        "round": state.round,
        "supply": _counts(state.supply),
        "age_rank": list(state.age_rank),
        "barter": _barter(state),
    }


def _asking(state, seat):
    left = state.options["max_offers"] - state.barter.offers if state.barter else None
    return {
        "seat": seat,
        "decision": state.decision,
        "asked": list(state.asked),
        "picking": list(state.picking),
        "offers_left": left,
        "variant": dict(state.options),
    }


def _edel_stein_reich(state, seat):
    view = _shared_table(state) | {
        "phase": state.phase,
        "event": state.event,
        "aside": state.aside,
        "gem_pile": len(state.gem_pile),
        "event_pile": len(state.event_pile + state.discards),
        "seats": [
            {
                "gems": _counts(state.gems[q]),
                "money": state.money[q],
                "held": list(state.held[q]),
                "card": state.cards[q],
                "action": state.actions[q],
            }
            for q in range(state.n)
        ],
    }
    if seat in (None, PUBLIC):
        return view
    cards = {"used_cards": list(state.used), "event_discards": list(state.discards)}
    return view | _asking(state, seat) | cards | {"using": state.using}


def _basari(state, seat):
    view = _shared_table(state) | {
        "stage": state.stage,
        "pile": len(state.pile),
        "seats": [
            {
                "gems": _counts(state.gems[q]),
                "points": state.points[q],
                "workers": state.workers[q],
                "row": list(state.rows[q]),
                "card": state.cards[q],
                "action": state.actions[q],
            }
            for q in range(state.n)
        ],
    }
    return view if seat in (None, PUBLIC) else view | _asking(state, seat)


def _edelsteinsuche(state, seat):
    def knows(who, place):
        return bool(state.knowers[place] >> who & 1)

    def visible(place):
        if seat is None or (seat == PUBLIC and state.up[place]):
            return state.cards[place]
        return state.cards[place] if seat != PUBLIC and knows(seat, place) else None

    def rows(value):
        return [[value(5 * row + slot) for slot in range(5)] for row in range(4)]

    def slot(place):
        return {
            "card": None if place == state.source else visible(place),
            "up": state.up[place],
        }

    source, seats = state.source, range(state.n)
    hand = None
    if source is not None:
        hand = state.cards[source] if seat == state.active else visible(source)
    view = {
        "turn": state.turn,
        "active": state.active,
        "dealer": state.dealer,
        "rows": rows(slot),
        "hand": hand,
        "seats": [
            {
                "type": state.types[q] if seat in (None, q) or state.unique_used[q] else None,
                "revealed": state.unique_used[q],
                "unique_used": state.unique_used[q],
                "missing": state.missing[q],
            }
            for q in seats
        ],
        "known": [rows(lambda at, q=q: visible(at) if knows(q, at) else None) for q in seats],
    }
    if seat in (None, PUBLIC):
        return view
    return view | {
        "seat": seat,
        "decision": state.decision,
        "asked": list(state.asked),
        "unique": state.unique,
        "draws": state.exchanges,
        "drawn_from": None if source is None else [source // 5, source % 5 + 1],
        "seen": [rows(lambda at, q=q: knows(q, at)) for q in seats],
        "variant": dict(state.options),
    }


BUILDERS = {
    "edel-stein-reich": _edel_stein_reich,
    "basari": _basari,
    "edelsteinsuche": _edelsteinsuche,
}
