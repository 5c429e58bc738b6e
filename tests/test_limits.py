"""Credits of one socket."""

from games.limits import Bucket


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
