"""The hostile bots once more: as an ordinary user, and behind Landlock instead of namespaces.

All of them are judged by one process each, because that process is another user or mode.
"""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from runners.box.kernel import landlock
from runners.box.modes import Mode
from runners.box.stage import prepare_stage
from tests.hostile.judge import BOTS, BUNDLES, ROOT, head
from tests.hostile.test_hostile import why_no_boxes
from tests.runners.boxes import copy_clone

NOBODY = 65534
OPENED_BY_THE_REFEREE = ("own_maps_log", "own_rewrites_log", "own_rewinds_log")
AS_BUNDLES = ("ok_honest", "denied_folders_and_links", "denied_host_secrets")
needs_landlock = pytest.mark.skipif(
    not landlock.version(), reason="this kernel has no Landlock: this mode is not tested"
)
needs_bwrap = pytest.mark.skipif(why_no_boxes() is not None, reason=str(why_no_boxes()))
only_root = pytest.mark.skipif(
    os.geteuid() != 0, reason="the tests themselves run as an ordinary user"
)


def promised(mode):
    """What the judge says at the end if every bot got its verdict."""
    count = sum(mode in head(path).modes for path in BOTS)
    return f"{count} of {count} held by {mode}\n"


@pytest.mark.parametrize(
    "mode",
    [
        pytest.param(Mode.BWRAP, marks=needs_bwrap),
        pytest.param(Mode.LANDLOCK, marks=needs_landlock),
    ],
)
def test_the_other_modes_hold_the_same_bots(mode):
    judged = subprocess.run(
        [sys.executable, "-m", "tests.hostile.judge"],
        cwd=ROOT,
        env=os.environ | {"SANDBOX": mode},
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.stdout == promised(mode), judged.stdout + judged.stderr


@contextmanager
def ordinary_user():
    """Runs a module as somebody who may read neither our clone nor our interpreter."""
    folder = Path(f"/var/lib/karat/nobody-{os.getpid()}")
    # The league's own files are for nobody else; these are.
    umask = os.umask(0o022)
    try:
        environment = furnished(folder)
        yield lambda mode, module, *words: subprocess.run(
            [f"{environment['PYTHONHOME']}/bin/python3", "-m", module, *words],
            cwd=folder / "clone",
            env=environment | {"SANDBOX": mode},
            capture_output=True,
            text=True,
            check=False,
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
        )
    finally:
        os.umask(umask)
        shutil.rmtree(folder)


def furnished(folder):
    """A clone, what it imports and a place to write, all of it in a folder everybody may read."""
    ignored = shutil.ignore_patterns("__pycache__")
    copy_clone(folder / "clone", "tests/hostile")
    packages, cache = folder / "packages", folder / "cache"
    shutil.copytree(Path(msgspec.__file__).parent, packages / "msgspec", ignore=ignored)
    for path in (packages / "msgspec", *(packages / "msgspec").rglob("*")):
        # Where we installed it, it may be for nobody else.
        path.chmod(0o755 if path.is_dir() else 0o644)
    cache.mkdir()
    os.chown(cache, NOBODY, NOBODY)
    root = prepare_stage().python
    return {
        "PATH": os.environ["PATH"],
        "PYTHONHOME": str(root / "py"),
        "LD_LIBRARY_PATH": str(root / "lib"),
        "PYTHONPATH": f"{packages}:{root}/py/packages",
        "PYTHONDONTWRITEBYTECODE": "1",
        "XDG_CACHE_HOME": str(cache),
    }


@only_root
@needs_bwrap
def test_the_boxes_of_an_ordinary_user_hold_the_same_bots():
    # One test, so that the interpreter is staged for that user only once.
    with ordinary_user() as run:
        judged = run(Mode.TEMPLATE, "tests.hostile.judge")
        assert judged.stdout == promised(Mode.TEMPLATE), judged.stdout + judged.stderr
        for mode in (Mode.TEMPLATE, Mode.BWRAP):
            judged = run(mode, "tests.hostile.judge", BUNDLES, *AS_BUNDLES)
            assert judged.stdout == f"3 of 3 held by {mode}\n", judged.stdout + judged.stderr
        if landlock.version():
            # Here a bot has the user of the referee, and could open again what that one opened.
            judged = run(Mode.LANDLOCK, "tests.hostile.judge", *OPENED_BY_THE_REFEREE)
            assert judged.stdout == "3 of 3 held by landlock\n", judged.stdout + judged.stderr
            judged = run(Mode.LANDLOCK, "tests.hostile.judge", BUNDLES, *AS_BUNDLES)
            assert judged.stdout == "3 of 3 held by landlock\n", judged.stdout + judged.stderr
            tried = run(Mode.LANDLOCK, "runners.box.select")
            assert tried.returncode == 0, tried.stdout + tried.stderr
            assert tried.stdout.startswith("mode    landlock\nheld ")
            assert "BROKEN" not in tried.stdout
