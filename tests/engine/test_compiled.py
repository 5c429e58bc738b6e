"""The kernel compiled, against itself as it stands: the same numbers in, the same numbers out."""

import logging
from importlib.metadata import PackageNotFoundError
from itertools import islice

from games.engine import board as boards, compiled
from games.engine.engine import Engine
from games.rules.position import Position
from games.rules.ruleset import by_key
from tests.engine.agreement import both_say, endings_of
from tests.engine.samples import random_positions


def test_both_find_the_same_in_random_positions_of_every_ruleset_and_size(kernel):
    for ruleset, position in islice(random_positions(3), 2_000):
        plain, quick = both_say(kernel, ruleset, position)
        assert plain == quick, (ruleset.key, str(position))


def test_both_find_the_same_values_of_endings(kernel):
    for key in ("classic-2x3", "avalanche-2x3", "both-stores-3x3", "no-empty-capture-6x4"):
        ruleset = by_key(key)
        board = boards.of(ruleset, ruleset.start(), endings=2_000)
        assert board.endings > 400
        assert endings_of(compiled.PLAIN, board) == endings_of(kernel, board)


def test_without_numba_the_engine_stays_plain_says_so_and_works(tmp_path, monkeypatch, caplog):
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(compiled, "version", missing)
    engine = Engine(tmp_path, most_endings=0)
    with caplog.at_level(logging.WARNING):
        engine.compile()
    assert "numba is not installed" in caplog.text
    assert not engine.is_compiled
    assert engine.best(by_key("classic-2x3"), Position.parse("0,1,0/1,0,0 S")).pit == 1


def test_what_cannot_be_compiled_leaves_the_engine_plain(tmp_path, monkeypatch, caplog):
    def broken(folder: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(compiled, "load", broken)
    engine = Engine(tmp_path, most_endings=0)
    engine.compile()
    assert "stays plain" in caplog.text
    assert not engine.is_compiled


def test_the_compiled_engine_takes_over_and_leaves_the_thread_that_started_it_alone(kernel, tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "load", lambda folder: kernel)
    engine = Engine(tmp_path, most_endings=0)
    engine.start().join()
    assert engine.is_compiled
    findings = engine.solve(by_key("classic-6x4"), Position.parse("1,0,2,0,1,0,20/0,1,2,0,1,0,20 S"))
    assert findings.is_exact


def test_what_is_compiled_is_kept_elsewhere_where_the_package_cannot_be_written_to(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert compiled._place(tmp_path) != tmp_path
    monkeypatch.setattr(compiled.os, "access", lambda path, mode: False)
    assert compiled._place(tmp_path) == tmp_path
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/somewhere")
    assert str(compiled._place(tmp_path)) == "/somewhere"
