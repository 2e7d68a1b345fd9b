"""The end of a process whose bot cannot be ended otherwise: it catches what should end it."""

import linecache
import os
from types import FrameType

from runners.bundles.own import remove_private_folders
from runners.local import runs_bot

COMMAND_STATUS = 1
WORKER_STATUS = 70
"""Nobody else ends with it, so whoever waits for a process knows that it explained itself."""


def end_stuck_command(frame: FrameType | None) -> None:
    """End a command: its answer is no."""
    _end(frame, COMMAND_STATUS)


def end_stuck_worker(frame: FrameType | None) -> None:
    """End a process that plays for a command."""
    _end(frame, WORKER_STATUS)


def _end(frame: FrameType | None, status: int) -> None:
    """Say which line the bot is in, and end the process at once."""
    # Nothing is flushed or asked of the interpreter's streams: the bot may hold their locks.
    os.write(2, f"{_describe(frame)}\n".encode("utf-8", "replace"))
    remove_private_folders()
    os._exit(status)


def _describe(frame: FrameType | None) -> str:
    while frame is not None and not runs_bot(frame):
        frame = frame.f_back
    if frame is None:
        place = "A bot"
    else:
        file, line = frame.f_code.co_filename, frame.f_lineno
        text = linecache.getline(file, line).strip()
        method = frame.f_code.co_name
        place = f"{file}, line {line}, in {method}: `{text}`\nThe bot"
    return (
        f"E302 Too slow\n{place} did not answer in time, was told to stop, and went on. "
        "So this command ends here.\n"
        "Look for a loop that does not end and catches everything: `except:` and "
        "`except BaseException:` also catch what ends a bot; `except Exception:` does not."
    )
