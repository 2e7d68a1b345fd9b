"""The difference of two versions: true, and bounded for texts that were written to be slow."""

import time

import pytest
from hypothesis import given, strategies as st

from league.bots.source import diff
from league.bots.source.line_matching import LineMatching
from league.bots.views import difference as difference_page
from league.web.throttling import Limit
from tests.league.factories import SOURCE, make_bot, make_user, make_version

LINES = st.lists(st.sampled_from("abcdefgh"), max_size=30)


@given(LINES, LINES)
def test_the_lines_rebuild_both_texts(old, new):
    matching = LineMatching(old, new, diff.MAX_STEPS)
    lines = list(diff._lines(old, new, matching))
    assert [line.text for line in lines if line.sign != "+"] == old
    assert [line.text for line in lines if line.sign != "-"] == new
    assert [line.old for line in lines if line.old] == list(range(1, len(old) + 1))
    assert [line.new for line in lines if line.new] == list(range(1, len(new) + 1))


@given(LINES, LINES)
def test_every_change_is_shown_once_with_three_lines_around_it(old, new):
    lines = list(diff._lines(old, new, LineMatching(old, new, diff.MAX_STEPS)))
    changed = [at for at, line in enumerate(lines) if line.sign != " "]
    near = {n for at in changed for n in range(at - 3, at + 4) if 0 <= n < len(lines)}
    groups = diff.compare("\n".join(old), "\n".join(new)).groups
    assert [line for group in groups for line in group] == [lines[at] for at in sorted(near)]
    assert len(groups) == sum(at - 1 not in near for at in near)


def crafted(letter, length=1900):
    """Return lines of which every second is common, none once, none so often that it is skipped."""
    return [f"{n % 2 and letter}{n if n % 2 else n % 100}" for n in range(length)]


def test_two_texts_that_were_written_to_be_slow_cost_a_bounded_number_of_steps():
    old, new = crafted("a"), crafted("b")
    matching = LineMatching(old, new, diff.MAX_STEPS)
    assert -len(old) - len(new) < matching.steps_left < 0
    change = diff.compare("\n".join(old), "\n".join(new))
    assert (change.complete, change.too_long) == (False, False)


def test_the_longest_texts_that_are_compared_are_compared_at_once():
    old, new = (crafted(letter, diff.MAX_LINES) for letter in "ab")
    begun = time.process_time()
    diff.compare("\n".join(old), "\n".join(new))
    assert time.process_time() - begun < 1.5


def test_what_was_compared_is_not_compared_again():
    change = diff.compare("a\nb\n", "a\nc\n")
    assert diff.compare("a\nb\n", "a\nc\n") is change


@pytest.mark.django_db
def test_the_page_of_crafted_versions_says_what_it_left_out_and_is_not_asked_for_too_often(
    client, monkeypatch
):
    monkeypatch.setattr(difference_page, "DIFFERENCES_PER_GUESTS", Limit("few", 1))
    bot = make_bot(make_user())
    for letter in "ab":
        version = make_version(bot, SOURCE + "".join(f"#{line}\n" for line in crafted(letter)))
        type(version).objects.update(source_public=True)
    begun = time.process_time()
    page = client.get(f"/bots/{bot.slug}/diff/")
    assert "long passages are shown as replaced" in page.content.decode()
    assert time.process_time() - begun < 5
    again = client.get(f"/bots/{bot.slug}/diff/")
    assert (again.status_code, b"L008" in again.content) == (429, True)
