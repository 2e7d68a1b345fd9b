"""Templates from outside: warm interpreters of which boxes are forks.

A template is started once for each kind of box that this process needs. It is a child of the main
thread, like all boxes, and so are its forks.
"""

import atexit
import os
import socket
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from runners.box import policy, walls
from runners.box.kernel import landlock
from runners.box.kernel.memory_files import memory_file
from runners.box.manifest import NUMPY, manifest
from runners.box.policy import KARAT_HOME, PYTHON_FLAGS
from runners.box.stage import Stage, prepare_stage
from runners.failures import InfrastructureError

ALL_LINKED = {"LD_BIND_NOW": "1"}
"""The linker finds every function of every library at once, in place of every fork on its own."""


class TemplateGone(InfrastructureError):
    """A template has ended, or never came up, so no box can be forked from it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Everything that the boxes of one template have in common."""

    stage: Stage
    user: tuple[int, int] | None
    filters: tuple[bytes, str]
    namespaces: int
    ruleset: tuple[int, ...]
    """The bits of Landlock by subject: files, network, scopes."""
    preload: tuple[str, ...]
    trees: tuple[Path, int] | None = None
    """Where all bundles lie, and which folder that is; boxes of single files have none in sight."""


class Template:
    """One warm interpreter. `fork` starts a box."""

    def __init__(self, kind: Kind) -> None:
        self._control, template_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._output = memory_file("template")
        self.owner = os.getpid()
        self._closed = False
        try:
            with _command(kind, template_end.fileno()) as command:
                self._process = command.start(self._output)
        except BaseException:
            self._control.close()
            os.close(self._output)
            raise
        finally:
            template_end.close()

    @property
    def pid(self) -> int:
        """Return the number of its process."""
        return self._process.pid

    def fork(self, words: Sequence[str], fds: Sequence[int]) -> None:
        """Order a box; it announces itself on its wire, the first of its descriptors."""
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", fds))
        try:
            self._control.sendmsg([" ".join(words).encode()], [rights])
        except OSError as error:
            raise TemplateGone(f"the template of boxes has ended: {self.last_words()}") from error

    def last_words(self) -> str:
        """Return what it printed, which is nothing as long as all is well."""
        if self._closed:
            return "it was closed"
        output = os.pread(self._output, 2000, 0).decode("utf-8", "replace").strip()
        return output.rpartition("\n")[2][:300] or "it said nothing"

    def end(self) -> None:
        """End its process, and nobody else's. Its forks go on; whoever orders another is told."""
        if self.owner == os.getpid():
            self._process.kill()
            self._process.wait()
            self._reap_stillborn()
        else:
            # Nobody here can wait for it, and nobody is to be warned of that.
            self._process.returncode = 0

    def _reap_stillborn(self) -> None:
        """Wait for forks that died before their first byte: they are of its group, as it began."""
        with suppress(ChildProcessError):
            while os.waitpid(-self.pid, os.WNOHANG)[0]:
                pass

    def close(self) -> None:
        """End it and give everything back. In a fork of its owner, only let go of it."""
        self._closed = True
        self._control.close()
        os.close(self._output)
        self.end()


_templates: dict[Kind, Template] = {}


def fork(order: walls.Order) -> Template:
    """Order a box from the template of its kind, which is started if it is not there yet."""
    kind = _kind(order)
    template = _templates.get(kind)
    if template is not None and template.owner != os.getpid():
        # This process is a fork of the one that started it, and no parent of its boxes.
        close_all()
        template = None
    if template is None:
        template = _templates[kind] = Template(kind)
    try:
        _order_box(template, order)
    except TemplateGone:
        _templates.pop(kind).close()
        raise
    return template


def _order_box(template: Template, order: walls.Order) -> None:
    fds = (order.wire, order.log)
    if order.bundle is None:
        template.fork(order.limits, fds)
        return
    # The template knows all bundles, so each of its boxes has a ruleset of its own.
    with _ruleset(walls.readable_folders(order.stage, order.bundle)) as ruleset:
        words = (order.bundle.folder.name, *order.limits)
        template.fork(words, fds if ruleset == walls.NO_RULESET else (*fds, ruleset))


@atexit.register
def close_all() -> None:
    """End all templates of this process; whoever needs one starts it again."""
    while _templates:
        _templates.popitem()[1].close()


def _kind(order: walls.Order) -> Kind:
    offered = landlock.version()
    tables = (landlock.FILES, landlock.NETWORK, landlock.SCOPES)
    games = (place.partition(":")[0] for place in manifest().games.values())
    modules = [*policy.PRELOADED_MODULES, *games, *manifest().kit_packages]
    bundle = order.bundle
    return Kind(
        prepare_stage(),
        walls.drop_to(),
        walls.filters(forked=True, bundle=bundle is not None),
        sum(policy.FORK_NAMESPACES.values()),
        tuple(landlock.supported_bits(table, offered) for table in tables),
        (*modules, NUMPY) if order.numpy else tuple(modules),
        _identify(bundle.folder.parent) if bundle else None,
    )


def _identify(trees: Path) -> tuple[Path, int]:
    """Return a folder with its number: a template still has the one that was there before."""
    try:
        return trees, trees.stat().st_ino
    except OSError as error:
        raise InfrastructureError(f"the cache of bundles is gone: {error}") from error


@contextmanager
def _command(kind: Kind, control: int) -> Iterator[walls.Command]:
    """Yield how the template is started: by the staged interpreter, which first leaves the host."""
    root, karat = kind.stage.python, kind.stage.karat
    loader, python = walls.interpreter_below(root)
    enter = [f"{karat}/inside_box/enter.pyc", str(os.getpid()), str(root), str(karat)]
    enter.append(str(kind.trees[0]) if kind.trees else "")
    program = "bundle_template" if kind.trees else "template"
    calls = policy.this_machine().calls
    first, second = kind.filters
    with _ruleset((root, karat)) as ruleset:
        flags = landlock.supported_bits(landlock.QUIET, landlock.version())
        words = [
            *PYTHON_FLAGS,
            f"{KARAT_HOME}/inside_box/{program}.pyc",
            *(str(number) for number in (control, ruleset, flags)),
            first.hex(),
            second,
            str(calls["clone"]),
            str(kind.namespaces),
            manifest().sdk_entry,
            ",".join(kind.preload),
        ]
        arguments = [loader, python, *PYTHON_FLAGS, *enter]
        fds = (control,) if ruleset == walls.NO_RULESET else (control, ruleset)
        yield walls.Command(
            loader,
            [*arguments, str(calls["pivot_root"]), *words],
            {**policy.environment_below(str(root)), **ALL_LINKED},
            fds,
        ).as_user(kind.user)


@contextmanager
def _ruleset(readable: tuple[Path, ...]) -> Iterator[int]:
    if not landlock.version():
        yield walls.NO_RULESET
        return
    with landlock.ruleset(readable) as fd:
        yield fd
