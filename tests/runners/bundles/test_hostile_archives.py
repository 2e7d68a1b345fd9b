"""Archives that were made to harm or to confuse whoever opens them: each is refused by name."""

import json
import time
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from runners import limited_process
from runners.bundles.bundle import Bundle
from runners.bundles.limited import unzip
from runners.bundles.limits import BundleLimits
from runners.bundles.pack import pack
from runners.bundles.unpack import MAX_HEAD, unpack
from runners.failures import InfrastructureError
from runners.faults import message
from runners.upload.finding import Finding
from tests.runners.bundles.archives import BOT, archive, member, with_descriptor
from tests.runners.bundles.hostile_archives import GOOD, HOSTILE, MIB, second


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused_by_the_name_of_its_entry(name):
    data, file, reason = HOSTILE[name]
    data = data() if callable(data) else data
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    with pytest.raises(Finding) as raised:
        unpack(data)
    finding = raised.value
    assert (finding.code, finding.file) == ("E109", file)
    assert reason in finding.values["reason"]
    assert getrusage(RUSAGE_CHILDREN).ru_utime - before < 3
    text = message(finding.code, **finding.values).explanation
    assert text.isprintable()
    assert len(text) < 500
    assert file is None or text.startswith(f"`{file}`: ")


def test_every_reason_says_what_to_do():
    verbs = "rename|pack|leave|keep|put|use|write|shorten|give|choose"
    for data, _, _ in HOSTILE.values():
        if not callable(data):
            finding = unzip_here(data)
            assert any(f" {verb} " in finding["reason"] for verb in verbs.split("|"))


def unzip_here(data):
    """What the child says, said by this process."""
    limits = b'{"unpacked_mib": 64, "packed_mib": 20, "files": 500, "depth": 8, "path_length": 200}'
    return json.loads(unzip.answer(limits + b"\n" + data).partition(b"\n")[0])["refusal"]


def test_an_archive_that_is_too_large_is_not_even_opened():
    with pytest.raises(Finding) as raised:
        unpack(bytes(21 * MIB))
    assert "21.0 MB, the limit is 20 MB" in raised.value.values["reason"]


def test_the_operator_sets_the_limits():
    bundle = Bundle({"bot.py": BOT, "a/b/c.npy": bytes(3 * MIB)})
    data = pack(bundle)
    assert unpack(data, BundleLimits(3 + 1, 4, 2, 3, 9)) == bundle
    for limits, reason in [
        (BundleLimits(unpacked_mib=3), "the limit is 3 MB"),
        (BundleLimits(packed_mib=3), "the limit is 3 MB"),
        (BundleLimits(files=1), "the limit is 1"),
        (BundleLimits(depth=2), "the limit is 2"),
        (BundleLimits(path_length=8), "the limit is 8"),
    ]:
        with pytest.raises(Finding, match=reason):
            unpack(data, limits)


def test_what_is_in_an_archive_in_an_archive_is_data():
    inner = second("../../b.npy")
    bundle = Bundle({"bot.py": BOT, "inner.zip": inner})
    assert unpack(pack(bundle)) == bundle
    assert unpack(archive(GOOD, with_descriptor(member("inner.zip", inner, method=0)))) == bundle


def test_nothing_of_an_archive_is_written_before_it_is_checked(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Finding):
        unpack(second("../b.npy"))
    assert list(Path(tmp_path).parent.rglob("b.npy")) == []


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"no line",
        b"not JSON\n",
        b"[]\n",
        b'{"files": 3}\n',
        b'{"files": [["bot.py", "x"]]}\n',
        b'{"files": [["bot.py", 3]]}\nab',
        b'{"files": [["bot.py", 1]]}\nab',
        b'{"files": [["bot.py", 1], ["bot.py", 1]]}\nab',
        b" " * MAX_HEAD + b'{"files": []}\n',
    ],
)
def test_an_answer_that_does_not_add_up_is_our_failure(monkeypatch, answer):
    monkeypatch.setattr(limited_process, "run", lambda *_, **__: answer)
    with pytest.raises(InfrastructureError):
        unpack(archive(GOOD))


@pytest.mark.parametrize("path", ["../bot.py", "/bot.py", "a.so"])
def test_what_the_child_lets_pass_is_checked_again(monkeypatch, path):
    answer = f'{{"files": [["bot.py", 1], ["{path}", 1]]}}\nab'.encode()
    monkeypatch.setattr(limited_process, "run", lambda *_, **__: answer)
    with pytest.raises(Finding):
        unpack(archive(GOOD))


def test_a_full_bundle_is_opened_in_good_time():
    bundle = Bundle({"bot.py": BOT, "w.npy": bytes((64 << 20) - len(BOT))})
    data = pack(bundle, compress=True)
    began = time.monotonic()
    assert unpack(data).digest == bundle.digest
    assert time.monotonic() - began < 10
