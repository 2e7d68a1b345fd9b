"""Services of moderation: what is removed leaves every queue, and each action is audited.

The audit log is that of Django's admin, where staff see it next to the rows. An action first
prevents new jobs, then removes the waiting ones: two transactions that take their locks in the same
order as everything else, and that are harmless if repeated.
"""

import re
from collections.abc import Iterable

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Model, ProtectedError, Q, QuerySet

from league.accounts import services as accounts
from league.accounts.models import User
from league.bots import moderation as bots
from league.bots.models import DELETED, ERASED, OWNER_BANNED, Bot, BotVersion
from league.bots.source import version_files
from league.errors import Refused
from league.matches import services as matches
from league.matches.models import Fault, Match, Seat, SeatLog
from league.tournaments.models import Action, Entry, Versions
from league.tournaments.services.entries import withdraw


def audit(staff: User | None, subject: Model, what: str) -> None:
    """Record an action of staff in the audit log; an action without staff leaves no entry."""
    if staff is not None:
        LogEntry.objects.create(
            user=staff,
            content_type=ContentType.objects.get_for_model(subject),
            object_id=str(subject.pk),
            object_repr=str(subject)[:200],
            action_flag=CHANGE,
            change_message=what,
        )


def suspend(version: BotVersion, staff: User, because: str) -> None:
    """Stop a version from playing until staff lift it, and cancel its waiting matches."""
    bots.suspend(version, because)
    has_another = Bot.objects.filter(pk=version.bot_id, active__isnull=False).exists()
    entered = Entry.objects.filter(bot=version.bot_id)
    if has_another:
        entered = entered.filter(version=version, tournament__versions=Versions.FROZEN)
    withdraw_all(entered, staff)
    cancel_waiting([version.pk], f"staff suspended {version}")
    audit(staff, version, f"suspended it: {because}")


@transaction.atomic
def lift(version: BotVersion, staff: User, because: str) -> None:
    """Lift the suspension of a version, so that its owner can activate it again."""
    if version.suspended_because in (ERASED, DELETED):
        raise Refused("L010", status=409, reason="Its code was erased, so it cannot play")
    bots.lift(version)
    audit(staff, version, f"lifted its suspension: {because}")


def ban(user: User, staff: User, because: str) -> None:
    """End a user's sessions and keys, and remove their bots from every queue."""
    _may_moderate(user, staff)
    User.objects.filter(pk=user.pk).update(is_active=False)
    accounts.end_sessions(user)
    accounts.revoke_all_tokens(user)
    for bot in user.bots.all():
        for version in bot.versions.filter(suspended_at=None):
            bots.suspend(version, OWNER_BANNED)
        take_out(bot, staff, f"the owner of {bot} is banned")
    audit(staff, user, f"banned: {because}")


def unban(user: User, staff: User, because: str) -> None:
    """Let a user and their bots in again. Revoked keys and withdrawn entries stay so."""
    _may_moderate(user, staff)
    User.objects.filter(pk=user.pk, deleted_at=None).update(is_active=True)
    for version in BotVersion.objects.filter(bot__owner=user, suspended_because=OWNER_BANNED):
        bots.lift(version)
    audit(staff, user, f"unbanned: {because}")


@transaction.atomic
def rename_user(user: User, staff: User, name: str, because: str) -> User:
    """Give a user a new name, and their page a new address."""
    _may_moderate(user, staff)
    before, user.username = user.username, name
    user.full_clean(validate_unique=True, exclude=["password", "email"])
    if reason := accounts.name_refusal(name, user):
        raise Refused("L002", status=422, reason=reason)
    user.save(update_fields=["username"])
    near = Q(tournament__organiser=user) | Q(tournament__roles__user=user) | Q(user=user)
    _mask_lines(Action.objects.filter(near), before, name)
    audit(staff, user, f"renamed: {because}")
    return user


@transaction.atomic
def rename_bot(bot: Bot, staff: User, name: str, because: str) -> Bot:
    """Give a bot a new name and address; the old name disappears everywhere."""
    before = bot.name
    renamed = bots.rename(bot, name)
    _mask_logs(renamed, before)
    audit(staff, renamed, f"renamed: {because}")
    return renamed


def hide_bot(bot: Bot, staff: User | None, because: str) -> Bot:
    """Remove a bot from every queue and list, and give it a neutral name."""
    before = bot.name
    hidden = bots.hide(bot)
    take_out(hidden, staff, "staff hid a bot at this table")
    _mask_logs(hidden, before)
    audit(staff, hidden, f"hid it: {because}")
    return hidden


