"""Sowing: what is recorded and told, and everything that is refused without a trace."""

import copy
import uuid

import pytest
from django.db import OperationalError, transaction
from msgspec import msgpack

from games import actions, snapshot
from games.actions import row as rows
from games.actions.row import follow, keep, kept
from games.management.commands.check_games import faults
from games.models import Game
from games.protocol import OutcomeShape, Refusal, Refused, Sown
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Position, Side
from games.rules.transcript import hole
from tests.known_games import PRINTED
from tests.rooms import begin, open_room, sow

A, B, C, D, E, F = range(6)

committed = pytest.mark.django_db(transaction=True)


def play(code, player, pit, *, ply=0, game=1):
    return actions.play(code, player and player.pk, game=game, ply=ply, pit=pit)


def refusal(*args, **kwargs):
    with pytest.raises(Refused) as caught:
        play(*args, **kwargs)
    return caught.value.refusal


def row(code):
    return Game.objects.filter(room=code).values().get()


# What counts --------------------------------------------------------------------------------------


def test_a_sowing_is_recorded(code, alice):
    play(code, alice, D)
    game = snapshot.current_game(code)
    assert (game.transcript, game.ply, game.version, game.status) == ("d", 1, 2, "playing")
    assert game.position == "4,4,4,0,5,5,1/5,4,4,4,4,4,0 N"
    assert faults(game) == []


def test_a_sowing_is_told_once_with_its_story(code, alice, said):
    play(code, alice, D)
    assert said.rooms == [code]
    assert said.messages == [
        Sown(
            game=1,
            version=2,
            ply=0,
            pit=3,
            side="S",
            transfers=(("sow", 3, (4, 5, 6, 7)),),
            stones=(4, 4, 4, 0, 5, 5, 1, 5, 4, 4, 4, 4, 4, 0),
            turn="N",
            # h's five stones end in m, the fours of i to m in m, n, a, b and c.
            legal=(
                (7, 12, False, 0, (8, 9, 10, 11, 12), ()),
                (8, 12, False, 0, (9, 10, 11, 12), ()),
                (9, 13, True, 0, (10, 11, 12, 13), ()),
                (10, 0, False, 0, (11, 12, 13, 0), ()),
                (11, 1, False, 0, (12, 13, 0, 1), ()),
                (12, 2, False, 0, (13, 0, 1, 2), ()),
            ),
            last=7,
            extra_turn=False,
            captured=0,
            outcome=None,
        )
    ]
    assert said.lobby == 1


def test_an_extra_turn_is_kept_however_often_the_game_is_read(code, alice, bob):
    play(code, alice, C)
    for _ in range(3):
        state = snapshot.read(code)
        assert (state.turn, state.ply, state.transcript) == ("S", 1, "c")
        assert state.last.extra_turn
    assert refusal(code, bob, 7, ply=1) is Refusal.NOT_YOUR_TURN
    play(code, alice, A, ply=1)
    assert snapshot.read(code).turn == "N"


def test_a_capture_is_told_with_every_stone_it_took(alice, bob, said):
    code = begin(alice, bob, "classic-2x1")
    sow(code, "b")  # 1,0,1/1,1,0 and an extra turn
    said.clear()
    sow(code, "a")  # falls in the empty b; opposite lies d, one stone; e is swept
    (sown,) = said.messages
    assert sown.transfers == (("sow", 0, (1,)), ("capture", 1, (2,)), ("capture", 3, (2,)), ("sweep", 4, (5,)))
    assert (sown.captured, sown.last, sown.stones) == (2, 1, (0, 0, 3, 0, 0, 1))
    assert sown.outcome == OutcomeShape(winner="S", score=(3, 1), ending="played_out")


def test_the_last_sowing_is_told_with_the_outcome(alice, bob, said):
    code = begin(alice, bob, "classic-1x1")
    said.clear()
    sow(code, "a")
    (sown,) = said.messages
    assert sown.transfers == (("sow", 0, (1,)), ("sweep", 2, (3,)))
    assert (sown.stones, sown.turn, sown.legal, sown.extra_turn) == ((0, 1, 0, 1), None, (), False)
    assert sown.outcome == OutcomeShape(winner=None, score=(1, 1), ending="played_out")


