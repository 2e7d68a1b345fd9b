"""A valid archive with random damage: the same content or a clear no, and never a crash."""

import json
import random
from contextlib import suppress
from dataclasses import asdict

import pytest

from runners.bundles.bundle import Bundle
from runners.bundles.limited.unzip import answer
from runners.bundles.limits import DEFAULT
from runners.bundles.pack import pack
from runners.bundles.unpack import unpack
from runners.upload.finding import Finding
from tests.runners.bundles.archives import archive, member, with_descriptor
from tests.runners.bundles.test_pack import FILES

BUNDLE = Bundle(FILES | {"zeros.npy": bytes(3000)})
ARCHIVES = {
    "stored": pack(BUNDLE),
    "compressed": pack(BUNDLE, compress=True),
    "a stream": archive(
        *(with_descriptor(member(path, data)) for path, data in BUNDLE.files.items())
    ),
}
HEAD = json.dumps(asdict(DEFAULT)).encode() + b"\n"


def damage(data, chance):
    """The archive with one to three changes: a bit, a byte, a cut, a part twice or elsewhere."""
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at, other = chance.randrange(len(damaged)), chance.randrange(len(damaged))
        match chance.randrange(6):
            case 0 | 1:
                damaged[at] ^= 1 << chance.randrange(8)
            case 2:
                damaged[at] = chance.choice([0, 1, 0x7F, 0xFF])
            case 3:
                del damaged[at : at + chance.randint(1, 40)]
            case 4:
                damaged[at:at] = damaged[other : other + chance.randint(1, 40)]
            case 5:
                damaged[at : at + 4] = damaged[other : other + 4]
    return bytes(damaged)


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_damaged_archive_is_the_same_or_refused_by_the_child(name):
    chance = random.Random(f"damage {name}")
    same = refused = 0
    for _ in range(3000):
        head, _, contents = answer(HEAD + damage(ARCHIVES[name], chance)).partition(b"\n")
        document = json.loads(head)
        if "refusal" in document:
            assert document["refusal"]["reason"]
            refused += 1
        else:
            assert sorted(contents) == sorted(b"".join(BUNDLE.files.values()))
            same += 1
    assert refused > 2000
    assert same > 20


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_damaged_archive_never_harms_who_asked(name):
    chance = random.Random(f"harm {name}")
    for _ in range(25):
        with suppress(Finding):
            bundle = unpack(damage(ARCHIVES[name], chance))
            assert sorted(bundle.files.values()) == sorted(BUNDLE.files.values())
