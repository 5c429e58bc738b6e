"""Clocks of games that are played: which ply costs whom what, and flags that fall though nobody looks."""

import pytest

from games import actions, snapshot
from games.actions import clocks
from games.actions.row import keep
from games.clock import UnknownControl
from games.models import Game, Pulse
from games.protocol import ClockShape, Ended, OutcomeShape, Refusal, Refused, Snapshot, Sown
from games.rules.position import Position
from tests.rooms import begin, open_room, sow

GRACE = 30


@pytest.fixture
def timed(alice, bob, said, hands):
    """A game of three minutes and two seconds a turn that has just begun: Alice sits South, Bob North."""
    code = begin(alice, bob, control="3+2")
    said.clear()
    return code


def clock_of(code):
    return snapshot.read(code).clock


def take_back(code, who, other):
    actions.offer(code, who.pk, game=1, kind="takeback")
    actions.answer(code, other.pk, game=1, number=snapshot.read(code).offer.id, accept=True)


def test_a_room_is_opened_with_a_control_or_not_at_all(alice):
    with pytest.raises(UnknownControl):
        open_room(alice, control="7 minutes")
    assert snapshot.read(open_room(alice)).clock is None


def test_whoever_waits_sees_the_time_of_both_and_nothing_runs(alice, hands):
    assert clock_of(open_room(alice, control="3+2")) == ClockShape(S=180_000, N=180_000, running=None, since=0)


def test_the_first_turn_of_each_side_begins_with_a_grace(timed, hands):
    begun = hands.now
    assert clock_of(timed) == ClockShape(S=180_000, N=180_000, running="S", since=begun + 30_000)
    hands.pass_by(seconds=10)
    sow(timed, "d")
    assert clock_of(timed) == ClockShape(S=182_000, N=180_000, running="N", since=begun + 40_000)
    hands.pass_by(seconds=GRACE + 5.5)
    sow(timed, "h")
    assert clock_of(timed) == ClockShape(S=182_000, N=177_000, running="S", since=hands.now)


def test_an_extra_turn_does_not_press_the_clock(timed, said, hands):
    hands.pass_by(seconds=GRACE + 10)
    sow(timed, "c")
    before = clock_of(timed)
    assert (before.S, before.running) == (180_000, "S")
    hands.pass_by(seconds=10.5)
    sow(timed, "a")
    assert clock_of(timed) == ClockShape(S=162_000, N=180_000, running="N", since=hands.now + 30_000)
    assert [message.clock for message in said.messages if isinstance(message, Sown)] == [before, clock_of(timed)]


def test_time_for_every_turn_is_whole_again_after_it(alice, bob, hands):
    code = begin(alice, bob, control="30s")
    hands.pass_by(seconds=GRACE + 29)
    sow(code, "d")
    assert (clock_of(code).S, clock_of(code).N) == (30_000, 30_000)


def test_what_comes_after_the_flag_loses_though_nobody_had_looked(timed, alice, said, hands):
    hands.pass_by(seconds=GRACE + 180.5)
    with pytest.raises(Refused) as refused:
        actions.play(timed, alice.pk, game=1, ply=0, pit=2)
    assert refused.value.refusal is Refusal.GAME_OVER
    (ended,) = said.messages
    assert ended.outcome == OutcomeShape(winner="N", score=(0, 0), ending="timed_out")
    assert ended.clock == ClockShape(S=0, N=180_000, running=None, since=hands.now - 180_500)


