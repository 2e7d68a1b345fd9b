"""`karat doctor`: which mode, which walls, and what to do."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from runners.box import landlock
from runners.box.selftest import CANARIES

needs_landlock = pytest.mark.skipif(
    not landlock.version(), reason="this kernel has no Landlock: this mode is not tested"
)


def doctor(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-c", "from bots_sdk.cli import main; main()", "doctor", *arguments],
        env=os.environ | {"SANDBOX": "auto"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("mode", ["bwrap", pytest.param("landlock", marks=needs_landlock)])
def test_the_doctor_names_the_mode_and_every_wall(mode):
    examined = doctor(SANDBOX=mode)
    assert examined.returncode == 0, examined.stdout
    first, second, *walls, last = examined.stdout.splitlines()
    assert (first, second) == (f"mode    {mode}", "rated   yes")
    assert walls == [f"held    a bot {name}" for name in CANARIES]
    assert last == "All walls hold."


@needs_landlock
def test_without_bubblewrap_the_doctor_names_landlock_and_what_would_be_better(tmp_path):
    (tmp_path / "setpriv").symlink_to(shutil.which("setpriv"))
    examined = doctor("--json", PATH=str(tmp_path))
    assert examined.returncode == 0, examined.stdout
    report = json.loads(examined.stdout)
    assert (report["held"], report["mode"], report["rated"]) == (True, "landlock", True)
    assert "Install bubblewrap" in report["advice"]
    assert [wall["name"] for wall in report["walls"]] == list(CANARIES)


def test_without_walls_the_doctor_says_no_and_what_to_do():
    refused = doctor(PATH="/nonexistent", SANDBOX="bwrap")
    assert refused.returncode == 1
    assert "mode    none: no bot is played\n" in refused.stdout
    assert "BROKEN  a bot comes into a box" in refused.stdout
    assert "or set SANDBOX=landlock on a machine of your own." in refused.stdout
    assert refused.stdout.endswith("Do not run strangers' bots on this machine.\n")


def test_the_doctor_never_calls_a_machine_without_walls_safe():
    examined = doctor("--json", SANDBOX="unsafe-local", ALLOW_UNSAFE_SANDBOX="1")
    assert examined.returncode == 1
    report = json.loads(examined.stdout)
    assert (report["held"], report["mode"], report["rated"]) == (False, "unsafe-local", False)
    assert json.loads(doctor("--json", SANDBOX="unsafe-local").stdout)["mode"] is None
