"""Who may run a tournament, referee it, and let it count for ratings."""

from league.accounts.models import User
from league.tournaments.models import RecurringTournament, Role, Tournament


def may_rate(user: User) -> bool:
    """Return whether a user may create tournaments that count for ratings."""
    return user.is_staff or user.is_organiser


def may_manage(tournament: Tournament, user: object) -> bool:
    """Return whether a user is one of its organisers, or staff."""
    if not isinstance(user, User):
        return False
    return (
        user.is_staff
        or tournament.organiser_id == user.pk
        or tournament.roles.filter(user=user, kind=Role.Kind.ORGANISER).exists()
    )


def may_referee(tournament: Tournament, user: object) -> bool:
    """Return whether a user is an organiser or a referee of it."""
    if may_manage(tournament, user):
        return True
    return isinstance(user, User) and tournament.roles.filter(user=user).exists()


def may_run(recurring: RecurringTournament, user: object) -> bool:
    """Return whether a user may stop and resume a recurring tournament."""
    return isinstance(user, User) and (user.is_staff or recurring.organiser_id == user.pk)
