"""Write a bot for Edel, Stein & Reich: a method for every decision. Runs inside the box.

from bots_sdk.games.edel_stein_reich import EdelSteinReichBot

class MyBot(EdelSteinReichBot):
    def choose_action(self, view, options):
        return "money"
"""

from bots_sdk.barter.bots import BarterBot, Move, answer_fairly, open_low, trade_up
from bots_sdk.barter.views import AnswerView, BarterSeat, BarterVariant, BarterView, TableView
from bots_sdk.offers import COLOURS, Offer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "BarterView",
    "EdelSteinReichAnswerView",
    "EdelSteinReichBarterView",
    "EdelSteinReichBot",
    "EdelSteinReichEventView",
    "EdelSteinReichSeat",
    "EdelSteinReichUseView",
    "EdelSteinReichView",
    "Move",
    "Offer",
]


class EdelSteinReichSeat(BarterSeat):
    """What everybody sees of a seat."""

    money: int
    """In millions; the most money wins."""
    held: list[str]
    """The event cards in front of it that count when a phase is scored."""


class EdelSteinReichVariant(BarterVariant):
    """The options of a match."""

    majority_bonus: str
    """`scaled` or `flat7`: what the bonus cards of the colours pay."""
    event_reshuffle: str
    """`eager` or `lazy`: when the event pile is shuffled."""


class EdelSteinReichView(TableView):
    """What a seat sees. For editors and type checkers: at run time it is a plain `View`."""

    phase: int
    """1 to 3."""
    event: str | None
    """The event card that lies open; None once it is taken or put away."""
    aside: str | None
    """The gem card on top of those put aside; None if there are none."""
    gem_pile: int
    """How many gem cards are left to be dealt in this phase."""
    event_pile: int
    """How many cards the event pile has, face-up ones included."""
    seats: list[EdelSteinReichSeat]
    """What everybody sees of each seat, by its number."""
    me: EdelSteinReichSeat
    """The same as `seats[seat]`."""
    used_cards: list[str]
    """The gem cards of the finished rounds of this phase."""
    event_discards: list[str]
    """The event cards that lie face up under the pile."""
    using: str | None
    """The event card you are asked to use; never None in `use_event`."""
    variant: EdelSteinReichVariant
    """The options of this match."""


class EdelSteinReichBarterView(EdelSteinReichView):
    """What a seat sees when it opens a barter, or offers a single gem."""

    barter: BarterView
    offers_left: int


class EdelSteinReichAnswerView(EdelSteinReichBarterView):
    """What a seat sees when it answers an offer."""

    barter: AnswerView


class EdelSteinReichEventView(EdelSteinReichView):
    """What a seat sees while the event card of the round lies open."""

    event: str


class EdelSteinReichUseView(EdelSteinReichView):
    """What a seat sees when it may use an event card."""

    using: str


class EdelSteinReichBot(BarterBot):
    """A bot for Edel, Stein & Reich. Write the methods that interest you; the others have defaults.

    Every method is given what your seat sees and the legal moves, and returns one of them, or an
    `Offer` where offers are moves.
    """

    games = ("edel-stein-reich",)
    methods = {  # noqa: RUF012  a mapping proxy would cost an import
        "CHOOSE_ACTION": "choose_action",
        "BARTER_OPEN": "open_barter",
        "BARTER_SINGLE": "offer_single",
        "BARTER_REPLY": "answer_offer",
        "EVENT_SOURCE": "choose_source",
        "EVENT_USE": "use_event",
        "FREE_TRADE": "trade_free",
        "FREE_PICK": "pick_free",
    }

    def choose_action(self, view: EdelSteinReichEventView, options: "Sequence[str]") -> Move:
        """Choose what to do this round; all seats choose at the same time.

        Alone you simply act, two barter for it, three or more get nothing. By default any of them,
        all equally likely: nobody can predict it.
        """
        return self.rng.choice(options)

    def open_barter(self, view: EdelSteinReichBarterView, options: "Sequence[str]") -> Move:
        """Make the first offer: what you give if they let you have the action; or `decline`.

        By default the lowest offer there is.
        """
        return open_low(view.me.gems, options)

    def offer_single(self, view: EdelSteinReichBarterView, options: "Sequence[str]") -> Move:
        """Offer one gem, which they must take, after the opener declined; or `decline` too.

        By default the lowest gem you have.
        """
        return options[1]

    def answer_offer(self, view: EdelSteinReichAnswerView, options: "Sequence[str]") -> Move:
        """Accept, and take the gems, or make a higher offer, to act in their place.

        `view.barter.offer` lies on the table. By default two gems are enough, and less is answered
        with the lowest offer of one gem more.
        """
        return answer_fairly(view.me.gems, view.barter.offer)

    def choose_source(self, view: EdelSteinReichEventView, options: "Sequence[str]") -> Move:
        """Take an event card: `open` is `view.event`, `hidden` the top of the pile.

        By default what is known.
        """
        return "open"

    def use_event(self, view: EdelSteinReichUseView, options: "Sequence[str]") -> Move:
        """Use the event card `view.using`, or `decline`. The options are all its complete uses.

        By default: takes the highest colour, strips the highest colours, swaps the lowest colour
        for the highest, with any of those who have one, and declines what needs a closer look.
        """
        word = options[1].split()[0]
        if word in ("take", "strip"):
            return options[1]
        if word == "swap":
            return self.choose_best(options[1:], _gain)
        return "decline"

    def trade_free(self, view: EdelSteinReichView, options: "Sequence[str]") -> Move:
        """Trade a gem: `trade B RY` gives a blue one for a red and a yellow one of the supply.

        By default the lowest colour you have goes for the highest there are.
        """
        return trade_up(options)

    def pick_free(self, view: EdelSteinReichView, options: "Sequence[str]") -> Move:
        """Take a gem from the supply: `pick R`. By default of the highest colour there is."""
        return options[0]


def _gain(swap: str) -> int:
    """Return how many ranks of colour a swap wins."""
    _, give, _, take = swap.split()
    return COLOURS.index(give) - COLOURS.index(take)
