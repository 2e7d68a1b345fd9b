"""`karat doctor`: which mode, which walls, and what to do."""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from ctypes.util import find_library
from dataclasses import replace
from pathlib import Path

import pytest

from runners.box.kernel import landlock
from runners.box.remedies import CONTAINER_OPTIONS, INSTALLERS, System, find_remedy
from runners.box.selftest import CANARIES

ROOT = Path(__file__).parents[2]
PROGRAM = "from bots_sdk.cli import main; main()"

needs_landlock = pytest.mark.skipif(
    not landlock.version(), reason="this kernel has no Landlock: this mode is not tested"
)


needs_libseccomp = pytest.mark.skipif(
    find_library("seccomp") is None, reason="there is no libseccomp here"
)


@pytest.fixture
def strict_container(tmp_path):
    """How a command is started behind a profile like those of containers: without namespaces."""
    profile = tmp_path / "profile.json"
    refused = {"names": ["unshare", "mount", "pivot_root", "setns", "clone3"], "errnoRet": 1}
    profile.write_text(
        json.dumps(
            {
                "defaultAction": "SCMP_ACT_ALLOW",
                "architectures": [f"SCMP_ARCH_{platform.machine().upper()}"],
                "syscalls": [{**refused, "action": "SCMP_ACT_ERRNO"}],
            }
        )
    )
    return [sys.executable, "-m", "tests.seccomp_launch", str(profile)]


def doctor(*arguments, within=(), **environment):
    return subprocess.run(
        [*within, sys.executable, "-c", PROGRAM, "doctor", *arguments],
        cwd=ROOT,
        env=os.environ | {"SANDBOX": "auto"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "mode", ["template", "bwrap", pytest.param("landlock", marks=needs_landlock)]
)
def test_the_doctor_names_the_mode_and_every_wall(mode):
    examined = doctor(SANDBOX=mode)
    assert examined.returncode == 0, examined.stdout
    first, second, *walls, last = examined.stdout.splitlines()
    assert (first, second) == (f"mode    {mode}", "rated   yes")
    assert walls == [f"held    a bot {name}" for name in CANARIES]
    assert last == "All walls hold."


@needs_landlock
@needs_libseccomp
def test_without_namespaces_the_doctor_names_landlock_and_what_would_be_better(
    tmp_path, strict_container
):
    (tmp_path / "setpriv").symlink_to(shutil.which("setpriv"))
    examined = doctor("--json", PATH=str(tmp_path), within=strict_container)
    assert examined.returncode == 0, examined.stdout
    report = json.loads(examined.stdout)
    assert (report["held"], report["mode"], report["rated"]) == (True, "landlock", True)
    assert "Install bubblewrap" in report["advice"]
    assert report["remedy"]["command"].endswith(" bubblewrap")
    shown = doctor(PATH=str(tmp_path), within=strict_container).stdout.splitlines()
    assert shown[-4:] == [
        "Landlock keeps the bots; namespaces, which are better, cannot.",
        "Bubblewrap, which makes the boxes, is not installed.",
        f"Fix it:  {report['remedy']['command']}",
        "All walls hold.",
    ]
    assert [wall["name"] for wall in report["walls"]] == list(CANARIES)


def test_without_walls_the_doctor_says_no_and_what_to_do():
    refused = doctor(PATH="/nonexistent", SANDBOX="bwrap")
    assert refused.returncode == 1
    assert "mode    none: no bot is played\n" in refused.stdout
    assert "BROKEN  a bot comes into a box" in refused.stdout
    assert "\nFix it:  " in refused.stdout
    *_, warning, last = refused.stdout.splitlines()
    assert warning == "Do not run strangers' bots on this machine."
    assert last.startswith("Without boxes, karat new, play, arena, duel, ")


def test_a_folder_that_cannot_be_written_is_named_with_the_fix(tmp_path):
    (tmp_path / "file").touch()
    examined = doctor(KARAT_STAGE=str(tmp_path / "file" / "stage"))
    assert examined.returncode == 1
    assert f"Boxes need 100 MB in {tmp_path}/file/stage, which cannot be written" in examined.stdout
    assert "\nFix it:  export KARAT_STAGE=/path/to/another/folder\n" in examined.stdout


USERS = System(kernel={"user.max_user_namespaces": "60000"})


@pytest.mark.parametrize(
    ("system", "command"),
    [
        pytest.param(replace(USERS, has_bwrap=False), "sudo apt-get install --yes bubblewrap"),
        pytest.param(
            replace(USERS, has_bwrap=False, is_root=True, installer=INSTALLERS["apk"]),
            "apk add bubblewrap",
        ),
        pytest.param(
            replace(USERS, is_root=True, has_drop_user=False),
            "useradd --system --no-create-home --shell /usr/sbin/nologin karat-box",
        ),
        pytest.param(
            replace(USERS, is_root=True, has_setpriv=False), "apt-get install --yes util-linux"
        ),
        pytest.param(replace(USERS, has_proc=False), "sudo mount -t proc proc /proc"),
        pytest.param(
            System(kernel={"user.max_user_namespaces": "0"}),
            "sudo sysctl -w user.max_user_namespaces=15000",
        ),
        pytest.param(
            System(kernel={"kernel.unprivileged_userns_clone": "0"}),
            "sudo sysctl -w kernel.unprivileged_userns_clone=1",
        ),
        pytest.param(
            System(kernel={"kernel.apparmor_restrict_unprivileged_userns": "1"}),
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        pytest.param(replace(USERS, in_container=True), CONTAINER_OPTIONS),
        pytest.param(replace(USERS, is_filtered=True), CONTAINER_OPTIONS),
    ],
)
def test_for_everything_that_is_missing_there_is_one_command(system, command):
    remedy = find_remedy(system)
    assert remedy is not None
    assert remedy.command == command


@pytest.mark.parametrize(
    "system",
    [
        replace(USERS, has_bwrap=False),
        replace(USERS, is_root=True, has_drop_user=False),
        replace(USERS, has_proc=False),
        replace(USERS, stage_problem="It is full."),
        System(kernel={"user.max_user_namespaces": "0"}),
    ],
    ids=["no bubblewrap", "no user", "no proc", "no folder", "no namespaces"],
)
def test_the_page_about_platforms_shows_the_commands_as_they_are_printed(system):
    page = (ROOT / "docs" / "platforms.md").read_text(encoding="utf-8")
    assert f"`{find_remedy(system).command}`" in page


def test_where_nothing_is_known_to_be_missing_there_is_no_remedy():
    assert find_remedy(USERS) is None


def test_the_options_of_a_container_are_those_of_the_compose_file():
    worker = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
    for option in re.findall(r"--security-opt (\w+)=", CONTAINER_OPTIONS):
        assert f'- "{option}=' in worker


@needs_libseccomp
def test_behind_the_profile_of_a_container_the_options_are_named(strict_container):
    examined = doctor(SANDBOX="bwrap", within=strict_container)
    assert examined.returncode == 1
    assert f"Fix it:  {CONTAINER_OPTIONS}\n" in examined.stdout


def test_the_doctor_never_calls_a_machine_without_walls_safe():
    examined = doctor("--json", SANDBOX="unsafe-local", ALLOW_UNSAFE_SANDBOX="1")
    assert examined.returncode == 1
    report = json.loads(examined.stdout)
    assert (report["held"], report["mode"], report["rated"]) == (False, "unsafe-local", False)
    assert json.loads(doctor("--json", SANDBOX="unsafe-local").stdout)["mode"] is None
