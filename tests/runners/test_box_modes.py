"""Which mode a machine gets, and what is refused."""

import shutil

import pytest

from runners.box import modes, policy, select, selftest, walls
from runners.box.kernel import landlock
from runners.box.launch import Box
from runners.box.modes import Mode, in_force
from runners.box.policy import NoWall
from runners.box.select import choose, select_mode, select_mode_quickly
from runners.box.selftest import Wall
from runners.limits import Limits
from tests.runners.boxes import FIRST, answer_of, bot

needs_landlock = pytest.mark.skipif(
    not landlock.version(), reason="this kernel has no Landlock: this mode is not tested"
)


@pytest.fixture(autouse=True)
def _unsettled(monkeypatch):
    monkeypatch.setenv("SANDBOX", "")
    monkeypatch.delenv("ALLOW_UNSAFE_SANDBOX", raising=False)
    yield
    modes.use_mode(None)


@pytest.fixture
def no_bwrap(monkeypatch, tmp_path):
    """A machine without bubblewrap."""
    (tmp_path / "setpriv").symlink_to(shutil.which("setpriv"))
    walls._find_program.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    yield
    walls._find_program.cache_clear()


@pytest.fixture
def no_template(monkeypatch):
    """A machine on which a template cannot be forked: no process gets namespaces from it."""
    monkeypatch.setattr(policy, "FORK_NAMESPACES", {"threads without memory of their own": 0x10000})


@pytest.mark.parametrize("embedded", [False, True])
def test_auto_forks_a_template_where_its_canaries_hold(embedded):
    chosen = choose(embedded=embedded)
    assert (chosen.mode, chosen.rated, chosen.held) == (Mode.TEMPLATE, True, True)
    assert chosen.advice == ""


@pytest.mark.parametrize("embedded", [False, True])
def test_auto_is_bubblewrap_where_no_template_can_be_forked(no_template, embedded):
    chosen = choose(embedded=embedded)
    assert (chosen.mode, chosen.rated, chosen.held) == (Mode.BWRAP, True, True)
    assert chosen.advice == (
        "Boxes are started by bubblewrap, which takes longer: template does not hold here: a box "
        "did not come up: the template cannot be forked."
    )


def test_templates_need_no_bubblewrap(no_bwrap):
    assert choose(embedded=False).mode is Mode.TEMPLATE


def test_a_server_without_bubblewrap_plays_nothing_and_says_what_to_do(no_template, no_bwrap):
    chosen = select_mode(embedded=False)
    assert (chosen.mode, chosen.rated, chosen.held) == (None, False, False)
    assert "apt-get install bubblewrap" in chosen.advice
    assert "or set SANDBOX=landlock on a machine of your own" in chosen.advice
    with pytest.raises(NoWall, match="bwrap does not hold here"):
        Box(Limits())


@needs_landlock
def test_an_own_machine_without_bubblewrap_takes_landlock_and_says_so(no_template, no_bwrap):
    chosen = select_mode(embedded=True)
    assert (chosen.mode, chosen.rated, chosen.held) == (Mode.LANDLOCK, True, True)
    assert chosen.advice.startswith("Landlock keeps the bots")
    assert in_force() is Mode.LANDLOCK
    assert answer_of(FIRST).message == {"i": 1, "move": "a"}


@needs_landlock
def test_a_server_takes_landlock_if_it_is_named(no_bwrap, monkeypatch):
    monkeypatch.setenv("SANDBOX", "landlock")
    chosen = choose(embedded=False)
    assert (chosen.mode, chosen.rated, chosen.advice) == (Mode.LANDLOCK, True, "")


def test_where_no_mode_holds_no_bot_plays(no_template, no_bwrap, monkeypatch):
    monkeypatch.setattr(landlock, "version", lambda: 0)
    chosen = choose(embedded=True)
    assert (chosen.mode, chosen.held) == (None, False)
    assert "SANDBOX=landlock" not in chosen.advice


def test_a_mode_is_not_taken_if_a_single_canary_escapes(monkeypatch):
    walls_seen = [Wall("opens no socket", True, "denied"), Wall("kills nobody", False, "escaped")]
    monkeypatch.setattr(select, "check", lambda mode: walls_seen)
    chosen = choose(embedded=True)
    assert chosen.mode is None
    assert "“a bot kills nobody” is not true (escaped)" in chosen.advice


def test_no_walls_need_a_second_word_and_are_never_rated(monkeypatch):
    monkeypatch.setenv("SANDBOX", "unsafe-local")
    assert choose(embedded=True).mode is None
    with pytest.raises(NoWall, match="set ALLOW_UNSAFE_SANDBOX=1 as well"):
        Box(Limits())
    monkeypatch.setenv("ALLOW_UNSAFE_SANDBOX", "1")
    chosen = select_mode(embedded=False)
    assert (chosen.mode, chosen.rated, chosen.held) == (Mode.UNSAFE_LOCAL, False, False)
    assert "only with bots you trust" in chosen.advice


def test_canaries_are_never_let_loose_without_walls(monkeypatch):
    monkeypatch.setattr(selftest, "Box", None)
    assert [wall.held for wall in selftest.check(Mode.UNSAFE_LOCAL)] == [False]


def test_without_walls_protocol_clocks_and_limits_stay(monkeypatch):
    monkeypatch.setenv("SANDBOX", "unsafe-local")
    monkeypatch.setenv("ALLOW_UNSAFE_SANDBOX", "1")
    assert answer_of(bot("return open('/etc/passwd').read(1)")).message["move"]
    assert answer_of(bot("while True: pass"), cpu_ms=100).failure.code == "E302"
    assert answer_of(bot("return bytearray(1 << 30)")).message["error"] == "memory"
    assert answer_of(bot("import os", "os._exit(7)")).failure.code == "E308"


def test_a_mode_that_does_not_exist_is_refused_with_the_names_of_all(monkeypatch):
    monkeypatch.setenv("SANDBOX", "chroot")
    for refused in (choose(embedded=True).advice, choose(embedded=False).advice):
        assert refused == (
            "SANDBOX=chroot is no mode: say auto, template, bwrap, landlock, unsafe-local."
        )
    with pytest.raises(NoWall, match="is no mode"):
        Box(Limits())


@pytest.mark.parametrize(
    "name", ["template", "bwrap", pytest.param("landlock", marks=needs_landlock)]
)
def test_a_command_takes_the_mode_that_is_named_without_a_word(monkeypatch, name):
    monkeypatch.setenv("SANDBOX", name)
    assert select_mode_quickly() == ""
    assert in_force() == name


@needs_landlock
def test_a_command_takes_landlock_where_nothing_else_comes_up(no_template, no_bwrap):
    assert select_mode_quickly().startswith("Landlock keeps the bots")
    assert in_force() is Mode.LANDLOCK
