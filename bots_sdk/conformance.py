"""What every game owes to the rest of Karat, as checks that any game can run.

    from bots_sdk.conformance import check_game

    def test_my_game_conforms():
        check_game(GAME)

Each check plays seeded matches at every number of seats, and raises `Nonconforming` with a sentence
that names the duty, the seats and the seed.
"""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from engine.facets.statistics import count_match
from engine.game import PUBLIC, Game, IllegalMove
from engine.record.patch import apply
from engine.record.recorder import Record
from engine.record.redact import redact
from engine.record.verify import verify
from engine.registry import GAMES
from engine.rng import Rng
from runners.match import play
from runners.players import RandomPlayer

SEEDS = ("1", "2", "3")
NOT_MOVES = ("", " ", "no such move", "0", "{}", "\0", "é" * 50)
"""Texts that are a move in no game."""


class Nonconforming(AssertionError):
    """A game breaks a duty of the contract."""


def check_game(game: Game, seeds: tuple[str, ...] = SEEDS) -> None:
    """Check every duty at every number of seats, or raise `Nonconforming`.

    A game that is not installed is registered in this process, so that its records can be read.
    """
    if game.slug not in GAMES:
        GAMES.register(game)
    for seats in game.seats:
        for seed in seeds:
            for check in CHECKS:
                try:
                    check(game, seats, seed)
                except Exception as error:
                    duty = (check.__doc__ or check.__name__).split("\n")[0].rstrip(".")
                    reason = f"{type(error).__name__}: {error}"
                    raise Nonconforming(
                        f"{game.slug}, {seats} seats, seed {seed!r}. {duty}. {reason}"
                    ) from error


def _positions(game: Game, seats: int, seed: str) -> Iterator[Any]:
    """Yield the positions of a match played at random, the last one included."""
    rng, chance = Rng(seed), Rng(f"{seed} moves")
    state = game.start(seats, game.resolve_options(seats), rng)
    yield state
    while asked := game.to_move(state):
        game.play(state, [_pick(game, state, seat, chance) for seat in asked], rng)
        yield state


def _pick(game: Game, state: object, seat: int, chance: Rng) -> str:
    options = game.options(state, seat)
    return options[chance.below(len(options))]


def _record(game: Game, seats: int, seed: str) -> Record:
    players = [RandomPlayer(f"{seed} {seat}") for seat in range(seats)]
    record = play(game, players, seed, recorded=True).record
    assert record is not None
    return record


def ends_with_places(game: Game, seats: int, seed: str) -> None:
    """A match ends within its bound, with a place and a score for every seat"""
    decisions = 0
    for state in _positions(game, seats, seed):
        decisions += len(game.to_move(state))
        running = bool(game.to_move(state))
        assert (game.outcome(state) is None) is running, "an outcome exactly when it is over"
    outcome = game.outcome(state)
    assert outcome is not None
    assert decisions <= game.max_decisions(seats, game.resolve_options(seats)), decisions
    assert len(outcome.placements) == len(outcome.scores) == seats, outcome
    for place in outcome.placements:
        better = sum(other < place for other in outcome.placements)
        assert place == 1 + better, f"places {outcome.placements} leave a gap"


def asks_only_for_choices(game: Game, seats: int, seed: str) -> None:
    """A seat is asked only if it has a choice, and its options are a sequence without repeats"""
    for state in _positions(game, seats, seed):
        for seat in game.to_move(state):
            options = game.options(state, seat)
            some = list(options) if len(options) < 2000 else [options[0], options[len(options) - 1]]
            assert len(options) > 1, f"seat {seat} has {len(options)} option"
            assert len(set(some)) == len(some), "an option stands there twice"
            assert all(move in options for move in some)


def refuses_what_is_illegal(game: Game, seats: int, seed: str) -> None:
    """An illegal move is refused with a reason and changes nothing; the fallback is legal"""
    for state in _positions(game, seats, seed):
        asked = game.to_move(state)
        for number, seat in enumerate(asked):
            legal = game.options(state, seat)
            assert game.fallback(state, seat) in legal, "the fallback is not legal"
            for move in NOT_MOVES:
                assert move not in legal
                assert game.illegal_reason(state, seat, move), f"{move!r} is refused without reason"
                moves = [game.fallback(state, one) for one in asked]
                moves[number] = move
                before = game.view(state)
                try:
                    game.play(state, moves, Rng(seed))
                except IllegalMove:
                    assert game.view(state) == before, "a refused move changed the position"
                else:
                    raise AssertionError(f"{move!r} was played")


