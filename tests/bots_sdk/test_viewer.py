"""What a server writes for the viewer, how much of it there is, and `karat watch` itself."""

import gzip
import json
import re
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from bots_sdk.cli.commands.watch import replay
from bots_sdk.viewer import concatenate, files, moments, sheets
from bots_sdk.viewer.concatenate import script, shared_styles, styles
from bots_sdk.viewer.files import FOLDER
from bots_sdk.viewer.page import replay_html
from bots_sdk.viewer.replay import replay_of
from bots_sdk.viewer.sentences import sentence
from bots_sdk.viewer.server import server
from engine.barter.rounds import action_rounds, barter_spans
from engine.facets.presentation import Presentation
from engine.narration import ordinal
from engine.record.insight import insight
from engine.record.reading import RecordError, read
from engine.registry import GAMES
from runners.plugins.discovery import kits
from runners.plugins.kit import Kit
from tests.engine.tables import every_table, recorded
from tests.engine.test_golden import GOLDEN

KIB = 1024


def shown(record, view="everything", **more):
    return replay_html(replay_of(record, view=view, record_url="/r", page_url="/m?match=1", **more))


def test_the_viewer_is_small():
    assert len(gzip.compress(script().encode())) <= 19 * KIB
    assert len(gzip.compress(shared_styles().encode())) <= 9 * KIB
    assert len(gzip.compress(styles().encode())) <= 11 * KIB


def test_the_modules_become_one_script_in_which_each_stands_before_those_that_need_it():
    text = script()
    names = re.findall(r"^const \$(\w+) = \(\(\) => \{", text, re.MULTILINE)
    shared = {f"viewer_{path.stem}" for path in FOLDER.glob("*.js")}
    games = {f"games_{slug.replace('-', '_')}_viewer" for slug in kits()}
    assert set(names) == shared | games
    assert names[-1] == "viewer_viewer"
    for used in re.finditer(r"^const .* = \$(\w+);$", text, re.MULTILINE):
        assert text.index(f"const ${used[1]} =") < used.start()
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)


@pytest.fixture
def other_kit(monkeypatch, tmp_path):
    """Install a kit whose files are written by the test."""
    (tmp_path / "__init__.py").touch()
    kit = Kit(slug="other", package="other")
    kit.__dict__["folder"] = tmp_path
    monkeypatch.setattr(files, "kits", lambda: {**kits(), "other": kit})
    return tmp_path


def test_a_kit_of_another_package_brings_modules_and_styles(other_kit):
    (other_kit / "words.js").write_text('export const word = "gem";\n', encoding="utf-8")
    (other_kit / "viewer.css").write_text(".other { color: red; }\n", encoding="utf-8")
    (other_kit / "viewer.js").write_text(
        'import { h } from "/viewer/dom.js";\n'
        'import { register } from "/viewer/tables.js";\n'
        'import { word } from "./words.js";\n'
        'register("other", { seat: () => h("p", word) });\n',
        encoding="utf-8",
    )
    own = script().split("try {\nconst ")[-1]
    assert own.index("$games_other_words = (") < own.index("const $games_other_viewer")
    assert "const { word } = $games_other_words;" in own
    assert styles().endswith(".other { color: red; }\n")
    assert files.find_file("/games/other/__init__.py") is None


@pytest.mark.parametrize(
    "line",
    [
        'import x from "./dom.js";',
        "export default 1;",
        "import(y);",
        'import { x } from "./nothing.js";',
        'import { x } from "./viewer.js";',
    ],
)
def test_a_kit_with_imports_that_cannot_be_resolved_is_left_out_by_name(other_kit, caplog, line):
    whole = script()
    (other_kit / "viewer.js").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="/games/other/"):
        concatenate._gather("/games/other/viewer.js", {}, files.find_file)
    assert script() == whole
    assert "/games/other/" in caplog.text


def test_no_module_or_page_brings_style_or_script_inline():
    tables = [kit.folder / "viewer.js" for kit in kits().values()]
    for path in [*tables, *FOLDER.rglob("*.js"), *FOLDER.glob("*.html"), *FOLDER.glob("*.svg")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'style="|setAttribute\("style|innerHTML|\beval\(|onclick="', text)
    for table in ("basari", "edelsteinsuche"):
        html = shown(recorded(GAMES[table], 3, "inline"))
        assert not re.search(r"\sstyle=|\son\w+=|<style", html)


