"""What a fork has of its template and of other forks: nothing but code, and accounts of its own."""

import gc
import json
import random

import pytest

from runners.box.modes import Mode
from runners.inside_box.template import seeders
from tests.runners.boxes import ask, bot
from tests.runners.templates import boxes_of

BOTH = (Mode.TEMPLATE, Mode.BWRAP)


@pytest.fixture(autouse=True)
def _forked(monkeypatch):
    monkeypatch.setenv("SANDBOX", Mode.TEMPLATE)


STATE = """
import builtins, ctypes, decimal, gc, json, locale, math, os, random, signal, sys, warnings
import engine.registry, bots_sdk

INTERNED = sys.intern("edelstein")

def state():
    "All that a bot could have changed for others, as text."
    handlers = {s.name: str(signal.getsignal(s)) for s in signal.Signals if s.name != "SIGINT"}
    return json.dumps({
        "numbers": [6 + 1, len("1234567"), sum([3, 4])],
        "texts": ["".join(["edel", "stein"]) == INTERNED, sys.intern("edel" + "stein")],
        "constants": [str(None), str(True), str(()), str(b"x"[0:1]), str("x"[0:1])],
        "modules": sorted(set(sys.modules) - {"bot"}),
        "builtins": sorted(vars(builtins)),
        "functions": [json.dumps.__qualname__, random.random.__qualname__, len.__qualname__],
        "attributes": [math.pi, sys.maxsize, bots_sdk.Bot.decide.__qualname__],
        "games": sorted(engine.registry.GAMES),
        "environment": dict(os.environ),
        "in C": str(ctypes.CDLL(None).getenv(b"KARAT_POLLUTED")),
        "handlers": handlers,
        "SIGINT": str(signal.getsignal(signal.SIGINT)).partition(" at ")[0],
        "mask": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "recursion": sys.getrecursionlimit(),
        "gc": [gc.isenabled(), gc.get_threshold(), gc.get_freeze_count() > 0],
        "path": [sys.path, sys.argv, [str(type(hook)) for hook in sys.meta_path]],
        "precision": decimal.getcontext().prec,
        "warnings": str(warnings.filters),
        "digits": sys.get_int_max_str_digits(),
        "switch": sys.getswitchinterval(),
        "file": os.getcwd(),
    })

def pollute():
    ctypes.c_uint32.from_address(id(7) + 24).value = 8
    ctypes.memmove(id(INTERNED) + sys.getsizeof("") - 1, b"E", 1)
    ctypes.CDLL(None).setenv(b"KARAT_POLLUTED", b"1", 1)
    os.environ["POLLUTED"] = "1"
    json.dumps = random.random = lambda *a, **k: "polluted"
    math.pi, sys.maxsize = 4, 5
    builtins.polluted = bots_sdk.Bot.decide = pollute
    random.seed(4)
    for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGSEGV, signal.SIGINT):
        signal.signal(number, lambda *a: None)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGUSR2])
    sys.setrecursionlimit(77777)
    gc.disable()
    gc.set_threshold(1, 2, 3)
    gc.unfreeze()
    sys.path.insert(0, "/polluted")
    sys.meta_path.clear()
    sys.modules["polluted"] = sys
    del sys.modules["random"]
    engine.registry.GAMES = {}
    decimal.getcontext().prec = 3
    warnings.simplefilter("error")
    sys.set_int_max_str_digits(0)
    sys.setswitchinterval(1)
    os.write(1, b"polluted")
"""
TELLS = bot("return state()", before=STATE)
POLLUTES = bot("pollute()", "return 'a'", before=STATE)


def test_what_a_bot_changes_is_changed_for_nobody_else():
    with boxes_of(TELLS, POLLUTES, POLLUTES) as [sibling, *polluters]:
        pristine = ask(sibling).message["move"]
        assert json.loads(pristine)["numbers"] == [7, 7, 7]
        assert json.loads(pristine)["texts"] == [True, "edelstein"]
        for polluter in polluters:
            assert ask(polluter).message == {"i": 1, "move": "a"}, polluter.log()
        with boxes_of(TELLS) as [later]:
            assert ask(later).message["move"] == pristine
            assert later.log() == b""
        assert ask(sibling, 2).message["move"] == pristine


def test_the_bot_of_that_test_changes_what_it_says():
    told = "return f\"{int('7')} {INTERNED} {math.pi} {random.random()} {os.environ['POLLUTED']}\""
    with boxes_of(bot("pollute()", told, before=STATE)) as [box]:
        assert ask(box).message["move"] == "8 Edelstein 4 polluted 1"
        assert box.log() == b"polluted"


ORDER = bot(
    "import sys",
    "words = {'opal', 'achat', 'jade', 'topas', 'rubin', 'onyx', ('a', 1), 2.5, b'x'}",
    "return f'{list(words)} {hash(\"karat\")} {sys.flags.hash_randomization} {self.rng.random()}'",
)


