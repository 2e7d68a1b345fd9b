"""Write a bot for Basari: a method for every decision. Runs inside the box.

from bots_sdk.games.basari import BasariBot

class MyBot(BasariBot):
    def choose_action(self, view, options):
        return "points"
"""

from bots_sdk.barter.bots import BarterBot, Move, answer_fairly, open_low, trade_up
from bots_sdk.barter.views import AnswerView, BarterSeat, BarterView, TableView
from bots_sdk.offers import Offer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "BarterView",
    "BasariAnswerView",
    "BasariBarterView",
    "BasariBot",
    "BasariSeat",
    "BasariView",
    "Move",
    "Offer",
]


class BasariSeat(BarterSeat):
    """What everybody sees of a seat."""

    points: int
    """The most points win."""
    workers: int
    """In all cards of its row; fifteen end the stage."""
    row: list[str]
    """The cards it got in this stage."""


class BasariView(TableView):
    """What a seat sees. For editors and type checkers: at run time it is a plain `View`."""

    stage: int
    """1 to 3."""
    pile: int
    """How many cards are left to be dealt."""
    seats: list[BasariSeat]
    """What everybody sees of each seat, by its number."""
    me: BasariSeat
    """The same as `seats[seat]`."""


class BasariBarterView(BasariView):
    """What a seat sees when it opens a barter."""

    barter: BarterView
    offers_left: int


class BasariAnswerView(BasariBarterView):
    """What a seat sees when it answers an offer."""

    barter: AnswerView


class BasariBot(BarterBot):
    """A bot for Basari. Write the methods that interest you; the others have defaults.

    Every method is given what your seat sees and the legal moves, and returns one of them, or an
    `Offer` where offers are moves.
    """

    games = ("basari",)
    methods = {  # noqa: RUF012  a mapping proxy would cost an import
        "CHOOSE_ACTION": "choose_action",
        "BARTER_OPEN": "open_barter",
        "BARTER_REPLY": "answer_offer",
        "FREE_TRADE": "trade_free",
        "FREE_PICK": "pick_free",
    }

    def choose_action(self, view: BasariView, options: "Sequence[str]") -> Move:
        """Choose what to do this round; all seats choose at the same time.

        Alone you simply act, two barter for it, three or more get nothing. By default any of them,
        all equally likely: nobody can predict it.
        """
        return self.rng.choice(options)

    def open_barter(self, view: BasariBarterView, options: "Sequence[str]") -> Move:
        """Make the first offer: what you give the other if they let you have the action.

        By default the lowest offer there is.
        """
        return open_low(view.me.gems, options)

    def answer_offer(self, view: BasariAnswerView, options: "Sequence[str]") -> Move:
        """Accept, and take the gems, or make a higher offer, to act in their place.

        `view.barter.offer` lies on the table. By default two gems are enough, and less is answered
        with the lowest offer of one gem more.
        """
        return answer_fairly(view.me.gems, view.barter.offer)

    def trade_free(self, view: BasariView, options: "Sequence[str]") -> Move:
        """Trade a gem: `trade B RY` gives a blue one for a red and a yellow one of the supply.

        By default the lowest colour you have goes for the highest there are.
        """
        return trade_up(options)

    def pick_free(self, view: BasariView, options: "Sequence[str]") -> Move:
        """Take a gem from the supply: `pick R`. By default of the highest colour there is."""
        return options[0]
