"""Basari: the card game, where two who want the same barter, and 15 workers end a stage."""

from engine.basari import moves, rules
from engine.basari.cards import CATALOGUE
from engine.basari.state import OPTIONS, SEATS, clone
from engine.basari.text import narrate
from engine.basari.view import imagine, view
from engine.game import Game, options, to_move

GAME = Game(
    slug="basari",
    name=rules.NAME,
    rules="1.1",
    former_rules=("1.0",),
    seats=SEATS,
    options_allowed=OPTIONS,
    catalogue=CATALOGUE,
    package=__name__,
    longest=rules.longest,
    start=rules.start,
    to_move=to_move,
    options=options,
    why_not=moves.why_not,
    play=rules.play,
    view=view,
    fallback=moves.fallback,
    outcome=rules.outcome,
    clone=clone,
    imagine=imagine,
    narrate=narrate,
)