@every_table
def test_a_match_fits_into_three_minutes_and_its_highlights_into_forty_seconds(game, seats):
    record, show = recorded(game, seats, "long"), game.presentation
    steps = record["steps"]
    times = moments.times_ms(steps, show)
    assert sum(times) <= 180_000
    marks = moments.marks(record, insight(record)["remarks"], show, show.scores(record))
    chosen = moments.highlights(steps, marks, show)
    assert sum(times[i] for i in chosen) <= 40_000
    assert chosen[0] == 0
    assert chosen[-1] == len(steps) - 1


class Sheets(HTMLParser):
    """Scoring sheets as rows of cells of text."""

    def __init__(self):
        super().__init__()
        self.sheets = []

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.sheets.append([])
        elif tag == "tr":
            self.sheets[-1].append([])
        elif tag in {"th", "td"}:
            self.sheets[-1][-1].append("")

    def handle_data(self, data):
        if self.sheets:
            self.sheets[-1][-1][-1] += data


def scoring_cases(steps):
    """Which of the ways to be paid a match has seen."""
    for step in steps:
        if step["t"] == "score":
            yield "shared" if sum(map(bool, step["paid"])) > 1 else "alone"
            if any(step.get("bonus", ())):
                yield "event cards"
        if step["t"] == "certificates":
            most, second, third = sorted([*step["held"], 0, 0], reverse=True)[:3]
            if most == second > 0:
                yield "as many certificates"
            elif second == third > 0:
                yield "as many certificates behind the first"


CASES = {
    "basari": {"alone", "shared"},
    "edel-stein-reich": {
        *("alone", "shared", "event cards"),
        *("as many certificates", "as many certificates behind the first"),
    },
}


@pytest.mark.parametrize("slug", CASES)
def test_the_lines_of_a_scoring_sheet_add_up_to_what_each_seat_gained(slug):
    seen = set()
    for record in (recorded(GAMES[slug], 5, f"sheets {n}") for n in range(12)):
        seen |= set(scoring_cases(record["steps"]))
        scores = GAMES[slug].presentation.scores(record)
        page = sheets.sheets(replay_of(record, record_url="/r", page_url="/m"))
        places = re.findall(r'data-from="(\d+)" data-to="(\d+)"', page)
        reader = Sheets()
        reader.feed(page)
        assert len(places) == len(reader.sheets) == 3
        for (first, last), (_, *lines, total) in zip(places, reader.sheets, strict=True):
            for seat in range(5):
                gained = scores[int(last)][seat] - scores[int(first) - 1][seat]
                assert total[1 + seat].startswith(f"+{gained} ")
                paid = [int(n) for line in lines for n in re.findall(r"\+(\d+)", line[1 + seat])]
                assert sum(paid) == gained
    assert seen >= CASES[slug]


def test_sentences_fill_in_names_and_cards_and_escape_what_strangers_wrote():
    suche, basari = GAMES["edelsteinsuche"].presentation, GAMES["basari"].presentation
    text = "{0} draws {card} from {1}'s row."
    html = sentence(text, {"card": "S4"}, ["<i>", "B & Co"], suche)
    assert "&lt;i&gt;" in html
    assert "B &amp; Co" in html
    assert ">Sapphire 4<" in html
    assert "a hidden card" in sentence("{0} draws {card}.", {}, ["A"], suche)
    assert sentence("red: 2 red.", {}, [], basari).startswith("Red")
    assert '<span class="kv-kg kv-r">2<span> red</span></span>' in sentence("2 red", {}, [], basari)
    names = [f"bot {seat}" for seat in range(12)]
    html = sentence("{11} shows {tile}.", {"tile": "<x>"}, names, Presentation())
    assert 'kv-s11">L</b>' in html
    assert "shows &lt;x&gt;." in html


def test_places_are_ordinals_for_any_number_of_seats():
    ordinals = [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 112)]
    assert ordinals == "1st 2nd 3rd 4th 11th 12th 13th 21st 112th".split()


