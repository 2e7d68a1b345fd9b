"""From any former state a viewer gets to the present one."""

from hypothesis import given, strategies as st

from league.stage.premiere.changes import changes

rows = st.lists(st.integers(0, 3), max_size=5)
mappings = st.dictionaries(st.sampled_from("abc"), st.integers(0, 2), max_size=3)
values = st.one_of(rows, mappings, st.integers(0, 2))
states = st.dictionaries(st.sampled_from(["one", "two"]), values, max_size=2)


def applied(before, changed):
    """What the page does with it (`story.js`)."""
    after = dict(before)
    for name, change in changed.items():
        if "rows" in change:
            after[name] = [*before[name][: change["keep"]], *change["rows"]]
        elif "more" in change:
            after[name] = {**before[name], **change["more"]}
        else:
            after[name] = change["is"]
    return after


@given(st.lists(states, max_size=3), states)
def test_every_former_state_becomes_the_present_one(former, now):
    changed = changes(former, now)
    for state in former:
        assert applied(state, changed).items() >= now.items()
    assert applied({}, changes([], now)) == now


def test_a_list_that_grew_is_sent_from_where_it_grew():
    former = [{"scores": [1, 2]}, {"scores": [1, 2, 3]}]
    assert changes(former, {"scores": [1, 2, 3, 4], "same": 1}) == {
        "scores": {"keep": 2, "rows": [3, 4]},
        "same": {"is": 1},
    }
