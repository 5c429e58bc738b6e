"""What a finished game's plies were worth: worked out once, by one process, and by another if that one ends."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from games import actions, hindsight, reviews, snapshot, thinking
from games.actions.reviews import LEASE_MS
from games.engine.engine import Engine
from games.engine.findings import Findings, PitValue
from games.engine.kernel import FOREVER
from games.models import Review
from games.protocol import Refusal, Refused, Valued
from games.rules import transcript
from games.rules.ruleset import by_key
from games.rules.transcript import hole
from tests.patience import PATIENCE_S
from tests.rooms import begin, sow
from tests.tiny_review import MARKS, PLIES, VALUES, played


class Counting(Engine):
    """An engine that knows what it was asked."""

    def __init__(self, folder) -> None:
        super().__init__(folder, has_book=False, most_endings=0)
        self.solved: list[str] = []

    def solve(self, ruleset, position, *args, **kwargs):
        self.solved.append(str(position))
        return super().solve(ruleset, position, *args, **kwargs)


@pytest.fixture
def engine(tmp_path):
    return Counting(tmp_path)


def told(game, player=None):
    return hindsight.shape(hindsight.find(game.room_id, game.number, player), "done")


# Working it out -----------------------------------------------------------------------------------


def test_every_ply_of_a_game_is_worked_out_told_and_kept(alice, bob, said, engine):
    game = played(alice, bob)
    said.clear()
    reviews.work_out(game, engine)
    review = told(game)
    assert review.plies == VALUES
    assert review.marks == MARKS
    assert hindsight.find(game.room_id, 1, None).done
    valued = [message for message in said.messages if isinstance(message, Valued)]
    assert [(message.ply, message.value) for message in valued] == list(enumerate(VALUES))[::-1]
    assert said.messages[-1] == review
    assert set(said.rooms) == {f"{game.room_id}.1"}


def test_late_positions_are_noted_together_and_early_ones_each(alice, bob, said, engine, monkeypatch):
    """Before the three plies 4, 4 and 3 stones lie in pits."""
    noted = []
    note = actions.note_review

    def listen(game, row, found, **options):
        noted.append(sorted(found))
        return note(game, row, found, **options)

    monkeypatch.setattr(actions, "note_review", listen)
    for quick in (4, 3):
        monkeypatch.setattr(reviews, "_QUICK", quick)
        reviews.work_out(played(alice, bob), engine)
    assert noted == [[0, 1, 2], [2], [1], [0]]


def test_it_is_worked_out_once(alice, bob, said, engine):
    game = played(alice, bob)
    reviews.work_out(game, engine)
    said.clear()
    reviews.work_out(game, engine)
    assert len(engine.solved) == len(PLIES)
    assert not said


@pytest.mark.parametrize("rules", ["classic-3x2", "both-stores-3x2", "no-empty-capture-3x2", "avalanche-3x2+majority"])
def test_a_game_of_every_ruleset_is_gone_over_to_where_it_was_given_up(alice, bob, said, engine, rules):
    game = played(alice, bob, "b", rules)
    reviews.work_out(game, engine)
    (value,) = told(game).plies
    assert value.low == value.high
    assert 0 <= value.lost[0] == value.lost[1]


def test_swapping_sides_is_weighed_as_a_ply_of_who_then_sits_south(alice, bob, said, engine):
    """After `a` the board is worth 2 to North, and North swaps: the other one now has these two."""
    code = begin(alice, bob, "classic-2x1+pie")
    sow(code, "a")
    actions.swap(code, bob.pk, game=1, ply=1)
    actions.resign(code, alice.pk, game=1)
    game = snapshot.current_game(code)
    reviews.work_out(game, engine)
    review = told(game)
    assert review.plies[1].lost == (2, 2)
    assert review.plies[1].line == "db"
    assert review.plies[0].lost == (2, 2)


def test_where_swapping_was_better_the_line_begins_with_it(engine):
    """Were the board after `a` worth 2 to South, North should have swapped instead of sowing `d`."""
    ruleset = by_key("classic-2x1+pie")
    _, sowing = transcript.replay(ruleset, "ad")
    pits = (PitValue(hole("d"), -2, -2, -2), PitValue(hole("e"), -4, -4, -4))
    findings = Findings(pits, -2, -2, FOREVER, 0)
    assert reviews._better(engine, ruleset, sowing, findings, "a") == "fdb"


def test_a_board_too_large_for_the_engine_is_done_with_nothing_known(alice, bob, said, engine, monkeypatch):
    def refuse(*args, **kwargs):
        raise reviews.TooLarge

    monkeypatch.setattr(engine, "solve", refuse)
    monkeypatch.setattr(engine, "prepare", refuse)
    monkeypatch.setattr(reviews, "_FEW", 0)
    game = played(alice, bob)
    reviews.work_out(game, engine)
    assert told(game).plies == (None, None, None)
    assert hindsight.find(game.room_id, 1, None).done


# One at a time ------------------------------------------------------------------------------------


def test_while_somebody_is_at_it_nobody_else_begins(alice, bob, said):
    game = played(alice, bob)
    assert actions.begin_review(game)
    assert actions.begin_review(game) is None


def test_who_ends_in_the_middle_is_followed_by_another_who_does_the_rest(alice, bob, said, hands, engine):
    game = played(alice, bob)
    lost = actions.begin_review(game)
    last = {"low": 0, "high": 0, "pits": [[hole("d"), 0, 0]], "line": ""}
    assert actions.note_review(game, lost, {2: last})
    hands.pass_by(seconds=LEASE_MS / 1000 - 0.001)
    reviews.work_out(game, engine)
    assert engine.solved == []
    hands.pass_by(seconds=0.001)
    reviews.work_out(game, engine)
    assert len(engine.solved) == 2
    assert told(game).plies == VALUES
    assert not actions.note_review(game, lost, {0: last})
    assert told(game).plies == VALUES


@pytest.mark.django_db(transaction=True)
def test_of_two_processes_one_works_it_out(alice, bob):
    """Fifty times, at the same moment."""
    with ThreadPoolExecutor(2) as threads:
        for _ in range(50):
            game = played(alice, bob)
            barrier = threading.Barrier(2)

            def begin(_, game=game, barrier=barrier):
                barrier.wait(PATIENCE_S)
                return actions.begin_review(game)

            assert [row is None for row in threads.map(begin, range(2))].count(False) == 1
        list(threads.map(lambda _: connections.close_all(), range(2)))
    assert Review.objects.count() == 50


# Asking -------------------------------------------------------------------------------------------


class Patient:
    """Threads that think when they are told to."""

    def __init__(self) -> None:
        self.thoughts: list = []

    def in_peace(self, thought) -> None:
        self.thoughts.append(thought)

    def give_way(self) -> None:
        pass


@pytest.fixture
def thinkers(monkeypatch, engine):
    patient = Patient()
    monkeypatch.setattr(thinking, "thinkers", lambda: patient)
    monkeypatch.setattr(thinking, "engine", lambda: engine)
    monkeypatch.setattr(thinking, "close_old_connections", lambda: None)  # the test's own
    monkeypatch.setattr(reviews, "_asked", set())
    return patient


def test_who_asks_has_a_game_looked_into_once_however_often(alice, bob, said, thinkers):
    game = played(alice, bob)
    answers = [reviews.ask(game.room_id, 1, None) for _ in range(3)]
    assert [(answer.state, answer.plies) for answer in answers] == [("looking", (None,) * 3)] * 3
    (thought,) = thinkers.thoughts
    thought()
    assert reviews.ask(game.room_id, 1, None).state == "done"
    assert len(thinkers.thoughts) == 1


def test_what_another_process_looks_into_is_put_down_here_once_that_is_gone(alice, bob, said, thinkers, hands):
    game = played(alice, bob)
    actions.begin_review(game)
    assert reviews.ask(game.room_id, 1, None).state == "looking"
    assert thinkers.thoughts == []
    hands.pass_by(seconds=LEASE_MS / 1000)
    assert reviews.ask(game.room_id, 1, None).state == "looking"
    assert len(thinkers.thoughts) == 1


def test_who_knows_as_much_is_told_nothing(alice, bob, said, thinkers):
    game = played(alice, bob)
    assert reviews.ask(game.room_id, 1, None, 0) is None
    thinkers.thoughts.pop()()
    assert reviews.ask(game.room_id, 1, None, 3).state == "done"  # all three, but not that there is no more
    assert reviews.ask(game.room_id, 1, None, 4) is None


def test_no_more_games_wait_than_one_would_wait_for(alice, bob, said, thinkers):
    games = [played(alice, bob) for _ in range(9)]
    states = [reviews.ask(game.room_id, 1, None).state for game in games]
    assert states == ["looking"] * 8 + ["waiting"]
    thinkers.thoughts.pop(0)()
    assert reviews.ask(games[8].room_id, 1, None).state == "looking"


def test_a_fault_is_logged_and_the_game_is_tried_again_later(
    alice, bob, said, thinkers, engine, hands, monkeypatch, caplog
):
    game = played(alice, bob)
    reviews.ask(game.room_id, 1, None)
    monkeypatch.setattr(engine, "study", None)
    thinkers.thoughts.pop()()
    assert "a review was broken off" in caplog.text
    reviews.ask(game.room_id, 1, None)
    assert thinkers.thoughts == []
    hands.pass_by(seconds=LEASE_MS / 1000)
    reviews.ask(game.room_id, 1, None)
    assert len(thinkers.thoughts) == 1


def refusal_of(code, number=1, player=None):
    with pytest.raises(Refused) as caught:
        reviews.ask(code, number, player)
    return caught.value.refusal


def test_a_game_that_goes_on_is_not_looked_into(alice, bob, said, thinkers):
    code = begin(alice, bob)
    sow(code, "c")
    assert refusal_of(code) is Refusal.NOT_OVER
    assert thinkers.thoughts == []
    assert not Review.objects.exists()


def test_who_plays_a_person_is_not_helped_and_others_are(alice, bob, charlie, said, thinkers):
    game = played(alice, bob)
    begin(alice, charlie)
    assert refusal_of(game.room_id, player=alice.pk) is Refusal.NOT_OVER
    assert refusal_of(game.room_id, player=charlie.pk) is Refusal.NOT_OVER
    assert reviews.ask(game.room_id, 1, bob.pk).state == "looking"


def test_there_is_no_review_of_no_game(alice, bob, said, thinkers):
    game = played(alice, bob)
    assert refusal_of(game.room_id, 2) is Refusal.NO_SUCH_ROOM
    assert refusal_of("abcdefgh") is Refusal.NO_SUCH_ROOM


def test_a_game_without_a_ply_has_nothing_to_look_into(alice, bob, said, thinkers):
    game = played(alice, bob, "")
    assert reviews.ask(game.room_id, 1, None).state == "done"
    assert thinkers.thoughts == []