def test_a_bot_is_reproducible_and_the_same_in_both_modes():
    answers = []
    for mode in (*BOTH, *BOTH):
        with boxes_of(ORDER, mode=mode) as [box]:
            answers.append(ask(box).message["move"])
    assert len(set(answers)) == 1, answers


CHANCES = {
    "random": "random.random()",
    "a new generator": "random.Random().random()",
    "shuffling": "random.sample(range(10**6), 5)",
    "hidden state": "random.getstate()[1][:3]",
    "random bytes": "random.randbytes(8)",
    "numpy": "numpy.random.rand()",
    "state of numpy": "numpy.random.get_state()[1][:3].tolist()",
    "a new generator of numpy": "numpy.random.default_rng().random()",
    "the system": "os.urandom(8)",
    "secrets": "secrets.token_hex(8)",
    "uuid": "uuid.uuid4()",
    "OpenSSL": "ssl.RAND_bytes(8)",
}


@pytest.mark.parametrize("numpy", [False, True], ids=["plain", "numpy"])
def test_no_two_boxes_have_the_same_chance(numpy):
    values = "\n".join(f"    {name!r}: str({value})," for name, value in CHANCES.items())
    before = "import json, numpy, os, random, secrets, ssl, uuid\n"
    source = bot("return json.dumps(FIRST)", before=f"{before}FIRST = {{\n{values}\n}}\n")
    with boxes_of(*[source] * 4, numpy=numpy) as boxes:
        answers = [json.loads(ask(box).message["move"]) for box in boxes]
    for name in CHANCES:
        assert len({answer[name] for answer in answers}) == len(answers), name


def test_every_generator_that_was_made_before_the_fork_begins_anew():
    generator = random.Random(3)
    assert gc.is_tracked(generator)
    before = generator.getstate()
    for seed in seeders():
        seed()
    assert generator.getstate() != before


ENDINGS = {
    "leaves with 0": "os._exit(0)",
    "leaves with 7": "os._exit(7)",
    "leaves with 127": "os._exit(127)",
    "leaves with more than a status": "os._exit(200)",
    "asks to leave": "sys.exit(3)",
    "reads nowhere": "ctypes.string_at(8)",
    "gives up": "os.abort()",
    "kills itself": "os.kill(os.getpid(), 9)",
    "floods its log": "signal.signal(signal.SIGXFSZ, signal.SIG_DFL); os.write(1, bytes(99999))",
    "floods it again": "os.write(1, bytes(99999)); os.write(1, b'x')",
    "asks for a namespace": "ctypes.CDLL(None).unshare(0x10000000)",
    "closes its wire": "os.close(3); time.sleep(60)",
    "runs out of memory": "bytearray(1 << 40)",
    "fills its memory": "x = [bytes(1 << 20) for _ in range(10**6)]",
    "recurses": "(lambda f: f(f))(lambda f: f(f))",
    "raises": "1 / 0",
    "speaks twice": "os.write(3, b'x' * 9)",
}


@pytest.mark.parametrize("how", ENDINGS)
def test_a_box_that_ends_gets_the_same_verdict_as_with_bubblewrap(how):
    source = bot(ENDINGS[how], "return 'a'", before="import ctypes, os, signal, sys, time")
    verdicts = []
    for mode in BOTH:
        with boxes_of(source, mode=mode) as [box]:
            reply = ask(box, cpu_ms=4000, wall_ms=20_000)
            message = dict(reply.message or {})
            verdicts.append((reply.failure, message))
    assert verdicts[0] == verdicts[1]


BURN_MS = 300
EXIT_5 = "The process ended with exit status 5."
BURNS = bot(
    f"end = time.process_time() + {BURN_MS / 1000}",
    "while time.process_time() < end: pass",
    "os.write(1, f'{time.process_time()} '.encode())",
    "if options[0] == 'leave': os._exit(5)",
    "return 'a'",
    before="import os, time",
)


def test_a_box_pays_for_what_its_process_used_and_for_nothing_else():
    with boxes_of(BURNS) as [box]:
        loading_ms = box.reply.cpu_ms
        answered = ask(box, 1, ["stay"], wall_ms=20_000)
        left = ask(box, 2, ["leave"], wall_ms=20_000)
        assert (left.failure.code, left.failure.detail) == ("E308", EXIT_5)
        assert min(answered.cpu_ms, left.cpu_ms) >= BURN_MS
        # The clock of the process has run since the fork, and hardly longer than it told itself.
        own_clock_ms = float(box.log().split()[-1]) * 1000
        final_ms = box._final().cpu_seconds * 1000
        assert own_clock_ms <= final_ms < own_clock_ms + BURN_MS / 2
        paid_ms = box.start_cpu_ms + loading_ms + answered.cpu_ms + left.cpu_ms
        assert paid_ms == pytest.approx(final_ms, abs=0.01)
