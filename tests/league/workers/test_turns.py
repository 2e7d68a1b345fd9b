"""One queue for all: whoever floods it waits behind their own jobs, and nobody else does."""

import heapq
from bisect import insort
from itertools import count
from random import Random

import pytest
from django.utils import timezone

from league.bots import services as bots
from league.bots.models import BotVersion
from league.matches import lane_keys, queries, services
from league.matches.models import Match
from league.workers import queue, turns
from league.workers.models import LaneUse, Worker
from league.workers.turns import Lane
from tests.league.factories import make_bot, make_player, make_user, make_version, queue_match

CHECK, CHALLENGE, CUP = "check", "challenge", "tournament"
PEOPLE = 110
ORDINARY_SECONDS = {CHECK: 2.0, CHALLENGE: 0.5, CUP: 0.5}


class League:
    """Processes that take jobs by the rule of `turns`, in a time that costs nothing."""

    def __init__(self, places):
        self.places = places
        self.waiting, self.running, self.uses, self.waits = {}, {}, {}, {}
        self.rng, self.now, self.events, self.numbers = Random(7), 0.0, [], count()

    def arrive(self, at, lane, kind, seconds):
        heapq.heappush(self.events, (at, next(self.numbers), "arrive", (lane, kind, seconds)))

    def run(self, until):
        while self.events and self.events[0][0] <= until:
            self.now, _, what, job = heapq.heappop(self.events)
            if what == "arrive":
                lane, kind, seconds = job
                insort(self.waiting.setdefault(lane, []), (kind != CHECK, self.now, kind, seconds))
            else:
                self._end(job)
            while self._start_one():
                pass

    def _end(self, number):
        lane, began = self.running.pop(number)
        used, at, mean = self.uses.get(lane, (0.0, self.now, None))
        took = self.now - began
        self.uses[lane] = (
            turns.forget(used, self.now - at) + took,
            self.now,
            turns.usual(mean, took),
        )

    def _lane(self, key):
        mine = [self.now - began for lane, began in self.running.values() if lane == key]
        used, at, mean = self.uses.get(key, (0.0, self.now, None))
        recent = turns.forget(used, self.now - at) + sum(mine)
        return Lane(key, len(mine), max(mine, default=0.0), recent, mean)

    def _start_one(self):
        if len(self.running) == self.places:
            return False
        busy = {lane for lane, _ in self.running.values()}
        slow = sum(lane.running for lane in map(self._lane, busy) if lane.slow)
        lanes = [self._lane(key) for key, jobs in self.waiting.items() if jobs]
        for lane in turns.order(lanes, ladders_first=self.rng.random() < turns.LADDER_SHARE):
            _, asked_at, kind, seconds = self.waiting[lane.key][0]
            if turns.may_start(lane, kind, self.places, slow):
                self.waiting[lane.key].pop(0)
                self.waits.setdefault(lane.key, []).append(self.now - asked_at)
                number = next(self.numbers)
                self.running[number] = lane.key, self.now
                heapq.heappush(self.events, (self.now + seconds, number, "end", number))
                return True
        return False


def flood_checks(league):
    for n in range(20):
        league.arrive(10 + n * 0.1, "user-1", CHECK, 60.0)


def flood_challenges(league):
    for _ in range(50):
        league.arrive(10, "user-1", CHALLENGE, 100.0)


def flood_tournament(league):
    for _ in range(3000):
        league.arrive(10, "user-1", CUP, 0.5)


def busy_league(places):
    """Two ladders that always want to play, and people who come now and then."""
    league = League(places)
    for n in range(1200):
        for game in ("basari", "edelsteinsuche"):
            league.arrive(n * 0.25, lane_keys.lane_of_ladder(game), "ladder", 0.5)
    for n in range(PEOPLE):
        kind = (CHECK, CHALLENGE, CUP)[n % 3]
        league.arrive(5 + n * 2.5, f"user-{100 + n % 7}", kind, ORDINARY_SECONDS[kind])
    return league


@pytest.mark.parametrize("places", [2, 4, 8])
@pytest.mark.parametrize("flood", [flood_checks, flood_challenges, flood_tournament])
def test_one_owner_never_delays_others_by_more_than_a_few_seconds(places, flood):
    league = busy_league(places)
    flood(league)
    league.run(300)
    del league.waits["user-1"]
    others = [wait for lane, waits in league.waits.items() if "user" in lane for wait in waits]
    assert len(others) == PEOPLE
    assert max(others) < 5


