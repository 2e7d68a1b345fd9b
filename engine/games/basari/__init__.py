"""Basari: the card game, where two who want the same barter, and 15 workers end a stage."""

from engine.game import Game, options, to_move
from engine.games.basari import moves, rules
from engine.games.basari.cards import CATALOGUE
from engine.games.basari.insight import BasariInsight
from engine.games.basari.narration import narrate
from engine.games.basari.presentation import BasariPresentation
from engine.games.basari.state import OPTIONS, SEATS, State, clone
from engine.games.basari.statistics import STATISTICS
from engine.games.basari.view import imagine, view

GAME: Game[State] = Game(
    slug="basari",
    name=rules.NAME,
    rules="1.1",
    former_rules=("1.0",),
    seats=SEATS,
    options_allowed=OPTIONS,
    catalogue=CATALOGUE,
    package=__name__,
    order=2,
    max_decisions=rules.max_decisions,
    start=rules.start,
    to_move=to_move,
    options=options,
    illegal_reason=moves.illegal_reason,
    play=rules.play,
    view=view,
    fallback=moves.fallback,
    outcome=rules.outcome,
    clone=clone,
    imagine=imagine,
    narrate=narrate,
    presentation=BasariPresentation(),
    statistics=STATISTICS,
    insight=BasariInsight(),
)