@pytest.mark.parametrize(
    ("late", "refusal"),
    [
        (lambda code, alice, bob: actions.resign(code, alice.pk, game=1), Refusal.GAME_OVER),
        (lambda code, alice, bob: actions.claim(code, bob.pk, game=1, win=False), Refusal.GAME_OVER),
        (lambda code, alice, bob: actions.offer(code, bob.pk, game=1, kind="draw"), Refusal.GAME_OVER),
        (lambda code, alice, bob: actions.answer(code, bob.pk, game=1, number=3, accept=True), Refusal.OFFER_GONE),
    ],
    ids=["to resign", "to claim a draw", "to offer what is offered", "to accept a draw"],
)
def test_after_the_flag_it_is_too_late(timed, alice, bob, said, hands, late, refusal):
    """Though no sweeper has come by: South's time is over, and North has won."""
    actions.attend(timed, south=False, north=True)  # version 2
    actions.offer(timed, alice.pk, game=1, kind="draw")  # version 3
    hands.pass_by(seconds=GRACE + 180.5)
    said.clear()
    with pytest.raises(Refused) as refused:
        late(timed, alice, bob)
    assert refused.value.refusal is refusal
    (ended,) = said.messages
    assert ended.outcome == OutcomeShape(winner="N", score=(0, 0), ending="timed_out")


def test_what_comes_at_the_last_moment_counts(timed, hands):
    hands.pass_by(seconds=GRACE + 180.499)
    sow(timed, "d")
    assert clock_of(timed).S == 180_000 - 179_999 + 2_000


def test_flags_fall_by_themselves_at_their_second(timed, said, hands):
    """B47: nobody is there, and nobody asks."""
    hands.pass_by(seconds=GRACE + 180.4)
    assert actions.fall_flags(hands.now)
    assert not said
    hands.pass_by(seconds=0.1)
    assert not actions.fall_flags(hands.now)  # no other clock runs
    (ended,) = said.messages
    assert isinstance(ended, Ended)
    game = Game.objects.get()
    assert (game.status, game.ending, game.winner, game.deadline) == ("over", "timed_out", "N", None)


def test_only_the_flag_of_the_side_to_move_falls(timed, hands):
    sow(timed, "d")
    hands.pass_by(seconds=GRACE + 180.5)
    actions.fall_flags(hands.now)
    assert Game.objects.get().winner == "S"


def test_a_game_without_a_clock_has_no_flag(code, hands):
    hands.pass_by(seconds=10**6)
    assert not actions.fall_flags(hands.now)
    assert snapshot.read(code).status == "playing"


def test_a_game_that_is_over_stops_its_clock_at_what_is_left(timed, alice, hands):
    hands.pass_by(seconds=GRACE + 60.5)
    actions.resign(timed, alice.pk, game=1)
    assert clock_of(timed) == ClockShape(S=120_000, N=180_000, running=None, since=hands.now - 60_500)


def test_a_turn_taken_back_brings_back_the_time_it_began_with(timed, alice, bob, hands):
    """B50: over a chain of extra turns, though much time has passed since."""
    hands.pass_by(seconds=GRACE + 20.5)
    sow(timed, "d")  # South: 160,000 + 2,000
    hands.pass_by(seconds=GRACE + 30.5)
    sow(timed, "h")  # North: 150,000 + 2,000
    hands.pass_by(seconds=5.5)
    sow(timed, "a")  # South: 157,000 + 2,000
    hands.pass_by(seconds=10.5)
    sow(timed, "l")  # North: 142,000 + 2,000
    hands.pass_by(seconds=40.5)
    take_back(timed, bob, alice)
    now = snapshot.read(timed)
    assert (now.transcript, now.turn) == ("dha", "N")
    assert now.clock == ClockShape(S=159_000, N=152_000, running="N", since=hands.now)
    hands.pass_by(seconds=1.5)
    sow(timed, "l")
    assert clock_of(timed) == ClockShape(S=159_000, N=153_000, running="S", since=hands.now)


