"""Computers at the board: exactly one reply to everything, whoever thinks and however often; and what they agree to."""

import random
import threading
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from games import actions, bots, computers, lists, snapshot, thinking
from games.management.commands.check_games import faults
from games.models import Game, Player
from games.protocol import Claims, Sown
from games.rules.position import Position, Side
from games.rules.ruleset import NAMES, by_key
from games.thinking import Thinkers
from tests.engine.samples import random_positions
from tests.patience import PATIENCE_S
from tests.rooms import mover, sow

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_engine")]

PIP = computers.of_level(1)


@pytest.fixture
def against(alice):
    """Open a room where Alice sits South, or on another side, against a computer."""

    def open_room(computer=PIP, side=Side.SOUTH, ruleset="classic-6x4"):
        return actions.open_room(alice, ruleset=ruleset, side=side, against=computer).room_id

    return open_room


@pytest.fixture(autouse=True)
def agenda(monkeypatch):
    """The rooms put down to be thought in. Nobody thinks by itself here."""
    put = []
    for how in ("put", "remind"):
        monkeypatch.setattr(bots._agenda, how, lambda code, seconds: put.append(code))
    monkeypatch.setattr(bots, "_rooms", {})
    return put


def game_of(code):
    return Game.objects.of_room(code).first()


def plies(code):
    return game_of(code).transcript


# Choosing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 2])
def test_what_is_chosen_at_sight_is_legal_in_every_ruleset_and_size(level):
    chance = random.Random(level)
    positions = random_positions(level)
    for _ in range(300):
        ruleset, position = next(positions)
        if legal := ruleset.legal_pits(position):
            assert bots.choose(level, ruleset, position, chance) in legal


@pytest.mark.parametrize("name", NAMES)
def test_who_looks_ahead_chooses_what_is_legal(name):
    ruleset = by_key(f"{name}-6x4")
    assert bots.choose(3, ruleset, ruleset.start(), random.Random(1)) in ruleset.legal_pits(ruleset.start())


def test_at_sight_a_capture_is_seen():
    """The stone of b ends in the empty c, across from 6; d has an extra turn, which counts as 2; a brings nothing."""
    prospects = by_key("classic-6x4").prospects(Position.parse("1,1,0,3,0,0,0/1,1,1,6,1,1,0 S"))
    assert {bots._at_sight(prospects, random.Random(seed)) for seed in range(20)} == {1}


def test_where_there_is_one_pit_nobody_thinks(monkeypatch):
    monkeypatch.setattr(thinking, "engine", None)
    position = Position.parse("0,0,4,0,0,0,0/1,1,1,6,1,1,0 S")
    assert bots.choose(5, by_key("classic-6x4"), position, random.Random()) == 2


def test_when_the_game_is_over_there_is_nothing_to_choose():
    with pytest.raises(ValueError, match="nothing can be sown"):
        bots.choose(1, by_key("classic-6x4"), Position.parse("0,0,0,0,0,0,24/0,0,0,0,0,0,24 S"), random.Random())


# Opening ------------------------------------------------------------------------------------------


def test_a_game_against_a_computer_begins_at_once(against, alice):
    game = game_of(against(side=Side.NORTH))
    assert (game.status, game.north_id, game.south_id) == ("playing", alice.pk, PIP.id)
    assert game.computer == "S"
    assert snapshot.of(game).seats.S.level == 1
    assert snapshot.of(game).seats.N.level is None
    assert Player.objects.get(pk=PIP.id).kind == Player.Kind.COMPUTER


def test_the_lobby_does_not_list_it(against):
    against()
    assert lists.lobby().playing == ()


# Replying -----------------------------------------------------------------------------------------


def test_it_replies_when_it_is_its_turn_and_only_then(against):
    code = against()
    bots.reply(code)
    assert plies(code) == ""
    sow(code, "a")
    bots.reply(code)
    assert len(plies(code)) == 2
    while game_of(code).turn is Side.NORTH:  # its extra turns
        bots.reply(code)
    before = plies(code)
    bots.reply(code)
    assert plies(code) == before


