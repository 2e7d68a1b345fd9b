"""The table that the two barter games share, and the barter that may be going on at it."""

from typing import Self, TypeAlias, TypeVar

from engine.barter.gems import PER_COLOUR, pack, same, unpack
from engine.barter.offers import offer_key
from engine.barter.views import Asking, BarterView, H, SharedSeatView
from engine.game import NOBODY, Json, Options, Seat

START_GEMS = 3
CHOOSE = "CHOOSE_ACTION"

Plan: TypeAlias = "tuple[()] | tuple[str, str, tuple[Seat, ...], Plan]"
"""What is to come in a round: what becomes of an action, its name, its choosers, and the rest."""


class Barter:
    """A barter under way. `offer` is the key of the standing offer, 0 while there is none."""

    __slots__ = ("action", "by", "offer", "offers", "opener", "seats", "to_answer")

    def __init__(self, action: str, seats: tuple[Seat, ...], opener: Seat) -> None:
        self.action = action
        self.seats = seats
        self.opener = opener
        self.to_answer = opener
        self.offer = 0
        self.by: Seat | None = None
        self.offers = 0

    def other(self, seat: Seat) -> Seat:
        """Return the partner of a seat in this barter."""
        first, second = self.seats
        return second if seat == first else first

    def clone(self) -> "Barter":
        """Return an independent copy."""
        copy = Barter(self.action, self.seats, self.opener)
        copy.to_answer = self.to_answer
        copy.offer = self.offer
        copy.by = self.by
        copy.offers = self.offers
        return copy

    def view(self) -> BarterView:
        """Return what everybody sees of it."""
        return {
            "action": self.action,
            "seats": list(self.seats),
            "opener": self.opener,
            "offer": unpack(self.offer & 0xFFFFF) if self.offer else None,
            "by": self.by,
            "to_answer": self.to_answer,
            "offers": self.offers,
        }

    @staticmethod
    def from_view(view: BarterView) -> "Barter":
        """Return the barter that a view shows."""
        barter = Barter(view["action"], tuple(view["seats"]), view["opener"])
        barter.to_answer = view["to_answer"]
        barter.offer = offer_key(pack(view["offer"])) if view["offer"] else 0
        barter.by = view["by"]
        barter.offers = view["offers"]
        return barter


T = TypeVar("T", bound="Table")
"""The position of one of the games: a table with whatever else that game has."""


class Table:
    """What both games have on the table. Gem vectors are packed ints; cards are their ids."""

    __slots__ = (
        *("n", "options", "round", "age_rank", "gems", "supply", "cards", "actions"),
        *("plan", "barter", "picking", "decision", "asked", "moves"),
    )

    def __init__(self, n: int, options: dict[str, Json]) -> None:
        self.n = n
        self.options = options
        self.round = 0
        self.age_rank: list[int] = list(range(n))
        self.gems: list[int] = [same(START_GEMS)] * n
        self.supply: int = same(PER_COLOUR - START_GEMS * n)
        self.cards: list[str | None] = [None] * n
        """The card dealt to each seat in this round."""
        self.actions: list[str | None] = [None] * n
        self.plan: Plan = ()
        """The actions that have not begun."""
        self.barter: Barter | None = None
        self.picking: list[Seat] = []
        """Who is still to take a gem by the free choice, in order."""
        self.decision: str | None = None
        self.asked: tuple[Seat, ...] = NOBODY
        self.moves: Options = ()
        """What each seat asked may do."""

    def clone(self) -> Self:
        """Return an independent copy; what is never changed in place is shared."""
        copy = self.__new__(type(self))
        copy.n = self.n
        copy.options = self.options
        copy.round = self.round
        copy.age_rank = self.age_rank
        copy.gems = self.gems[:]
        copy.supply = self.supply
        copy.cards = self.cards[:]
        copy.actions = self.actions[:]
        copy.plan = self.plan
        copy.barter = self.barter.clone() if self.barter else None
        copy.picking = self.picking
        copy.decision = self.decision
        copy.asked = self.asked
        copy.moves = self.moves
        return copy

    def asking(self, seat: Seat) -> Asking:
        """Return what a seat's view has besides the table."""
        return {
            "seat": seat,
            "decision": self.decision,
            "asked": list(self.asked),
            "picking": self.picking[:],
            "offers_left": self.offers_left(),
            "variant": self.options.copy(),
        }

    def offers_left(self) -> int | None:
        """Return how many offers of both seats the limit still allows in this barter (R-17)."""
        if self.barter is None:
            return None
        left: int = self.options["max_offers"] - self.barter.offers
        return left

    def restore(self, view: SharedSeatView[H]) -> None:
        """Lay out what a seat's view shows; the moves are for the game to work out."""
        seats = view["seats"]
        self.round = view["round"]
        self.age_rank = view["age_rank"][:]
        self.gems = [pack(seat["gems"]) for seat in seats]
        self.supply = pack(view["supply"])
        self.cards = [seat["card"] for seat in seats]
        self.actions = [seat["action"] for seat in seats]
        self.barter = Barter.from_view(view["barter"]) if view["barter"] else None
        self.picking = view["picking"][:]
        self.decision = view["decision"]
        self.asked = tuple(view["asked"])
