"""Files that are many in the source and one for a browser."""

import gzip
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from bots_sdk.viewer.concatenate import script, styles
from league.assets.finder import CONTENTS

KIB = 1024


@pytest.fixture
def read(settings, tmp_path):
    """Read what the finder writes, in a folder of this test."""
    settings.VAR = tmp_path
    finders.get_finder.cache_clear()
    yield lambda name: Path(finders.find(name)).read_text(encoding="utf-8")
    finders.get_finder.cache_clear()


def test_a_concatenated_file_is_its_parts_in_their_order(read):
    tokens, site = read("viewer/tokens.css"), read("site.css")
    assert read("concatenated/site.css") == tokens + site
    assert read("concatenated/viewer.js") == script()
    assert read("concatenated/match.css") == styles() + read("matches.css")
    assert read("concatenated/karat.js") == read("karat.js") + read("spoilers.js")


def test_what_all_pages_load_is_small(read):
    assert len(gzip.compress(read("concatenated/karat.js").encode())) <= 4 * KIB
    assert len(gzip.compress(read("concatenated/site.css").encode())) <= 14 * KIB


def test_every_concatenated_file_is_collected_and_nothing_else_is_found(read):
    listed = dict(finders.get_finder("league.assets.finder.ConcatenatedFiles").list([]))
    assert listed.keys() == CONTENTS.keys()
    assert all(storage.exists(name) for name, storage in listed.items())
    assert finders.find("concatenated/other.css") is None
