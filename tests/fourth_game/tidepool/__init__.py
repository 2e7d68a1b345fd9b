"""Tidepool: the tide brings a shell, and everybody bids for it with a card nobody else has seen."""

from engine.game import Game
from tidepool.presentation import TidepoolPresentation
from tidepool.rules import (
    NAME,
    OPTIONS,
    SEATS,
    Position,
    illegal_reason,
    options,
    outcome,
    play,
    start,
    to_move,
)
from tidepool.statistics import TidepoolStatistics
from tidepool.view import imagine, view

GAME: Game[Position] = Game(
    slug="tidepool",
    name=NAME,
    rules="1.0",
    seats=SEATS,
    options_allowed=OPTIONS,
    package=__name__,
    start=start,
    to_move=to_move,
    options=options,
    illegal_reason=illegal_reason,
    play=play,
    view=view,
    outcome=outcome,
    clone=Position.clone,
    imagine=imagine,
    presentation=TidepoolPresentation(),
    statistics=TidepoolStatistics(),
)
