"""State + events = fresh state: whoever hears everything holds what a fresh snapshot says, after every step."""

import random

import pytest

from games import actions, snapshot
from games.rules import ruleset as rulesets
from tests.reducer import Viewer, decoded
from tests.rooms import RULESETS, mover, open_room

NAMES = ("Alice", "\u0410lice", "alice", "Bob")  # three of them look alike
KEYS = (*RULESETS, *(f"{name}-3x3+majority+pie" for name in rulesets.NAMES), "classic-1x1")


class Audience:
    """Both players and a spectator, who each hear what is announced in a room."""

    def __init__(self, code, said, *people):
        self._code, self._said = code, said
        self._viewers = {player: Viewer(decoded(snapshot.welcome(code, player))) for player in (*people, None)}
        said.clear()

    def agree(self):
        """Everybody hears what was said, and holds what is so."""
        rooms, messages = self._said.rooms, self._said.messages
        told = [decoded(message) for room, message in zip(rooms, messages, strict=True) if room == self._code]
        self._said.clear()
        game = snapshot.current_game(self._code)
        fresh = decoded(snapshot.of(game))
        for player, viewer in self._viewers.items():
            for message in told:
                viewer.hear(message)
            assert viewer.snapshot == fresh
            assert (viewer.you, viewer.sent) == (game.seat_of(player), [])


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seed", range(2))
def test_hearing_every_event_is_as_good_as_reading_afresh(alice, bob, charlie, said, key, seed):
    chance = random.Random(f"{key} {seed}")
    code = open_room(alice, key, side=chance.choice("SN"))
    audience = Audience(code, said, alice.pk, bob.pk, charlie.pk)
    for player in (alice, bob, charlie):
        actions.rename(player.pk, chance.choice(NAMES))
        player.refresh_from_db()
        audience.agree()
    if chance.random() < 0.5:
        actions.leave_seat(code, alice)
        audience.agree()
    while (game := snapshot.current_game(code)).status == "open":
        actions.take_seat(code, chance.choice([alice, bob, charlie]))
        audience.agree()
    while (game := snapshot.current_game(code)).status == "playing":
        match chance.random():
            case number if number < 0.005:
                actions.resign(code, chance.choice([game.south_id, game.north_id]), game=1)
            case number if number < 0.15:
                actions.rename(chance.choice([alice, bob, charlie]).pk, chance.choice(NAMES))
            case number if number < 0.6 and snapshot.of(game).may_swap:
                actions.swap(code, mover(game), game=1, ply=game.ply)
            case _:
                pit = chance.choice(snapshot.of(game).legal)[0]
                actions.play(code, mover(game), game=1, ply=game.ply, pit=pit)
        audience.agree()


def test_an_event_that_is_already_held_changes_nothing(code, alice, said):
    page = decoded(snapshot.welcome(code, alice.pk))
    actions.play(code, alice.pk, game=1, ply=0, pit=3)
    (sown,) = map(decoded, said.messages)
    viewer = Viewer(decoded(snapshot.welcome(code, alice.pk)))
    viewer.hear(sown)
    viewer.hear(page | {"type": "welcome"})
    assert viewer.snapshot == decoded(snapshot.read(code))
    assert viewer.sent == []


def test_a_gap_asks_for_a_fresh_state(code, alice, bob, said):
    viewer = Viewer(decoded(snapshot.welcome(code, None)))
    actions.play(code, alice.pk, game=1, ply=0, pit=3)
    actions.play(code, bob.pk, game=1, ply=1, pit=8)
    viewer.hear(decoded(said.messages[1]))
    assert viewer.snapshot["ply"] == 0
    assert viewer.sent == [{"type": "sync"}]
    viewer.hear(decoded(snapshot.welcome(code, None)))
    assert viewer.snapshot == decoded(snapshot.read(code))
