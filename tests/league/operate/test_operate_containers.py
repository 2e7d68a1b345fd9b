"""What the containers are made of, run without any: commands, settings and the profile of calls."""

import json
import os
import re
import subprocess
import sys

import pytest
import yaml

from tests import programs
from tests.league.home import ROOT

COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
PROFILE = ROOT / "deploy" / "seccomp-worker.json"
LAUNCH = [sys.executable, "-m", "tests.seccomp_launch", str(PROFILE)]


def filled(text, **values):
    """Text of the compose file as compose would hand it on."""
    named = re.sub(
        r"(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}",
        lambda part: values.get(part[1]) or (part[3] if part[2] == "-" else ""),
        text,
    )
    return named.replace("$$", "$")


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_bounded_and_its_image_can_be_chosen(name):
    service = SERVICES[name]
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert re.fullmatch(r"\$\{[A-Z]+_IMAGE:-[\w./-]+:[\w.-]+\}", service["image"])


def test_redis_asks_for_its_password(tmp_path):
    redis = SERVICES["redis"]
    env = {"PATH": os.environ["PATH"]}
    secret = {
        name: filled(value, REDIS_PASSWORD="s3cr&t $x")
        for name, value in redis["environment"].items()
    }
    socket = tmp_path / "redis.sock"
    command = [filled(word) for word in redis["command"]]
    with programs.running(
        [*command, "--port", "0", "--unixsocket", str(socket)],
        env=env | secret,
        stdout=subprocess.DEVNULL,
    ):
        checked = filled(redis["healthcheck"]["test"][1]).replace(
            "redis-cli", f"redis-cli -s {socket}"
        )

        def healthy(**more):
            done = subprocess.run(["sh", "-c", checked], env=env | more, check=False)
            return done.returncode == 0

        for _ in range(100):
            if healthy(**secret):
                break
        assert healthy(**secret)
        assert not healthy()


def test_a_worker_gets_what_it_needs_and_no_secret_of_the_site(tmp_path):
    worker = SERVICES["worker"]
    assert worker["env_file"] == []
    for secret in ("EMAIL_PASSWORD", "METRICS_TOKEN", "POSTGRES_PASSWORD", "REDIS_PASSWORD"):
        assert secret not in worker["environment"]
    assert "$" not in worker["environment"]["SECRET_KEY"]
    env = {
        name: filled(value, DATABASE_URL="postgres:///karat", REDIS_URL="redis://localhost")
        for name, value in worker["environment"].items()
    }
    env |= {"PATH": os.environ["PATH"], "KARAT_VAR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, *worker["command"][1:2], "check"],
        env=env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_profile_of_a_worker_denies_by_default():
    profile = json.loads(PROFILE.read_text(encoding="utf-8"))
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    allowed = {name for rule in profile["syscalls"] for name in rule["names"]}
    assert {rule["action"] for rule in profile["syscalls"]} == {"SCMP_ACT_ALLOW"}
    never = {
        "ptrace",
        "bpf",
        "keyctl",
        "io_uring_setup",
        "userfaultfd",
        "process_vm_readv",
        "reboot",
    }
    assert not allowed & (never | {"perf_event_open", "open_by_handle_at", "init_module", "setns"})


def behind_the_profile(*command, **env):
    return subprocess.run(
        [*LAUNCH, *command],
        env=os.environ | env,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_behind_the_profile_boxes_work_and_all_walls_hold(tmp_path):
    done = behind_the_profile(sys.executable, "manage.py", "doctor", KARAT_VAR=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("held") >= 10
    assert "BROKEN" not in done.stdout


def test_behind_the_profile_other_calls_fail():
    tries = (
        "import ctypes; c = ctypes.CDLL(None, use_errno=True)\n"
        "for n in (425, 9999): print(c.syscall(n, 0, 0, 0), ctypes.get_errno())"
    )
    assert behind_the_profile(sys.executable, "-c", tries).stdout == "-1 1\n-1 1\n"
