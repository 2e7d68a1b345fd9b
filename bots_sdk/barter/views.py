"""What seats of the two barter games see, for editors and type checkers. Runs inside the box."""

from bots_sdk.bot import View


class BarterView(View):
    """A barter under way."""

    action: str
    """What both seats want."""
    seats: list[int]
    """The two seats that barter."""
    opener: int
    offer: list[int] | None
    """The standing offer, `[R, Y, G, B]`."""
    by: int | None
    """Who made it."""
    to_answer: int
    """Who speaks next."""
    offers: int
    """How many offers have been made."""


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
