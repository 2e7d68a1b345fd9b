"""What a game says about itself besides its rules: the defaults, and our games' own facets."""

import json
from collections import Counter

import pytest

from engine.catalogue import catalogue
from engine.facets.insight import Commentator, Insight
from engine.facets.presentation import Chart, ChartGroup, Presentation, Start
from engine.facets.statistics import (
    Fact,
    Share,
    Statistics,
    count_match,
    decisions,
    shares_of,
    thinking_facts,
)
from engine.game import BadSetup, Game, Outcome, placements
from engine.record.insight import insight
from engine.record.redact import redact
from engine.record.views import views_of
from engine.registry import GAMES, Registry, find, presentation_of
from engine.rng import Rng
from tests.engine.tables import every_table, recorded


class Countdown:
    """A position of a game with nothing but rules: in turn, seats take 1 or 2 of 4."""

    def __init__(self, seats):
        self.scores = [0] * seats
        self.left = 4
        self.turn = 0

    def seat(self):
        return self.turn % len(self.scores)


def _start(seats, chosen, rng, tell=None):
    state = Countdown(seats)
    if tell:
        tell("start", state, {})
    return state


def _play(state, moves, rng, tell=None):
    seat = state.seat()
    state.left -= int(moves[0])
    state.scores[seat] += int(moves[0])
    state.turn += 1
    if tell:
        tell("take", state, {"seat": seat, "move": moves[0], "forced": False})
        if state.left <= 0:
            places = placements(state.scores)
            tell("end", state, {"placements": places, "scores": state.scores[:]})


def _outcome(state):
    if state.left > 0:
        return None
    return Outcome(placements(state.scores), state.scores[:], "completed")


RULES_ONLY = Game(
    slug="countdown",
    name="Countdown",
    rules="1.0",
    seats=(2, 3),
    start=_start,
    to_move=lambda state: (state.seat(),) if state.left > 0 else (),
    options=lambda state, seat: ("1", "2") if state.left > 0 and seat == state.seat() else (),
    play=_play,
    view=lambda state, seat=None: {"left": state.left, "seats": [{} for _ in state.scores]},
    outcome=_outcome,
)


def test_a_game_of_rules_alone_names_reasons_and_has_a_fallback():
    state = RULES_ONLY.start(2, {}, Rng("any"))
    assert RULES_ONLY.illegal_reason(state, 0, "1") is None
    assert RULES_ONLY.illegal_reason(state, 0, "3") == "'3' is not one of the 2 moves."
    assert RULES_ONLY.illegal_reason(state, 1, "1") == "It is not your turn."
    assert RULES_ONLY.fallback(state, 0) == "1"
    assert RULES_ONLY.clone(state).left == state.left
    assert RULES_ONLY.max_decisions(2, {}) > 4
    assert repr(RULES_ONLY) == "<Game countdown>"


def test_a_game_of_rules_alone_cannot_imagine_and_says_so():
    assert not RULES_ONLY.can_imagine
    with pytest.raises(BadSetup, match="cannot imagine"):
        RULES_ONLY.imagine({}, Rng("any"))


def test_a_game_of_rules_alone_refuses_every_option():
    with pytest.raises(BadSetup, match="it has none"):
        RULES_ONLY.resolve_options(2, {"speed": 1})


def test_a_game_of_rules_alone_is_told_in_plain_sentences():
    steps = recorded(RULES_ONLY, 2, "plain")["steps"]
    assert steps[0]["text"] == "Start."
    assert steps[1]["text"] == f"{{0}} plays {steps[1]['move']}."
    joint = {"t": "free_bid", "moves": ["a", "b"]}
    assert RULES_ONLY.narrate(joint, {}) == "{0} plays a; {1} plays b."