def shows_plain_views(game: Game, seats: int, seed: str) -> None:
    """Views are plain JSON, and a seat sees no more than spectators do"""
    for state in _positions(game, seats, seed):
        everything = game.view(state)
        assert json.loads(json.dumps(everything)) == everything
        for seat in (PUBLIC, *range(seats)):
            view = game.view(state, seat)
            assert json.loads(json.dumps(view)) == view
            assert everything.keys() <= view.keys(), f"{everything.keys() - view.keys()} missing"
        for seat in game.to_move(state):
            assert game.view(state, seat)["seat"] == seat
            assert isinstance(game.view(state, seat)["decision"], str)


def clones_and_imagines(game: Game, seats: int, seed: str) -> None:
    """A clone goes its own way, and an imagined position looks the same to its seat"""
    for state in _positions(game, seats, seed):
        before = game.view(state)
        for seat in game.to_move(state)[:1]:
            copy = game.clone(state)
            chance = Rng(seed)
            moves = [_pick(game, copy, one, chance) for one in game.to_move(copy)]
            game.play(copy, moves, Rng(seed))
            assert game.view(state) == before, "playing a clone changed the original"
            if game.can_imagine:
                view = game.view(state, seat)
                imagined = game.imagine(json.loads(json.dumps(view)), Rng(seed))
                assert game.view(imagined, seat) == view, "the imagined position looks different"
                assert list(game.to_move(imagined)) == list(game.to_move(state))


def writes_true_records(game: Game, seats: int, seed: str) -> None:
    """A record begins with the view, tells every step in a sentence, and verifies"""
    record = _record(game, seats, seed)
    verify(record)
    assert record == _record(game, seats, seed) | {"steps": record["steps"]}
    assert record["steps"][0]["t"] == "start"
    assert record["steps"][-1]["t"] == "end"
    view = deepcopy(record["steps"][0]["view"])
    for step in record["steps"]:
        apply(view, step.get("set", {}))
        assert step["text"].strip(), f"step {step['i']} has no sentence"
    json.dumps(record)


def redacts(game: Game, seats: int, seed: str) -> None:
    """A redacted copy carries neither the seed nor the digest"""
    record = _record(game, seats, seed)
    for seat in (PUBLIC, *range(seats)):
        copy = redact(record, seat)
        assert "seed" not in copy
        assert "digest" not in copy


def presents_itself(game: Game, seats: int, seed: str) -> None:
    """Presentation, statistics and sentences work for every step"""
    record = _record(game, seats, seed)
    steps, show = record["steps"], game.presentation
    for starts in (show.chapters(steps), show.rounds(steps), show.milestones(steps)):
        assert [start.i for start in starts] == sorted({start.i for start in starts})
    assert show.chapters(steps)[0].i == 0, "the first chapter begins at step 0"
    for mark in show.marks(steps):
        assert mark.kind in show.mark_kinds, f"a mark of the unknown kind {mark.kind!r}"
    assert len(show.scores(record)) == len(steps)
    assert all(show.duration_ms(step) > 0 for step in steps)
    show.charts(record, None)
    show.sheets(record)
    show.tables(record)
    json.dumps(show.viewer_data(steps))
    for step in steps:
        list(show.inline(step["text"]))
    for score in record["outcome"]["scores"]:
        assert show.format_score(score)
        assert show.format_mean(float(score))
    counts = count_match(game.statistics, record)
    assert len(counts) == seats
    game.statistics.shares(counts[0])
    game.statistics.facts(1, counts[0])


CHECKS: tuple[Callable[[Game, int, str], None], ...] = (
    ends_with_places,
    asks_only_for_choices,
    refuses_what_is_illegal,
    shows_plain_views,
    clones_and_imagines,
    writes_true_records,
    redacts,
    presents_itself,
)
