"""Counting who is here over all processes, and what of it the lobby finds in the cache."""

import logging

import pytest
from django.core.cache import cache

from games import presence
from games.presence import NAMED, Counts, Tally, Watcher, first


@pytest.fixture(autouse=True)
def _empty_cache():
    cache.clear()


def test_nobody_is_here_at_first():
    assert Tally().total(now=0) == (0, 0, 0)


def test_the_counts_of_all_processes_add_up():
    tally = Tally()
    tally.put("one", Counts(south=1, spectators=2), until=10)
    tally.put("other", Counts(south=1, north=1, spectators=3), until=10)
    assert tally.total(now=0) == Counts(south=2, north=1, spectators=5)


def test_a_process_replaces_its_own_counts():
    tally = Tally()
    tally.put("one", Counts(south=1), until=10)
    tally.put("one", Counts(north=1), until=10)
    assert tally.total(now=0) == Counts(north=1)


def test_a_process_killed_outright_leaves_no_ghosts():
    tally = Tally()
    tally.put("killed", Counts(south=1), until=40)
    tally.put("living", Counts(north=1), until=55)
    assert tally.total(now=39.9) == Counts(south=1, north=1)
    assert tally.total(now=40) == Counts(north=1)
    assert tally.total(now=55) == Counts()


def test_a_process_that_has_nobody_left_is_forgotten_at_once():
    tally = Tally()
    tally.put("one", Counts(south=1), until=10)
    tally.put("one", Counts(), until=10)
    assert tally.total(now=0) == Counts()


def test_a_process_is_renewed_before_it_is_forgotten_even_when_one_message_is_lost():
    assert 2 * presence.RENEW_SECONDS < presence.FORGET_SECONDS


def test_the_lobby_recalls_the_rooms_it_asks_for():
    presence.remember({"aaaaaaaa": Counts(1, 0, 7), "bbbbbbbb": Counts(1, 1, 0)})
    assert presence.recall(["aaaaaaaa", "cccccccc"]) == {"aaaaaaaa": Counts(1, 0, 7)}


def test_a_cache_that_fails_hurts_nobody(monkeypatch, caplog):
    def fail(*args, **kwargs):
        raise ConnectionError("gone")

    monkeypatch.setattr(cache, "set_many", fail)
    monkeypatch.setattr(cache, "get_many", fail)
    with caplog.at_level(logging.WARNING):
        presence.remember({"aaaaaaaa": Counts(1, 0, 7)})
        assert presence.recall(["aaaaaaaa"]) == {}
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]


def test_those_who_watch_are_named_in_order_of_arrival_over_all_processes_each_once():
    tally = Tally()
    tally.put("one", Counts(spectators=2), 10, (Watcher(1, "a", "Ann"), Watcher(4, "b", "Ben")))
    tally.put("other", Counts(spectators=2), 10, (Watcher(2, "c", "Cleo"), Watcher(3, "a", "Ann")))
    assert tally.names() == ("Ann", "Cleo", "Ben")
    tally.put("other", Counts(), 10)
    assert tally.names() == ("Ann", "Ben")


def test_only_the_first_of_a_crowd_are_named():
    crowd = [Watcher(since, str(since), f"Guest {since}") for since in range(NAMED + 5)]
    assert first(reversed(crowd)) == tuple(crowd[:NAMED])
