"""Edel, Stein & Reich: choose an action in secret; if two want the same, they barter in gems."""

from engine.game import Game, options, to_move
from engine.games.edel_stein_reich import moves, rules
from engine.games.edel_stein_reich.cards import CATALOGUE
from engine.games.edel_stein_reich.insight import EdelSteinReichInsight
from engine.games.edel_stein_reich.narration import narrate
from engine.games.edel_stein_reich.presentation import EdelSteinReichPresentation
from engine.games.edel_stein_reich.state import OPTIONS, SEATS, State, clone
from engine.games.edel_stein_reich.statistics import STATISTICS
from engine.games.edel_stein_reich.view import imagine, view

GAME: Game[State] = Game(
    slug="edel-stein-reich",
    name=rules.NAME,
    rules="1.1",
    former_rules=("1.0",),
    seats=SEATS,
    options_allowed=OPTIONS,
    catalogue=CATALOGUE,
    package=__name__,
    order=1,
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
    presentation=EdelSteinReichPresentation(),
    statistics=STATISTICS,
    insight=EdelSteinReichInsight(),
)
