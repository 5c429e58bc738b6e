"""The pages about the rules: what they say, and that every board on them is the one worked out by hand or printed.

They ask no database, so no test here has one.
"""

import json
import re

import pytest

from games.rules.ruleset import NAMES
from games.rules.transcript import letter
from tests.known_games import PRINTED
from tests.pages.people import Page, Visitor, text_of
from tests.rules.test_printed_game import END, PRINTED_BOARDS, START, legible

LESSON, SAMPLE = "/how-to-play/", "/how-to-play/sample-game/"
RULES = {name: f"/how-to-play/{name}/" for name in NAMES}

# Before, the pit sown, after: boards as in tests/rules/drawing.py.
BOARDS = {
    LESSON: {
        "side": ("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S", "", ""),
        "sow": ("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S", "b", "4 0 5 5 5 5 (0) / 4 4 4 4 4 4 (0)  N"),
        "around": ("4 0 5 5 5 5 (0) / 4 4 4 4 4 4 (0)  S", "f", "4 0 5 5 5 0 (1) / 5 5 5 5 4 4 (0)  N"),
        "skip": ("1 2 0 3 1 9 (9) / 2 3 0 4 2 1 (11)  S", "f", "2 3 0 3 1 0 (10) / 3 4 1 5 3 2 (11)  N"),
        "extra": ("4 4 4 4 4 4 (0) / 4 4 4 4 4 4 (0)  S", "c", "4 4 0 5 5 5 (1) / 4 4 4 4 4 4 (0)  S"),
        "capture": ("3 1 2 1 0 2 (15) / 1 5 2 0 3 1 (12)  S", "c", "3 1 0 2 0 2 (21) / 1 0 2 0 3 1 (12)  N"),
        "end": ("0 0 0 0 0 1 (25) / 0 2 0 3 1 0 (16)  S", "f", "0 0 0 0 0 0 (26) / 0 2 0 3 1 0 (16)  over"),
        "left": ("0 0 0 0 0 0 (26) / 0 2 0 3 1 0 (16)  S", "f", "0 0 0 0 0 0 (26) / 0 0 0 0 0 0 (22)  over"),
    },
    RULES["classic"]: {
        "skip": ("2 1 0 6 (3) / 2 1 3 1 (5)  S", "d", "3 1 0 0 (4) / 3 2 4 2 (5)  N"),
        "capture": ("2 1 0 1 (6) / 1 4 2 0 (7)  S", "a", "0 2 0 1 (11) / 1 0 2 0 (7)  N"),
        "alone": ("2 1 0 1 (8) / 3 0 2 0 (7)  S", "a", "0 2 0 1 (9) / 3 0 2 0 (7)  N"),
        "lap": ("1 0 1 9 (4) / 1 0 2 1 (5)  S", "d", "2 1 2 0 (8) / 0 1 3 2 (5)  N"),
    },
    RULES["both-stores"]: {
        "theirs": ("2 0 1 7 (3) / 2 1 2 1 (5)  S", "d", "3 0 1 0 (4) / 3 2 3 2 (6)  N"),
        "stop": ("2 1 0 6 (3) / 2 1 3 1 (5)  S", "d", "2 1 0 0 (4) / 3 2 4 2 (6)  N"),
        "capture": ("2 1 0 1 (6) / 1 4 2 0 (7)  S", "a", "0 2 0 1 (11) / 1 0 2 0 (7)  N"),
        "stays": ("2 1 0 1 (8) / 3 0 2 0 (7)  S", "a", "0 2 1 1 (8) / 3 0 2 0 (7)  N"),
    },
    RULES["no-empty-capture"]: {
        "skip": ("2 1 0 6 (3) / 2 1 3 1 (5)  S", "d", "3 1 0 0 (4) / 3 2 4 2 (5)  N"),
        "capture": ("2 1 0 1 (6) / 1 4 2 0 (7)  S", "a", "0 2 0 1 (11) / 1 0 2 0 (7)  N"),
        "stays": ("2 1 0 1 (8) / 3 0 2 0 (7)  S", "a", "0 2 1 1 (8) / 3 0 2 0 (7)  N"),
    },
    RULES["avalanche"]: {
        "relay": ("2 1 3 1 (5) / 2 0 2 1 (7)  S", "a", "0 2 0 2 (6) / 3 1 2 1 (7)  N"),
        "beyond": ("1 2 0 2 (6) / 2 1 3 0 (7)  S", "d", "1 2 0 0 (7) / 0 2 4 1 (7)  N"),
        "home": ("1 2 1 0 (7) / 2 1 3 0 (7)  S", "a", "0 0 2 1 (8) / 2 1 3 0 (7)  S"),
        "nothing": ("2 1 0 1 (6) / 1 4 2 0 (7)  S", "a", "0 2 1 1 (6) / 1 4 2 0 (7)  N"),
    },
}
EXAMPLES = [
    pytest.param(path, name, id=f"{path.strip('/').rpartition('/')[2]}-{name}")
    for path, steps in BOARDS.items()
    for name in steps
]
PATHS = [LESSON, *RULES.values(), SAMPLE]
CLASSIC_SHEETS = ("“Classic Mancala Instructions”", "“Mancala Ruleset”")