def test_it_begins_where_it_is_sun(against):
    code = against(side=Side.NORTH)
    bots.reply(code)
    assert len(plies(code)) == 1


def test_every_sowing_of_an_extra_turn_is_told(against, said, monkeypatch):
    """B147"""
    chosen = iter((9, 12))  # 9 ends in the store, 12 does not
    monkeypatch.setattr(bots, "choose", lambda *_: next(chosen))
    code = against()
    sow(code, "a")
    said.clear()
    for _ in range(2):
        bots.reply(code)
    sown = [message for message in said.messages if isinstance(message, Sown)]
    assert [(message.pit, message.turn) for message in sown] == [(9, "N"), (12, "S")]


def test_of_two_who_think_about_the_same_ply_one_plays_it(against, monkeypatch):
    """B149: two processes, or the one that was thought lost."""
    code = against()
    sow(code, "a")

    def quicker(*_):
        monkeypatch.setattr(bots, "choose", lambda *_: 8)
        bots.reply(code)
        return 7

    monkeypatch.setattr(bots, "choose", quicker)
    bots.reply(code)
    assert plies(code) == "ai"


def test_what_was_taken_back_while_it_thought_is_not_answered(against, alice, monkeypatch):
    code = against()
    sow(code, "a")

    def thinks(*_):
        game = game_of(code)
        actions.offer(code, alice.pk, game=1, kind="takeback")
        offer = snapshot.offer(game_of(code))
        actions.answer(code, game.north_id, game=1, number=offer.id, accept=True)
        return 7

    monkeypatch.setattr(bots, "choose", thinks)
    bots.reply(code)
    assert plies(code) == ""


@pytest.mark.parametrize("name", NAMES)
def test_whole_games_are_played_by_the_rules(against, name):
    code = against(ruleset=f"{name}-6x4")
    chance = random.Random(name)
    while (game := game_of(code)).status == "playing":
        if game.turn is Side.NORTH:
            bots.reply(code)
        else:
            position = Position.parse(game.position)
            pit = chance.choice(by_key(game.ruleset).legal_pits(position))
            actions.play(code, mover(game), game=1, ply=game.ply, pit=pit)
    assert faults(game) == []


# Agreeing -----------------------------------------------------------------------------------------


def test_it_gives_back_a_turn_and_plays_another_game(against, alice):
    code = against()
    sow(code, "a")
    actions.offer(code, alice.pk, game=1, kind="takeback")
    bots.reply(code)
    assert plies(code) == ""
    actions.resign(code, alice.pk, game=1)
    actions.offer(code, alice.pk, game=1, kind="rematch")
    bots.reply(code)
    game = game_of(code)
    assert (game.number, game.status, game.computer) == (2, "playing", "S")
    bots.reply(code)
    assert len(plies(code)) == 1


def test_it_takes_no_draw_in_a_game_that_is_none(against, alice):
    """South leads by 20 and can still win all that is left."""
    code = against()
    Game.objects.filter(room=code).update(position="0,0,0,0,0,1,30/1,0,0,0,0,0,10 S")
    actions.offer(code, alice.pk, game=1, kind="draw")
    bots.reply(code)
    assert snapshot.read(code).offer is None
    assert snapshot.read(code).status == "playing"


def test_it_takes_a_draw_that_cannot_be_anything_else(against, alice):
    """South's last stone ends the game, and North's is swept: 24 each."""
    code = against()
    Game.objects.filter(room=code).update(position="0,0,0,0,0,1,23/1,0,0,0,0,0,23 S")
    actions.offer(code, alice.pk, game=1, kind="draw")
    bots.reply(code)
    assert snapshot.read(code).outcome.ending == "agreed"


def test_nobody_claims_a_game_from_a_computer(against):
    code = against()
    Game.objects.filter(room=code).update(turn_since=0)
    assert snapshot.read(code).claims == Claims()


