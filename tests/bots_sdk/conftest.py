"""What the tests of the command share."""

import sys

import pytest

from bots_sdk.cli import main


@pytest.fixture
def refused(monkeypatch, capsys):
    """Call the command in this process, and expect one sentence and exit status 2."""

    def refused(arguments):
        monkeypatch.setattr(sys, "argv", ["karat", *arguments.split()])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        assert ended.value.code == 2
        assert shown.out == ""
        assert shown.err.count("\n") == 1
        return shown.err

    return refused