def look(path, **headers):
    return Visitor().look(path, **headers)


def embedded(path):
    """What the script of a page begins with."""
    script = re.search(r'<script id="page" type="application/json">(.*?)</script>', look(path).content.decode())
    return json.loads(script[1])


def steps_of(path):
    """The shapes of a page's steps by their names, in order."""
    return {step["name"]: step for step in embedded(path)["steps"]}


def drawn(stones, turn):
    half = len(stones) // 2
    south, north = (f"{' '.join(map(str, row[:-1]))} ({row[-1]})" for row in (stones[:half], stones[half:]))
    return f"{south} / {north}  {turn or 'over'}"


def words_of(path):
    """The elements that tell of each step, and the links of the list beside, by the names they stand for."""
    tags = Page(look(path).content.decode()).tags
    told = [held["id"] for tag, held in tags if tag == "article"]
    listed = [held["href"][1:] for tag, held in tags if tag == "a" and held.get("href", "").startswith("#")]
    return told, listed[1:]  # the first is the way past the header


@pytest.mark.parametrize(("path", "name"), EXAMPLES)
def test_every_example_is_as_worked_out_by_hand(path, name):
    before, pit, after = BOARDS[path][name]
    step = steps_of(path)[name]
    start = step["welcome"]["snapshot"]
    assert drawn(start["stones"], start["turn"]) == before
    assert [letter(sown["pit"]) for sown in step["sown"]] == list(pit)
    assert [drawn(sown["stones"], sown["turn"]) for sown in step["sown"]] == ([after] if after else [])


@pytest.mark.parametrize(("path", "name"), EXAMPLES)
def test_the_story_of_every_example_leads_from_its_first_board_to_its_last(path, name):
    step = steps_of(path)[name]
    stones = step["welcome"]["snapshot"]["stones"].copy()
    for sown in step["sown"]:
        for _, source, targets in sown["transfers"]:
            stones[source] -= len(targets)
            for hole in targets:
                stones[hole] += 1
        assert stones == sown["stones"]


@pytest.mark.parametrize(("path", "name"), EXAMPLES)
def test_only_the_pit_that_is_sown_is_offered(path, name):
    step = steps_of(path)[name]
    offered = [pit for pit, *_ in step["welcome"]["snapshot"]["legal"]]
    assert offered == ([] if name == "left" else [sown["pit"] for sown in step["sown"]])


@pytest.mark.parametrize("path", BOARDS)
def test_the_words_of_a_page_tell_of_its_examples_in_their_order(path):
    names = list(steps_of(path))
    assert names == list(BOARDS[path])
    assert words_of(path) == (names, names)


@pytest.mark.parametrize("path", BOARDS)
def test_one_board_can_show_all_examples_of_a_page(path):
    boards = [step["welcome"]["snapshot"]["stones"] for step in steps_of(path).values()]
    assert len({(len(stones), sum(stones)) for stones in boards}) == 1


def test_a_sowing_that_ends_the_game_is_shown_in_two_steps_that_follow_on_each_other():
    end, left = (steps_of(LESSON)[name] for name in ("end", "left"))
    assert end["sown"][0]["stones"] == left["welcome"]["snapshot"]["stones"]
    assert {kind for kind, *_ in end["sown"][0]["transfers"]} == {"sow"}
    assert {kind for kind, *_ in left["sown"][0]["transfers"]} == {"sweep"}
    assert left["sown"][0]["outcome"] == {"winner": "S", "score": [26, 22], "ending": "played_out"}


