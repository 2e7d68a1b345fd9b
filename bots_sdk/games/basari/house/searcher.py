"""Searcher thinks every round through, with the engine and a sense of what a position is worth.

Choosing an action is a guessing game: alone you act, two barter, three get nothing. So it plays
the round for every joint choice of all seats, the likely barters included, and appraises where
each one leads. In this table of payoffs it looks for what players choose who prefer what pays but
make mistakes: simple ones, who think of themselves only, and clever ones, who expect the same of
the others (a quantal response equilibrium). Steady ones just do what they did before. It remembers
which of these foretold each neighbour best.

In a barter it weighs each low offer by how likely it is taken, and by how the talk would go on if
not. Every other move is simply tried out to the end of the round. All this happens in worlds
imagined from the view. The budget counts rounds played, not time, so that a match comes out the
same on every machine; the clock is only the emergency brake.
"""

from collections.abc import Sequence
from itertools import product
from math import exp, prod, sqrt, tanh
from typing import Any

from bots_sdk import View
from bots_sdk.games.basari import BasariBot, Offer
from engine.barter.gems import SHIFT, VALUE
from engine.games.basari import GAME
from engine.games.basari.cards import WORKERS
from engine.rng import Rng

State = Any
Joint = tuple[str, ...]

BUDGET = 81
"""Rounds played for a decision, at most; they take about 10 ms, and more at larger tables."""
HURRY_MS = 60
"""With less time left than this, it does with a quarter of the budget."""

# WEIGHT and KEEP are those fitted for Edel, Stein & Reich, whose majorities are the same; how long
# a stage goes on, and who gets the award, was fitted to simulated races for workers.
ENOUGH = 15
AWARD = 12
ORDINARY = 2.5
"""Workers on an average card."""
LEFT = [0.7 + 0.24 * missing for missing in range(ENOUGH + 1)]
"""By the workers that the leader still needs: how many rounds the stage goes on."""
WEIGHT = [[exp(count / (0.3 + 0.5 * sqrt(left))) for count in range(23)] for left in LEFT]
"""By the same, and by gems held: the chance of a majority is a seat's part of all weights."""
KEEP = (0.0, 0.15, 0.12, 0.0)
"""By stage: what a gem is worth after the scoring, as a part of its colour's value."""

FAR_AHEAD = (0.0, 30.0, 22.0, 14.0)
"""By stage: a lead of about this size is as good as final, and growing it further helps little."""
ROUNDS_OF_THOUGHT = 6
"""How often clever players answer each other's habits before they choose."""
MISTAKES = 1.5
"""A choice that is worse by this many points is made e times less often."""
STUBBORNNESS = 1.0
"""The same for taking an offer that is a little too low."""
FAIR_OFFERS = {3: 9, 4: 9, 5: 5}
"""By seats: so many of the lowest offers are compared where a barter is only imagined."""


def worths(state: State) -> list[float]:
    """What each seat has and may expect, in points."""
    worth = [float(points) for points in state.points]
    if state.decision is None:
        return worth
    # Without the cards just dealt: they are luck, and tell nothing about the moves before.
    workers = [
        count - WORKERS[card] for count, card in zip(state.workers, state.cards, strict=True)
    ]
    weight, keep = WEIGHT[max(0, ENOUGH - max(workers))], KEEP[state.stage]
    for value, shift in zip(VALUE, SHIFT, strict=True):
        counts = [gems >> shift & 31 for gems in state.gems]
        weights = [weight[count] for count in counts]
        total = sum(weights)
        for seat, part in enumerate(weights):
            share = part / total
            worth[seat] += value * (share + keep * counts[seat] * (1 - share / 2))
    for seat, mine in enumerate(workers):
        best = max(count for other, count in enumerate(workers) if other != seat)
        hope = 0.7 - 0.3 * state.n + 0.1 * mine + 0.4 * (mine - best)
        worth[seat] += AWARD / (1 + exp(-hope))
    return worth


def leads(state: State) -> list[float]:
    """How far each seat is ahead of the others, on average; what is decided counts little."""
    worth = worths(state)
    far, others = FAR_AHEAD[state.stage], len(worth) - 1
    return [far * sum(tanh((mine - its) / far) for its in worth) / others for mine in worth]


