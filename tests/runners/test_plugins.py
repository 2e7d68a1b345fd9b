"""Games and kits of other packages: what can be used is, and what cannot is refused by name."""

import pytest

from engine.registry import GAMES
from runners.box.kernel import landlock
from runners.plugins.discovery import kits, refusals
from tests.runners.packages import (
    BASE,
    GAME,
    KIT,
    discover,
    install,
    install_fourth_game,
    install_game,
    install_kit,
    run,
)

OURS = list(GAMES)
needs_landlock = pytest.mark.skipif(
    not landlock.version(), reason="this kernel has no Landlock: this mode is not tested"
)


def test_our_own_games_and_kits_are_all_used():
    assert refusals() == ()
    assert sorted(kits()) == sorted(GAMES)


def test_an_installed_game_is_registered_and_its_whole_package_goes_into_the_box(tmp_path):
    (tmp_path / "ruby").mkdir()
    (tmp_path / "ruby" / "cards.py").write_text("CARDS = ()\n")
    (tmp_path / "ruby" / "RULES.md").write_text("# Ruby\n")
    (tmp_path / "neighbour").mkdir()
    (tmp_path / "neighbour" / "__init__.py").write_text("")
    install_game(tmp_path, seats=(2, 7))
    found, _ = discover(tmp_path)
    assert sorted(found["games"]) == sorted([*OURS, "ruby"])
    assert found["refusals"] == []
    assert found["max_seats"] == 7
    others = {"bots_sdk", "engine"}
    files = [path for path in found["files"] if path.split("/")[0] not in others]
    assert files == ["ruby/__init__.py", "ruby/cards.py"]
    assert found["importable"] == ["bots_sdk", "engine", "numpy", "ruby"]


def test_an_installed_kit_adds_its_base_class_and_the_files_it_names_and_its_house_bots(tmp_path):
    install_game(tmp_path)
    install_kit(tmp_path)
    found, _ = discover(tmp_path)
    assert found["kits"] == sorted([*OURS, "ruby"])
    assert found["bases"]["RubyBot"] == "ruby"
    kit = [path for path in found["files"] if path.startswith("ruby_kit/")]
    assert kit == ["ruby_kit/__init__.py", "ruby_kit/bot.py", "ruby_kit/house/first.py"]
    assert "ruby_kit" in found["importable"]


def test_a_kit_can_lie_in_the_package_of_its_game(tmp_path):
    files = {
        "ruby/__init__.py": GAME.format(slug="ruby", seats=(2,)),
        "ruby/kit/__init__.py": "from ruby.kit.bot import RubyBot\n",
        "ruby/kit/bot.py": BASE.format(base="RubyBot", slug="ruby"),
        "ruby/kit/kit.py": KIT.format(base="RubyBot", slug="ruby", package="ruby.kit"),
    }
    entries = {"games": "ruby = ruby:GAME", "kits": "ruby = ruby.kit.kit:KIT"}
    install(tmp_path, "karat-ruby", files, **entries)
    found, _ = discover(tmp_path)
    assert found["refusals"] == []
    assert found["bases"]["RubyBot"] == "ruby"


def test_a_game_that_is_a_single_file_works_too(tmp_path):
    text = GAME.format(slug="ruby", seats=(2,))
    install(tmp_path, "karat-ruby", {"ruby.py": text}, games="ruby = ruby:GAME")
    found, _ = discover(tmp_path)
    assert "ruby" in found["games"]
    assert "ruby.py" in found["files"]
    assert "ruby" in found["importable"]


def test_the_digest_of_a_box_changes_with_the_code_of_an_installed_game(tmp_path):
    install_game(tmp_path)
    before, _ = discover(tmp_path)
    (tmp_path / "ruby" / "cards.py").write_text("CARDS = ()\n")
    after, _ = discover(tmp_path)
    assert before["digest"] != after["digest"]


GOOD = GAME.format(slug="ruby", seats=(2,))