def test_the_default_presentation_knows_the_record_alone():
    record = recorded(RULES_ONLY, 2, "plain")
    steps, shown = record["steps"], Presentation()
    assert shown.chapters(steps) == [Start(0, "Start")]
    assert shown.milestones(steps) == [Start(len(steps) - 1, "End")]
    assert shown.scores(record) == [[0, 0]] * len(steps)
    assert [shown.duration_ms(step) for step in steps[:2]] == [800, 600]
    nothing = (shown.rounds, shown.marks, shown.scenes)
    assert [method(steps) for method in nothing] == [[], [], []]
    assert shown.charts(record, None) == shown.sheets(record) == shown.tables(record) == []
    assert shown.viewer_data(steps) == {}
    assert not shown.is_scoring(steps[0])
    assert shown.filter_of(steps[0]) is None
    assert list(shown.inline("2 red")) == []
    assert shown.card_title("B01") == "B01"
    assert shown.mean_label == "Score per game"
    formats = (shown.format_score(-1200), shown.format_short(-3), shown.format_mean(2.25))
    assert formats == ("−1,200 points", "−3", "2.2")


def test_a_presentation_that_names_its_score_gets_a_race():
    class Scored(Presentation):
        score_field = "left"

        def seat_score(self, seat):
            return 7

    record = recorded(RULES_ONLY, 2, "plain")
    race = [[7, 7]] * len(record["steps"])
    assert Scored().charts(record, None) == [Chart("Score race", "points", race)]
    titles = [chart.title for chart in Scored().charts(record, race)]
    assert titles == ["Score race", "If scored now"]


def test_the_default_insight_and_commentator_say_nothing():
    facet, step = Insight(), {"i": 3, "t": "take"}
    commentator = facet.commentator()
    commentator.watch(step, None)
    assert (facet.if_scored(None), facet.is_settling(step)) == (None, False)
    assert commentator.remarks == []


def test_a_remark_keeps_its_place():
    commentator = Commentator()
    commentator.remark(3, "late", 1, "{1} was late.", secret=True)
    assert commentator.remarks == [
        {"i": 3, "kind": "late", "seat": 1, "text": "{1} was late.", "secret": True}
    ]


def test_the_default_statistics_count_thinking_times_alone():
    record = recorded(RULES_ONLY, 2, "plain")
    counts = count_match(Statistics(), record)
    moves = Counter(step["seat"] for step in record["steps"] if "move" in step)
    assert counts == [{"ms 0": moves[seat]} for seat in range(2)]
    assert Statistics().shares(counts[0]) == Statistics().facts(1, counts[0]) == []


@pytest.mark.parametrize(
    ("times", "median", "late"),
    [
        pytest.param({"ms 0": 10}, "0.1 ms", "0.1 ms", id="at once"),
        pytest.param({"ms 0": 5, "ms 22": 5}, "0.1 ms", "14 ms", id="half of them slow"),
        pytest.param({"ms 45": 1}, "2.3 s", "2.3 s", id="seconds"),
    ],
)
def test_thinking_times_are_told_as_median_and_slow_end(times, median, late):
    assert thinking_facts(times) == [
        Fact("Median thinking time", median),
        Fact("99 of 100 decisions within", late),
    ]


def test_without_decisions_there_is_nothing_to_tell():
    assert thinking_facts({}) == []
    assert shares_of("Nothing", [("a", 0)]).parts == []
    assert shares_of("Half", [("a", 2), ("b", 0), ("c", 2)]).parts == [
        Share("a", 0.5),
        Share("c", 0.5),
    ]


@every_table
def test_a_presentation_divides_a_match_into_parts_that_exist(game, seats):
    record = recorded(game, seats, f"parts {seats}")
    steps, shown = record["steps"], game.presentation
    chapters = shown.chapters(steps)
    assert chapters[0].i == 0
    for starts in (chapters, shown.rounds(steps), shown.milestones(steps)):
        numbers = [start.i for start in starts]
        assert numbers == sorted(set(numbers))
        assert all(0 <= i < len(steps) for i in numbers)
        assert all(start.name for start in starts)
    assert {mark.kind for mark in shown.marks(steps)} <= set(shown.mark_kinds)
    assert all(one.first <= one.last < len(steps) for one in shown.scenes(steps))
    assert {shown.filter_of(step) for step in steps} <= {None, *shown.filters}
    assert all(shown.duration_ms(step) > 0 for step in steps)