def test_a_first_turn_taken_back_is_a_first_turn_again_with_its_grace(timed, alice, bob, hands):
    hands.pass_by(seconds=5)
    sow(timed, "d")
    hands.pass_by(seconds=GRACE + 30.5)
    sow(timed, "h")  # North: 150,000 + 2,000
    hands.pass_by(seconds=5)
    take_back(timed, bob, alice)
    assert clock_of(timed) == ClockShape(S=182_000, N=180_000, running="N", since=hands.now + 30_000)
    take_back(timed, alice, bob)
    assert clock_of(timed) == ClockShape(S=180_000, N=180_000, running="S", since=hands.now + 30_000)
    hands.pass_by(seconds=GRACE + 20.5)
    sow(timed, "d")
    assert clock_of(timed) == ClockShape(S=162_000, N=180_000, running="N", since=hands.now + 30_000)


def test_who_has_swapped_sides_has_had_a_first_turn(alice, bob, hands):
    code = begin(alice, bob, "classic-6x4+pie", control="3+2")
    sow(code, "d")
    actions.swap(code, bob.pk, game=1, ply=1)
    sow(code, "h")
    take_back(code, alice, bob)
    assert clock_of(code).since == hands.now


def test_the_time_of_a_chain_is_that_with_which_it_began(timed, alice, bob, hands):
    hands.pass_by(seconds=GRACE + 10)
    sow(timed, "c")  # an extra turn
    hands.pass_by(seconds=10)
    sow(timed, "a")
    take_back(timed, alice, bob)
    assert clock_of(timed) == ClockShape(S=180_000, N=180_000, running="S", since=hands.now + 30_000)
    assert snapshot.read(timed).transcript == ""


def test_the_next_game_has_the_same_control_and_full_clocks(timed, alice, bob, hands):
    hands.pass_by(seconds=GRACE + 60)
    actions.resign(timed, alice.pk, game=1)
    for player in (alice, bob):
        actions.offer(timed, player.pk, game=1, kind="rematch")
    now = snapshot.read(timed)
    assert now.control == "3+2"
    assert now.clock == ClockShape(S=180_000, N=180_000, running="S", since=hands.now + 30_000)


def test_nobody_is_charged_for_the_time_in_which_no_server_ran(alice, bob, said, hands):
    """B54: two live games, twenty seconds down."""
    rooms = [begin(alice, bob, control="1+1") for _ in range(2)]
    hands.pass_by(seconds=GRACE + 5)
    actions.beat(hands.now)
    hands.pass_by(seconds=70)  # longer than anybody has left
    said.clear()
    assert actions.make_up(hands.now) == 2
    actions.fall_flags(hands.now)
    for code, message in zip(rooms, said.messages, strict=True):
        assert isinstance(message, Snapshot)
        assert message.clock.since == hands.now - 5_000
        assert snapshot.read(code).status == "playing"
    assert actions.make_up(hands.now) == 0  # once, however many processes start


def test_a_server_that_was_hardly_missed_gives_nothing_back(timed, hands):
    hands.pass_by(seconds=GRACE + 5)
    actions.beat(hands.now)
    hands.pass_by(seconds=1.4)
    assert actions.make_up(hands.now) == 0
    assert Pulse.objects.get().at == hands.now - 1_400


def test_where_no_clock_ever_ran_there_is_nothing_to_make_up_for(db, hands):
    assert actions.make_up(hands.now) == 0


@pytest.mark.parametrize("first", ["move", "flag"])
def test_between_the_read_and_the_write_somebody_else_may_decide(timed, alice, said, hands, meanwhile, first):
    hands.pass_by(seconds=GRACE + 180.4)
    if first == "move":
        row = snapshot.current_game(timed)
        sow(timed, "d")
        assert not clocks.fall_flag(row, hands.now + 100)
        assert snapshot.read(timed).status == "playing"
    else:
        meanwhile(lambda: actions.fall_flags(hands.now + 100))
        with pytest.raises(Refused) as refused:
            actions.play(timed, alice.pk, game=1, ply=0, pit=3)
        assert refused.value.refusal is Refusal.GAME_OVER
        assert snapshot.read(timed).transcript == ""


