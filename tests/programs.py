"""Programs that tests start and interrupt: each hears Ctrl-C, and none outlives its test.

A script that runs `make test &` has its background jobs ignore SIGINT, and whatever they start
inherits that. Here a program starts as if from a terminal, whoever started the tests.
"""

import contextlib
import os
import signal
import subprocess

from league.jobs.parent_process import end_with_parent

PATIENCE_SECONDS = 20


def start(command, **options):
    """Start a program in a session of its own that is ended with the process of the tests."""
    parent_pid = os.getpid()

    def as_from_a_terminal():
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)
        end_with_parent(signal.SIGKILL, parent_pid)

    return subprocess.Popen(
        command,
        start_new_session=True,
        preexec_fn=as_from_a_terminal,  # noqa: PLW1509
        **options,
    )


@contextlib.contextmanager
def running(command, **options):
    """A program that goes with the block, however the block ends."""
    process = start(command, **options)
    try:
        yield process
    finally:
        end(process, patience=0)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def end(*processes, patience=PATIENCE_SECONDS):
    """End programs and all they started in their sessions; without patience, at once."""
    if patience:
        for process in processes:
            _send(process, signal.SIGTERM)
    for process in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        # What it started may still be there when it is gone itself.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _send(process, number):
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
