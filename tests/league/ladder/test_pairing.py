"""Who plays whom, over many tables."""

from collections import Counter
from random import Random
from statistics import median

from hypothesis import given, settings, strategies as st

from bots_sdk.rating.skill import SIGMA, Rating, rate
from league.ladder.matchmaking.learning import expected_drop
from league.ladder.matchmaking.pairing import CEILING, CEILING_TABLES, Candidate, Matchmaker
from league.ladder.matchmaking.settled import MAX_MATCHES, MIN_MATCHES, Progress, unsettled
from league.ladder.matchmaking.shares import Need

SIZES = (3, 4, 5)
SETTLED = 60
MUS = st.floats(-10, 60)
SIGMAS = st.floats(0.5, SIGMA)


def crowd(count, owners=None, *, spread=3.0, settled=0):
    """Bots with owners of their own unless told; the first ones are settled, if asked."""
    return [
        Candidate(
            bot=n,
            owner=owners[n] if owners else n,
            rating=Rating(25 + spread * (n % 7 - 3), 0.8 if n < settled else 4.0),
            matches=SETTLED if n < settled else 10,
        )
        for n in range(count)
    ]


def matchmaker(candidates, seed="crowd", sizes=SIZES):
    return Matchmaker(candidates, dict.fromkeys(sizes, 0), [], Random(seed))


def make_tables(candidates, count, seed="crowd", sizes=SIZES):
    maker = matchmaker(candidates, seed, sizes)
    return [[one.bot for one in maker.make_table()] for _ in range(count)]


@given(st.integers(3, 40), st.integers(0, 40), st.integers(0, 10**6))
def test_a_table_seats_different_bots_of_the_ladder(count, settled, seed):
    for table in make_tables(crowd(count, settled=settled), 8, seed):
        assert len(table) in SIZES
        assert len(set(table)) == len(table)
        assert set(table) <= set(range(count))


def test_too_few_bots_for_a_table_make_none_and_need_none():
    maker = matchmaker(crowd(2))
    assert maker.make_table() is None
    assert maker.need is Need.NONE


def test_few_bots_play_at_the_tables_they_can_fill():
    assert {len(table) for table in make_tables(crowd(3), 20)} == {3}


def test_bots_with_the_same_need_play_about_as_often():
    counts = Counter(bot for table in make_tables(crowd(20), 120) for bot in table)
    assert len(counts) == 20
    assert max(counts.values()) <= 1.6 * min(counts.values())


def test_table_sizes_have_equal_shares():
    sizes = Counter(len(table) for table in make_tables(crowd(20), 600))
    assert max(sizes.values()) - min(sizes.values()) <= 1


def test_every_bot_gets_every_seat_equally_often():
    maker = matchmaker(crowd(12), sizes=(4,))
    latest = {one.bot: one for _ in range(400) for one in maker.make_table()}
    for one in latest.values():
        assert max(one.seats.values()) - min(one.seats.values()) <= 3


def test_opponents_are_mostly_near_and_sometimes_far():
    candidates = [Candidate(n, n, Rating(5.0 * n, 1.0), SETTLED) for n in range(9)]
    gaps = Counter(abs(a - b) for a, b in make_tables(candidates, 900, sizes=(2,)))
    assert gaps[1] > gaps[4] > 0
    assert gaps[1] > 3 * gaps[4]
    assert gaps[7] + gaps[8] > 0


@given(st.lists(st.sampled_from([None, 1, 2, 3, 4]), min_size=5, max_size=16), st.integers(0, 9999))
def test_two_bots_of_one_owner_meet_only_if_nobody_else_is_there(owners, seed):
    for table in make_tables(crowd(len(owners), owners), 12, seed):
        seated = Counter(owners[bot] for bot in table if owners[bot] is not None)
        if any(count > 1 for count in seated.values()):
            others = set(range(len(owners))) - set(table)
            assert {owners[bot] for bot in others} <= set(seated)


@settings(max_examples=40)
@given(st.integers(16, 40), st.integers(2, 6), st.integers(0, 10**6))
def test_nobody_sits_at_more_than_half_of_the_tables_while_others_need_matches(count, needy, seed):
    maker = matchmaker(crowd(count, settled=count - needy), seed)
    tables, needy_counts = [], []
    while len(maker.needy) > 1:
        needy_counts.append(len(maker.needy))
        tables.append([one.bot for one in maker.make_table()])
    counts = Counter(bot for table in tables for bot in table)
    assert max(counts.values()) <= len(tables) / 2 + 1
    # The first tables of a ladder that remembers none may seat the same bots.
    for at in range(CEILING_TABLES, len(tables) - CEILING_TABLES):
        if len(set(needy_counts[at - CEILING_TABLES : at + CEILING_TABLES])) > 1:
            # When somebody settles, those who are left may all have sat at the last few tables.
            continue
        counts = Counter(bot for table in tables[at : at + CEILING_TABLES] for bot in table)
        # One more where all who need matches are at the ceiling.
        assert max(counts.values()) <= CEILING + 1


