"""Whatever two players and a spectator do, in whatever order, with time passing: the game that is left is in order."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from games import actions, clock, snapshot
from games.management.commands.check_games import faults
from games.models import Game, Player
from games.protocol import Refused
from games.rules import ruleset as rulesets
from games.rules.position import Side
from tests.actions.test_state_and_events import Audience
from tests.rooms import begin

KEYS = (*(f"{name}-6x4" for name in rulesets.NAMES), "classic-6x4+pie", "both-stores-3x3+majority+pie", "classic-1x1")
CONTROLS = ("", "1+1", "3+2", "20s")
PASS_S = (0.2, 3, 25, 61)


class Evening:
    """A room, the three in it, and what each of them tries."""

    def __init__(self, code, hands, said, people):
        self.code, self.hands, self.said = code, hands, said
        self.people = people
        self.audience = Audience(code, said, *(player.pk for player in people))

    @property
    def game(self):
        return snapshot.current_game(self.code)

    def versions_told(self) -> int:
        told = zip(self.said.rooms, self.said.messages, strict=True)
        return sum(room == self.code and hasattr(message, "version") for room, message in told)

    def sow(self, player, number):
        game = self.game
        legal = snapshot.of(game).legal
        pit = legal[number % len(legal)][0] if legal and number else number
        actions.play(self.code, player.pk, game=game.number, ply=game.ply - (number == 1), pit=pit)

    def swap(self, player, number):
        game = self.game
        actions.swap(self.code, player.pk, game=game.number, ply=game.ply)

    def offer(self, player, number):
        kind = ("draw", "takeback", "rematch")[number % 3]
        actions.offer(self.code, player.pk, game=self.game.number, kind=kind)

    def answer(self, player, number):
        game = self.game
        there = snapshot.offer(game)
        actions.answer(
            self.code, player.pk, game=game.number, number=there.id if there else number, accept=number % 2 == 0
        )

    def resign(self, player, number):
        if number % 5 == 0:  # or games would never be long
            actions.resign(self.code, player.pk, game=self.game.number)

    def claim(self, player, number):
        actions.claim(self.code, player.pk, game=self.game.number, win=number % 2 == 0)

    def come_and_go(self, player, number):
        actions.attend(self.code, south=bool(number & 1), north=bool(number & 2))

    def wait(self, player, number):
        self.hands.pass_by(seconds=PASS_S[number % len(PASS_S)])

    def sweep(self, player, number):
        actions.fall_flags(self.hands.now)

    def rename(self, player, number):
        actions.rename(player.pk, ("Ann", "Ben", "ann")[number % 3])


DEEDS = (
    ("sow",) * 8
    + ("swap", "offer", "answer") * 2
    + ("resign", "claim", "come_and_go", "wait", "wait", "sweep", "rename")
)
STEPS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(DEEDS), st.integers(0, 11)), max_size=40)


@pytest.mark.django_db
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(key=st.sampled_from(KEYS), control=st.sampled_from(CONTROLS), steps=STEPS)
def test_any_interleaving_leaves_a_record_that_replays_versions_without_a_gap_and_clocks_that_only_fall(
    alice, bob, charlie, hands, said, key, control, steps
):
    for player in (alice, bob, charlie):
        Player.objects.filter(pk=player.pk).update(name=player.name)
    evening = Evening(begin(alice, bob, key, control=control), hands, said, (alice, bob, charlie))
    before = evening.game
    for who, deed, number in steps:
        moment = hands.now
        try:
            getattr(evening, deed)(evening.people[who], number)
        except Refused:
            assert not evening.versions_told() or evening.game.ending == "timed_out"  # found on the way
        after = evening.game
        assert after.version - before.version == evening.versions_told() or after.number > before.number
        evening.audience.agree()
        assert not faults(after)
        if after.number == before.number and after.ply >= before.ply:
            for player in (alice, bob):
                clock_only_falls(player.pk, (before, moment), (after, hands.now))
        before = after
    for game in Game.objects.filter(room=evening.code):
        assert not faults(game)


def clock_only_falls(player, before, after):
    """Whoever just looks at a player's clock never sees it rise by more than what a turn brings."""
    (then, _), (now, _) = before, after
    if not then.control or then.clock.control.is_per_turn:
        return
    rise = shown(player, *after) - shown(player, *before)
    assert rise <= then.clock.control.increment + clock.CREDIT_MS
    assert rise <= 0 or now.clock.running is None or now.clock.running.value != now.seat_of(player)


def shown(player, game, moment):
    """What a player's clock shows at a moment."""
    time, side = game.clock, Side(game.seat_of(player))
    ran = max(0, moment - time.since) if time.running is side else 0
    return max(0, time.left(side) - ran)
