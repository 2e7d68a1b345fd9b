"""What organisers and referees do to a tournament that runs, and who helps them."""

from django.db import transaction

from league.accounts.models import User
from league.errors import Refused
from league.tournaments.models import Entry, Role, Tournament
from league.tournaments.planning.plan import letters
from league.tournaments.services import quotas, tables
from league.tournaments.services.audit import lock_row, note
from league.tournaments.services.ending import restart_places
from league.tournaments.wording import count

State = Tournament.State


@transaction.atomic
def pause(tournament: Tournament, user: User, paused: bool) -> None:
    """Let no further round begin, or resume."""
    row = lock_row(tournament, State.RUNNING)
    row.paused = paused
    row.save(update_fields=["paused"])
    note(row, user, "pauses it after this round" if paused else "resumes it")


@transaction.atomic
def disqualify(tournament: Tournament, user: User, bot_slug: str, because: str) -> None:
    """Take a bot out, even one that has left. The games it played stay; it gets no place."""
    row = lock_row(tournament, State.OPEN, State.LOCKED, State.RUNNING)
    entries = row.entries.filter(bot__slug=bot_slug).exclude(status=Entry.Status.DISQUALIFIED)
    if not entries.update(status=Entry.Status.DISQUALIFIED):
        raise Refused("L011", status=404, reason=f"`{bot_slug}` does not play in {row}")
    restart_places(row)
    note(row, user, f"disqualified {bot_slug}: {because}")


@transaction.atomic
def rerun_table(tournament: Tournament, user: User, number: int, table: int, because: str) -> int:
    """Void all matches of a table of the latest round, and play them again."""
    row = lock_row(tournament, State.RUNNING)
    match_count = tables.rerun(row, number, table)
    quotas.book_more(row, match_count)
    what = f"re-ran pod {letters(table)} of round {number}, {count(match_count, 'game')}"
    note(row, user, f"{what}: {because}")
    return match_count


@transaction.atomic
def void_table(tournament: Tournament, user: User, number: int, table: int, because: str) -> int:
    """Void all matches of a table of the latest round, for good."""
    row = lock_row(tournament, State.RUNNING)
    match_count = tables.void(row, number, table)
    what = f"voided pod {letters(table)} of round {number}, {count(match_count, 'game')}"
    note(row, user, f"{what}: {because}")
    return match_count


@transaction.atomic
def appoint(tournament: Tournament, user: User, helper: User, kind: str) -> None:
    """Give somebody a role."""
    Role.objects.update_or_create(tournament=tournament, user=helper, defaults={"kind": kind})
    note(tournament, user, f"made {helper.username} {kind}")


@transaction.atomic
def dismiss(tournament: Tournament, user: User, helper: User) -> None:
    """Take somebody's role away."""
    if tournament.roles.filter(user=helper).delete()[0]:
        note(tournament, user, f"took the role of {helper.username} away")
