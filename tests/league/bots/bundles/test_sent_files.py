"""Files as a form announces them: whatever names and sizes somebody makes up."""

import pytest

from league.bots.bundles import sent_files
from league.bots.bundles.sent_files import MAX_SIZE


def read(*rows):
    return sent_files.read([], [], [list(row) for row in rows])


def test_names_far_below_other_folders_are_not_shown():
    deep = "/".join("a" * 300)
    sent = read(("bot.py", 1), (deep, 0), ("x" * 1000, 0))
    assert [file.path for file in sent.listed] == ["bot.py"]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(("bot\ud800.py", 1), id="half a character"),
        pytest.param(("bot.py", MAX_SIZE + 1), id="a size beyond all files"),
        pytest.param(("bot.py", -1), id="less than nothing"),
        pytest.param((7, 1), id="a number for a name"),
    ],
)
def test_what_no_browser_sends_is_refused(row):
    with pytest.raises(ValueError, match="damaged"):
        read(row)


def test_ten_thousand_names_to_leave_out_are_looked_at_once():
    sent = read(("bot.py", 1), *((f".hidden/{number}", 1) for number in range(9_999)))
    assert [file.path for file in sent.listed] == ["bot.py"]
    assert len(sent.left_out) == 9_999