@pytest.mark.parametrize(
    ("files", "entry", "reason"),
    [
        pytest.param(
            {"ruby/__init__.py": "1 / 0"},
            "ruby:GAME",
            "it cannot be imported (ZeroDivisionError: division by zero)",
            id="fails to import",
        ),
        pytest.param(
            {"ruby/__init__.py": "raise SystemExit(3)"},
            "ruby:GAME",
            "it cannot be imported (SystemExit: 3)",
            id="ends the process",
        ),
        pytest.param(
            {},
            "ruby:GAME",
            "it cannot be imported (ModuleNotFoundError: No module named 'ruby')",
            id="is not there",
        ),
        pytest.param(
            {"ruby/__init__.py": "GAME = 7"},
            "ruby:GAME",
            "ruby:GAME is no Game but int",
            id="is not a game",
        ),
        pytest.param(
            {"ruby/__init__.py": GAME.format(slug="basari", seats=(2,))},
            "ruby:GAME",
            "the slug basari belongs to engine.games.basari already",
            id="takes a slug of ours",
        ),
        pytest.param(
            {"ruby/__init__.py": GAME.format(slug="Ruby/..", seats=(2,))},
            "ruby:GAME",
            "its slug 'Ruby/..' is not lower-case words joined by hyphens",
            id="has no proper slug",
        ),
        pytest.param(
            {"ruby/__init__.py": f"import pytest\n{GOOD}"},
            "ruby:GAME",
            "it needs pytest, which a box does not have",
            id="needs another package",
        ),
        pytest.param(
            {"ruby/__init__.py": f"import runners.match\n{GOOD}"},
            "ruby:GAME",
            "it needs runners, which a box does not have",
            id="needs what plays matches",
        ),
        pytest.param(
            {"ruby/__init__.py": f"import turtledemo\n{GOOD}"},
            "ruby:GAME",
            "it needs turtledemo, which a box does not have",
            id="needs a module that is left out",
        ),
        pytest.param(
            {
                "ruby/__init__.py": "from pathlib import Path\n"
                f"Path(__file__).with_name('cards.csv').read_text()\n{GOOD}",
                "ruby/cards.csv": "",
            },
            "ruby:GAME",
            "it cannot be imported in a box (FileNotFoundError: ",
            id="reads a file that is not Python",
        ),
        pytest.param(
            {"ruby/__init__.py": GOOD, "ruby/hook.py": ""},
            "league.ruby:GAME",
            "it cannot be imported (ModuleNotFoundError: No module named 'league.ruby')",
            id="says it is a part of ours",
        ),
        pytest.param(
            {"inside_box/__init__.py": GOOD},
            "inside_box:GAME",
            "its package may not be called inside_box",
            id="takes the name of what runs in the box",
        ),
    ],
)
def test_a_game_that_cannot_be_used_is_refused_and_the_others_stay(tmp_path, files, entry, reason):
    install(tmp_path, "karat-ruby", files, games=f"ruby = {entry}")
    found, log = discover(tmp_path)
    assert found["games"] == OURS
    (refusal,) = found["refusals"]
    assert refusal.startswith(f"The game ruby of karat-ruby is refused: {reason}")
    assert refusal in log


def test_of_two_games_with_one_slug_the_second_is_refused(tmp_path):
    install_game(tmp_path, package="ruby_one")
    install_game(tmp_path, package="ruby_two")
    found, _ = discover(tmp_path)
    assert found["games"].count("ruby") == 1
    assert found["refusals"] == [
        "The game ruby of karat-ruby_two is refused: the slug ruby belongs to ruby_one already."
    ]


