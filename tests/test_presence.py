"""Counting who is here over all processes, and what of it the lobby finds in the cache."""

import logging

import pytest
from django.core.cache import cache

from games import presence
from games.presence import Counts, Tally


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
    presence.remember("aaaaaaaa", Counts(1, 0, 7))
    presence.remember("bbbbbbbb", Counts(1, 1, 0))
    assert presence.recall(["aaaaaaaa", "cccccccc"]) == {"aaaaaaaa": Counts(1, 0, 7)}


def test_a_cache_that_fails_hurts_nobody(monkeypatch, caplog):
    def fail(*args, **kwargs):
        raise ConnectionError("gone")

    monkeypatch.setattr(cache, "set", fail)
    monkeypatch.setattr(cache, "get_many", fail)
    with caplog.at_level(logging.WARNING):
        presence.remember("aaaaaaaa", Counts(1, 0, 7))
        assert presence.recall(["aaaaaaaa"]) == {}
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
