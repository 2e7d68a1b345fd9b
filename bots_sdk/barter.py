"""What bots of the two barter games share: the views, modest defaults. Runs inside the box."""

from bots_sdk.bot import View
from bots_sdk.decisions import Move
from bots_sdk.offers import Offer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ENOUGH = 2
"""An offer of so many gems is accepted by a bot that has no opinion of its own."""


class BarterView(View):
    """A barter under way."""

    action: str
    """What the two want."""
    seats: list[int]
    """The two."""
    opener: int
    offer: list[int] | None
    """The standing offer, `[R, Y, G, B]`."""
    by: int | None
    """Who made it."""
    to_answer: int
    """Who speaks next."""
    offers: int
    """How many have been made."""


class BarterSeat(View):
    """What everybody sees of a seat at either table."""

    gems: list[int]
    """`[R, Y, G, B]`; `Offer.of(seat.gems)` makes a value of it."""
    card: str
    """The card dealt to it in this round; the catalogue in its RULES.md says what is on it."""
    action: str | None
    """What it chose in this round; None while the choice is secret."""


class TableView(View):
    """What both tables have."""

    round: int
    supply: list[int]
    """The gems nobody has, `[R, Y, G, B]`."""
    age_rank: list[int]
    """0 is the youngest, who wins the last of all ties."""
    barter: BarterView | None
    seat: int
    """Your own number."""
    decision: str
    asked: list[int]
    """Everybody who decides at this moment."""
    others: list[int]
    """The seats of the others, from your left-hand neighbour on."""
    picking: list[int]
    """Who still takes a gem by the free choice."""
    offers_left: int | None
    """How many offers the limit still allows in this barter, both seats together. With 1 the next
    offer is the last, and the other must accept it."""
    variant: View
    """The options of this match."""
    news: list[View]
    """The public steps since you were last asked."""
    time_left_ms: int
    """How long this decision may take."""


def open_low(hand: "Sequence[int]", options: "Sequence[str]") -> Move:
    """The lowest opening there is."""
    return Offer.cheapest(hand, 1) or options[0]


def answer_fairly(hand: "Sequence[int]", standing: "Sequence[int]") -> Move:
    """Two gems are enough; less is answered with the lowest offer of one gem more."""
    count = sum(standing)
    if count >= ENOUGH:
        return "accept"
    return Offer.cheapest(hand, count + 1) or "accept"


def trade_up(options: "Sequence[str]") -> Move:
    """The lowest colour there is to give goes for the highest there are to take."""
    give = options[-1].split()[1]
    return next(move for move in options if move.split()[1] == give)