@pytest.mark.parametrize(
    ("kit", "reason"),
    [
        pytest.param({"slug": "opal"}, "there is no game opal for it", id="without its game"),
        pytest.param(
            {"kit": "1 / 0"},
            "it cannot be imported (ZeroDivisionError: division by zero)",
            id="fails to import",
        ),
        pytest.param({"kit": "KIT = 7"}, "ruby_kit.kit:KIT is no Kit but int", id="is not a kit"),
        pytest.param(
            {"base": "BasariBot"},
            "there is another base class BasariBot",
            id="takes the name of a base class",
        ),
        pytest.param(
            {"bot": "import pytest\nclass RubyBot: pass\n"},
            "it needs pytest, which a box does not have",
            id="needs another package",
        ),
        pytest.param(
            {"__init__": ""},
            "it cannot be imported in a box (AttributeError: ",
            id="does not export its base class",
        ),
        pytest.param(
            {"kit": KIT.format(slug="ruby", package="ruby_kit", base=None).replace("bot", "rob")},
            "its file ruby_kit/rob.py is missing",
            id="names a file that is not there",
        ),
        pytest.param(
            {"kit": KIT.format(slug="ruby", package="ruby_kit", base=None).replace("bot", "../x")},
            "../x.py is no Python file of the kit",
            id="names a file of somebody else",
        ),
        pytest.param(
            {"slug": "basari"},
            "bots_sdk.games.basari is the kit of basari already",
            id="is the second of its game",
        ),
    ],
)
def test_a_kit_that_cannot_be_used_is_refused_and_its_game_stays(tmp_path, kit, reason):
    install_game(tmp_path)
    install_kit(tmp_path, **kit)
    found, log = discover(tmp_path)
    assert "ruby" in found["games"]
    assert found["kits"] == sorted(OURS)
    (refusal,) = found["refusals"]
    assert f"of karat-ruby_kit is refused: {reason}" in refusal
    assert refusal in log


def test_only_karat_brings_the_sdk(tmp_path):
    install(tmp_path, "other", {}, others="[karat.sdk]\nother = nowhere:SDK")
    found, _ = discover(tmp_path)
    assert found["refusals"] == [
        "The SDK other of other is refused: only Karat itself brings the SDK."
    ]


def test_what_is_broken_in_our_own_distribution_is_loud(tmp_path):
    install(
        tmp_path,
        "karat-league",
        {},
        games="basari = nowhere:GAME",
        others="[karat.sdk]\nbots_sdk = bots_sdk.box:SDK",
    )
    done = run(tmp_path, "import runners; from engine.registry import GAMES; list(GAMES)")
    assert done.returncode == 1
    assert "BrokenInstallation: The game basari of karat-league is refused" in done.stderr


BOXED = """
import runners
from engine.registry import find
from runners.boxed import boxed_players
from runners.match import play
from runners.upload.source import outline_own

SOURCE = '''
from ruby_kit import RubyBot as Base
from engine.registry import find
from engine.rng import Rng

class Mine(Base):
    def decide(self, view, options):
        game = find("ruby")
        position = game.imagine(view, Rng("1"))
        return game.options(position, view.seat)[0]
'''
game = find("ruby")
with boxed_players([SOURCE] * 3, "7") as players:
    match = play(game, players, "7")
print(outline_own(SOURCE).games, match.faults)
"""


FOURTH = """
import runners
from engine.registry import find
from pathlib import Path
from runners.boxed import boxed_players
from runners.limits import max_seats
from runners.match import play
from runners.plugins.discovery import kits, refusals
from runners.upload.check import check

game = find("tidepool")
source = (kits()["tidepool"].folder / "starter.py").read_text()
assert all(step.ok for step in check(source.encode(), game))
seats = max(game.seats)
assert max_seats() >= seats > 5
with boxed_players([source] * seats, "7") as players:
    match = play(game, players, "7", recorded=True)
print(match.faults, refusals())
"""


def test_the_fourth_game_is_checked_and_played_in_boxes_at_its_largest_table(tmp_path):
    install_fourth_game(tmp_path)
    done = run(tmp_path, FOURTH)
    assert done.stdout == "[] ()\n", done.stdout + done.stderr


@pytest.mark.parametrize("mode", ["bwrap", pytest.param("landlock", marks=needs_landlock)])
def test_a_bot_finds_an_installed_game_and_its_kit_in_the_box(tmp_path, mode):
    install_game(tmp_path)
    install_kit(tmp_path)
    done = run(tmp_path, BOXED, SANDBOX=mode)
    assert done.stdout == "('ruby',) []\n", done.stderr
