"""A day of a quota: from midnight to midnight, UTC."""

from datetime import UTC, datetime, timedelta


def today() -> datetime:
    """When it began."""
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def seconds_left() -> int:
    """Whole seconds until it ends."""
    return int((today() + timedelta(days=1) - datetime.now(UTC)).total_seconds())


def until_tomorrow() -> str:
    """When a quota is fresh again, in words."""
    hours, minutes = divmod(seconds_left() // 60, 60)
    return f"tomorrow, 00:00 UTC (in {hours} h {minutes} min)"
