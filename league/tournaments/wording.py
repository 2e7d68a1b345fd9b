"""Numbers in words."""

_NUMBERS = "no one two three four five six seven eight nine ten".split()
_TIMES = ("never", "once", "twice")


def number(value: int) -> str:
    """Return `two`, and figures from eleven on."""
    return _NUMBERS[value] if value < len(_NUMBERS) else f"{value:,}"


def count(value: int, thing: str) -> str:
    """Return `1 game`, `1,200 games`."""
    return f"{value:,} {thing}{'' if value == 1 else 's'}"


def times(value: int) -> str:
    """Return `never`, `once`, `twice`, `three times`."""
    return _TIMES[value] if value < len(_TIMES) else f"{number(value)} times"


def duration(seconds: float) -> str:
    """Return `about 40 s`, `about 9 min`, `about 2 h 10 min`."""
    if seconds < 90:
        return f"about {max(round(seconds), 1)} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} min"
    return f"about {minutes // 60} h {minutes % 60} min"
