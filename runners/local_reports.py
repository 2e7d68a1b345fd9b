"""What is said of a bot that failed in this process, or took longer than a league gives it."""

import traceback
from collections.abc import Iterator
from types import TracebackType

from runners import watchdog
from runners.bundles.modules import is_import_frame
from runners.failures import Failure
from runners.limits import Limits

FRAMES = 12


def traceback_lines(error: BaseException, tb: TracebackType | None) -> Iterator[str]:
    """Yield the lines of a traceback, without the steps from one module to the next."""
    whole = traceback.TracebackException(type(error), error, tb, compact=True)
    summary: traceback.TracebackException | None = whole
    while summary is not None:
        frames = [frame for frame in summary.stack if not is_import_frame(frame.filename)]
        summary.stack[:] = frames[-FRAMES:]
        summary = summary.__cause__ or summary.__context__
    return whole.format()


def where_cut_off(error: BaseException, caller: str) -> str:
    """Return where a bot was when its time was up, without the frames of who called it."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename not in {caller, watchdog.__file__} and not is_import_frame(frame.filename)
    ]
    lines = traceback.format_list(frames[-FRAMES:])
    return f"Where it was when its time was up (most recent call last):\n{''.join(lines)}"


def slow_decision(cpu_ms: float, limits: Limits) -> Failure:
    """Return the notice that one decision took too much computing time."""
    return Failure(
        "E302",
        f"The decision took {cpu_ms:,.0f} ms of computing time; the league's limit is "
        f"{limits.decision_cpu_ms} ms: there it forfeits here.",
    )


def slow_match(limits: Limits) -> Failure:
    """Return the notice that all decisions of a match took too much computing time."""
    return Failure(
        "E302",
        f"Its decisions so far took more than {limits.bank_cpu_ms / 1000:g} s of computing time, "
        "the league's limit for a match: there it forfeits here.",
    )


def slow_load(cpu_ms: float, limits: Limits) -> Failure:
    """Return the notice that loading took too much computing time."""
    return Failure(
        "E201",
        f"Loading took {cpu_ms:,.0f} ms of computing time; the league's limit is "
        f"{limits.load_cpu_ms:,} ms: there the bot does not start.",
    )
