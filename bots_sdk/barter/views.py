"""What seats of the two barter games see, for editors and type checkers. Runs inside the box."""

from bots_sdk.bot import TypedView, View


class BarterView(TypedView):
    """A barter under way."""

    action: str
    """What both seats want."""
    seats: list[int]
    """The two seats that barter."""
    opener: int
    """Who makes the first offer."""
    offer: list[int] | None
    """The standing offer, `[R, Y, G, B]`; None before the first."""
    by: int | None
    """Who made it."""
    to_answer: int
    """Who speaks next."""
    offers: int
    """How many offers have been made."""


class AnswerView(BarterView):
    """A barter in which an offer has to be answered."""

    offer: list[int]
    """The standing offer, `[R, Y, G, B]`; `Offer.of` makes a value of it."""
    by: int
    """Who made it."""


class BarterSeat(TypedView):
    """What everybody sees of a seat at either table."""

    gems: list[int]
    """`[R, Y, G, B]`; `Offer.of(seat.gems)` makes a value of it."""
    card: str
    """The card dealt to it in this round; `GAME.catalogue[card]` says what is on it."""
    action: str | None
    """What it chose in this round; None while the choice is secret."""


class BarterVariant(TypedView):
    """The options that both games have."""

    max_offers: int
    """The number of offers after which a barter ends."""
    deck: str
    """Which cards are played with."""


class TableView(TypedView):
    """What both tables have."""

    round: int
    """The round of this phase or stage, from 1."""
    supply: list[int]
    """The gems nobody has, `[R, Y, G, B]`."""
    age_rank: list[int]
    """The rank of each seat by age, 0 for the youngest; it breaks the last ties."""
    barter: BarterView | None
    """The barter under way; never None in the methods of a barter."""
    seat: int
    """Your own number."""
    decision: str
    """What is decided, such as `BARTER_OPEN`."""
    asked: list[int]
    """Everybody who decides at this moment."""
    others: list[int]
    """The seats of the others, from your left-hand neighbour on."""
    picking: list[int]
    """Who still takes a gem by `free`, in this order."""
    offers_left: int | None
    """How many offers the limit still allows in this barter, both seats together; None without a
    barter. With 1 the next offer is the last, and the other must accept it."""
    variant: BarterVariant
    """The options of this match."""
    news: list[View]
    """The public steps since you were last asked."""
    time_left_ms: int
    """How long this decision may take."""
