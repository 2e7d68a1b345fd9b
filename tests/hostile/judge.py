"""Plays a hostile bot in a real box against an honest one, and says whether it got its verdict.

The first line of a bot says what it tries and what becomes of it. Further lines may change the
limits, so that nobody has to wait for the large ones, or name the only mode that promises it.
`python -m tests.hostile.judge` judges all of them, or those it is named: it needs no pytest, so any
user can run it.
"""

import re
import sys
import traceback
from dataclasses import dataclass, replace
from pathlib import Path

from engine.record.verify import verify
from engine.registry import GAMES
from runners.box.modes import Mode, in_force
from runners.boxed import boxed_players
from runners.bundles.bundle import Bundle
from runners.bundles.cache import place_bundle
from runners.faults import HARD, SOFT
from runners.limits import Limits
from runners.match import play

BUNDLES = "--bundles"
"""Judge them as bundles."""
HERE = Path(__file__).parent
ROOT = HERE.parents[1]
BOTS = sorted(
    path
    for path in HERE.iterdir()
    if path.suffix in {".py", ".txt"} and not path.name.startswith(("test_", "judge"))
)
SEED = "the match seed that no bot may know"
LIMITS = Limits(decision_cpu_ms=100, decision_wall_ms=500)
PATIENT = Limits(decision_cpu_ms=1000, decision_wall_ms=8000)
"""For bots that are not to run into a limit of time, however busy the machine is."""
VERDICTS = {
    "ok": None,
    "notice": None,
    "load": "E201",
    "illegal": "E301",
    "timeout": "E302",
    "raised": "E303",
    "memory": "E304",
    "nothing": "E306",
    "forbidden": "E307",
    "crashed": "E308",
    "protocol": "E309",
}
HONEST = """
from bots_sdk import Bot

SECRET = "the other bot's secret"

class Honest(Bot):
    def decide(self, view, options):
        return options[0]
"""


@dataclass(frozen=True, slots=True)
class Head:
    """What the first lines of a bot say."""

    verdicts: list[str]
    limits: Limits
    modes: frozenset[Mode] = frozenset({Mode.TEMPLATE, Mode.BWRAP, Mode.LANDLOCK})


def head(path):
    first, *more = path.read_text(encoding="utf-8").splitlines()[:3]
    verdicts = re.fullmatch(r"# tries: .+; verdict: ([a-z|]+)", first)[1].split("|")
    said = Head(verdicts, LIMITS if "timeout" in verdicts else PATIENT)
    for line in more:
        if line.startswith("# limits: "):
            changes = [change.split() for change in line.removeprefix("# limits: ").split(", ")]
            limits = replace(said.limits, **{name: int(value) for name, value in changes})
            said = replace(said, limits=limits)
        if line.startswith("# promised only by "):
            names = line.removeprefix("# promised only by ").split(" and ")
            said = replace(said, modes=frozenset(map(Mode, names)))
    return said


def match(sources, limits=LIMITS, turns=2):
    game = GAMES["edelsteinsuche"]
    with boxed_players(sources, SEED, limits) as players:
        return play(
            game, players, SEED, options={"max_turns_per_seat": turns, "dealer": 1}, recorded=True
        )


def faults_of(played, seat):
    return [fault for fault in played.faults if fault.seat == seat]


def check_consequences(played):
    """What holds in every match, whoever sat in it."""
    verify(played.record)
    for fault in played.faults:
        assert fault.code in HARD | SOFT
        assert fault.step is not None or fault.code in {"E201", "E307"}
        assert 0 < len(fault.detail) <= 300
        assert fault.detail.isprintable()
        told = f"{fault.detail} {fault.traceback}"
        assert len(told) <= 10_000
        assert str(ROOT) not in told
        assert "root:x" not in told
    for seat in range(2):
        codes = [fault.code for fault in faults_of(played, seat)]
        soft = [code for code in codes if code in SOFT]
        hard = [code for code in codes if code in HARD]
        assert (seat in played.forfeits) == bool(hard or len(soft) >= 3)
        assert len(hard) <= 1
        assert len(soft) <= 3
        assert len(played.logs[seat]) <= LIMITS.log_kib << 10
        assert str(ROOT).encode() not in played.logs[seat]


def judge(path, pack=str):
    """Fails unless the bot gets its verdict and the other one its game. `pack` makes a bundle."""
    said = head(path)
    played = match([pack(path.read_text(encoding="utf-8")), HONEST], said.limits)
    faults = faults_of(played, 0)
    first = faults[0].code if faults else None
    shown = faults[0].detail if faults else played.logs[0][:500]
    assert first in {VERDICTS[verdict] for verdict in said.verdicts}, shown
    check_consequences(played)
    assert not faults_of(played, 1)
    assert played.outcome.placements[1] == 1 or not played.forfeits
    if said.verdicts == ["notice"]:
        assert len(played.logs[0]) == said.limits.log_kib << 10


def as_bundle(text):
    """Return the same bot with a module and data of its own."""
    files = {"bot.py": text.encode(), "model.py": b"X = 1\n", "data.bin": bytes(1 << 20)}
    return place_bundle(Bundle(files))


def main(names):
    """Judge every bot that the mode in force makes a promise about, and print who fails."""
    failed = 0
    pack = as_bundle if BUNDLES in names else str
    names = [name for name in names if name != BUNDLES]
    named = [path for path in BOTS if not names or path.stem in names]
    promised = [path for path in named if in_force() in head(path).modes]
    for path in promised:
        try:
            judge(path, pack)
        except Exception:
            failed += 1
            print(f"{path.name}\n{traceback.format_exc(limit=3)}")
    print(f"{len(promised) - failed} of {len(promised)} held by {in_force()}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
