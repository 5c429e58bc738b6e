"""Credits of one socket, and of many addresses."""

from games import limits
from games.limits import Bucket, Buckets


def taken(bucket, *times):
    return [bucket.take(now) for now in times]


def test_a_burst_passes_and_no_more():
    assert taken(Bucket(rate=1, burst=3), 0, 0, 0, 0) == [True, True, True, False]


def test_credits_come_back_at_the_rate():
    bucket = Bucket(rate=2, burst=2)
    assert taken(bucket, 10, 10, 10) == [True, True, False]
    assert taken(bucket, 10.5, 10.5) == [True, False]  # half a second brings one
    assert taken(bucket, 11.5, 11.5, 11.5) == [True, True, False]


def test_a_long_silence_saves_up_no_more_than_a_burst():
    assert taken(Bucket(rate=5, burst=2), 0, 3600, 3600, 3600) == [True, True, True, False]


def test_being_refused_costs_nothing():
    bucket = Bucket(rate=1, burst=1)
    assert taken(bucket, 0, 0.2, 0.4, 0.6, 0.8) == [True, False, False, False, False]
    assert bucket.take(1.01)


def test_each_key_has_credits_of_its_own():
    buckets = Buckets(rate=1, burst=2)
    assert [buckets.take(key, 0) for key in "aaabb"] == [True, True, False, True, True]


def test_nobody_in_particular_is_never_held_back():
    assert all(Buckets(rate=1, burst=1).take("", 0) for _ in range(5))


def test_looking_costs_nothing():
    buckets = Buckets(rate=1, burst=1)
    assert not buckets.is_empty("a", 0)
    buckets.take("a", 0)
    assert buckets.is_empty("a", 0.5)
    assert not buckets.is_empty("a", 1)


def test_of_many_keys_only_those_are_remembered_that_have_drawn_of_late(monkeypatch):
    monkeypatch.setattr(limits, "_MOST_BUCKETS", 3)
    buckets = Buckets(rate=1, burst=2)
    for key, now in (("a", 0), ("b", 0), ("b", 0), ("c", 9)):
        buckets.take(key, now)
    assert buckets.take("d", 9)  # a and b have had theirs back by now
    assert set(buckets._buckets) == {"c", "d"}