def test_who_swaps_sides_presses_the_clock_and_takes_the_own_time_along(alice, bob, hands):
    code = begin(alice, bob, "classic-6x4+pie", control="3+2")
    hands.pass_by(seconds=GRACE + 20.5)
    sow(code, "d")  # Alice: 160 + 2
    hands.pass_by(seconds=GRACE + 50.5)
    actions.swap(code, bob.pk, game=1, ply=1)  # Bob: 130 + 2
    now = snapshot.read(code)
    assert (now.seats.S.name, now.turn) == ("Bob", "N")
    assert now.clock == ClockShape(S=132_000, N=162_000, running="N", since=hands.now)
    hands.pass_by(seconds=10.5)
    sow(code, "h")
    assert clock_of(code) == ClockShape(S=132_000, N=154_000, running="S", since=hands.now)


@pytest.mark.parametrize("seconds", [3600, -3600, 2, -2])
def test_a_clock_that_is_set_takes_nothing_from_anybody_and_gives_nothing(timed, alice, said, hands, seconds):
    hands.pass_by(seconds=GRACE + 5)
    actions.keep_time(hands.now)
    actions.beat(hands.now)
    hands.be_set(seconds=seconds)
    actions.keep_time(hands.now)
    actions.fall_flags(hands.now)
    assert clock_of(timed).since == hands.now - 5_000
    sow(timed, "d")
    assert clock_of(timed).S == 180_000 - 4_500 + 2_000


def test_until_that_is_made_up_for_nobody_is_judged(timed, alice, bob, hands):
    hands.pass_by(seconds=GRACE + 5)
    actions.keep_time(hands.now)
    actions.beat(hands.now)
    hands.be_set(seconds=3600)
    for act in (
        lambda: actions.play(timed, alice.pk, game=1, ply=0, pit=2),
        lambda: actions.claim(timed, bob.pk, game=1, win=True),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.refusal is Refusal.UNAVAILABLE
    actions.keep_time(hands.now)
    sow(timed, "d")


@pytest.mark.parametrize(("seconds", "is_prepared"), [(1, True), (2, False), (-2, False)])
def test_until_then_no_ply_is_prepared_by_what_is_kept(timed, alice, hands, seconds, is_prepared):
    hands.pass_by(seconds=GRACE + 5)
    actions.keep_time(hands.now)
    hands.be_set(seconds=seconds)
    row = snapshot.current_game(timed)
    keep(row, Position.parse(row.position))
    move = actions.prepare(timed, alice.pk, game=1, ply=0, pit=2)
    assert (move is not None) == is_prepared


def test_a_clock_that_is_set_makes_nobody_be_away_for_longer(timed, alice, hands):
    hands.pass_by(seconds=GRACE)
    actions.attend(timed, south=True, north=False)
    actions.keep_time(hands.now)
    actions.beat(hands.now)
    before = snapshot.read(timed).claims.S
    hands.be_set(seconds=3600)
    actions.keep_time(hands.now)
    assert snapshot.read(timed).claims.S == before + 3_600_000


def test_two_processes_make_up_for_one_step_once(timed, hands, monkeypatch):
    hands.pass_by(seconds=GRACE + 5)
    actions.keep_time(hands.now)
    actions.beat(hands.now)
    before = clocks._Seen.ahead
    hands.be_set(seconds=3600)
    actions.keep_time(hands.now)
    monkeypatch.setattr(clocks._Seen, "ahead", before)  # as the other still believes
    hands.pass_by(seconds=0.4)
    actions.keep_time(hands.now)
    assert clock_of(timed).since == hands.now - 5_400


def test_a_clock_that_is_only_corrected_a_little_is_followed(timed, hands):
    hands.pass_by(seconds=GRACE + 5)
    actions.keep_time(hands.now)
    actions.beat(hands.now)
    since = clock_of(timed).since
    for _ in range(5):
        hands.be_set(seconds=1)
        actions.keep_time(hands.now)
        actions.beat(hands.now)
    assert clock_of(timed).since == since
