"""Edelsteinsuche: find the five gems of your own type among twenty hidden cards."""

from engine.game import Game, options, to_move
from engine.games.edelsteinsuche import moves, rules
from engine.games.edelsteinsuche.cards import CATALOGUE, SERIES
from engine.games.edelsteinsuche.insight import EdelsteinsucheInsight
from engine.games.edelsteinsuche.narration import narrate
from engine.games.edelsteinsuche.presentation import EdelsteinsuchePresentation
from engine.games.edelsteinsuche.state import OPTIONS, SEATS, State, clone
from engine.games.edelsteinsuche.statistics import EdelsteinsucheStatistics
from engine.games.edelsteinsuche.view import imagine, view
from engine.penalty import Penalty

GAME: Game[State] = Game(
    slug="edelsteinsuche",
    name=rules.NAME,
    rules="1.1",
    former_rules=("1.0",),
    seats=SEATS,
    options_allowed=OPTIONS,
    catalogue=CATALOGUE,
    package=__name__,
    order=3,
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
    presentation=EdelsteinsuchePresentation(),
    statistics=EdelsteinsucheStatistics(),
    insight=EdelsteinsucheInsight(),
    penalty=Penalty(rules.missing_cards, most=SERIES, meaning="the number of cards it is missing"),
)
