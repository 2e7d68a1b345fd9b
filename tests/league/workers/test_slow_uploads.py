"""Uploads that sleep as long as they may: their owner waits, in real processes, and nobody else."""

import pytest

pytestmark = pytest.mark.stack

LIMITS = {"BOT_DECISION_WALL_MS": "600", "BOT_CHECK_WALL_MS": "12000"}
BOT = """import time

from bots_sdk import Bot


class Mine(Bot):
    games = ("basari",)

    def decide(self, view, options):
        time.sleep({seconds})
        return options[0]
"""
# The slow ones came first and are the oldest.
QUEUE = f"""
ladder.ensure()
slow, other = factories.make_user("slow"), factories.make_user("other")
for n in range(2):
    bots.upload(factories.make_bot(slow), ({BOT.format(seconds=0.5)!r} + f"# {{n}}\\n").encode())
bots.upload(factories.make_bot(other), {BOT.format(seconds=0)!r}.encode())
players = [factories.make_player() for _ in range(3)]
Bot.objects.update(enters=False)
matches.make("basari", [bot.active for bot in players], "challenge", asked_by=other)
factories.queue_match(players)
"""
WORKER = """
from league.workers.processes import Processes
from league.version import rules_code
os.environ["KARAT_WORKER"] = "here"
Processes(2).run(rules_code())
"""
DONE = """
checked = BotVersion.objects.exclude(checked_at=None)
tell(checked.filter(bot__owner__username="slow").exists()
     and checked.filter(bot__owner__username="other").exists()
     and not Match.objects.filter(status__in=["queued", "running"]).exists())
"""
TIMES = """
def times(jobs, end):
    return [[at and at.timestamp() for at in row] for row in jobs.values_list("started_at", end)]

tell({
    "slow": times(BotVersion.objects.filter(bot__owner__username="slow"), "checked_at"),
    "others": times(BotVersion.objects.filter(bot__owner__username="other"), "checked_at")
    + times(Match.objects, "finished_at"),
    "codes": sorted(BotVersion.objects.filter(bot__owner__username__in=["slow", "other"])
                    .exclude(checked_at=None).values_list("status", "code")),
})
"""


def test_two_sleeping_uploads_of_one_owner_delay_nobody_else(home):
    home.python(QUEUE)
    home.start_python(WORKER, **LIMITS)
    home.wait(DONE, seconds=240, pause=0.5)
    times = home.python(TIMES)
    # One sleeper has used up the time of a check, the honest one passed.
    assert ["accepted", ""] in times["codes"]
    assert ["rejected", "E302"] in times["codes"]
    began, ended = min(row for row in times["slow"] if row[1])
    assert len(times["others"]) == 3
    assert max(start for start, _ in times["others"]) < began + (ended - began) / 2
    assert max(end for _, end in times["others"]) < ended
    assert [start for start, _ in times["slow"] if start and start < ended] == [began]
