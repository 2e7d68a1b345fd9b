"""Starting the process of a box in its mode, and what happens when a template is gone."""

import logging
import socket

from runners.box.modes import Mode, in_force, use_mode
from runners.box.policy import NoWall
from runners.box.processes import BoxProcess, Command, Fork
from runners.box.template import TemplateGone
from runners.box.walls import COMMANDS, Order
from runners.failures import InfrastructureError

log = logging.getLogger(__name__)


def start(order: Order, wire: socket.socket, mode: Mode | None) -> BoxProcess:
    """Start a process in this mode, or in the one in force.

    If that forks a template and the template is gone, this and all further boxes of this process
    are started by bubblewrap, until the walls are tried again.
    """
    try:
        return _start(order, wire, mode or in_force())
    except TemplateGone as error:
        if mode is not None:
            raise
        return _start_without_template(order, wire, error)
    except OSError as error:
        raise InfrastructureError(f"a box cannot be started: {error.strerror}") from error


def _start_without_template(order: Order, wire: socket.socket, error: TemplateGone) -> BoxProcess:
    try:
        process = _start(order, wire, Mode.BWRAP)
    except (NoWall, OSError):
        # No bubblewrap either. The next box has a new template, or the walls are tried again.
        raise error from None
    log.warning("boxes are started by bubblewrap from now on: %s", error)
    use_mode(Mode.BWRAP)
    return process


def _start(order: Order, wire: socket.socket, mode: Mode) -> BoxProcess:
    # Other programs than ours cannot be forked.
    if mode is Mode.TEMPLATE and order.program is None:
        return Fork(order, wire)
    return Command(COMMANDS[Mode.BWRAP if mode is Mode.TEMPLATE else mode], order)
