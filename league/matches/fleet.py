"""What can happen to a worker: it is drained, set aside, taken back; and when it may take work.

The code of the league is the code of its control process: it writes a row when it starts with
another one than before. A worker of another code finishes what it plays and takes nothing new, so
that all matches are played by one code at a time, however many machines are upgraded when.
"""

from django.db import transaction
from django.db.models import F, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from league import hints
from league.matches.models import RulesCode, Worker


def lead(code: str) -> bool:
    """Matches are played by this code from now on. Whether it is another one than before."""
    if code == current_code():
        return False
    RulesCode.objects.create(code=code)
    return True


def current_code() -> str | None:
    """The code of the league; none before a control process ever started."""
    return _codes().first()


def _codes() -> "QuerySet[RulesCode, str]":
    return RulesCode.objects.order_by("-pk").values_list("code", flat=True)


def refusal(name: str) -> str | None:
    """Why this worker takes nothing now, or None if it may."""
    found = Worker.objects.annotate(code=Subquery(_codes()[:1])).filter(name=name)
    row = found.values_list("draining", "set_aside_at", "set_aside_because", "version", "code")
    if not (known := row.first()):
        return None
    draining, set_aside_at, because, version, code = known
    if draining:
        return "it is being drained"
    if set_aside_at:
        return f"it was set aside: {because}"
    if code and version and code != version:
        return f"its code is {version}, the league plays by {code}"
    return None


def took(name: str) -> None:
    """It begins a match."""
    Worker.objects.filter(name=name).update(
        unfinished=F("unfinished") + 1, taking_since=Coalesce("taking_since", Now())
    )


def finished(name: str) -> None:
    """It stored a result: it works."""
    Worker.objects.filter(name=name).update(
        finished=F("finished") + 1, unfinished=0, taking_since=None
    )


def drain(name: str) -> bool:
    """Let it finish what it plays and take nothing new. Whether there is such a worker."""
    return bool(Worker.objects.filter(name=name).update(draining=True))


@transaction.atomic
def undrain(name: str) -> bool:
    """Let it take work again, also if the league had set it aside. Whether there is such one."""
    known = Worker.objects.filter(name=name).update(
        draining=False, set_aside_at=None, set_aside_because="", unfinished=0, taking_since=None
    )
    if known:
        hints.look()
    return bool(known)


def set_aside(name: str, because: str) -> bool:
    """It takes nothing until an operator has looked. Whether it was in use until now."""
    return bool(
        Worker.objects.filter(name=name, set_aside_at=None).update(
            set_aside_at=Now(), set_aside_because=because[:300]
        )
    )