def test_with_a_single_process_slow_jobs_alternate_with_those_of_others():
    league = busy_league(1)
    flood_checks(league)
    league.run(300)
    flooding = len(league.waits["user-1"])
    assert 1 <= flooding <= 3
    assert sum(len(waits) for lane, waits in league.waits.items() if lane != "user-1") > 100


def test_ladders_get_their_share_beside_a_tournament_and_share_it_equally():
    league = busy_league(2)
    flood_tournament(league)
    league.run(300)
    played = {lane: len(waits) for lane, waits in league.waits.items()}
    ladders = [played[lane_keys.lane_of_ladder(game)] for game in ("basari", "edelsteinsuche")]
    everything = sum(played.values())
    assert 0.2 < sum(ladders) / everything < 0.4
    assert max(ladders) < 1.2 * min(ladders)
    assert played["user-1"] > everything / 3


@pytest.mark.django_db
def test_owners_take_turns_whatever_they_queued_and_uploads_come_first_in_a_lane(monkeypatch):
    flooding, other = make_user(), make_user()
    players = [make_player() for _ in range(3)]
    versions = [bot.active for bot in players]
    for _ in range(5):
        services.make("basari", versions, Match.Kind.CHALLENGE, asked_by=flooding)
    one = services.make("basari", versions, Match.Kind.CHALLENGE, asked_by=other)
    upload = bots.upload(make_bot(flooding), b"from bots_sdk import Bot\n").version
    queue_match(players)
    claimed = set()
    for chance in (1.0, 1.0, 0.0):
        # Every now and then the ladders come first.
        monkeypatch.setattr(queue, "random", lambda chance=chance: chance)
        claim = queue.claim("here")
        claimed.add((claim.model, claim.lease.pk))
    ladder = Match.objects.get(kind=Match.Kind.LADDER)
    assert claimed == {(BotVersion, upload.pk), (Match, one.pk), (Match, ladder.pk)}


@pytest.mark.django_db
def test_an_owner_of_whom_nothing_is_known_has_one_job_running_and_others_pass(monkeypatch):
    monkeypatch.setattr(queue, "random", lambda: 1.0)
    owner, other = make_user(), make_user()
    place = {"sandbox_ok": True, "seen_at": timezone.now(), "capacity": 4}
    Worker.objects.create(name="here", **place)
    for who in (owner, owner, other):
        make_version(make_bot(who), status=BotVersion.Status.WAITING)
    lanes = [queue.claim("here").lane for _ in range(2)]
    assert sorted(lanes) == sorted(lane_keys.lane_of_user(who.pk) for who in (owner, other))
    assert queue.claim("here") is None


@pytest.mark.django_db
def test_a_place_in_the_queue_counts_turns_and_not_everything_that_was_queued_before():
    flooding, other = make_user(), make_user()
    versions = [make_player().active for _ in range(3)]
    for _ in range(9):
        services.make("basari", versions, Match.Kind.CHALLENGE, asked_by=flooding)
    one = services.make("basari", versions, Match.Kind.CHALLENGE, asked_by=other)
    assert queries.place_in_queue(one) == 2


@pytest.mark.django_db
def test_what_a_job_took_is_charged_to_its_lane():
    queue_match([make_player() for _ in range(3)])
    claimed = queue.claim("here")
    queue.charge(claimed, 4.0)
    queue.charge(claimed, 2.0)
    row = LaneUse.objects.get()
    assert row.key == lane_keys.lane_of_ladder("basari")
    assert (row.mean_seconds, round(row.used_seconds)) == (3.0, 6)


@pytest.mark.django_db
def test_an_organiser_gets_uploads_checked_while_a_tournament_is_played(monkeypatch):
    monkeypatch.setattr(queue, "random", lambda: 1.0)
    place = {"sandbox_ok": True, "seen_at": timezone.now(), "capacity": 4}
    Worker.objects.create(name="here", **place)
    organiser = make_user()
    lane = lane_keys.lane_of_user(organiser.pk)
    known = {"used_at": timezone.now(), "mean_seconds": 0.5}
    LaneUse.objects.create(key=lane, **known)
    versions = [make_player().active for _ in range(3)]
    for _ in range(20):
        services.make("basari", versions, Match.Kind.TOURNAMENT, lane=lane)
    running = [queue.claim("here") for _ in range(4)]
    assert {claim.model for claim in running} == {Match}
    upload = make_version(make_bot(organiser), status=BotVersion.Status.WAITING)
    for _ in range(4):
        done = running.pop(0)
        Match.objects.filter(pk=done.lease.pk).update(status=Match.Status.FINISHED)
        if claim := queue.claim("here"):
            running.append(claim)
    assert [(claim.model, claim.lease.pk) for claim in running] == [(BotVersion, upload.pk)]
    assert queue.claim("here").model is Match