@pytest.mark.parametrize(
    ("path", "sheets"),
    [
        (LESSON, CLASSIC_SHEETS),
        (RULES["classic"], CLASSIC_SHEETS),
        (RULES["both-stores"], ("From the sheet “Mancala Rules”.",)),
        (RULES["no-empty-capture"], ("No rule sheet of ours says it", *CLASSIC_SHEETS)),
        (RULES["avalanche"], ("No rule sheet of ours has it", "phone game")),
        (SAMPLE, ("printed on the sheet “Mancala Rules”",)),
    ],
)
def test_every_page_says_which_sheet_it_follows(path, sheets):
    text = text_of(look(path))
    assert [sheet for sheet in sheets if sheet not in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_page_of_rules_shows_where_they_differ_and_marks_its_own_column(name):
    page = Page(look(RULES[name]).content.decode())
    assert ["data-ours" in held for tag, held in page.tags if tag == "col"] == [
        False,
        *(column == name for column in NAMES),
    ]
    assert "Where the rules differ" in page.text


def test_the_lesson_marks_no_column():
    assert not any("data-ours" in held for _, held in Page(look(LESSON).content.decode()).tags)


@pytest.mark.parametrize("path", PATHS)
def test_every_page_leads_to_every_other(path):
    page = Page(look(path).content.decode())
    links = {held.get("href"): held.get("aria-current") for tag, held in page.tags if tag == "a"}
    assert set(PATHS) <= set(links)
    assert [there for there in PATHS if links[there] == "page"] == [path]


@pytest.mark.parametrize("path", [*RULES.values(), LESSON])
def test_without_a_script_all_steps_can_be_read(path):
    html = look(path).content.decode()
    assert not re.search(r"<article[^>]*\bhidden", html)
    assert len(re.findall(r'<p class="step__seen">[^<]+</p>', html)) == len(BOARDS[path])


@pytest.mark.parametrize("path", ["/how-to-play/gentle/", "/how-to-play/classic-6x4/", "/how-to-play/Classic/"])
def test_rules_that_nobody_knows_are_a_friendly_404(path):
    assert "This address leads nowhere." in text_of(Visitor().look(path, status=404))


def test_pages_speak_of_the_two_sides_in_the_readers_language():
    seats = embedded(LESSON)["steps"][0]["welcome"]["snapshot"]["seats"]
    assert [seats[side]["name"] for side in "SN"] == ["Sun", "Moon"]
    german = look(LESSON, **{"accept-language": "de"}).context["snapshot"].seats
    assert (german.S.name, german.N.name) == ("Sonne", "Mond")


# The sample game -----------------------------------------------------------------------------------


def test_the_sample_game_is_the_printed_one_seen_by_a_spectator():
    game = embedded(SAMPLE)["game"]
    assert "".join(letter(sown["pit"]) for sown in game["sown"]) == PRINTED
    assert game["welcome"]["you"] is None
    assert legible(tuple(game["welcome"]["snapshot"]["stones"]), START) == START


@pytest.mark.parametrize("ply", range(31))
def test_every_board_of_the_sample_game_is_as_printed(ply):
    sown = embedded(SAMPLE)["game"]["sown"][ply]
    _, *printed, _ = PRINTED_BOARDS[ply]
    printed = END if ply == 30 else tuple(printed)
    assert legible(tuple(sown["stones"]), printed) == printed


def moves():
    """The words of each move of the sample game, by its number."""
    html = look(SAMPLE).content.decode()
    articles = re.findall(r'<article[^>]* id="move-(\d+)"[^>]*>(.*?)</article>', html, re.DOTALL)
    return {int(nth): Page(inside).text for nth, inside in articles}


@pytest.mark.parametrize(
    ("nth", "words"),
    [
        (0, "Four stones lie in each pit. Sun begins."),
        (1, "Sun sows 4 stones from pit c. The last one falls in Sun’s store: extra turn."),
        (2, "Sun sows 4 stones from pit a."),
        (8, "Moon sows 5 stones from pit h. Moon captures 2 stones."),
        (12, "Moon sows 1 stone from pit m. The last one falls in Moon’s store: extra turn."),
        (
            19,
            "Sun sows 1 stone from pit d. The last one falls in an empty pit on the own side, but nothing lies across: "
            "it stays. The sheet says here: “Notice how Player #1 stores no stones.”",
        ),
        (
            31,
            "Moon sows 1 stone from pit m. Moon’s row is empty: the game is over. Sun keeps the last ten stones and "
            "wins, 25 to 23.",
        ),
    ],
)
def test_every_move_of_the_sample_game_is_told_in_words(nth, words):
    assert moves()[nth] == words


def test_the_sheet_remarks_on_one_move_that_stores_no_stones_and_so_does_the_page():
    printed = [ply + 1 for ply, (*_, remark) in enumerate(PRINTED_BOARDS) if remark == "stores no stones"]
    assert [nth for nth, words in moves().items() if "stores no stones" in words] == printed == [19]
    assert list(moves()) == list(range(32))
