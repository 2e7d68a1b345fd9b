"""What a box costs: a decision beside the same words between plain processes, a match, a start."""

import json
import socket
import subprocess
import sys
from multiprocessing import get_context
from statistics import median
from time import perf_counter

from engine.game import Game
from engine.rng import Rng
from runners.box.launch import gather, start_cost
from runners.box.pool import Pool
from runners.boxed import BoxedPlayer, boxed_players
from runners.limits import DEFAULT
from runners.match import play
from runners.players import Question, RandomPlayer
from runners.protocol import frame, options_as_json
from runners.seeds import seat_seed

BOT = """
from bots_sdk import Bot

class First(Bot):
    def decide(self, view, options):
        return options[0]
"""
PLAIN = """
import json, socket
wire = socket.socket(fileno=0)
def exactly(n):
    data = b""
    while len(data) < n:
        more = wire.recv(n - len(data))
        if not more:
            raise SystemExit
        data += more
    return data
while True:
    asked = json.loads(exactly(int.from_bytes(exactly(4), "big")))
    options = asked["options"]
    move = (options if isinstance(options, list) else options["first"])[0]
    body = json.dumps({"i": asked["i"], "move": move}).encode()
    wire.sendall(len(body).to_bytes(4, "big") + body)
"""


def questions(game: Game, seats: int, count: int) -> list[Question]:
    """Decisions of seat 0 in matches of random players."""
    found: list[Question] = []
    number = 0
    while len(found) < count:
        number += 1
        rng, pick = Rng(f"box {number}"), Rng(f"box {number} moves")
        state = game.start(seats, {}, rng)
        while asked := game.to_move(state):
            if 0 in asked:
                found.append(Question(game, game.clone(state), 0))
            moves = [(o := game.options(state, s))[pick.below(len(o))] for s in asked]
            game.play(state, moves, rng)
    return found[:count]


def boxed_us(asked: list[Question]) -> float:
    """Microseconds a decision takes in a box, the referee's work included."""
    with boxed_players([BOT], "bench") as (player,):
        assert isinstance(player, BoxedPlayer)
        times = []
        for question in asked:
            begun = perf_counter()
            player.ask(question, [])
            gather([player.box])
            player.listen(0)
            times.append(perf_counter() - begun)
    return median(times) * 1e6


def plain_us(asked: list[Question]) -> float:
    """The same words between this process and a plain one."""
    ours, theirs = socket.socketpair()
    child = subprocess.Popen([sys.executable, "-c", PLAIN], stdin=theirs.fileno())
    theirs.close()
    times = []
    for number, question in enumerate(asked, 1):
        begun = perf_counter()
        message = {
            "i": number,
            "view": question.view,
            "options": options_as_json(question.options),
            "news": [],
            "time_left_ms": 250,
        }
        ours.sendall(frame(message))
        length = int.from_bytes(ours.recv(4, socket.MSG_WAITALL), "big")
        json.loads(ours.recv(length, socket.MSG_WAITALL))
        times.append(perf_counter() - begun)
    ours.close()
    child.wait()
    return median(times) * 1e6


def match_ms(game: Game, seats: int, matches: int) -> tuple[float, float]:
    """Milliseconds of a match between warm boxes, and the decisions of one."""
    times, decisions = [], 0
    with Pool(seats) as pool:
        for number in range(matches):
            seed = f"warm {number}"
            with boxed_players([BOT] * seats, seed, pool=pool) as players:
                begun = perf_counter()
                decisions += play(game, players, seed).decisions
                times.append(perf_counter() - begun)
            pool.fill()
    return median(times) * 1000, decisions / matches


def matches_per_second(game: Game, seats: int, boxed: bool, workers: int, seconds: float) -> float:
    """Whole matches a second with so many processes, starting the boxes included."""
    spawn = get_context("spawn")
    with spawn.Pool(workers) as pool:
        tasks = [(game.slug, seats, boxed, seconds)] * workers
        pool.starmap(_work, [(game.slug, seats, boxed, 0.2)] * workers)
        return sum(pool.starmap(_work, tasks))


def _work(slug: str, seats: int, boxed: bool, seconds: float) -> float:
    from engine.registry import find  # noqa: PLC0415  a worker starts with an empty process

    game, done, begun = find(slug), 0, perf_counter()
    with Pool(seats if boxed else 0) as pool:
        while (elapsed := perf_counter() - begun) < seconds:
            seed = f"throughput {done}"
            if boxed:
                with boxed_players([BOT] * seats, seed, pool=pool) as players:
                    pool.fill()
                    play(game, players, seed)
            else:
                play(game, [RandomPlayer(seat_seed(seed, s)) for s in range(seats)], seed)
            done += 1
    return done / elapsed


def report(game: Game) -> None:
    """Print what boxes cost."""
    asked = questions(game, 3, 600)
    pairs = [(boxed_us(asked), plain_us(asked)) for _ in range(5)]
    ratio = median(boxed / plain for boxed, plain in pairs)
    print("boxes, Edel, Stein & Reich, 3 seats")
    print(f"  a decision in a box                      {median(b for b, _ in pairs):>10.0f} µs")
    print(f"  the same words between plain processes   {median(p for _, p in pairs):>10.0f} µs")
    print(f"  times as long (at most 1.5 is asked for) {ratio:>10.2f}")
    cost = median(start_cost(DEFAULT) for _ in range(15))
    print(f"  CPU from start to ready (at most 25)     {cost:>10.1f} ms")
    wall, decisions = match_ms(game, 3, 25)
    print(f"  a match between warm boxes               {wall:>10.1f} ms")
    print(f"  the same for 200 decisions (at most 50)  {wall / decisions * 200:>10.1f} ms")
    for boxed in (False, True):
        one, two = (matches_per_second(game, 3, boxed, workers, 3.0) for workers in (1, 2))
        where = "boxed" if boxed else "in this process"
        print(f"  matches a second, {where:<15} 1 / 2 workers {one:>6.1f} / {two:>6.1f}")