@every_table
def test_charts_have_a_value_for_every_step_and_seat(game, seats):
    record = recorded(game, seats, f"charts {seats}")
    scored = insight(record)["scored"]
    for entry in game.presentation.charts(record, scored):
        for chart in entry.charts if isinstance(entry, ChartGroup) else [entry]:
            assert len(chart.series) == len(record["steps"])
            assert {len(row) for row in chart.series} == {seats}
    assert game.presentation.scores(record)[-1] == record["outcome"]["scores"]


@every_table
def test_a_scoring_sheet_adds_up(game, seats):
    record = recorded(game, seats, f"sheets {seats}")
    shown = game.presentation
    sheets = shown.sheets(record)
    paid_steps = [step["i"] for step in record["steps"] if shown.is_scoring(step)]
    assert [line.i for sheet in sheets for line in sheet.lines] == paid_steps
    for sheet in sheets:
        assert sheet.first < sheet.last
        sums = [
            sum(line.cells[seat].paid + line.cells[seat].bonus for line in sheet.lines)
            for seat in range(seats)
        ]
        assert sums == sheet.gained
        for line in sheet.lines:
            assert all(
                back <= cell.amount for back, cell in zip(line.returned, line.cells, strict=False)
            )
    if sheets:
        assert sheets[-1].totals == record["outcome"]["scores"]


@every_table
def test_tables_are_rectangles_and_viewer_data_is_json(game, seats):
    record = recorded(game, seats, f"tables {seats}")
    for table in game.presentation.tables(record):
        assert all(len(row) == len(table.head) for row in table.rows)
    data = game.presentation.viewer_data(record["steps"])
    assert json.loads(json.dumps(data)).keys() == data.keys()


@every_table
def test_icons_stand_for_parts_of_a_sentence_from_left_to_right(game, seats):
    for step in recorded(game, seats, f"icons {seats}")["steps"]:
        end = 0
        for part in game.presentation.inline(step["text"]):
            assert end <= part.start < part.end <= len(step["text"])
            assert step["text"][part.start : part.end] == part.text + part.quiet
            end = part.end


@pytest.mark.parametrize(
    ("slug", "score", "texts"),
    [
        ("edel-stein-reich", -4, ("−4M", "−4M", "34.2M", "Money per game")),
        ("basari", 61, ("61 points", "61", "34.2", "Points per game")),
        ("basari", 1, ("1 point", "1", "34.2", "Points per game")),
        ("edelsteinsuche", -2, ("2 missing", "3 of 5", "-34.2", "Cards missing per game")),
        ("edelsteinsuche", 0, ("complete", "5 of 5", "-34.2", "Cards missing per game")),
    ],
)
def test_scores_are_written_as_players_say_them(slug, score, texts):
    shown = GAMES[slug].presentation
    formats = (shown.format_score(score), shown.format_short(score), shown.format_mean(34.2))
    assert (*formats, shown.mean_label) == texts


def test_cards_have_names():
    assert GAMES["edelsteinsuche"].presentation.card_title("S4") == "Sapphire 4"


def test_a_catalogue_names_the_game_and_its_cards_in_json():
    for game in GAMES.values():
        document = json.loads(json.dumps(catalogue(game)))
        assert (document["game"], document["name"]) == (game.slug, game.name)
        assert document["cards"] == game.catalogue