def test_a_newcomer_has_all_tables_of_a_ladder_on_which_nobody_else_needs_any():
    candidates = [*crowd(20, settled=20), Candidate(99, 99, Rating())]
    maker = matchmaker(candidates)
    tables = []
    while maker.need is Need.USERS:
        tables.append([one.bot for one in maker.make_table()])
    assert MIN_MATCHES <= len(tables) <= MAX_MATCHES
    assert all(99 in table for table in tables)
    counts = Counter(bot for table in tables for bot in table if bot != 99)
    assert max(counts.values()) < len(tables) / 2


@given(st.integers(4, 30), st.integers(0, 10**6))
def test_whoever_needs_matches_gets_some_however_little_they_teach(count, seed):
    hopeless = Candidate(99, None, Rating(-30.0, 3.0), matches=5)
    tables = make_tables([*crowd(count), hopeless], 8 * count, seed, sizes=(2, 3, 4))
    assert sum(99 in table for table in tables) >= 2
    counts = Counter(bot for table in tables for bot in table)
    assert max(counts.values()) <= 3 * median(counts.values())


def test_a_bot_that_lately_got_no_match_waits_less_than_one_that_teaches_more():
    waiting = Candidate(98, 98, Rating(25.0, 2.0), matches=20, waited_seconds=3600)
    assert 98 in make_tables([*crowd(20), waiting], 1)[0]


def test_a_bot_that_never_played_is_served_first():
    fresh = Candidate(99, 99, Rating(), waited_seconds=float("inf"))
    others = [*crowd(20), Candidate(98, 98, Rating(), matches=1, waited_seconds=10**6)]
    assert 99 in make_tables([*others, fresh], 1)[0]


def test_bots_of_users_are_served_before_house_bots():
    owners = [None] * 10 + list(range(10))
    counts = Counter(
        bot for table in make_tables(crowd(20, owners), 60, sizes=(2,)) for bot in table
    )
    assert sum(counts[bot] for bot in range(10, 20)) > 1.2 * sum(counts[bot] for bot in range(10))


def test_matches_that_wait_count_as_played():
    settled = crowd(20, settled=20)
    waiting = Candidate(99, 99, Rating(25.0, 1.5), matches=25, pending=25)
    assert matchmaker([*settled, waiting]).need is Need.NONE
    rated = Candidate(99, 99, Rating(25.0, 1.5), matches=25)
    assert matchmaker([*settled, rated]).need is Need.USERS


def test_only_house_bots_with_need_are_told_apart():
    assert matchmaker(crowd(5, [None] * 5)).need is Need.HOUSE
    assert matchmaker(crowd(5, [None, None, None, None, 1])).need is Need.USERS
    assert matchmaker(crowd(5, settled=5)).need is Need.NONE


@given(st.lists(st.tuples(MUS, SIGMAS, st.integers(0, 120)), min_size=2, max_size=12), st.data())
def test_more_matches_never_unsettle_a_bot(facts, data):
    bots = [Progress(n, Rating(mu, sigma), matches) for n, (mu, sigma, matches) in enumerate(facts)]
    more = data.draw(st.lists(st.integers(0, 50), min_size=len(bots), max_size=len(bots)))
    later = [Progress(o.bot, o.rating, o.matches + m) for o, m in zip(bots, more, strict=True)]
    assert unsettled(later) <= unsettled(bots)
    assert {one.bot for one in bots if one.matches < MIN_MATCHES} <= unsettled(bots)
    assert not {one.bot for one in bots if one.matches >= MAX_MATCHES} & unsettled(bots)


@given(MUS, MUS, SIGMAS, SIGMAS, st.floats(0, 1))
def test_the_surer_a_rating_the_less_a_match_teaches(mu, other_mu, sigma, other_sigma, share):
    other = Rating(other_mu, other_sigma)
    surer = expected_drop(Rating(mu, sigma * share + 0.1 * (1 - share)), other)
    assert surer <= expected_drop(Rating(mu, sigma), other) + 1e-9
    assert surer < sigma


def test_what_a_match_is_expected_to_teach_is_what_matches_teach():
    rng = Random("lessons")
    for mu, sigma in ((25, 4.0), (29, 2.0), (20, 6.0), (60, 3.0)):
        one, other = Rating(mu, sigma), Rating(25, 1.0)
        drops = []
        for _ in range(300):
            first, second = (rng.gauss(rng.gauss(o.mu, o.sigma), 25 / 6) for o in (one, other))
            drops.append(
                sigma - rate([one, other], [1 + (second > first), 1 + (first > second)])[0].sigma
            )
        assert abs(sum(drops) / 300 - expected_drop(one, other)) < 0.1 * sigma / 4


def test_identical_bots_and_those_at_the_ends_of_the_scale_settle():
    ends = [Progress(0, Rating(70.0, 4.0), 40), Progress(1, Rating(-20.0, 4.0), 40)]
    middle = [Progress(n, Rating(25.0, 0.9), 60) for n in range(2, 8)]
    assert unsettled([*ends, *middle], seats=4) == set()
    close = Progress(9, Rating(26.0, 2.5), 60)
    assert unsettled([*ends, *middle, close], seats=4) == {9}


def test_a_bot_whose_doubt_hides_its_rank_is_not_settled():
    surely_first = Progress(0, Rating(40.0, 3.0), 40)
    second = Progress(1, Rating(34.0, 0.7), 60)
    assert surely_first.rating.cautious < second.rating.cautious
    assert unsettled([surely_first, second]) == {0}