def test_a_draw_has_no_winner(alice, bob):
    code = begin(alice, bob, "classic-1x1")
    sow(code, "a")
    game = snapshot.current_game(code)
    assert (game.status, game.ending, game.winner, bool(game.over_at)) == ("over", "played_out", "", True)
    assert faults(game) == []


def test_with_majority_the_game_stops_and_nothing_is_swept(alice, bob):
    # b into the store; a into b captures itself and d: three of four stones.
    code = begin(alice, bob, "classic-2x1+majority")
    sow(code, "ba")
    game = snapshot.current_game(code)
    assert (game.position, game.ending, game.winner) == ("0,0,3/0,1,0 N", "majority", "S")
    assert snapshot.read(code).outcome == OutcomeShape(winner="S", score=(3, 0), ending="majority")
    assert faults(game) == []


def test_without_majority_the_same_game_is_swept(alice, bob):
    code = begin(alice, bob, "classic-2x1")
    sow(code, "ba")
    game = snapshot.current_game(code)
    assert (game.position, game.ending, game.winner) == ("0,0,3/0,0,1 N", "played_out", "S")


def test_the_printed_game_is_played_to_its_end(alice, bob, said):
    code = begin(alice, bob, "both-stores-6x4")
    said.clear()
    sow(code, PRINTED)
    game = snapshot.current_game(code)
    assert (game.transcript, game.ply, game.status, game.winner) == (PRINTED, 31, "over", "S")
    assert [message.ply for message in said.messages] == list(range(31))
    assert [bool(message.outcome) for message in said.messages] == [False] * 30 + [True]
    assert said.messages[-1].outcome == OutcomeShape(winner="S", score=(25, 23), ending="played_out")
    assert faults(game) == []


def test_both_boards_can_be_sown_in_turn_by_one_and_the_same_row_of_letters(alice, bob):
    """North's pits are the same holes for everybody: never counted from the player."""
    code = begin(alice, bob)
    sow(code, "dh")
    assert snapshot.read(code).last.pit == hole("h") == 7


# What does not ------------------------------------------------------------------------------------

REFUSED = {
    "a spectator": ("charlie", D, 0, Refusal.NOT_SEATED),
    "whoever is not recognised": (None, D, 0, Refusal.NOT_SEATED),
    "the other side": ("bob", 7, 0, Refusal.NOT_YOUR_TURN),
    "the other side with a pit of the side to move": ("bob", D, 0, Refusal.NOT_YOUR_TURN),
    "a pit of the other side": ("alice", 7, 0, Refusal.ILLEGAL_PIT),
    "the own store": ("alice", 6, 0, Refusal.ILLEGAL_PIT),
    "the other store": ("alice", 13, 0, Refusal.ILLEGAL_PIT),
    "a hole beyond the board": ("alice", 14, 0, Refusal.ILLEGAL_PIT),
    "a hole far beyond the board": ("alice", 2**31 - 1, 0, Refusal.ILLEGAL_PIT),
    "a ply still to come": ("alice", D, 1, Refusal.STALE_PLY),
}


@pytest.mark.parametrize(("who", "pit", "ply", "why"), REFUSED.values(), ids=REFUSED)
def test_refused_without_a_trace_is(request, code, said, who, pit, ply, why):
    player = who and request.getfixturevalue(who)
    said.clear()
    before = row(code)
    assert refusal(code, player, pit, ply=ply) is why
    assert row(code) == before
    assert not said


def test_an_empty_pit_is_not_sown(code, alice, said):
    sow(code, "c")
    said.clear()
    assert refusal(code, alice, C, ply=1) is Refusal.ILLEGAL_PIT
    assert not said


def test_a_ply_already_recorded_is_never_sown_again(code, alice, bob, said):
    play(code, alice, C)  # an extra turn: it is still Alice's turn
    said.clear()
    before = row(code)
    assert refusal(code, alice, C, ply=0) is Refusal.STALE_PLY
    assert refusal(code, alice, A, ply=0) is Refusal.STALE_PLY
    assert row(code) == before
    assert not said


def test_the_last_ply_sent_again_after_the_end_is_a_ply_already_recorded(alice, bob, said):
    code = begin(alice, bob, "classic-1x1")
    sow(code, "a")
    said.clear()
    assert refusal(code, alice, A, ply=0) is Refusal.STALE_PLY
    assert not said


@pytest.mark.parametrize("game", [0, 2, 2**31 - 1])
def test_another_game_of_the_room_is_not_sown(code, alice, said, game):
    assert refusal(code, alice, D, game=game) is Refusal.STALE_PLY
    assert snapshot.read(code).ply == 0
    assert not said


