"""What must hold when the dust has settled."""

from tests.league import mirrored

COUNT = """
from engine.registry import GAMES
from league.tournaments.models import Game, Tournament
statuses = dict(Match.objects.values_list("status").annotate(n=Count("pk")))
finished = Match.objects.filter(status="finished")
tell({
    "statuses": statuses,
    "void without a reason": Match.objects.filter(status="void", void_because="").count(),
    "finished without one record": finished.filter(record=None).count(),
    "finished without places": finished.filter(seats__place=None).distinct().count(),
    "records of matches that are not finished":
        Record.objects.exclude(match__status__in=["finished", "void"]).count(),
    "rated and not in the ledger": finished.filter(rated=True, ledger_position=None).count(),
    "differences in the ledger":
        sum(rebuild.rebuild(game, write=False).differences for game in GAMES),
    "numbers of the ledger with a gap": sum(
        Match.objects.filter(game=game).exclude(ledger_position=None).count()
        != Ladder.objects.get(game=game).rated
        for game in GAMES
    ),
    "tournaments that are not final":
        Tournament.objects.filter(organiser=None).exclude(state="final").count(),
    "games of tournaments not played":
        Game.objects.exclude(match__status__in=["finished", "void"]).count(),
    "uploads stuck": BotVersion.objects.filter(status="stuck").count(),
    "uploads promised and lost":
        len(promised) - BotVersion.objects.filter(bot__slug__in=promised).count(),
    "uploads that were not accepted":
        BotVersion.objects.filter(bot__slug__in=promised).exclude(status="accepted").count(),
})
"""
SETTLED = """
from league.tournaments.models import Tournament
tell(not Match.objects.filter(status__in=["queued", "running"]).exists()
     and not Match.objects.filter(status="finished", rated=True, ledger_position=None).exists()
     and not BotVersion.objects.filter(status__in=["waiting", "checking"]).exists()
     and not Tournament.objects.exclude(state__in=["final", "cancelled"]).exists())
"""
# No new matches are made, so that the queue can become empty; uploads are still checked.
CLOSE_THE_LADDER = """
Bot.objects.update(enters=False)
Entry.objects.update(left_at="2026-01-01T00:00:00Z")
"""
LET_LEASES_LAPSE = """
for kind, status in ((Match, "running"), (BotVersion, "checking")):
    kind.objects.filter(status=status).update(lease_until=leases.in_seconds(-1))
"""


def complaints(home, promised):
    """Everything that does not hold, in words; and what was played."""
    found = home.python(f"promised = {promised!r}\n" + COUNT)
    statuses = found.pop("statuses")
    wrong = [f"{count} × {what}" for what, count in found.items() if count]
    wrong += [f"{n} matches are {s}" for s, n in statuses.items() if s not in {"finished", "void"}]
    if count := mirrored.deadlocks(home):
        wrong.append(f"{count} deadlocks")
    verified = home.manage("verify_records", check=False)
    if verified.returncode:
        wrong.append(f"records: {verified.stderr[-300:]}")
    return statuses, wrong
