"""The day for which quotas are counted: from midnight to midnight, UTC."""

from datetime import UTC, datetime, timedelta


def today() -> datetime:
    """Return the time at which the current day began."""
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def seconds_left() -> int:
    """Return the whole seconds until the day ends."""
    return int((today() + timedelta(days=1) - datetime.now(UTC)).total_seconds())


def until_tomorrow() -> str:
    """Return in words when quotas are reset."""
    hours, minutes = divmod(seconds_left() // 60, 60)
    return f"tomorrow, 00:00 UTC (in {hours} h {minutes} min)"
