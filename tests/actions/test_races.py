"""People who act at the same moment: threads behind a barrier, on connections of their own, a hundred times each.

Whatever the order, one row is changed by compare-and-set: exactly one wins, and the record stays legal.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connections

from games import actions, snapshot
from games.management.commands.check_games import faults
from games.models import Game
from games.protocol import Refusal, Refused
from tests import rooms
from tests.patience import PATIENCE_S
from tests.rooms import begin, open_room, sow

# Other tests cover the same lines, one way after the other, in half the time.
pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 100

hands = rooms.hands


@pytest.fixture
def at_once():
    """Do some things at the same moment: what each brought, or why it was refused, in the order given."""
    with ThreadPoolExecutor(4) as threads:
        barrier = threading.Barrier(1)

        def attempt(act):
            barrier.wait(PATIENCE_S)
            try:
                return act()
            except Refused as refused:
                return refused.refusal

        def together(*acts):
            nonlocal barrier
            barrier = threading.Barrier(len(acts))
            return list(threads.map(attempt, acts))

        yield together
        together(*[connections.close_all] * 4)


def refusals(results):
    return [result for result in results if isinstance(result, Refusal)]


def play(code, player, pit, ply=0):
    return partial(actions.play, code, player.pk, game=1, ply=ply, pit=pit)


def test_one_of_two_gets_the_last_seat_and_the_other_can_watch(alice, bob, charlie, said, at_once):
    """B63: two people take the last seat at once."""
    for _ in range(ROUNDS):
        code = open_room(alice)
        said.clear()
        results = at_once(partial(actions.take_seat, code, bob), partial(actions.take_seat, code, charlie))
        assert refusals(results) == [Refusal.SEATS_TAKEN]
        winner, loser = (bob, charlie) if results[1] is Refusal.SEATS_TAKEN else (charlie, bob)
        game = snapshot.current_game(code)
        assert (game.south, game.north, game.status, game.version) == (alice, winner, "playing", 1)
        assert snapshot.welcome(code, loser.pk).you is None
        assert len(said.messages) == 1


def test_two_who_find_a_room_empty_get_a_side_each(alice, bob, charlie, said, at_once):
    """B15: both players were put on one side."""
    for _ in range(ROUNDS):
        code = open_room(alice)
        actions.leave_seat(code, alice)
        results = at_once(partial(actions.take_seat, code, bob), partial(actions.take_seat, code, charlie))
        game = snapshot.current_game(code)
        assert refusals(results) == []
        assert {game.south, game.north} == {bob, charlie}
        assert (game.status, game.version) == ("playing", 3)


def test_a_double_click_on_sit_down_takes_one_seat(alice, bob, said, at_once):
    for _ in range(ROUNDS):
        code = open_room(alice)
        actions.leave_seat(code, alice)
        at_once(partial(actions.take_seat, code, bob), partial(actions.take_seat, code, bob))
        game = snapshot.current_game(code)
        assert (game.south, game.north, game.status, game.version) == (bob, None, "open", 2)


def test_of_a_friend_and_a_host_who_plays_on_one_device_one_gets_the_seat(alice, bob, said, at_once):
    for _ in range(ROUNDS):
        code = open_room(alice)
        said.clear()
        results = at_once(partial(actions.take_both, code, alice), partial(actions.take_seat, code, bob))
        assert refusals(results) == [Refusal.SEATS_TAKEN]
        game = snapshot.current_game(code)
        assert (game.south, game.north) == (alice, bob if results[0] is Refusal.SEATS_TAKEN else alice)
        assert (game.status, game.version, len(said.messages)) == ("playing", 1, 1)


@pytest.mark.parametrize("pit", [2, 3], ids=["with an extra turn", "without an extra turn"])
def test_of_a_double_click_and_the_other_side_one_is_stored(alice, bob, said, at_once, pit):
    for _ in range(ROUNDS):
        code = begin(alice, bob)
        said.clear()
        results = at_once(play(code, alice, pit), play(code, alice, pit), play(code, bob, 8), play(code, alice, 5))
        refused = refusals(results)
        assert len(refused) == 3
        assert set(refused) <= {Refusal.STALE_PLY, Refusal.NOT_YOUR_TURN}
        assert results[2] in refused  # whatever the order, it was not North's turn at ply 0
        game = snapshot.current_game(code)
        assert (game.ply, game.version, len(game.transcript)) == (1, 2, 1)
        assert faults(game) == []
        assert [message.version for message in said.messages] == [2]


def test_of_two_workers_with_the_same_ply_one_is_stored(alice, bob, said, at_once):
    """B25: two workers wrote the same ply. Ply after ply of one game, each sent twice; the second may only be stale."""
    code = begin(alice, bob)
    for ply in range(ROUNDS):
        if snapshot.read(code).status == "over":
            code = begin(alice, bob)
        state = snapshot.read(code)
        player = alice if state.turn == "S" else bob
        pit = state.legal[ply % len(state.legal)][0]
        results = at_once(play(code, player, pit, state.ply), play(code, player, pit, state.ply))
        assert len(refusals(results)) == 1
        assert set(refusals(results)) <= {Refusal.STALE_PLY, Refusal.GAME_OVER}
        assert snapshot.read(code).ply == state.ply + 1
    assert [fault for game in Game.objects.all() for fault in faults(game)] == []


def test_joining_while_the_host_leaves_ends_in_a_game_or_in_a_room_of_one(alice, bob, said, at_once):
    for _ in range(ROUNDS):
        code = open_room(alice)
        said.clear()
        left, joined = at_once(partial(actions.leave_seat, code, alice), partial(actions.take_seat, code, bob))
        game = snapshot.current_game(code)
        assert joined not in list(Refusal)
        if left is Refusal.STALE_PLY:  # too late: the game has begun
            assert (game.south, game.north, game.status) == (alice, bob, "playing")
        else:
            assert (game.south, game.north, game.status) in {(None, bob, "open"), (bob, None, "open")}
        assert game.version == len(said.messages)


def test_of_two_resignations_one_ends_the_game(alice, bob, said, at_once):
    for _ in range(ROUNDS):
        code = begin(alice, bob)
        said.clear()
        results = at_once(*(partial(actions.resign, code, player.pk, game=1) for player in (alice, bob)))
        assert refusals(results) == [Refusal.GAME_OVER]
        assert snapshot.read(code).outcome.winner == ("N" if results[1] is Refusal.GAME_OVER else "S")
        assert len(said.messages) == 1


def test_a_swap_and_a_sowing_at_once_leave_one_of_the_two(alice, bob, said, at_once):
    for _ in range(20):
        code = begin(alice, bob, "classic-6x4+pie")
        sow(code, "d")
        said.clear()
        results = at_once(partial(actions.swap, code, bob.pk, game=1, ply=1), play(code, bob, 7, ply=1))
        assert refusals(results) == [Refusal.STALE_PLY]
        game = snapshot.current_game(code)
        swapped = results[1] is Refusal.STALE_PLY
        assert (game.transcript, game.south) == (("dn", bob) if swapped else ("dh", alice))
        assert faults(game) == []
        assert len(said.messages) == 1


def test_a_last_sowing_and_a_resignation_end_a_game_once(alice, bob, said, at_once):
    for _ in range(ROUNDS):
        code = begin(alice, bob, "classic-2x1+majority")
        sow(code, "b")
        said.clear()
        at_once(play(code, alice, 0, ply=1), partial(actions.resign, code, bob.pk, game=1))
        game = snapshot.current_game(code)
        assert (game.status, game.winner) == ("over", "S")
        assert game.ending == ("majority" if game.ply == 2 else "resigned")
        assert faults(game) == []
        assert len(said.messages) == 1


def test_both_press_rematch_at_once_and_there_is_one_new_game(alice, bob, at_once):
    """B26, 200 times."""
    for _ in range(2 * ROUNDS):
        code = begin(alice, bob)
        actions.resign(code, alice.pk, game=1)
        press = [partial(actions.offer, code, player.pk, game=1, kind="rematch") for player in (alice, bob)]
        assert refusals(at_once(*press)) == []
        games = list(Game.objects.of_room(code))
        assert [(game.number, game.south, game.north) for game in games] == [(2, bob, alice), (1, alice, bob)]
        assert [faults(game) for game in games] == [[], []]


def ask(player):
    return partial(actions.play_anyone, player, ruleset="classic-6x4")


def clear_the_lobby():
    Game.objects.filter(status="open").delete()


def test_two_who_ask_for_anyone_at_once_play_each_other_or_wait_each(alice, bob, at_once):
    """200 times; there is never an error, nor somebody at both sides."""
    for _ in range(2 * ROUNDS):
        games = at_once(ask(alice), ask(bob))
        assert refusals(games) == []
        rows = [snapshot.current_game(code) for code in {game.room_id for game in games}]
        if len(rows) == 1:
            assert (rows[0].status, {rows[0].south, rows[0].north}) == ("playing", {alice, bob})
        else:
            assert [(game.status, game.free_seat is None) for game in rows] == [("open", False)] * 2
            assert {game.south or game.north for game in rows} == {alice, bob}
        clear_the_lobby()


def test_of_two_who_ask_for_anyone_at_once_one_gets_whoever_waits(alice, bob, charlie, at_once):
    for _ in range(ROUNDS):
        code = open_room(alice, public=True)
        games = at_once(ask(bob), ask(charlie))
        waiting = snapshot.current_game(code)
        assert (waiting.south, waiting.status) == (alice, "playing")
        assert waiting.north in {bob, charlie}
        (other,) = (game for game in games if game.room_id != code)
        assert (other.status, {other.south, other.north}) == ("open", {None, ({bob, charlie} - {waiting.north}).pop()})
        clear_the_lobby()


def test_a_double_click_on_anyone_seats_nobody_opposite_themselves(alice, bob, at_once):
    for _ in range(ROUNDS):
        code = open_room(alice, public=True)
        games = [*at_once(ask(bob), ask(bob)), snapshot.current_game(code)]
        assert games[-1].north == bob
        assert all(game.south != game.north for game in games)
        clear_the_lobby()


def test_an_offer_is_accepted_while_its_maker_withdraws_it(alice, bob, at_once):
    for _ in range(ROUNDS):
        code = begin(alice, bob)
        actions.offer(code, alice.pk, game=1, kind="draw")
        answer = partial(actions.answer, code, game=1, number=2)
        results = at_once(partial(answer, alice.pk, accept=False), partial(answer, bob.pk, accept=True))
        assert refusals(results) == [Refusal.OFFER_GONE]
        assert (snapshot.read(code).status == "over") == (results[0] is Refusal.OFFER_GONE)


def test_a_move_and_the_flag_at_once_have_one_outcome(alice, bob, hands, said, at_once):
    """Two hundred times: the move counts and the game goes on, or the flag has fallen and it does not."""
    for _ in range(2 * ROUNDS):
        code = begin(alice, bob, control="3+2")
        hands.pass_by(seconds=30 + 180.4)
        said.clear()
        moved, _ = at_once(play(code, alice, 3), partial(actions.fall_flags, hands.now + 100))
        now = snapshot.read(code)
        ended = (now.status, now.transcript, now.version)
        assert ended == (("over", "", 2) if moved is Refusal.GAME_OVER else ("playing", "d", 2))
        assert len(said.messages) == 1
        actions.fall_flags(hands.now + 10**6)


def test_a_resignation_a_draw_and_the_flag_at_once_have_one_outcome(alice, bob, hands, said, at_once):
    """Whoever looks first decides, but a moment after the flag only the flag."""
    for late in (0, 100):
        for _ in range(ROUNDS // 2):
            code = begin(alice, bob, control="3+2")
            actions.offer(code, alice.pk, game=1, kind="draw")  # version 2
            hands.pass_by(seconds=30 + 180.4)
            hands.now += late
            said.clear()
            results = at_once(
                partial(actions.resign, code, bob.pk, game=1),
                partial(actions.answer, code, bob.pk, game=1, number=2, accept=True),
                partial(actions.fall_flags, hands.now + 100 - late),
            )
            now = snapshot.read(code)
            assert (now.status, now.version, len(said.messages)) == ("over", 3, 1)
            if late:
                assert results[:2] == [Refusal.GAME_OVER, Refusal.OFFER_GONE]
                assert (now.outcome.ending, now.outcome.winner) == ("timed_out", "N")


def test_a_claim_and_the_return_of_who_was_away_at_once_have_one_outcome(alice, bob, hands, said, at_once):
    """B55, two hundred times: it is won, or who was away is back and plays on."""
    for _ in range(2 * ROUNDS):
        code = begin(alice, bob, control="30+20")
        actions.attend(code, south=True, north=False)
        hands.pass_by(seconds=60)
        said.clear()
        claimed, _ = at_once(
            partial(actions.claim, code, alice.pk, game=1, win=True),
            partial(actions.attend, code, south=True, north=True),
        )
        now = snapshot.read(code)
        assert (now.status, now.version) == ("playing" if claimed is Refusal.NO_CLAIM else "over", 3)
        assert len(said.messages) == 1
