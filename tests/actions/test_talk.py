"""What two players write to each other: after both have switched it on, for the two of them and nobody else."""

import json

import pytest
from django.core.cache import cache

from games import actions, snapshot
from games.actions.talk import LINE_VISIBLE, LINES_KEPT
from games.models import Room, Talk
from games.protocol import Refusal, Refused
from games.reactions import LINES
from tests.rooms import begin, open_room, sow


@pytest.fixture(autouse=True)
def _nobody_has_written():
    cache.clear()


@pytest.fixture
def written(code, alice, bob, said):
    """The room, once both have switched it on."""
    for player in (alice, bob):
        actions.switch_talk(code, player.pk, on=True)
    said.clear()
    return code


def refusal(action, *arguments, **options):
    with pytest.raises(Refused) as refused:
        action(*arguments, **options)
    return refused.value.refusal


def heard(said, player):
    """The last that one player was told."""
    return [message for message, only in zip(said.messages, said.only, strict=True) if only == [player.pk]][-1]


def texts(code, player):
    return [line.text for line in snapshot.talk(code, player.pk).lines]


# Switching on -------------------------------------------------------------------------------------


@pytest.mark.parametrize("south", [False, True])
@pytest.mark.parametrize("north", [False, True])
def test_it_takes_both(code, said, alice, bob, south, north):
    for player, on in ((alice, south), (bob, north)):
        actions.switch_talk(code, player.pk, on=on)
    for player, you, other in ((alice, south, north), (bob, north, south)):
        if south or north:
            told = heard(said, player)
            assert (told.you, told.other, told.lines) == (you, other, ())
    if south and north:
        actions.say(code, alice.pk, text="Hi")
        assert texts(code, bob) == ["Hi"]
    else:
        assert refusal(actions.say, code, alice.pk, text="Hi") is Refusal.TALK_OFF


def test_each_of_the_two_is_told_what_is_written_and_who_wrote_it_and_nobody_else_is(written, said, alice, bob):
    """B105: nothing of it reaches those who watch."""
    actions.say(written, alice.pk, text="Good luck, Bob")
    assert said.only == [[alice.pk], [bob.pk]]
    for player, own in ((alice, True), (bob, False)):
        (line,) = heard(said, player).lines
        assert (line.text, line.own) == ("Good luck, Bob", own)
    assert heard(said, alice).version == heard(said, bob).version == line.id
    assert said.lobby == 0


def test_whoever_switches_it_off_ends_it_for_both_and_the_other_is_told(written, said, alice, bob):
    actions.say(written, alice.pk, text="Hi")
    actions.switch_talk(written, alice.pk, on=False)
    told = heard(said, bob)
    assert (told.you, told.other, told.lines) == (True, False, ())
    assert refusal(actions.say, written, bob.pk, text="Hi?") is Refusal.TALK_OFF
    actions.switch_talk(written, alice.pk, on=True)
    assert texts(written, bob) == ["Hi"]


def test_switching_twice_changes_and_tells_nothing(written, said, alice):
    actions.switch_talk(written, alice.pk, on=True)
    assert said.messages == []


def test_it_goes_on_when_the_game_is_over_and_in_the_next(written, alice, bob):
    """B82: what is written does not end with a game."""
    actions.resign(written, alice.pk, game=1)
    actions.say(written, alice.pk, text="Well played")
    for player in (alice, bob):
        actions.offer(written, player.pk, game=1, kind="rematch")
    actions.say(written, bob.pk, text="Again!")
    assert texts(written, alice) == ["Well played", "Again!"]


# Who may not --------------------------------------------------------------------------------------


def test_whoever_watches_can_neither_switch_nor_write_nor_read(written, said, alice, charlie):
    """B84, B105"""
    actions.say(written, alice.pk, text="Secret")
    said.clear()
    for stranger in (charlie.pk, None):
        assert refusal(actions.switch_talk, written, stranger, on=True) is Refusal.NOT_SEATED
        assert refusal(actions.say, written, stranger, text="Take pit c!") is Refusal.NOT_SEATED
    assert snapshot.talk(written, charlie.pk) is None
    assert said.messages == []


def test_nothing_that_everybody_may_read_holds_it(written, client, alice):
    """B105: not in the snapshot, not in the records, not on the page, and not after the game."""
    actions.say(written, alice.pk, text="Secret")
    sow(written, "c")
    actions.resign(written, alice.pk, game=1)
    for address in ("", "state.json", "1.json", "1.txt"):
        answer = client.get(f"/r/{written}/{address}")
        assert answer.status_code == 200
        assert "Secret" not in answer.content.decode()


