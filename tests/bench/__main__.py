"""`make bench`: how fast it is, as ratios to well-known libraries measured in the same run."""

import platform
import sys

from engine.registry import GAMES
from tests.bench import boxes, environments, ours, peers
from tests.bench.former import rows
from tests.bench.former.rows import Row
from tests.bench.measure import in_turns

ESR = GAMES["edel-stein-reich"]
RLCARD, PETTINGZOO = "RLCard, gin rummy", "PettingZoo, connect four"
TARGETS = {RLCARD: 30, PETTINGZOO: 32}
"""How many times as many decisions the rules make without views."""


def compare_with_peers() -> None:
    """Compare the rules. Libraries show every decision to somebody, so views are like with like."""
    speeds = in_turns(
        {
            "Karat, Edel, Stein & Reich, 3 seats": ours.bare(ESR, 3),
            "  with a full view per decision": ours.with_views(ESR, 3),
            RLCARD: peers.rlcard_gin_rummy(),
            PETTINGZOO: peers.pettingzoo_connect_four(),
        }
    )
    karat, with_views, *others = speeds.turns
    print("decisions per CPU second, random legal bots (median of turns)")
    for name in speeds.turns:
        print(f"  {name:<42}{speeds.typical(name):>12,.0f}")
    print("times as fast, with views and without")
    goals = []
    for name in others:
        ratios = [speeds.ratio(row, name) for row in (with_views, karat)]
        print(f"  Karat : {name:<34}{ratios[0]:>12.1f}{ratios[1]:>8.1f}")
        goals.append(_goal_row(name, speeds.typical(karat), ratios[1]))
    rows.report("games", goals)


def _goal_row(peer: str, speed: float, ratio: float) -> Row:
    """Return the row of the table of goals: the rules without views against a peer."""
    target = TARGETS[peer]
    return Row(
        f"rules, Edel, Stein & Reich, 3 seats, against {peer}",
        now=f"{speed:,.0f} per s",
        ratio=f"{ratio:.1f} ×",
        target=f"≥ {target} ×",
        met="yes" if ratio >= target else "no",
    )


def report_all_games() -> None:
    print("every game at random            decisions/s    with views     records/s   gzip KB")
    for game in GAMES.values():
        for seats in game.seats:
            speeds = in_turns(
                {
                    "bare": ours.bare(game, seats),
                    "views": ours.with_views(game, seats),
                    "records": ours.records(game, seats),
                }
            )
            bare, views, records = (speeds.typical(name) for name in speeds.turns)
            name = f"{game.slug}, {seats} seats"
            size = ours.gzipped_size(game, seats)
            print(f"  {name:<28}{bare:>13,.0f} {views:>13,.0f} {records:>13,.0f} {size:>9.1f}")


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}\n")
    try:
        compare_with_peers()
        print()
        environments.report()
    except peers.PeerMissing as missing:
        print(f"No comparison: {missing}", file=sys.stderr)
    print()
    report_all_games()
    print()
    boxes.report(ESR)


if __name__ == "__main__":
    main()