class Searcher(BasariBot):
    """Plays rounds in its head."""

    def __init__(self) -> None:
        self.trust: list[dict[str, float]] = []
        self.chosen: list[dict[str, int]] = []
        """How often each seat made each choice, and once more."""
        self.models: dict[str, list[dict[str, float]]] = {}
        self.customs: dict[object, str] = {}
        """What seats do in rounds that are only imagined, worked out once for a decision."""
        self.chance = Rng("")

    def choose_action(self, view: View, options: Sequence[str]) -> str:
        """The best answer to what the others will probably choose."""
        seats = len(view.seats)
        joints = list(product(options, repeat=seats))
        budget = self.budget(view)
        if len(joints) > budget:
            joints = self.rng.sample(joints, budget)
        world = self.imagine(view)
        payoffs = {joint: self.after(world, joint) for joint in joints}
        self.learn(view, options)
        self.models = {
            "steady": [frequencies(chosen) for chosen in self.chosen],
            "simple": settle(payoffs, options, 1),
            "clever": settle(payoffs, options, ROUNDS_OF_THOUGHT),
        }
        values = expected(payoffs, [self.belief(seat) for seat in range(seats)])[view.seat]
        return self.choose_best(options, lambda action: values[action])

    def learn(self, view: View, options: Sequence[str]) -> None:
        """Trust each model of a seat by how well it foretold what the seat chose last round."""
        if not self.trust:
            self.trust = [dict.fromkeys(("steady", "simple", "clever"), 1.0) for _ in view.seats]
            self.chosen = [dict.fromkeys(options, 1) for _ in view.seats]
        for step in view.news:
            if step.t == "choose" and self.models:
                for seat, action in enumerate(step.moves):
                    self.chosen[seat][action] += 1
                    for model, foretold in self.models.items():
                        self.trust[seat][model] *= foretold[seat][action]

    def belief(self, seat: int) -> dict[str, float]:
        """What a seat will choose: what the models say, each as far as it is trusted."""
        trust = self.trust[seat]
        total = sum(trust.values())
        return {
            action: sum(trust[m] * said[seat][action] for m, said in self.models.items()) / total
            for action in self.chosen[seat]
        }

    def open_barter(self, view: View, options: Sequence[str]) -> str:
        """The offer that promises most, or none."""
        return self.haggle(view, options)

    def answer_offer(self, view: View, options: Sequence[str]) -> str:
        """Take the gems, or bid more."""
        return self.haggle(view, options)

    def trade_free(self, view: View, options: Sequence[str]) -> str:
        """The gems that matter most for majorities."""
        return self.best_move(view, options)

    def pick_free(self, view: View, options: Sequence[str]) -> str:
        """The gem that matters most for majorities."""
        return self.best_move(view, options)

    def best_move(self, view: View, options: Sequence[str]) -> str:
        """The move after which the round ends best, over as many worlds as the budget allows."""
        budget = self.budget(view)
        moves = list(options)
        if len(moves) > budget:
            moves = self.rng.sample(moves, budget)
        worlds = [self.imagine(view) for _ in range(max(1, budget // 2 // len(moves)))]
        results = {
            move: sum(self.after(world, (move,))[view.seat] for world in worlds) for move in moves
        }
        return self.choose_best(moves, lambda move: results[move])

    def haggle(self, view: View, options: Sequence[str]) -> str:
        """Weigh every low offer by how likely it is taken, and by what they would say instead.

        The options begin with the words, then come the offers from low to high.
        """
        me, barter = view.seat, view.barter
        other = sum(barter.seats) - me
        half = self.budget(view) // 2
        world = self.imagine(view)
        mine = [options[i] for i in range(min(len(options), half))]
        words = [move for move in mine if not move.startswith("offer")]
        offers = [move for move in mine if move.startswith("offer")]
        value = {move: self.after(world, (move,))[me] for move in words}
        theirs = self.their_offers(world, offers, half) if offers else []
        # From the highest offer down: whoever is refused may go on with a higher one.
        higher: list[tuple[int, float]] = []
        for move in reversed(offers):
            key, accepted = Offer.parse(move).key, self.after(world, (move, "accept"))
            value[move] = accepted[me]
            raises = [raised for raised in theirs if raised[0] > key]
            if raises:
                top, raised = max(raises, key=lambda raised: raised[1][other])
                refused = likely((raised[other] - accepted[other]) / STUBBORNNESS)
                go_on = [later for above, later in higher if above > top]
                value[move] += refused * (max([raised[me], *go_on]) - accepted[me])
            higher.append((key, value[move]))
        return max(value, key=lambda move: value[move])

    def their_offers(
        self, world: State, mine: list[str], most: int
    ) -> list[tuple[int, list[float]]]:
        """Their lowest offers, with the leads if this seat accepts."""
        position = GAME.clone(world)
        GAME.play(position, [mine[0]], self.chance)
        if position.barter is None or position.decision != "BARTER_REPLY":
            return []  # They had nothing to answer with.
        options = position.moves
        offers = [options[i] for i in range(1, min(len(options), most))]
        return [(Offer.parse(o).key, self.after(position, (o, "accept"))) for o in offers]

    def after(self, world: State, moves: Sequence[str]) -> list[float]:
        """The leads at the end of the round if these moves are made and all go on sensibly."""
        state, chance = GAME.clone(world), self.chance
        here = state.stage, state.round
        if len(state.asked) > 1:
            GAME.play(state, moves, chance)
        else:
            for move in moves:
                if state.asked and move in state.moves:
                    GAME.play(state, [move], chance)
        while state.asked and (state.stage, state.round) == here:
            GAME.play(state, [self.custom(state)], chance)
        return leads(state)

    def custom(self, state: State) -> str:
        """What a seat does in a round that is only imagined."""
        barter = state.barter
        key = state.decision, state.asked, barter and (barter.seats, barter.action)
        if key not in self.customs:
            self.customs[key] = self.bargain(state) if barter else self.look(state)
        move, moves = self.customs[key], state.moves
        return move if move in moves else str(moves[0])

    def look(self, state: State) -> str:
        """The move that looks best at once, of at most a dozen."""
        seat: int = state.asked[0]
        moves = state.moves
        some: list[str] = [moves[i] for i in range(0, len(moves), len(moves) // 12 + 1)]
        return max(some, key=lambda move: self.played(state, move)[seat])

    def bargain(self, state: State) -> str:
        """A fair offer: the one that leaves the worse-off of the two best off."""
        if state.decision == "BARTER_REPLY":
            return "accept"
        one, two = map(int, state.barter.seats)
        now = leads(state)
        lowest = range(min(len(state.moves), FAIR_OFFERS[state.n]))
        moves: list[str] = [state.moves[i] for i in lowest]

        def fairness(move: str) -> float:
            then = self.played(state, move, "accept")
            return min(then[one] - now[one], then[two] - now[two])

        return max(moves, key=fairness)

    def played(self, state: State, *moves: str) -> list[float]:
        """The leads right after some moves; an answer is left out if nobody asks for it."""
        state = GAME.clone(state)
        for move in moves:
            if move != "accept" or (state.decision == "BARTER_REPLY" and state.barter):
                GAME.play(state, [move], self.chance)
        return leads(state)

    def imagine(self, view: View) -> State:
        """A position that looks like this one from here, and no opinion yet of what follows."""
        self.customs = {}
        self.chance = Rng(str(self.rng.getrandbits(64)))
        world = GAME.imagine(view, self.chance)
        # Ordinary cards come next: what they happen to be in this world must not decide.
        world.pile.sort(key=lambda card: -abs(WORKERS[card] - ORDINARY))
        return world

    def budget(self, view: View) -> int:
        """How many rounds may be played for this decision."""
        return BUDGET if view.time_left_ms > HURRY_MS else BUDGET // 4


def likely(inclination: float) -> float:
    """A chance between 0 and 1; one half for somebody who does not care."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, inclination))))


def frequencies(chosen: dict[str, int]) -> dict[str, float]:
    """What a steady seat chooses: everything as often as so far."""
    total = sum(chosen.values())
    return {action: count / total for action, count in chosen.items()}


def settle(
    payoffs: dict[Joint, list[float]], options: Sequence[str], rounds: int
) -> list[dict[str, float]]:
    """How often each seat makes each choice, after all have answered each other's habits."""
    seats = len(next(iter(payoffs)))
    habits = [dict.fromkeys(options, 1 / len(options)) for _ in range(seats)]
    step = 1.0
    for _ in range(rounds):
        for habit, values in zip(habits, expected(payoffs, habits), strict=True):
            best = max(values.values())
            odds = {action: exp((values[action] - best) / MISTAKES) for action in options}
            total = sum(odds.values())
            for action in options:
                habit[action] += step * (odds[action] / total - habit[action])
        step = 0.5
    return habits


def expected(
    payoffs: dict[Joint, list[float]], habits: list[dict[str, float]]
) -> list[dict[str, float]]:
    """For each seat, what each choice brings on average if the others choose by habit."""
    values = [dict.fromkeys(habit, 0.0) for habit in habits]
    weights = [dict.fromkeys(habit, 1e-9) for habit in habits]
    for joint, payoff in payoffs.items():
        chances = [habit[action] for habit, action in zip(habits, joint, strict=True)]
        together = prod(chances)
        for seat, action in enumerate(joint):
            others = together / chances[seat]
            values[seat][action] += others * payoff[seat]
            weights[seat][action] += others
    return [
        {action: value[action] / weight[action] for action in value}
        for value, weight in zip(values, weights, strict=True)
    ]
