"""Sitting down and standing up again."""

import pytest

from games import actions, snapshot
from games.models import Game
from games.protocol import PlayerShape, Refusal, Refused, Seated
from games.rules.position import Side
from games.topics import Seating
from tests.rooms import begin, open_room


def refusal(act, *args):
    with pytest.raises(Refused) as caught:
        act(*args)
    return caught.value.refusal


def seats(code):
    game = snapshot.current_game(code)
    return game.south and game.south.name, game.north and game.north.name


@pytest.fixture
def waiting(alice, said):
    """The room where Alice waits on South's side."""
    code = open_room(alice)
    said.clear()
    return code


def test_the_second_to_sit_begins_the_game(waiting, alice, bob, said):
    game = actions.take_seat(waiting, bob)
    assert (game.south, game.north, game.status, game.version) == (alice, bob, "playing", 1)
    assert game.moved_at
    assert game == Game.objects.get()
    assert Game.objects.get().status == "playing"


def test_whoever_is_there_is_told_of_the_seat_and_of_the_beginning(waiting, alice, bob, said):
    actions.take_seat(waiting, bob)
    assert said.messages == [
        Seated(
            game=1,
            version=1,
            side="N",
            player=PlayerShape(str(bob.pk), "Bob"),
            status="playing",
            turn="S",
            # Four stones each: a falls in e, b in f, c in the store, d, e and f over there.
            legal=(
                (0, 4, False, 0, (1, 2, 3, 4), ()),
                (1, 5, False, 0, (2, 3, 4, 5), ()),
                (2, 6, True, 0, (3, 4, 5, 6), ()),
                (3, 7, False, 0, (4, 5, 6, 7), ()),
                (4, 8, False, 0, (5, 6, 7, 8), ()),
                (5, 9, False, 0, (6, 7, 8, 9), ()),
            ),
        )
    ]
    assert said.rooms == [waiting]
    assert said.seatings == [Seating(1, 1, str(alice.pk), str(bob.pk))]
    assert said.lobby == 1


def test_sitting_down_again_changes_nothing(waiting, alice, bob, said):
    actions.take_seat(waiting, bob)
    said.clear()
    for player in (alice, bob):
        assert actions.take_seat(waiting, player).version == 1
    assert seats(waiting) == ("Alice", "Bob")
    assert not said


def test_nobody_plays_both_sides_of_an_own_room(waiting, alice, said):
    assert actions.take_seat(waiting, alice).status == "open"
    assert seats(waiting) == ("Alice", None)
    assert not said


def test_a_third_finds_both_seats_taken(waiting, bob, charlie, said):
    actions.take_seat(waiting, bob)
    said.clear()
    assert refusal(actions.take_seat, waiting, charlie) is Refusal.SEATS_TAKEN
    assert seats(waiting) == ("Alice", "Bob")
    assert not said


def test_nobody_sits_down_at_a_game_that_is_over(waiting, alice, bob, charlie, said):
    actions.take_seat(waiting, bob)
    actions.resign(waiting, bob.pk, game=1)
    said.clear()
    assert refusal(actions.take_seat, waiting, charlie) is Refusal.GAME_OVER
    assert actions.take_seat(waiting, alice).south == alice  # who sat there still does
    assert not said


def test_nobody_sits_down_in_a_room_that_does_not_exist(alice, said):
    assert refusal(actions.take_seat, "zzzzzzzz", alice) is Refusal.NO_SUCH_ROOM


def test_whoever_waits_may_leave_again(waiting, alice, said):
    game = actions.leave_seat(waiting, alice)
    assert (game.south, game.north, game.status, game.version) == (None, None, "open", 1)
    assert said.messages == [Seated(game=1, version=1, side="S", player=None, status="open", turn=None, legal=())]
    assert said.seatings == [Seating(1, 1, None, None)]
    assert said.lobby == 1


def test_the_link_of_a_room_stays_good_when_its_host_has_left(waiting, alice, bob, charlie, said):
    actions.leave_seat(waiting, alice)
    assert actions.take_seat(waiting, bob).status == "open"
    assert actions.take_seat(waiting, charlie).status == "playing"
    assert seats(waiting) == ("Bob", "Charlie")