@transaction.atomic
def show_bot(bot: Bot, staff: User, because: str) -> None:
    """Undo `hide_bot`, except for the neutral name."""
    bots.show(bot)
    audit(staff, bot, f"showed it again: {because}")


def delete_bot(bot: Bot, staff: User, because: str) -> None:
    """Erase a bot's code and name. Delete its row, too, unless results of others depend on it."""
    hidden = hide_bot(bot, staff, because)
    erase(hidden)
    audit(staff, hidden, f"deleted it: {because}")
    _delete_unplayed(hidden)


def _delete_unplayed(bot: Bot) -> None:
    """Delete the row of a bot unless results of others depend on it."""
    if not Seat.objects.filter(bot=bot).exists():
        try:
            with transaction.atomic():
                bot.delete()
        except ProtectedError:
            return  # a tournament lists it


def delete_user(user: User, staff: User, because: str) -> None:
    """Delete a user's account with all their bots."""
    _may_moderate(user, staff)
    for bot in user.bots.all():
        delete_bot(bot, staff, because)
    accounts.delete_account(user)
    audit(staff, user, f"deleted the account: {because}")


def leave(user: User) -> None:
    """Delete the account of a user who leaves: personal data, code and bots that never played go,
    results stay.
    """
    for bot in user.bots.all():
        # A worker that checks a version now expects its row, which is empty after that.
        checked_now = bot.versions.filter(status=BotVersion.Status.CHECKING).exists()
        erase(bot)
        take_out(bot, None, f"the owner of {bot} left")
        if not checked_now:
            _delete_unplayed(bot)
    accounts.delete_account(user)


def erase(bot: Bot) -> None:
    """Remove a bot's code, its logs and its tracebacks."""
    bots.erase(bot)
    SeatLog.objects.filter(seat__bot=bot).delete()
    Fault.objects.filter(version__bot=bot).exclude(traceback="").update(traceback="")


def read_source(version: BotVersion, staff: User, because: str) -> str:
    """Return the code of a version, of a bundle all its texts, and record who read it and why."""
    audit(staff, version, f"read its code: {because}")
    if version.source.bundle:
        return version_files.of_version(version, version.bot.owner).as_one_text()
    return version.source.text


def take_out(bot: Bot, staff: User | None, because: str) -> None:
    """Remove a bot from the ladders, from waiting matches and from tournaments."""
    Bot.objects.filter(pk=bot.pk).update(active=None)
    withdraw_all(Entry.objects.filter(bot=bot), staff)
    cancel_waiting(bot.versions.values_list("pk", flat=True), because)


def cancel_waiting(versions: Iterable[int], because: str) -> int:
    """Void the queued matches with any of these versions, and return their number.

    Games of tournaments stay: the version forfeits them, so that others lose nothing.
    """
    seats = Seat.objects.filter(version__in=list(versions), match__status=Match.Status.QUEUED)
    seats = seats.exclude(match__kind=Match.Kind.TOURNAMENT)
    waiting = Match.objects.filter(pk__in=list(seats.values_list("match", flat=True)))
    return sum(matches.cancel(match, because) for match in waiting.order_by("pk"))


def withdraw_all(entered: QuerySet[Entry], staff: User | None) -> None:
    """Withdraw entries of tournaments that are not over, by the rules of each tournament."""
    playing = entered.filter(status=Entry.Status.PLAYING).order_by("tournament")
    for entry in playing.select_related("tournament", "bot"):
        if not entry.tournament.over:
            withdraw(entry.tournament, entry.bot, staff)


def _mask_logs(bot: Bot, before: str) -> None:
    """Replace the former name of a bot in the logs of its tournaments."""
    _mask_lines(Action.objects.filter(tournament__entries__bot=bot), before, bot.name)


def _mask_lines(lines: QuerySet[Action], before: str, name: str) -> None:
    """Replace a name by another, as a whole word: not the `Rob` in `Robot`."""
    whole = re.compile(rf"(?<!\w){re.escape(before)}(?!\w)")
    named = list(lines.filter(what__contains=before).distinct())
    for line in named:
        line.what = whole.sub(lambda _: name, line.what)
    Action.objects.bulk_update(named, ["what"], batch_size=500)


def _may_moderate(user: User, staff: User) -> None:
    """Refuse unless staff moderate a member, or a superuser other staff; nobody themselves."""
    if user.pk == staff.pk or (user.is_staff and not staff.is_superuser):
        raise Refused("L007", status=403, reason="Only a superuser can do this to staff")
    if user.deleted_at is not None:
        raise Refused("L010", status=404, reason="This member has left")
