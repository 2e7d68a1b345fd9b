"""How large the choices of an organiser may be; form, API and services ask here. Pure.

A config says itself whether it can be played. These bounds are only checked for something new, so
that what was stored before can still be read.
"""

from datetime import datetime, timedelta

from league.tournaments.planning.config import Config, Problem

MAX_POINTS = 1000
"""For the first place of a match."""
MAX_SEED = 100
"""Characters; the seed of a recurring tournament is its slug and a moment."""
MAX_AHEAD = timedelta(days=2 * 366)
MAX_BEHIND = timedelta(days=366)
PAST = "This moment has passed."


def config_problems(config: Config) -> list[Problem]:
    """Return a problem for every choice that is too large."""
    problems = []
    if config.points and max(config.points) > MAX_POINTS:
        problems.append(Problem("points", f"A place is worth at most {MAX_POINTS:,} points."))
    if len(config.seed) > MAX_SEED or not config.seed.isprintable():
        text = f"A seed has at most {MAX_SEED} characters, all of them printable."
        problems.append(Problem("seed", text))
    return problems


def has_passed(moment: datetime, now: datetime) -> bool:
    """Return whether a moment is over, with a minute of tolerance for typing."""
    return moment < now - timedelta(minutes=1)


def moment_problem(moment: datetime, now: datetime) -> str | None:
    """Return why a tournament cannot have this date, as a sentence; None if it can."""
    if moment > now + MAX_AHEAD:
        return "Choose a date within the next two years."
    if moment < now - MAX_BEHIND:
        return PAST
    return None