def test_leaving_is_for_those_who_sit(waiting, bob, said):
    assert refusal(actions.leave_seat, waiting, bob) is Refusal.NOT_SEATED
    assert seats(waiting) == ("Alice", None)
    assert not said


def test_a_game_that_has_begun_is_not_left_but_resigned(waiting, alice, bob, said):
    actions.take_seat(waiting, bob)
    said.clear()
    for player in (alice, bob):
        assert refusal(actions.leave_seat, waiting, player) is Refusal.STALE_PLY
    assert seats(waiting) == ("Alice", "Bob")
    assert not said


def test_a_game_that_is_over_is_not_left(waiting, alice, bob, said):
    actions.take_seat(waiting, bob)
    actions.resign(waiting, bob.pk, game=1)
    assert refusal(actions.leave_seat, waiting, alice) is Refusal.GAME_OVER


def test_nobody_leaves_a_room_that_does_not_exist(alice, said):
    assert refusal(actions.leave_seat, "zzzzzzzz", alice) is Refusal.NO_SUCH_ROOM


def test_sitting_and_leaving_twenty_times_takes_one_seat(waiting, alice, bob, said):
    """B65: sit, leave, sit again: in twice."""
    actions.leave_seat(waiting, alice)
    for _ in range(20):
        actions.take_seat(waiting, bob)
        assert seats(waiting) == ("Bob", None)
        actions.leave_seat(waiting, bob)
        assert seats(waiting) == (None, None)
    assert [message.version for message in said.messages] == list(range(1, 42))
    assert list(Game.objects.public().waiting()) == []


def test_the_free_side_is_taken_whichever_it_is(alice, bob, said):
    code = actions.open_room(alice, ruleset="classic-6x4", side=Side.NORTH).room_id
    actions.take_seat(code, bob)
    assert seats(code) == ("Bob", "Alice")


# Namesakes ----------------------------------------------------------------------------------------


@pytest.fixture
def namesakes(alice, bob):
    bob.name = "\u0410lice"  # a Cyrillic A
    bob.save()
    return alice, bob


def test_two_names_that_a_reader_would_confuse_are_told_apart_by_a_mark(namesakes, said):
    shapes = snapshot.read(begin(*namesakes)).seats
    assert (shapes.S.name, shapes.N.name) == ("Alice", "\u0410lice (2)")


@pytest.mark.parametrize("host", ["S", "N"])
def test_those_who_are_there_are_told_of_the_mark(namesakes, said, host):
    first, second = namesakes if host == "S" else reversed(namesakes)
    code = open_room(first, side=host)
    names = {str(first.pk): first.name}
    said.clear()
    actions.take_seat(code, second)
    names |= {message.player.id: message.player.name for message in said.messages}
    assert sorted(names.values()) == ["Alice", "\u0410lice (2)"]


# Races lost, step by step -------------------------------------------------------------------------


def test_who_is_a_moment_late_for_the_last_seat_is_refused(waiting, bob, charlie, said, meanwhile):
    meanwhile(lambda: actions.take_seat(waiting, charlie))
    assert refusal(actions.take_seat, waiting, bob) is Refusal.SEATS_TAKEN
    assert seats(waiting) == ("Alice", "Charlie")
    assert len(said.messages) == 1


def test_who_sits_down_while_the_host_leaves_sits_alone(waiting, alice, bob, said, meanwhile):
    meanwhile(lambda: actions.leave_seat(waiting, alice))
    game = actions.take_seat(waiting, bob)
    assert (game.status, seats(waiting)) == ("open", ("Bob", None))


def test_the_host_cannot_leave_while_somebody_sits_down(waiting, alice, bob, said, meanwhile):
    meanwhile(lambda: actions.take_seat(waiting, bob))
    assert refusal(actions.leave_seat, waiting, alice) is Refusal.STALE_PLY
    assert snapshot.current_game(waiting).status == "playing"


def test_sitting_down_twice_at_once_takes_one_seat(waiting, alice, bob, said, meanwhile):
    actions.leave_seat(waiting, alice)
    meanwhile(lambda: actions.take_seat(waiting, bob))
    assert actions.take_seat(waiting, bob).status == "open"
    assert seats(waiting) == ("Bob", None)
