"""What must hold when the dust has settled."""

COUNT = """
from engine.games import GAMES
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
    "rated and not in the ledger": finished.filter(rated=True, rated_no=None).count(),
    "differences in the ledger":
        sum(rebuild.rebuild(game, write=False).differences for game in GAMES),
    "numbers of the ledger with a gap": sum(
        Match.objects.filter(game=game).exclude(rated_no=None).count()
        != Ladder.objects.get(game=game).rated
        for game in GAMES
    ),
    "tournaments that are not final": Tournament.objects.exclude(state="final").count(),
    "games of tournaments not played":
        Game.objects.exclude(match__status__in=["finished", "void"]).count(),
    "uploads stuck": BotVersion.objects.filter(status="stuck").count(),
})
"""
SETTLED = """
from league.tournaments.models import Tournament
tell(not Match.objects.filter(status__in=["queued", "running"]).exists()
     and not Match.objects.filter(status="finished", rated=True, rated_no=None).exists()
     and not Tournament.objects.exclude(state__in=["final", "cancelled"]).exists())
"""
LET_LEASES_LAPSE = """
Match.objects.filter(status="running").update(lease_until=jobs.in_seconds(-1))
"""


def complaints(home):
    """Everything that does not hold, in words; and what was played."""
    found = home.python(COUNT)
    statuses = found.pop("statuses")
    wrong = [f"{count} × {what}" for what, count in found.items() if count]
    wrong += [f"{n} matches are {s}" for s, n in statuses.items() if s not in {"finished", "void"}]
    verified = home.manage("verify_records", check=False)
    if verified.returncode:
        wrong.append(f"records: {verified.stderr[-300:]}")
    return statuses, wrong
