"""Files that are many in the source and one for a browser."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from bots_sdk.viewer.concatenate import script
from league.assets.concatenate import BUNDLES


@pytest.fixture
def found(settings, tmp_path):
    """What the finder writes, in a folder of this test."""
    settings.VAR = tmp_path
    finders.get_finder.cache_clear()
    yield lambda name: Path(finders.find(name)).read_text(encoding="utf-8")
    finders.get_finder.cache_clear()


def test_a_bundle_is_its_parts_in_their_order(found):
    tokens, site = found("viewer/tokens.css"), found("site.css")
    assert found("bundles/site.css") == tokens + site
    assert found("bundles/viewer.js") == script()


def test_every_bundle_is_collected_and_nothing_else_is_found(found):
    listed = dict(finders.get_finder("league.assets.concatenate.Bundles").list([]))
    assert listed.keys() == BUNDLES.keys()
    assert all(storage.exists(name) for name, storage in listed.items())
    assert finders.find("bundles/other.css") is None
