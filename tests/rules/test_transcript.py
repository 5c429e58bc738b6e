"""Letters, replays, and the record that people read."""

import pytest

from games.rules.position import InvalidText, Position
from games.rules.ruleset import by_key
from games.rules.sowing import IllegalSowing
from games.rules.transcript import draw, hole, letter, parse, record, replay
from tests.known_games import PRINTED

CLASSIC = by_key("classic-6x4")
PRINTED_ROUNDS = """\
1. ca jm
2. d imh
3. c k
4. d mj
5. b h
6. e mi
7. d kmlmj
8. c h
9. d k
10. e lm"""


def test_holes_have_the_letters_a_to_t():
    assert "".join(letter(number) for number in range(20)) == "abcdefghijklmnopqrst"


def test_every_letter_gives_its_hole_back():
    assert [hole(letter(number)) for number in range(20)] == list(range(20))


@pytest.mark.parametrize("symbol", ["", "u", "A", "ab", "1", " ", "\xe4"])
def test_other_symbols_name_no_hole(symbol):
    with pytest.raises(InvalidText):
        hole(symbol)


def test_a_replay_gives_every_ply_from_the_start():
    first, second = replay(CLASSIC, "ca")
    assert first.before == CLASSIC.start()
    assert second.before == first.after
    assert (first.pit, second.pit) == (2, 0)


def test_an_empty_transcript_has_no_plies():
    assert list(replay(CLASSIC, "")) == []


@pytest.mark.parametrize(
    ("transcript", "refused"),
    [
        ("cc", "ply 1, 'c'"),
        ("caa", "ply 2, 'a'"),
        ("cag", "ply 2, 'g'"),
        ("ca.", "ply 2, '.'"),
        ("c a", "ply 1, ' '"),
    ],
    ids=["an emptied pit", "the other side's pit", "a store", "no letter", "a blank"],
)
def test_a_replay_refuses_a_bad_ply_by_number_and_letter_after_giving_the_good_ones(transcript, refused):
    replayed = replay(CLASSIC, transcript)
    for _ in range(int(refused[4])):
        next(replayed)
    with pytest.raises(IllegalSowing, match=refused.replace(".", r"\.")):
        next(replayed)


def test_a_replay_refuses_a_ply_after_the_end():
    with pytest.raises(IllegalSowing, match="ply 1, 'b'"):
        list(replay(by_key("classic-1x1"), "ab"))


def test_the_board_is_drawn_as_south_sees_it():
    position = Position.parse("0,13,2,12/4,5,6,78 N")
    assert draw(position).splitlines() == [
        "       g   f   e",
        "       6   5   4",
        "  78              12",
        "       0  13   2",
        "       a   b   c",
    ]


def test_a_record_tells_the_whole_game():
    # South's b gives an extra turn; a falls in the empty b and captures, and the one stone left is North's.
    expected = """\
Ruleset: classic-2x1
South: Ada
North: Grace Hopper
Result: South wins 3:1

Plies:
1. ba

Start

       e   d
       1   1
   0           0
       1   1
       a   b

Ply 0: South sows b, has an extra turn

       e   d
       1   1
   0           1
       1   0
       a   b

Ply 1: South sows a, captures 2, the rest is swept

       e   d
       0   0
   1           3
       0   0
       a   b
"""
    assert record(by_key("classic-2x1"), "ba", south="Ada", north="Grace Hopper") == expected


def test_a_record_numbers_the_rounds_and_keeps_the_plies_of_a_turn_together():
    text = record(by_key("both-stores-6x4"), PRINTED, south="Player #1", north="Player #2")
    assert "Result: South wins 25:23\n\nPlies:\n" + PRINTED_ROUNDS + "\n\nStart\n" in text


@pytest.mark.parametrize(
    ("key", "transcript", "ending", "result"),
    [
        ("classic-6x4", "", "", "not over"),
        ("classic-6x4", "ca", "", "not over"),
        ("classic-6x4", "ca", "South resigned", "South resigned"),
        ("classic-1x1", "a", "", "draw 1:1"),
        ("classic-1x2", "a", "", "North wins 1:3"),
    ],
)
def test_a_record_says_how_the_game_stands(key, transcript, ending, result):
    text = record(by_key(key), transcript, south="Ada", north="Grace", ending=ending)
    assert text.splitlines()[3] == f"Result: {result}"


def test_a_record_of_a_game_that_breaks_the_rules_is_not_written():
    with pytest.raises(IllegalSowing, match="ply 1"):
        record(CLASSIC, "cc", south="Ada", north="Grace")


@pytest.mark.parametrize("transcript", ["", "c", "ca", "cajm"])
def test_the_transcript_is_read_back_from_a_record(transcript):
    assert parse(record(CLASSIC, transcript, south="Ada", north="Grace")) == transcript


def test_a_record_that_went_through_another_systems_line_breaks_is_read_too():
    text = record(by_key("both-stores-6x4"), PRINTED, south="Ada", north="Grace")
    assert parse(text.replace("\n", "\r\n")) == PRINTED
    assert parse("  " + text.replace("\n", "  \n  ")) == PRINTED


@pytest.mark.parametrize("name", ["Plies: 1. aaaa", "Ada\n\nPlies:\n1. aaaa", "Ada\u2028Plies: a", ""])
def test_a_name_that_looks_like_plies_is_not_taken_for_them(name):
    assert parse(record(CLASSIC, "ca", south=name, north=name, ending=name)) == "ca"


@pytest.mark.parametrize(
    "text",
    [
        "cajmd",
        "c a j m d",
        "1. ca jm 2. d",
        "1.ca jm\n2.d",
        "1 ca jm 2 d",
        "1. CA JM\r\n\r\n2. D\r\n",
        "\tca\n\njm\n\nd\n",
        "Plies: 1. ca jm\n2. d",
    ],
)
def test_plies_written_by_hand_are_read(text):
    assert parse(text) == "cajmd"


@pytest.mark.parametrize("text", ["cajz", "c,a", "1) ca", "ca; jm", "Ruleset: classic-6x4", "c\x00a", "\xe4"])
def test_a_text_that_is_no_transcript_is_refused(text):
    with pytest.raises(InvalidText):
        parse(text)