# When it thinks -----------------------------------------------------------------------------------


def test_whatever_is_announced_where_a_computer_plays_is_looked_at(
    against, alice, bob, agenda, django_capture_on_commit_callbacks
):
    code = against()
    other = actions.open_room(bob, ruleset="classic-6x4").room_id
    bots.look_after(code)
    agenda.clear()
    with django_capture_on_commit_callbacks(execute=True):
        sow(code, "a")
        actions.take_seat(other, alice)
    assert agenda == [code]


def test_the_sweeper_finds_where_it_has_been_due_for_long(against, alice, agenda):
    """B149: whoever thought there was killed."""
    due, asked, fresh, waiting = [against() for _ in range(4)]
    for code in (due, fresh):
        sow(code, "a")
    actions.offer(asked, alice.pk, game=1, kind="draw")
    Game.objects.exclude(room=fresh).update(moved_at=timezone.now() - timedelta(seconds=10))
    assert bots.sweep() == 2
    assert sorted(agenda) == sorted((due, asked))
    Game.objects.update(moved_at=F("moved_at") - timedelta(days=2))
    assert bots.sweep() == 0
    assert waiting not in agenda


def test_what_is_asked_while_it_thinks_is_answered_before_it_sows(against, alice, agenda, monkeypatch):
    code = against()
    sow(code, "a")

    def choose(*_):
        actions.offer(code, alice.pk, game=1, kind="takeback")
        return 7

    monkeypatch.setattr(bots, "choose", choose)
    agenda.clear()
    bots.reply(code)
    assert (plies(code), agenda) == ("a", [code])
    bots.reply(code)
    assert plies(code) == ""


def test_a_room_that_is_gone_is_forgotten(against):
    code = against()
    bots.look_after(code)
    Game.objects.all().delete()
    bots.reply(code)
    assert bots._rooms == {}


# The agenda ---------------------------------------------------------------------------------------


@pytest.fixture
def thoughts(monkeypatch):
    """An agenda of its own, and where somebody has thought."""

    class Thoughts:
        def __init__(self):
            self.agenda = bots._Agenda()
            self.rooms = []
            self.go_on = threading.Event()
            self.begun = threading.Semaphore(0)

        def reply(self, code):
            self.rooms.append(code)
            self.begun.release()
            assert self.go_on.wait(PATIENCE_S)

    made = Thoughts()
    monkeypatch.setattr(bots, "reply", made.reply)
    two = Thinkers(2)
    monkeypatch.setattr(thinking, "thinkers", lambda: two)
    monkeypatch.setattr(thinking, "close_old_connections", lambda: None)
    return made


def test_in_one_room_one_thinks_at_a_time_and_again_if_something_happened_meanwhile(thoughts):
    thoughts.agenda.put("one", 0)
    assert thoughts.begun.acquire(timeout=PATIENCE_S)
    thoughts.agenda.put("one", 0)
    thoughts.agenda.put("two", 0)
    assert thoughts.begun.acquire(timeout=PATIENCE_S)
    assert thoughts.rooms == ["one", "two"]
    thoughts.go_on.set()
    assert thoughts.begun.acquire(timeout=PATIENCE_S)
    assert thoughts.rooms == ["one", "two", "one"]


def test_what_is_put_down_anew_is_thought_about_once(thoughts):
    thoughts.go_on.set()
    thoughts.agenda.put("one", 3600)
    thoughts.agenda.put("one", 0)
    assert thoughts.begun.acquire(timeout=PATIENCE_S)
    thoughts.agenda.put("two", 0)
    assert thoughts.begun.acquire(timeout=PATIENCE_S)
    assert thoughts.rooms == ["one", "two"]


def test_whoever_looks_in_puts_nothing_off(thoughts):
    thoughts.go_on.set()
    thoughts.agenda.put("one", 0.01)
    thoughts.agenda.remind("one", 3600)
    assert thoughts.begun.acquire(timeout=PATIENCE_S)
    assert thoughts.rooms == ["one"]
