"""What bots are asked in random matches: the source of every example in the documents."""

from engine.rng import Rng
from runners.limits import Limits
from runners.news import News

SEEDS = "1234"


def asked_in(game, seats, seed):
    """Yield every question of a random match, as a bot is asked: view, with news, and options."""
    rng, pick, news = Rng(seed), Rng(f"{seed} moves"), News()
    state = game.start(seats, {}, rng, news)
    while asked := game.to_move(state):
        for seat in asked:
            view = game.view(state, seat)
            view |= {"news": news.read(seat), "time_left_ms": Limits().decision_cpu_ms}
            yield view, game.options(state, seat)
        # Short barters make better examples than random ones.
        options = [game.options(state, seat) for seat in asked]
        moves = [some[pick.below(min(len(some), 7))] for some in options]
        game.play(state, moves, rng, news)


def questions(game, seeds=SEEDS):
    """Yield the questions of some matches at every number of seats."""
    for seed in seeds:
        for seats in game.seats:
            yield from asked_in(game, seats, seed)
