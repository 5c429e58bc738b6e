"""Two people on one device: one player holds both seats. B66: nobody does so by accident."""

from functools import partial

import pytest

from games import actions, lists, snapshot
from games.management.commands.check_games import faults
from games.models import Game
from games.protocol import Claims, Ended, OutcomeShape, Refusal, Refused, Renamed, Series
from tests.known_games import SHORT
from tests.rooms import begin, open_room, sow


@pytest.fixture
def shared(alice, said):
    """The room of a game that Alice has opened on both sides."""
    code = actions.open_room(alice, ruleset="both-stores-3x3", shared=True).room_id
    said.clear()
    return code


def refusal(act, *args, **named):
    with pytest.raises(Refused) as caught:
        act(*args, **named)
    return caught.value.refusal


def ask(code, player, kind, game=1):
    return actions.offer(code, player.pk, game=game, kind=kind)


def check(code):
    assert [fault for game in Game.objects.of_room(code) for fault in faults(game)] == []


# Sitting down -------------------------------------------------------------------------------------


def test_a_room_for_one_device_begins_at_once_and_is_private(alice, said):
    game = actions.open_room(alice, ruleset="classic-6x4", shared=True)
    assert (game.south, game.north, game.status, game.is_shared) == (alice, alice, "playing", True)
    assert game.moved_at
    assert game.room.visibility == "private"
    assert snapshot.current_game(game.room_id) == game


@pytest.mark.parametrize("side", ["S", "N"])
def test_whoever_waits_may_take_the_other_side_too(alice, bob, said, side):
    code = open_room(alice, side=side)
    said.clear()
    game = actions.take_both(code, alice)
    assert (game.south, game.north, game.status, game.version) == (alice, alice, "playing", 1)
    (seated,) = said.messages
    assert (seated.side, seated.player.name, seated.turn) == ("N" if side == "S" else "S", "Alice", "S")
    assert said.seatings == [(1, 1, str(alice.pk), str(alice.pk))]
    said.clear()
    assert actions.take_both(code, alice).version == 1
    assert not said
    assert refusal(actions.take_seat, code, bob) is Refusal.SEATS_TAKEN


def test_who_does_not_wait_there_takes_no_two_seats(alice, bob, said):
    code = open_room(alice)
    assert refusal(actions.take_both, code, bob) is Refusal.NOT_SEATED
    assert refusal(actions.take_both, "zzzzzzzz", bob) is Refusal.NO_SUCH_ROOM
    actions.leave_seat(code, alice)
    assert refusal(actions.take_both, code, alice) is Refusal.NOT_SEATED
    over = begin(alice, bob)
    assert refusal(actions.take_both, over, alice) is Refusal.SEATS_TAKEN
    actions.resign(over, alice.pk, game=1)
    assert refusal(actions.take_both, over, alice) is Refusal.GAME_OVER


def test_a_friend_who_sits_down_meanwhile_plays(alice, bob, said, meanwhile):
    code = open_room(alice)
    meanwhile(lambda: actions.take_seat(code, bob))
    assert refusal(actions.take_both, code, alice) is Refusal.SEATS_TAKEN
    assert snapshot.current_game(code).north == bob


def test_a_friend_who_comes_too_late_may_watch(alice, bob, said, meanwhile):
    code = open_room(alice)
    meanwhile(lambda: actions.take_both(code, alice))
    assert refusal(actions.take_seat, code, bob) is Refusal.SEATS_TAKEN
    assert snapshot.current_game(code).is_shared


def test_such_a_game_cannot_be_left_but_resigned(shared, alice):
    assert refusal(actions.leave_seat, shared, alice) is Refusal.STALE_PLY


# Playing ------------------------------------------------------------------------------------------


def test_one_player_sows_for_both_sides_to_the_end(shared, alice, bob, said):
    assert refusal(actions.play, shared, bob.pk, game=1, ply=0, pit=0) is Refusal.NOT_SEATED
    assert refusal(actions.play, shared, alice.pk, game=1, ply=0, pit=4) is Refusal.ILLEGAL_PIT
    sow(shared, SHORT)
    assert [message.side for message in said.messages] == list("SSNSNSNNSN")  # a to c are South's pits
    assert snapshot.read(shared).status == "over"
    check(shared)


def test_the_side_to_move_gives_up(shared, alice, said):
    sow(shared, "ab")  # Moon's turn
    said.clear()
    actions.resign(shared, alice.pk, game=1)
    assert [message.outcome.winner for message in said.messages] == ["S"]