def test_nothing_is_sown_before_the_second_player_sits(alice, said):
    code = open_room(alice)
    said.clear()
    assert refusal(code, alice, D) is Refusal.NOT_STARTED
    assert not said


def test_nothing_is_sown_in_a_room_that_does_not_exist(alice):
    assert refusal("zzzzzzzz", alice, D) is Refusal.NO_SUCH_ROOM


@pytest.mark.parametrize("how", ["played out", "resigned"])
def test_nothing_counts_any_more_once_a_game_is_over(alice, bob, said, how):
    """B13: the server took a move after the end."""
    code = begin(alice, bob, "classic-1x1")
    if how == "played out":
        sow(code, "a")
    else:
        actions.resign(code, bob.pk, game=1)
    said.clear()
    over = row(code)
    ply = over["ply"]
    for player in (alice, bob):
        for pit in range(4):
            assert refusal(code, player, pit, ply=ply) is Refusal.GAME_OVER
        with pytest.raises(Refused) as caught:
            actions.resign(code, player.pk, game=1)
        assert caught.value.refusal is Refusal.GAME_OVER
    assert row(code) == over
    assert not said


def test_a_fault_in_the_rules_leaves_the_game_as_it_was(code, alice, said, monkeypatch):
    """B25: an exception ended the game as a loss."""

    def fail(self, position):
        raise ZeroDivisionError

    before = row(code)
    monkeypatch.setattr(type(rulesets.by_key("classic-6x4")), "outcome", fail)
    with pytest.raises(ZeroDivisionError):
        play(code, alice, D)
    assert row(code) == before
    assert not said


# Races lost, step by step -------------------------------------------------------------------------


def test_a_double_click_counts_once(code, alice, said, meanwhile):
    meanwhile(lambda: play(code, alice, C))
    assert refusal(code, alice, C) is Refusal.STALE_PLY
    assert snapshot.read(code).transcript == "c"
    assert len(said.messages) == 1


def test_a_sowing_is_refused_when_the_other_side_resigns_meanwhile(code, alice, bob, meanwhile):
    meanwhile(lambda: actions.resign(code, bob.pk, game=1))
    assert refusal(code, alice, D) is Refusal.GAME_OVER
    assert (snapshot.read(code).status, snapshot.read(code).ply) == ("over", 0)


def test_a_change_that_takes_nothing_away_from_a_sowing_does_not_stop_it(code, alice, meanwhile):
    meanwhile(lambda: Game.objects.filter(room=code).update(version=7))
    play(code, alice, D)
    assert (snapshot.read(code).transcript, snapshot.read(code).version) == ("d", 8)


def test_a_resignation_stands_when_the_other_side_sows_meanwhile(code, alice, bob, meanwhile):
    meanwhile(lambda: play(code, alice, D))
    actions.resign(code, bob.pk, game=1)
    state = snapshot.read(code)
    assert (state.status, state.transcript, state.outcome.winner) == ("over", "d", "S")


def test_the_player_is_taken_from_the_one_who_asks_and_from_nowhere_else(code):
    with pytest.raises(Refused):
        actions.play(code, uuid.uuid4(), game=1, ply=0, pit=D)


@committed
def test_a_ply_prepared_by_the_game_as_it_was_left_is_written_told_and_kept_for_the_next(code, alice, bob, said):
    actions.play(code, alice.pk, game=1, ply=0, pit=2)  # Alice sows again
    said.clear()
    move = actions.prepare(code, alice.pk, game=1, ply=1, pit=0)
    assert Game.objects.get().transcript == "c"
    assert not said
    assert move.write()
    assert Game.objects.get().transcript == "ca"
    assert [message.ply for message in said.messages] == [1]
    assert said.concerned == {str(alice.pk), str(bob.pk)}
    assert actions.prepare(code, bob.pk, game=1, ply=2, pit=12).write()
    game = Game.objects.get()
    assert game.transcript == "cam"
    assert Position.parse(game.position) == transcript.position(rulesets.by_key("classic-6x4"), "cam")


