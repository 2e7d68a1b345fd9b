"""Boxes when the clone and the interpreter are nobody else's business."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runners.box import stage as staging
from runners.box.manifest import manifest
from runners.box.stage import prepare_stage
from tests.runners.boxes import copy_clone

CANARIES = ["-m", "runners.box.select"]
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def copy_python(folder):
    """An interpreter that lies in this folder and knows nothing of the one it was copied from."""
    shutil.copytree(prepare_stage().python, folder, symlinks=True)
    environment = {
        "PYTHONHOME": str(folder / "py"),
        "LD_LIBRARY_PATH": str(folder / "lib"),
        "PATH": os.environ["PATH"],
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return folder / "py" / "bin" / "python3", environment


def run_canaries(python, environment, clone):
    return subprocess.run(
        [python, *CANARIES],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_staged_folders_are_readable_by_all_and_writable_by_none():
    stage = prepare_stage()
    for folder in (stage.python, stage.karat):
        for path in [folder, *folder.rglob("*")]:
            if not path.is_symlink():
                assert path.stat().st_mode & 0o777 in (0o444, 0o555), path
                assert path.stat().st_uid == os.geteuid()


def test_staged_folders_hold_our_part_and_no_packages():
    stage = prepare_stage()
    assert sorted(path.name for path in stage.karat.iterdir()) == [
        *("bots_sdk", "engine", "games.txt", "inside_box")
    ]
    sources = {str(path.relative_to(stage.karat)) for path in stage.karat.rglob("*.py")}
    assert sources == set(manifest().files)
    assert {path.suffix for path in (stage.karat / "inside_box").iterdir()} == {".pyc"}
    names = {path.name for path in stage.python.rglob("*")}
    assert not names & {"site-packages", "pytest", "pip", "ensurepip"}


def test_staging_again_gives_the_same_folders():
    stage = prepare_stage()
    prepare_stage.cache_clear()
    assert prepare_stage() == stage


@only_root
def test_a_clone_and_an_interpreter_under_a_closed_home_work(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    copy_clone(home / "clone")
    python, environment = copy_python(home / "python")
    # Not below tmp_path: pytest closes it, and the user of the boxes must reach the stage.
    stage = Path(f"/var/lib/karat/stage-test-{os.getpid()}")
    try:
        done = run_canaries(python, environment | {"KARAT_STAGE": str(stage)}, home / "clone")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "BROKEN" not in done.stdout
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def test_the_version_of_the_box_is_ours():
    assert (prepare_stage().python / "py" / "lib" / f"python3.{sys.version_info.minor}").is_dir()


def test_the_first_bytecode_of_numpy_asks_for_no_other_folder(tmp_path, monkeypatch):
    package = tmp_path / "numpy"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.setattr(staging, "numpy_folders", lambda: [package])
    key = staging._python_key()
    (package / "__pycache__").mkdir()
    assert staging._python_key() == key
    (package / "__init__.py").write_text("version = 2")
    assert staging._python_key() != key