def test_a_game_that_is_not_installed_is_shown_by_the_defaults():
    record = recorded(GAMES["basari"], 3, "other") | {"game": "halma"}
    page = shown(record, views=("everything", "public"))
    assert len(re.findall(r'<li id="log-\d+"', page)) == len(record["steps"])
    assert "<h2>halma, 3 seats</h2>" in page
    assert "kv-view" not in page
    data = json.loads(re.search(r'data-slot="data">(.*?)</script>', page)[1])
    last = [str(score) for score in record["outcome"]["scores"]]
    assert data["scores"] == [[0, ["", "", ""]], [len(record["steps"]) - 1, last]]


def test_rounds_know_at_the_reveal_what_is_bartered_for_and_later_who_got_it():
    steps = recorded(GAMES["edel-stein-reich"], 4, "rounds")["steps"]
    rounds = action_rounds(steps)
    assert len(rounds) == sum(step["t"] == "deal" for step in steps)
    for one in rounds:
        reveal = next(step for step in steps[one.start : one.end] if step["t"] == "choose")
        for action in set(reveal["moves"]):
            wanting = reveal["moves"].count(action)
            first = next(fate for fate in one.fates if fate.action == action)
            assert first.i == reveal["i"]
            assert first.kind == {1: "alone", 2: "barter"}.get(wanting, "cancelled")
            assert one.result(action).kind in ("alone", "sold", "nobody", "cancelled")


def test_a_scene_lasts_from_the_opening_until_the_winner_has_acted():
    steps = recorded(GAMES["edel-stein-reich"], 3, "scenes")["steps"]
    for first, last in barter_spans(steps):
        course = [step["t"] for step in steps[first : last + 1]]
        assert course[0] == "barter"
        assert course[-1] in ("act", "keep", "use", "lapse")
        assert course.count("barter") == 1
    assert len(barter_spans(steps)) == sum(step["t"] == "barter" for step in steps)


def test_every_step_is_a_line_with_a_link_and_a_hidden_card_is_on_none_of_them():
    record = recorded(GAMES["edelsteinsuche"], 3, "lines")
    page = shown(record, "public")
    assert len(re.findall(r'<li id="log-\d+"', page)) == len(record["steps"])
    assert 'href="?match=1&amp;view=public&amp;step=5"' in page
    assert record["seed"] not in json.dumps(page)
    assert "draws a hidden card from" in page


def test_without_javascript_the_line_of_a_link_is_marked_and_a_site_may_add_drawers():
    record = recorded(GAMES["basari"], 3, "plain")
    page = shown(record, step=7, drawers=(("Receipts", "<p>+3</p>"),))
    assert re.findall(r'<li id="log-(\d+)"[^>]*aria-current="step"', page) == ["7"]
    assert "<summary>Receipts</summary><p>+3</p>" in page
    assert '<a href="/r" download>' in page


@pytest.mark.parametrize(
    ("game", "chapter", "period"),
    [
        ("edel-stein-reich", "phase", "round"),
        ("basari", "stage", "round"),
        ("edelsteinsuche", "part", "turn"),
    ],
)
def test_the_help_calls_the_parts_of_a_match_what_the_game_calls_them(game, chapter, period):
    page = shown(recorded(GAMES[game], 3, "words"))
    assert f"<td>one {chapter} back or on</td>" in page
    assert f'title="{chapter.capitalize()} on (Page Down)"' in page
    assert f"<td>one {period} back or on</td>" in page
    assert ("hase" in re.sub(r"#kv-phase", "", page[page.index("kv-help") :])) is (
        chapter == "phase"
    )