def test_who_holds_both_seats_looks_from_neither(shared, alice, bob):
    for player in (alice.pk, bob.pk, None):
        assert snapshot.welcome(shared, player).you is None
    seats = snapshot.read(shared).seats
    assert seats.S == seats.N
    assert seats.S.name == "Alice"


def test_another_name_is_told_once(shared, alice, said):
    actions.rename(alice.pk, "Ann")
    (told,) = said.messages
    assert told == Renamed(player=snapshot.read(shared).seats.S)


# What is asked for is agreed ----------------------------------------------------------------------


def test_one_tap_takes_back_the_latest_turn_with_its_extra_turns(shared, alice, said):
    assert refusal(ask, shared, alice, "takeback") is Refusal.NOTHING_TO_TAKE_BACK
    sow(shared, "ab")  # a ends in the store: one turn
    sow(shared, "g")
    ask(shared, alice, "takeback")
    assert snapshot.read(shared).transcript == "ab"
    assert snapshot.read(shared).turn == "N"
    ask(shared, alice, "takeback")
    assert snapshot.read(shared).transcript == ""
    assert snapshot.read(shared).offer is None
    check(shared)


def test_a_double_tap_takes_back_one_turn(shared, alice, said):
    sow(shared, "abg")
    said.clear()
    take = partial(actions.offer, shared, alice.pk, game=1, kind="takeback", ply=3)
    take()
    assert refusal(take) is Refusal.STALE_PLY
    assert snapshot.read(shared).transcript == "ab"
    assert len(said.messages) == 1
    actions.offer(shared, alice.pk, game=1, kind="takeback", ply=2)
    assert snapshot.read(shared).transcript == ""


def test_an_extra_turn_not_yet_used_is_taken_back_too(shared, alice):
    sow(shared, "a")
    ask(shared, alice, "takeback")
    assert (snapshot.read(shared).transcript, snapshot.read(shared).turn) == ("", "S")


def test_the_latest_turn_is_the_one_that_another_tab_has_sown_meanwhile(shared, alice, meanwhile):
    sow(shared, "abg")
    meanwhile(lambda: sow(shared, "b"))
    ask(shared, alice, "takeback")
    assert snapshot.read(shared).transcript == "abg"


def test_a_draw_needs_nobody_else(shared, alice, said):
    ask(shared, alice, "draw")
    assert said.messages == [Ended(game=1, version=1, outcome=OutcomeShape(None, (0, 0), "agreed"))]


def test_another_game_begins_at_once_with_both_seats_and_the_score_of_sun_and_moon(shared, alice, said):
    assert refusal(ask, shared, alice, "rematch") is Refusal.NOT_OVER
    sow(shared, "ab")
    actions.resign(shared, alice.pk, game=1)  # Sun wins
    ask(shared, alice, "rematch")
    assert refusal(ask, shared, alice, "rematch") is Refusal.STALE_PLY  # a double click
    game = snapshot.current_game(shared)
    assert (game.number, game.is_shared, game.status) == (2, True, "playing")
    assert snapshot.of(game).series == Series(S=1, N=0, draws=0)
    sow(shared, SHORT[:2])
    check(shared)


# The lobby ----------------------------------------------------------------------------------------


def test_the_lobby_lists_no_game_on_one_device(alice, bob, said):
    code = open_room(alice, public=True)
    actions.take_both(code, alice)
    other = begin(alice, bob, public=True)
    assert [game.room_id for game in Game.objects.public().playing()] == [other]
    assert lists.waiting_for("classic-6x4", "") == []


def test_an_own_game_on_one_device_has_no_opponent_and_no_side(shared, alice):
    sow(shared, "ab")
    (game,) = lists.mine(alice.pk).games
    assert (game.code, game.you, game.opponent, game.turn) == (shared, "S", None, "N")
    assert lists.going_on(alice.pk) == (game,)


def test_on_one_device_there_is_nothing_to_swap_and_nothing_to_claim(alice, hands):
    code = actions.open_room(alice, ruleset="classic-6x4+pie", control="5+3", shared=True).room_id
    sow(code, "d")
    now = snapshot.read(code)
    assert not now.may_swap
    with pytest.raises(Refused) as refused:
        actions.swap(code, alice.pk, game=1, ply=1)
    assert refused.value.refusal is Refusal.ILLEGAL_PIT
    actions.attend(code, south=False, north=False)
    assert snapshot.read(code).claims == Claims()
    assert now.clock.running == "N"
