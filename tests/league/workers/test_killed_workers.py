"""A worker may be killed at any moment: its match is played once, counted once, and its boxes end.

The killed process runs the real loop of a worker. One function is wrapped, so that the process
sends SIGKILL to itself right before or after that function; nothing else is different.
"""

import json
from pathlib import Path

import pytest

from tests.league.operate.test_operate_processes import wait_until
from tests.league.workers.test_faults_of_ours import COUNTED, PLAYERS, assert_counted_once
from tests.league.workers.test_leases import WORKER

pytestmark = pytest.mark.stack

MATCHES = 2
LAST_WORDS = "last-words.json"

# Only once in a league: the process that replaces this one has the same wrapped function.
KILL = f"""
import runners.boxed, runners.match
from pathlib import Path
from league.workers import claiming, fleet, queue
from league.matches.statistics import totals

def descendants():
    parents, begun = {{}}, {{}}
    for folder in Path("/proc").glob("[1-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)], begun[int(folder.name)] = int(fields[1]), fields[19]
    found = [os.getpid()]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return [(pid, begun[pid]) for pid in found[1:]]

def die(victims):
    path = Path(os.environ["KARAT_VAR"], {LAST_WORDS!r})
    try:
        file = os.open(path.with_suffix(".partial"), os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        return
    os.write(file, json.dumps(descendants()).encode())
    path.with_suffix(".partial").rename(path)
    # The name is taken again, so that nobody else dies.
    path.with_suffix(".partial").touch()
    for pid in victims():
        os.kill(pid, signal.SIGKILL)
    signal.pause()

def this_process():
    return [os.getpid()]

def whole_worker():
    return [os.getppid(), os.getpid()]

def kill(owner, name, *, before=False, calls=1, victims=this_process):
    function = getattr(owner, name)
    done = 0
    def wrapped(*args, **kwargs):
        nonlocal done
        done += 1
        if before and done == calls:
            die(victims)
        value = function(*args, **kwargs)
        if not before and done == calls:
            die(victims)
        return value
    setattr(owner, name, wrapped)
"""

BEFORE_COMMIT = {
    "after the claim": "claiming, 'claim'",
    "before the first box": "playing, 'boxed_players', before=True",
    "between two boxes": "runners.boxed.BoxedPlayer, 'load'",
    "in the middle of the match": "runners.match._Referee, 'moves', calls=5",
    "after the last move": "runners.match, 'play'",
    "before the result is stored": "storing, 'persist', before=True",
    "when the match is marked as finished": "storing, '_finish'",
    "when the record is written": "storing, '_insert_record'",
    "when the places are written": "storing, '_store_seats'",
    "when the statistics are written": "totals, 'note'",
    "right before the commit": "fleet, 'finished'",
}
AFTER_COMMIT = {
    "right after the commit": "storing, 'persist'",
    "before its time is charged": "queue.Claimer, 'charge', before=True",
}
WITHOUT_BOXES = {"after the claim", "before the first box"}
"""The moments at which only the template of the boxes runs."""
WHOLE_WORKER = ["in the middle of the match", "right before the commit", "right after the commit"]

STATE = """
m = Match.objects.order_by("pk").first()
tell([m.status, m.attempt, Record.objects.filter(match=m).count(),
      m.seats.exclude(place=None).count(), Style.objects.count(), RatingChange.objects.count()])
"""
# The tick of the control process, which gives back what lapsed and rates what is finished.
TICK = f"""
from league.ladder import tasks
tasks.tick()
tell(Match.objects.exclude(ledger_position=None).count() == {MATCHES})
"""
SUMS = """
from django.core.management import call_command
from league.matches.statistics import rebuild as statistics
call_command("verify_records", stdout=sys.stderr)
tell({
    "differences": statistics.rebuild(write=False).differences,
    "counted": sum(Style.objects.values_list("matches", flat=True)),
    "finished": sum(Worker.objects.values_list("finished", flat=True)),
    "attempts": list(Match.objects.order_by("pk").values_list("attempt", flat=True)),
})
"""


def children_of_the_dead(home):
    """The processes that a killed one had, by number and the time they began."""
    path = home.folder / LAST_WORDS
    assert wait_until(path.exists, 60), home.errors()
    return json.loads(path.read_text())


def lives(pid, begun):
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == begun and fields[0] != "Z"


def assert_each_counted_once(home, attempts):
    home.wait(TICK, seconds=60)
    assert_counted_once(home.python(COUNTED), MATCHES)
    sums = home.python(SUMS)
    assert sums.pop("attempts") == attempts
    assert sums == {"differences": 0, "counted": MATCHES * 3, "finished": MATCHES}


@pytest.mark.parametrize(
    ("moment", "victims"),
    [
        *((moment, "this_process") for moment in (BEFORE_COMMIT | AFTER_COMMIT)),
        *((moment, "whole_worker") for moment in WHOLE_WORKER),
    ],
)
def test_a_match_whose_worker_is_killed_counts_exactly_once(home, moment, victims):
    home.env["LADDER_QUEUE"] = "0"
    home.python(PLAYERS + f"queue({MATCHES})")
    point = (BEFORE_COMMIT | AFTER_COMMIT)[moment]
    home.start_python(KILL + f"kill({point}, victims={victims})\n" + WORKER.format(name="first"))
    boxes = children_of_the_dead(home)
    assert len(boxes) == 1 if moment in WITHOUT_BOXES else len(boxes) > 1
    assert wait_until(lambda: not any(lives(*box) for box in boxes)), "a box was left behind"
    if moment in BEFORE_COMMIT:
        assert home.python(STATE) == ["running", 1, 0, 0, 0, 0]
    if victims == "whole_worker":
        home.start_python(WORKER.format(name="second"))
    assert_each_counted_once(home, [2 if moment in BEFORE_COMMIT else 1, 1])


@pytest.mark.parametrize(
    "point",
    [
        pytest.param("writer, '_append'", id="when lines are appended"),
        pytest.param("writer, '_write'", id="right before the commit"),
        pytest.param("writer, '_rate_some'", id="right after the commit"),
    ],
)
def test_a_match_during_whose_rating_the_control_process_is_killed_counts_exactly_once(home, point):
    home.env["LADDER_QUEUE"] = "0"
    home.python(PLAYERS + f"queue({MATCHES})")
    home.start_python(WORKER.format(name="first"))
    home.wait(f"tell(Match.objects.filter(status='finished').count() == {MATCHES})")
    killed = home.start_python(
        KILL + f"kill({point})\nfrom django.core.management import call_command\n"
        "call_command('control')"
    )
    children_of_the_dead(home)
    killed.wait(10)
    committed = MATCHES if "_rate_some" in point else 0
    rated = "tell([RatingChange.objects.count(), Ladder.objects.get(game='basari').rated])"
    assert home.python(rated) == [committed * 3, committed]
    assert_each_counted_once(home, [1, 1])