def test_notes_faults_and_slow_decisions_stand_in_the_log():
    record = recorded(GAMES["basari"], 3, "told")
    offer = next(step for step in record["steps"] if step["t"] == "offer")
    offer |= {"note": "cheap <enough>", "ms": 180.0, "fault": "E303"}
    record["limits"] = {"decision_cpu_ms": 250, "decision_wall_ms": 2000}
    record["faults"] = [
        {
            "step": offer["i"],
            "seat": offer["seat"],
            "code": "E303",
            "detail": "It raised & stopped.",
        }
    ]
    page = shown(record, owner_log_url="/log")
    assert "cheap &lt;enough&gt;" in page
    assert "slow 180 ms" in page
    assert "It raised &amp; stopped. The league played <i>" in page
    assert '<a href="/log">Open bot log</a>' in page
    assert 'value="note"' in page


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("watch") / "two.jsonl"
    records = [recorded(GAMES["edelsteinsuche"], 2, "one"), recorded(GAMES["basari"], 3, "two")]
    path.write_text("\n\n".join(map(json.dumps, records)), encoding="utf-8")
    with server(path) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def fetched(url, **headers):
    with urlopen(Request(url, headers=headers)) as answer:  # loopback only
        return answer.headers, answer.read().decode()


def test_watch_serves_pages_records_and_copies_under_a_strict_policy(address):
    headers, page = fetched(f"{address}/")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "of 2</label>" in page
    assert 'data-view="public"' in fetched(f"{address}/?view=public")[1]
    assert 'data-view="B"' in fetched(f"{address}/?view=b")[1]
    assert json.loads(fetched(f"{address}/record.json?match=2")[1])["game"] == "basari"
    assert json.loads(fetched(f"{address}/record.json?view=B")[1])["redacted"] == 1
    assert json.loads(fetched(f"{address}/record.json?view=public")[1])["redacted"] == "public"
    assert fetched(f"{address}/viewer/viewer.js")[0]["Content-Type"].startswith("text/javascript")
    assert (
        '<script type="module" src="/games/basari/viewer.js">' in fetched(f"{address}/?match=2")[1]
    )
    assert "register(" in fetched(f"{address}/games/basari/viewer.js")[1]


@pytest.mark.parametrize(
    ("path", "headers", "said"),
    [
        ("/nothing", {}, "no such page"),
        ("/viewer/../watch.py", {}, "no such file"),
        ("/viewer/page.py", {}, "no such file"),
        ("/games/basari/kit.py", {}, "no such file"),
        ("/games/halma/viewer.js", {}, "no such file"),
        ("/?match=3", {}, "no match 3"),
        ("/?match=x", {}, "no match 0"),
        ("/record.json?view=E", {}, "no view 'E'"),
        ("/", {"Host": "evil.example"}, "Nothing is served"),
    ],
)
def test_watch_says_what_is_not_there(address, path, headers, said):
    with pytest.raises(HTTPError) as refused:
        fetched(f"{address}{path}", **headers)
    with refused.value as answer:
        assert answer.code == 404
        assert said in answer.read().decode()


def test_watch_shows_a_match_by_rules_of_another_time_without_views_and_insight(tmp_path):
    record = recorded(GAMES["basari"], 3, "old") | {"rules": "0.1"}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    with server(path) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        page = fetched(f"http://127.0.0.1:{running.server_port}/")[1]
        running.shutdown()
        thread.join()
    assert "Points race" in page
    assert "kv-view" not in page
    assert "If scored now" not in page


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("basari-winner-forfeits", "C bot 2 wins with 94 points; B bot 1 has 65 and A bot 0 forf"),
        ("edel-stein-reich-winner-forfeits", "C bot 2 wins with 76 million; B bot 1 has 54 and A"),
        ("edelsteinsuche-winner-forfeits", "cards face up but forfeited, so B bot 1 wins."),
        ("basari-everybody-forfeits", "All seats forfeited, so nobody wins: A bot 0 has 93,"),
    ],
)
def test_the_winner_of_a_record_of_the_former_rules_is_that_of_its_outcome(name, told):
    record = read((GOLDEN / f"former/{name}.json").read_bytes())
    last = list(replay(record))[-1]
    assert told in last
    for view in ("everything", "public", "A"):
        words = " ".join(re.sub(r"<[^>]+>", "", shown(record, view)).split())
        assert " ".join(last.split()[1:]) in words


def test_watch_refuses_a_file_without_a_record(tmp_path):
    for name, text in (("empty.jsonl", "\n"), ("damaged.json", "{")):
        path = Path(tmp_path / name)
        path.write_text(text, encoding="utf-8")
        with pytest.raises(RecordError):
            server(path)