def test_not_in_a_public_room(said, alice, bob):
    code = begin(alice, bob, public=True)
    assert refusal(actions.switch_talk, code, alice.pk, on=True) is Refusal.TALK_OFF
    assert refusal(actions.say, code, alice.pk, text="Hi") is Refusal.TALK_OFF
    assert not Talk.objects.exists()


def test_not_before_there_are_two(said, alice):
    code = open_room(alice)
    assert refusal(actions.switch_talk, code, alice.pk, on=True) is Refusal.NOT_STARTED


def test_not_in_a_room_that_does_not_exist(alice):
    assert refusal(actions.switch_talk, "zzzzzzzz", alice.pk, on=True) is Refusal.NO_SUCH_ROOM
    assert refusal(actions.say, "zzzzzzzz", alice.pk, text="Hi") is Refusal.NO_SUCH_ROOM


# Lines --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " \n ", "\u200b", "x" * (LINE_VISIBLE + 1)])
def test_nothing_to_see_or_too_much_is_refused(written, said, alice, text):
    assert refusal(actions.say, written, alice.pk, text=text) is Refusal.MALFORMED
    assert said.messages == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  two\r\nlines ", "two lines"),
        ("\u202eecived\u202c", "ecived"),
        ("a\u200bb\x00c", "abc"),
        ("<img src=x onerror=alert(1)> {{7*7}}", "<img src=x onerror=alert(1)> {{7*7}}"),
        ("x" * LINE_VISIBLE, "x" * LINE_VISIBLE),
    ],
)
def test_a_line_is_cleaned_as_a_name_is_and_otherwise_left_alone(written, alice, bob, text, kept):
    """B93, B103: what looks like HTML is text like any other; control and direction characters are dropped."""
    actions.say(written, alice.pk, text=text)
    assert texts(written, bob) == [kept]


def test_the_last_lines_of_a_room_are_kept(written, alice, bob, monkeypatch):
    monkeypatch.setattr("games.actions.talk.may_write", lambda *_: True)
    for number in range(LINES_KEPT + 3):
        actions.say(written, (alice, bob)[number % 2].pk, text=str(number))
    assert texts(written, bob) == [str(number) for number in range(3, LINES_KEPT + 3)]
    ids = [line.id for line in snapshot.talk(written, alice.pk).lines]
    assert ids == sorted(set(ids))


def test_the_ninth_in_twenty_seconds_is_too_much_but_switching_off_never_is(code, said, alice, bob):
    """B100, B106"""
    for player in (alice, bob):
        actions.switch_talk(code, player.pk, on=True)
    for _ in range(LINES - 1):
        actions.say(code, alice.pk, text="Hi")
    assert refusal(actions.say, code, alice.pk, text="Hi") is Refusal.TOO_FAST
    actions.say(code, bob.pk, text="Slowly!")
    actions.switch_talk(code, alice.pk, on=False)
    assert refusal(actions.switch_talk, code, alice.pk, on=True) is Refusal.TOO_FAST


def test_two_lines_at_once_are_both_kept(written, alice, bob, monkeypatch):
    """Whoever loses the compare-and-set reads again."""
    change = actions.talk.change_beside

    def slow(row, **after):
        monkeypatch.setattr(actions.talk, "change_beside", change)
        actions.say(written, bob.pk, text="Me first")
        return change(row, **after)

    monkeypatch.setattr(actions.talk, "change_beside", slow)
    actions.say(written, alice.pk, text="Me too")
    assert texts(written, alice) == ["Me first", "Me too"]


def test_it_is_deleted_with_the_room(written, alice):
    actions.say(written, alice.pk, text="Hi")
    room = Room.objects.get(pk=written)
    room.games.all().delete()
    room.delete()
    assert not Talk.objects.exists()


def test_the_longest_talk_fits_its_frame(written, alice, monkeypatch):
    """A `talk` is the one message that may be larger than 8192 bytes; it stays far below what any socket takes."""
    monkeypatch.setattr("games.actions.talk.may_write", lambda *_: True)
    for _ in range(LINES_KEPT):
        actions.say(written, alice.pk, text="\U0001f600" * LINE_VISIBLE)
    text = snapshot.talk(written, alice.pk).text()
    assert len(json.loads(text)["lines"]) == LINES_KEPT
    assert len(text.encode()) < 65_536