@committed
def test_a_prepared_ply_is_not_written_over_what_somebody_else_wrote(code, alice, bob, said):
    """Another process has taken a turn back, and another pit was sown: what this one remembers is out of date."""
    actions.play(code, alice.pk, game=1, ply=0, pit=2)  # Alice would sow again
    out_of_date = copy.copy(kept(code))
    actions.offer(code, alice.pk, game=1, kind="takeback")
    actions.answer(code, bob.pk, game=1, number=Game.objects.get().version, accept=True)
    actions.play(code, alice.pk, game=1, ply=0, pit=0)

    keep(*out_of_date)
    said.clear()
    assert not actions.prepare(code, alice.pk, game=1, ply=1, pit=0).write()
    assert not said
    assert kept(code) is None
    assert actions.play(code, bob.pk, game=1, ply=1, pit=12).side is Side.NORTH
    assert Game.objects.get().transcript == "am"


@committed
@pytest.mark.parametrize(
    ("player", "asked"),
    [
        ("alice", {"game": 1, "ply": 0, "pit": 3}),  # sown already
        ("alice", {"game": 2, "ply": 1, "pit": 3}),
        ("alice", {"game": 1, "ply": 1, "pit": 2}),  # empty
        ("alice", {"game": 1, "ply": 1, "pit": 8}),
        ("bob", {"game": 1, "ply": 1, "pit": 8}),
        ("charlie", {"game": 1, "ply": 1, "pit": 3}),
    ],
)
def test_nothing_is_prepared_where_anything_is_to_be_refused(code, alice, bob, charlie, player, asked):
    """What is kept may be out of date: `play` reads and says why."""
    actions.play(code, alice.pk, game=1, ply=0, pit=2)
    who = {"alice": alice, "bob": bob, "charlie": charlie}[player]
    assert actions.prepare(code, who.pk, **asked) is None


@committed
def test_what_another_process_wrote_is_followed_and_the_next_ply_prepared_by_it(code, alice, bob, said, monkeypatch):
    """Two players on two processes: neither reads again what the other has told."""
    processes = here, there = {}, {}
    actions.play(code, alice.pk, game=1, ply=0, pit=3)
    for process in processes:
        process[code] = copy.copy(snapshot.current_game(code)), Position.parse(snapshot.current_game(code).position)
    for player, ply, pit, mine, other in (
        (bob, 1, 7, there, here),
        (alice, 2, 2, here, there),
        (alice, 3, 5, here, there),
    ):
        monkeypatch.setattr(rows, "_kept", mine)
        assert actions.prepare(code, player.pk, game=1, ply=ply, pit=pit).write()
        monkeypatch.setattr(rows, "_kept", other)
        follow(code, msgpack.decode(msgpack.encode(said.news[-1])))
        game, position = other[code]
        stored = snapshot.current_game(code)
        assert (game.transcript, game.version, game.ply) == (stored.transcript, stored.version, stored.ply)
        assert str(position) == stored.position
    assert stored.transcript == "dhcf"


@committed
def test_what_another_process_wrote_is_not_followed_if_something_was_missed(code, alice, bob, said):
    actions.play(code, alice.pk, game=1, ply=0, pit=3)
    row = snapshot.current_game(code)
    before = copy.copy(row), Position.parse(row.position)
    actions.offer(code, alice.pk, game=1, kind="draw")
    actions.play(code, bob.pk, game=1, ply=1, pit=7)
    keep(*before)
    follow(code, said.news[-1])
    assert kept(code) is None


@committed
def test_nothing_is_prepared_in_a_game_that_is_not_kept(code, alice):
    assert actions.prepare(code, alice.pk, game=1, ply=0, pit=2) is None


@committed
def test_a_sowing_that_is_rolled_back_is_not_kept(code, alice):
    with pytest.raises(OperationalError), transaction.atomic():
        actions.play(code, alice.pk, game=1, ply=0, pit=0)
        raise OperationalError("the disk is full")
    assert kept(code) is None
    assert actions.play(code, alice.pk, game=1, ply=0, pit=2).extra_turn


@committed
def test_no_more_games_are_kept_than_the_bound(code, alice, monkeypatch):
    monkeypatch.setattr(rows, "_kept", {})
    monkeypatch.setattr(rows, "_KEPT", 1)
    game, position = snapshot.current_game(code), Position.parse(snapshot.current_game(code).position)
    other = copy.copy(game)
    other.room_id = "zzzzzzzz"
    keep(game, position)
    keep(other, position)
    assert kept(code) is None
    assert kept("zzzzzzzz") == (other, position)
