"""The ten mistakes are what their index says."""

import pytest

from runners.upload.source import outline_own
from tests.mistakes.index import FOLDER, MISTAKES

READ = {"E101", "E102", "E103", "E105"}
"""Codes of mistakes that can be seen without running the file."""


def test_every_file_is_in_the_index():
    files = {path for path in FOLDER.iterdir() if path.suffix in {".py", ".txt"}}
    files -= {FOLDER / name for name in ("index.py", "outputs.py", "test_mistakes.py")}
    assert files == {mistake.path for mistake in MISTAKES}


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_reading_a_mistake_finds_its_code_if_reading_is_enough(mistake):
    codes = [finding.code for finding in outline_own(mistake.source).findings()]
    assert codes == ([mistake.code] if mistake.code in READ else [])