def make_fast_lanes(count, places=4):
    """Owners of whom it is known that their matches are short, each with three that wait."""
    now = timezone.now()
    Worker.objects.create(name="here", sandbox_ok=True, seen_at=now, capacity=places)
    versions = [make_player().active for _ in range(3)]
    users = [make_user() for _ in range(count)]
    for user in users:
        key = lane_keys.lane_of_user(user.pk)
        LaneUse.objects.create(key=key, used_at=now, mean_seconds=0.1)
        for _ in range(3):
            services.make("basari", versions, Match.Kind.TOURNAMENT, asked_by=user)
    return users


@pytest.mark.django_db
def test_a_claim_costs_a_few_statements_however_many_lanes_wait(django_assert_num_queries):
    make_fast_lanes(8)
    # The lanes, the places of all workers, and the claim.
    with django_assert_num_queries(3):
        assert queue.claim("here")
    claimer = queue.Claimer("here")
    assert claimer.claim()
    with django_assert_num_queries(1):
        assert claimer.claim()


@pytest.mark.django_db
def test_lanes_take_turns_also_by_what_a_process_remembers(monkeypatch):
    monkeypatch.setattr(queue, "REMEMBERED_SECONDS", 60)
    users = make_fast_lanes(3)
    claimer = queue.Claimer("here")
    lanes = {claimer.claim().lane for _ in users}
    assert lanes == {lane_keys.lane_of_user(user.pk) for user in users}


@pytest.mark.django_db
def test_what_a_process_remembers_never_makes_it_miss_a_job_or_take_one_twice(monkeypatch):
    monkeypatch.setattr(queue, "REMEMBERED_SECONDS", 60)
    make_fast_lanes(3)
    claimers = [queue.Claimer("here") for _ in range(2)]
    claimed = [claimer.claim().lease.pk for _ in range(4) for claimer in claimers]
    newcomer = make_version(make_bot(make_user()), status=BotVersion.Status.WAITING)
    claimed.append(claimers[0].claim().lease.pk)
    assert sorted(claimed) == sorted(Match.objects.values_list("pk", flat=True))
    # All lanes it knew are empty, so it looks again.
    last = claimers[1].claim()
    assert (last.model, last.lease.pk) == (BotVersion, newcomer.pk)
    assert claimers[0].claim() is None


@pytest.mark.django_db
def test_jobs_that_are_bounded_in_number_are_never_taken_from_memory(monkeypatch):
    monkeypatch.setattr(queue, "REMEMBERED_SECONDS", 60)
    monkeypatch.setattr(queue, "random", lambda: 1.0)
    owner = make_fast_lanes(1)[0]
    claimers = [queue.Claimer("here") for _ in range(2)]
    for claimer in claimers:
        assert claimer.claim().model is Match
    for _ in range(2):
        make_version(make_bot(owner), status=BotVersion.Status.WAITING)
    LaneUse.objects.update(mean_seconds=60.0)
    monkeypatch.setattr(queue, "REMEMBERED_SECONDS", 0)
    for claimer in claimers:
        # Both see uploads of a slow lane; it has two matches running already.
        assert claimer.claim() is None
    monkeypatch.setattr(queue, "REMEMBERED_SECONDS", 60)
    Match.objects.all().delete()
    models = [claimed and claimed.model for claimed in (one.claim() for one in claimers)]
    assert models == [BotVersion, None]


@pytest.mark.django_db
def test_charges_of_several_processes_add_up(monkeypatch):
    queue_match([make_player() for _ in range(3)])
    claimed = queue.claim("here")
    queue.charge(claimed, 4.0)
    usual = turns.usual

    def usual_while_another_charges(mean, seconds):
        monkeypatch.setattr(turns, "usual", usual)
        queue.charge(claimed, 2.0)
        return usual(mean, seconds)

    monkeypatch.setattr(turns, "usual", usual_while_another_charges)
    queue.charge(claimed, 1.0)
    assert round(LaneUse.objects.get().used_seconds) == 7