@pytest.mark.parametrize("slug", ["edel-stein-reich", "basari"])
def test_a_barter_game_counts_choices_fates_and_prices(slug):
    game = GAMES[slug]
    record = recorded(game, 4, "counts")
    counts = count_match(game.statistics, record)
    rounds = sum(step["t"] == "choose" for step in record["steps"])
    accepts = [step for step in record["steps"] if step["t"] == "accept"]
    for seat, own in enumerate(counts):
        for prefix in ("chosen ", "fate "):
            assert sum(n for name, n in own.items() if name.startswith(prefix)) == rounds
        assert own.get("paid", 0) == sum(sum(s["gems"]) for s in accepts if s["from"] == seat)
        assert own.get("earned", 0) == sum(sum(s["gems"]) for s in accepts if s["to"] == seat)
    everybody = sum(map(Counter, counts), Counter())
    assert everybody["bought"] == everybody["sold"] == len(accepts) > 0
    for whole in game.statistics.shares(everybody):
        assert sum(part.share for part in whole.parts) == pytest.approx(1)
    names = [fact.name for fact in game.statistics.facts(1, everybody)]
    assert names == ["Average price paid", "Average price got"]
    assert game.statistics.facts(1, {}) == []


def test_edelsteinsuche_counts_turns_draws_and_cards_shown():
    game = GAMES["edelsteinsuche"]
    record = recorded(game, 3, "counts")
    counts = count_match(game.statistics, record)
    kinds = Counter((step["t"], step.get("seat")) for step in record["steps"])
    for seat, own in enumerate(counts):
        assert own["turns"] == kinds["turn", seat]
        assert own["draws"] == kinds["draw", seat] == own.get("shown", 0) + own.get("hidden", 0)
        assert own.get("shown", 0) == 5 + record["outcome"]["scores"][seat]
    everybody = sum(map(Counter, counts), Counter())
    facts = {fact.name: fact.value for fact in game.statistics.facts(3, everybody)}
    assert list(facts) == [
        "Turns in a match",
        "Draws a card it knows",
        "Shows the card it drew",
        "Unique move",
    ]
    everybody["unique"] = 0
    assert len(game.statistics.facts(3, everybody)) == 3
    assert game.statistics.facts(3, {}) == []


@every_table
def test_decisions_are_those_with_a_choice(game, seats):
    record = recorded(game, seats, f"decisions {seats}")
    choices = Counter()
    for step in record["steps"]:
        if "moves" in step:
            choices.update(seat for seat, forced in enumerate(step["forced"]) if not forced)
        elif "move" in step and not step["forced"]:
            choices[step["seat"]] += 1
    assert Counter(seat for seat, _ in decisions(record)) == choices


@every_table
def test_the_last_view_of_a_record_is_the_table_at_the_end(game, seats):
    last = {}
    record = recorded(
        game, seats, f"views {seats}", watch=lambda state, _: last.update(game.view(state))
    )
    *_, view = views_of(record)
    assert view == last


def test_a_registry_refuses_a_second_game_with_the_same_slug():
    registry, basari = Registry(), GAMES["basari"]
    registry.register(RULES_ONLY)
    registry.register(RULES_ONLY)
    with pytest.raises(ValueError, match="another game with the slug 'countdown'"):
        registry.register(Game(**{**_facts(basari), "slug": "countdown"}))
    assert list(registry) == ["countdown"]
    assert registry["countdown"] is RULES_ONLY


def _facts(game):
    required = ("name", "rules", "seats", "start", "to_move", "options", "play", "view", "outcome")
    return {name: getattr(game, name) for name in required}


def test_a_registry_asks_its_sources_once_and_only_when_somebody_looks():
    registry, calls = Registry(), []

    def source():
        calls.append("asked")
        return [RULES_ONLY]

    registry.add_source(source)
    assert not calls
    assert len(registry) == 1
    assert "countdown" in registry
    assert calls == ["asked"]


def test_an_unknown_game_is_refused_but_can_be_presented():
    with pytest.raises(BadSetup, match="There is no game 'chess'; there are edel-stein-reich"):
        find("chess")
    assert presentation_of("chess").score_label == "Score"
    assert presentation_of("basari").score_label == "Points"


def test_a_redacted_copy_hides_how_many_cards_are_known():
    game = GAMES["edelsteinsuche"]
    copy = redact(recorded(game, 2, "hidden"), 0)
    assert [chart.title for chart in game.presentation.charts(copy, None)] == ["Open cards"]
