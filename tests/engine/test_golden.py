"""Whole matches as they must come out, one for each game and number of seats.

`pytest --rewrite-golden` writes them anew; read the difference before you commit it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from engine.record.verify import verify
from tests.engine.tables import TABLES, every_table, recorded

GOLDEN = Path(__file__).parents[1] / "golden"


def lines(record):
    """A record as JSON with a step on each line, so that differences are readable."""
    head = json.dumps({**record, "steps": []}, ensure_ascii=False)
    steps = ",\n".join(json.dumps(step, ensure_ascii=False) for step in record["steps"])
    return head.replace('"steps": []', f'"steps": [\n{steps}\n]') + "\n"


@every_table
def test_a_match_comes_out_as_it_always_did(game, seats, request):
    path = GOLDEN / f"{game.slug}-{seats}.json"
    record = recorded(game, seats, f"golden {seats}")
    if request.config.getoption("--rewrite-golden"):
        path.write_text(lines(record), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == lines(record)
    verify(json.loads(path.read_text(encoding="utf-8")))


DIGESTS = """
import runners
from engine.registry import GAMES
from tests.engine.tables import recorded
for game in GAMES.values():
    for seats in game.seats:
        print(recorded(game, seats, f"golden {seats}")["digest"])
"""


def test_another_process_with_another_hash_seed_plays_the_same_matches():
    golden = [json.loads((GOLDEN / f"{table.id}.json").read_text("utf-8")) for table in TABLES]
    for hash_seed in ("1", "2"):
        played = subprocess.run(
            [sys.executable, "-c", DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=GOLDEN.parents[1],
            capture_output=True,
            text=True,
            check=True,
        )
        assert played.stdout.split() == [record["digest"] for record in golden]
