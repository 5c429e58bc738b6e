"""`manage.py check_games` finds every way in which a row and its record can disagree."""

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from django.utils import timezone

from games import actions
from games.management.commands.check_games import faults
from games.models import Game, Review
from tests import rooms
from tests.known_games import PRINTED
from tests.rooms import begin, open_room, sow

alice, bob = rooms.alice, rooms.bob  # fixtures


@pytest.fixture
def played(alice, bob):
    """Every kind of game there is, and one in progress, which is returned."""
    open_room(alice)
    sow(begin(alice, bob, "both-stores-6x4"), PRINTED)
    sow(begin(alice, bob, "classic-2x1+majority"), "ba")
    sow(begin(alice, bob, "classic-1x1"), "a")
    actions.resign(begin(alice, bob), bob.pk, game=1)
    code = begin(alice, bob)
    sow(code, "cd")
    return Game.objects.filter(room=code)


def complaint(capsys):
    with pytest.raises(CommandError, match="1 faults in 6 games"):
        call_command("check_games")
    return capsys.readouterr().err


def test_games_as_they_were_played_are_in_order(played, capsys):
    call_command("check_games")
    assert capsys.readouterr().out == "6 games are as their records say\n"


FAULTS = {
    "a wrong position": ({"position": "4,4,4,4,4,4,0/4,4,4,4,4,4,0 S"}, "position is 4,4,4,4,4,4,0/4,4,4,4,4,4,0 S"),
    "the wrong side to move": (
        {"position": "4,4,0,0,6,6,2/5,5,4,4,4,4,0 S"},
        "by its record 4,4,0,0,6,6,2/5,5,4,4,4,4,0 N",
    ),
    "a wrong ply": ({"ply": 3, "version": 4}, "ply is 3, by its record 2"),
    "an impossible version": ({"version": 1}, "version 1 is below ply 2"),
    "an illegal sowing": ({"transcript": "cc"}, "its record cannot be replayed: ply 1, 'c'"),
    "a letter that is no hole": ({"transcript": "c!"}, "its record cannot be replayed: ply 1, '!'"),
    "an unknown ruleset": ({"ruleset": "chess-8x2"}, "no ruleset is called 'chess-8x2'"),
    "times of a game without a clock": ({"times": "1/1 "}, "times are of 1 plies, by its record of 2"),
    "a deadline that nobody set": ({"deadline": 5}, "deadline is 5 while it is playing"),
    "an end too early": (
        {"status": "over", "ending": "played_out", "over_at": timezone.now(), "winner": "S"},
        "it is played_out, by its record it goes on",
    ),
}


@pytest.mark.parametrize(("change", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_game_in_progress_is_reported_with(played, capsys, change, fault):
    played.update(**change)
    error = complaint(capsys)
    assert f"{played.get()}: " in error
    assert fault in error


WRONG_ENDS = {
    "another winner": ("both-stores-6x4", {"winner": "N"}, "winner is N, by its record S"),
    "no winner": ("both-stores-6x4", {"winner": ""}, "winner is nobody, by its record S"),
    "a winner of a draw": ("classic-1x1", {"winner": "S"}, "winner is S, by its record nobody"),
    "another ending": ("both-stores-6x4", {"ending": "majority"}, "ending is majority"),
    "nothing left in the pits": ("classic-2x1+majority", {"ending": "played_out"}, "ending is played_out"),
    "a resignation after the end": (
        "both-stores-6x4",
        {"ending": "resigned"},
        "it is resigned, by its record it is over",
    ),
    "going on after the end": (
        "both-stores-6x4",
        {"status": "playing", "ending": "", "winner": "", "over_at": None},
        "it is playing, by its record it is over",
    ),
}


@pytest.mark.parametrize(("ruleset", "change", "fault"), WRONG_ENDS.values(), ids=WRONG_ENDS)
def test_a_game_that_is_over_is_reported_with(played, capsys, ruleset, change, fault):
    Game.objects.filter(ruleset=ruleset).update(**change)
    assert fault in complaint(capsys)


REFUSED_BY_THE_DATABASE = {
    "an end without a reason": {"status": "over", "over_at": timezone.now()},
    "an end without a time": {"status": "over", "ending": "resigned", "winner": "S"},
    "a winner while it goes on": {"winner": "S"},
    "an ending while it goes on": {"ending": "resigned"},
    "a game in play without South": {"south": None},
    "a game in play without North": {"north": None},
}


@pytest.mark.parametrize("change", REFUSED_BY_THE_DATABASE.values(), ids=REFUSED_BY_THE_DATABASE)
def test_the_database_itself_refuses(played, change):
    with pytest.raises(IntegrityError):
        played.update(**change)


def test_the_database_itself_refuses_two_games_of_one_number_in_a_room(played):
    game = played.get()
    with pytest.raises(IntegrityError):
        Game.objects.create(room=game.room, number=1, ruleset=game.ruleset, position=game.position)


def test_a_series_that_does_not_go_on_from_the_game_before_is_a_fault(alice, bob):
    code = begin(alice, bob)
    actions.resign(code, bob.pk, game=1)
    for player in (alice, bob):
        actions.offer(code, player.pk, game=1, kind="rematch")
    second = Game.objects.get(room_id=code, number=2)
    assert faults(second) == []
    second.north_wins, second.south, second.north = 0, alice, bob
    assert faults(second) == ["sides are not swapped", "series is (0, 0, 0), by the game before it (0, 1, 0)"]
    second.number = 4
    assert faults(second) == ["the game before it is missing"]


def test_a_review_of_another_game_is_a_fault(played):
    (game,) = played
    Review.objects.create(game=game, plies=[None] * 2)
    assert faults(game) == ["its review is of 2 plies, and it is playing after 2"]
    over = Game.objects.get(ruleset="classic-1x1")
    assert faults(over) == []
    Review.objects.create(game=over, plies=[])
    assert faults(Game.objects.get(pk=over.pk)) == ["its review is of 0 plies, and it is over after 1"]
