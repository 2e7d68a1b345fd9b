"""The table of codes and the sentences made from it."""

import re
import string

import pytest

from runners.faults import CODES, HARD, SOFT, Situation, message

every_situation = pytest.mark.parametrize("situation", Situation)
every_code = pytest.mark.parametrize("code", CODES)
VALUE = re.compile(r"\{(\w+)(?::d)?\}")


def templates_of(code):
    one = CODES[code]
    return [one.explanation, one.fix, *one.consequence.values()]


def values_of(code, situation=Situation.LEAGUE):
    one = CODES[code]
    consequence = one.consequence.get(situation, "")
    return set(VALUE.findall(one.explanation + one.fix + consequence))


def texts(shown):
    return [shown.explanation, shown.fix]


def test_the_codes_are_those_of_the_documents():
    numbers = [*range(101, 113), 201, *range(301, 310)]
    errors, refusals = [f"E{n}" for n in numbers], [f"L{n:03}" for n in range(1, 17)]
    assert list(CODES) == [*errors, "W001", "S001", "S002", "S003", *refusals]


def test_faults_are_soft_or_hard_and_notices_neither():
    assert {"E301", "E303", "E306"} == SOFT
    assert {"E201", "E302", "E304", "E307", "E308", "E309"} == HARD
    notices = {code for code, one in CODES.items() if one.kind == "notice"}
    assert notices == {"E108", "E111", "E112", "E305"}


@every_code
def test_a_code_has_all_its_parts(code):
    one = CODES[code]
    assert one.code == code
    assert one.title
    assert one.title[-1] not in ".!:"
    assert one.explanation
    assert one.fix
    assert message(code).title == one.title
    assert message(code).link == f"/docs/errors/{code}/"


@every_code
def test_a_template_shows_values_only_where_it_can_do_without(code):
    for template in templates_of(code):
        assert not VALUE.search(re.sub(r"\[[^\[\]]*\]", "", template))
        assert template.count("[") == template.count("]")


@every_code
@every_situation
@pytest.mark.parametrize("known", ["none", "all", "one", "all but one"])
def test_every_text_reads_well_whatever_is_known(code, situation, known):
    names = sorted(values_of(code, situation))
    chosen = {
        "none": [[]],
        "all": [names],
        "one": [[name] for name in names],
        "all but one": [[name for name in names if name != left] for left in names],
    }[known]
    for some in chosen:
        for text in texts(message(code, situation, **dict.fromkeys(some, 7))):
            assert text.endswith((".", ".)"))
            assert "!" not in text
            assert not set(text) & set("{}[]|")
            assert not re.search(r"\.\.|\s\s| [.,:]|\( | \)|^\s", text)
            assert text[0] in string.ascii_uppercase + string.digits + "`"


@every_code
def test_every_value_can_be_shown(code):
    names = values_of(code)
    for name in names:
        shown = ""
        for left in {*names, ""} - {name}:
            known = dict.fromkeys(names - {left}, "x") | {name: "NEEDLE"}
            shown += " ".join(texts(message(code, **known)))
        alone = texts(message(code, **{name: "NEEDLE"}))
        assert "NEEDLE" in shown + " ".join(alone)


def test_an_unknown_value_is_the_same_as_none():
    assert message("E302", step=None, cpu_ms=None) == message("E302")


def test_where_it_happened_comes_first():
    assert message("E308", match=48211, step=17, reason="signal 11").explanation == (
        "Match 48,211, step 17: the process stopped by itself (signal 11). "
        "The usual causes are `sys.exit`, `os._exit` or a crash inside a C library."
    )
    assert message("E308", step=17).explanation.startswith("Step 17: the process stopped")
    assert message("E308").explanation.startswith("The process stopped by itself. The usual")


def test_numbers_are_grouped_for_people_and_plain_in_commands():
    shown = message("E303", match=48211, step=1041, file="my_bot.py", error="IndexError: 4")
    assert shown.explanation == "Match 48,211, step 1,041: `decide` raised `IndexError: 4`."
    assert "`karat rerun 48211 --step 1041 my_bot.py`." in shown.fix


def test_a_reason_with_a_full_stop_does_not_get_a_second():
    reason = "You cannot draw from your own row."
    shown = message("E301", step=3, decision="draw", move="draw 0.1", reason=reason)
    assert shown.explanation == (
        "Step 3: asked for draw, your bot returned `draw 0.1`. You cannot draw from your own row."
    )


def test_what_a_stranger_wrote_is_never_read_as_a_template():
    hostile = "{step} [x|y] {0.__class__} %s"
    assert f"`{hostile}`" in message("E301", move=hostile, step=9).explanation


def test_an_unknown_code_is_our_mistake():
    with pytest.raises(KeyError):
        message("E999")


FAULTS = sorted((SOFT | HARD) - {"E201"})


@pytest.mark.parametrize("code", FAULTS)
def test_a_check_speaks_of_what_a_match_would_bring_and_of_no_match_that_was_played(code):
    fix = message(code, Situation.CHECK).fix
    assert fix.startswith("The check does not pass: in a match, ")
    assert "the league" not in fix.lower()


@pytest.mark.parametrize("code", FAULTS)
def test_a_match_on_the_own_machine_is_not_the_leagues(code):
    fix = message(code, Situation.LOCAL).fix
    assert "the league" not in fix.lower()
    assert "forfeit" in fix


def test_a_notice_says_that_nothing_is_lost_in_every_situation():
    for situation in Situation:
        assert "This is a notice, not a fault" in message("E305", situation).fix


def test_without_a_situation_a_message_speaks_of_a_match_of_the_league():
    assert message("E301") == message("E301", Situation.LEAGUE)
    assert "The league made its fallback move for you." in message("E301").fix
