"""A game as text: letters for holes, the transcript of its plies, the record for people. Never files, never rules."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from games.rules.position import Hole, InvalidText, Position, Side
from games.rules.ruleset import Ruleset
from games.rules.sowing import IllegalSowing, Kind, Sowing

_LETTERS = "abcdefghijklmnopqrst"  # the largest board has 20 holes


def letter(hole: Hole) -> str:
    """The letter of a hole.

    >>> letter(0), letter(13)
    ('a', 'n')
    """
    return _LETTERS[hole]


def hole(symbol: str) -> Hole:
    """The hole of a letter; raises InvalidText.

    >>> hole("n")
    13
    """
    if len(symbol) != 1 or symbol not in _LETTERS:
        raise InvalidText(f"not the letter of a hole: {symbol!r}")
    return _LETTERS.index(symbol)


def replay(ruleset: Ruleset, transcript: str) -> Iterator[Sowing]:
    """Every ply of a game, from the start; raises IllegalSowing naming the ply, counted from 0, and its letter.

    >>> from games.rules.ruleset import by_key
    >>> [letter(sowing.last) for sowing in replay(by_key("classic-6x4"), "caj")]
    ['g', 'e', 'n']
    """
    position = ruleset.start()
    for ply, symbol in enumerate(transcript):
        try:
            pit = hole(symbol)
            if pit == position.store(Side.NORTH) and may_swap(ruleset, transcript[:ply], position):
                sowing = Sowing(position, pit, (), position)
            else:
                sowing = ruleset.sow(position, pit)
        except (InvalidText, IllegalSowing) as error:
            raise IllegalSowing(f"ply {ply}, {symbol!r}: {error}") from error
        yield sowing
        position = sowing.after


def position(ruleset: Ruleset, transcript: str) -> Position:
    """The position after a game's plies; raises IllegalSowing like replay.

    >>> from games.rules.ruleset import by_key
    >>> str(position(by_key("classic-6x4"), "ca"))
    '0,5,1,6,6,5,1/4,4,4,4,4,4,0 N'
    """
    after = ruleset.start()
    for sowing in replay(ruleset, transcript):
        after = sowing.after
    return after


def may_swap(ruleset: Ruleset, transcript: str, position: Position) -> bool:
    """Whether North may take South's side now: by the pie rule, after South's first turn and before North sows.

    The letter of North's store, from which nobody sows, says in a transcript that it was done.

    >>> from games.rules.ruleset import by_key
    >>> ruleset = by_key("classic-6x4+pie")
    >>> [may_swap(ruleset, plies, position(ruleset, plies)) for plies in ("c", "ca", "can", "cah")]
    [False, True, False, False]
    """
    return (
        ruleset.pie
        and position.turn is Side.NORTH
        and all(side_of(ruleset, symbol) is Side.SOUTH for symbol in transcript)
        and bool(ruleset.legal_pits(position))
    )


def side_of(ruleset: Ruleset, symbol: str) -> Side:
    """Whose ply a letter stands for; swapping sides is North's."""
    return Side.SOUTH if hole(symbol) <= ruleset.pits else Side.NORTH


def is_swapped(ruleset: Ruleset, transcript: str) -> bool:
    """Whether the players have swapped sides, so that who began sits North."""
    return swap_letter(ruleset) in transcript


def swap_letter(ruleset: Ruleset) -> str:
    """What stands in a transcript for swapping sides: the letter of North's store."""
    return letter(2 * ruleset.pits + 1)


def record(ruleset: Ruleset, transcript: str, *, south: str, north: str, ending: str = "") -> str:
    """A whole game for people to read: who played what, the plies by turns, the board after each.

    Args:
        ruleset: What it was played by.
        transcript: Its plies; raises IllegalSowing like replay.
        south: The name of South's player.
        north: The name of North's player.
        ending: How it ended, in words, if that was not by sowing.
    """
    sowings = tuple(replay(ruleset, transcript))
    start = ruleset.start()
    position = sowings[-1].after if sowings else start
    head = (
        f"Ruleset: {ruleset.key}",
        f"South: {_one_line(south)}",
        f"North: {_one_line(north)}",
        f"Result: {_one_line(ending) or _result(ruleset, position)}",
    )
    boards = [f"Start\n\n{draw(start)}"]
    boards += (f"Ply {ply}: {_story(sowing)}\n\n{draw(sowing.after)}" for ply, sowing in enumerate(sowings))
    return "\n\n".join(("\n".join(head), "\n".join(("Plies:", *_rounds(sowings))), *boards)) + "\n"


def parse(text: str) -> str:
    """The transcript in a record, or in plies that somebody wrote by hand; raises InvalidText.

    >>> parse("1. ca jm  2. D im")
    'cajmdim'
    """
    lines = "\n".join(line.strip() for line in text.splitlines())
    found = re.search(r"^Plies:(.*?)(?:\n\n|\Z)", lines, re.MULTILINE | re.DOTALL)
    plies = re.sub(r"[0-9]+\.?|\s", "", found[1] if found else lines).lower()
    if set(plies) - set(_LETTERS):
        raise InvalidText(f"not a transcript: {text!r}")
    return plies


def draw(position: Position) -> str:
    """The board as South sees it: North's row above, each store at its owner's right.

    >>> print(draw(Position.parse("4,0,5/4,4,1 N")))
           e   d
           4   4
       1           5
           4   0
           a   b
    """
    south, north = position.pits(Side.SOUTH), position.pits(Side.NORTH)[::-1]
    stones = position.stones
    return "\n".join(
        (
            _row("", *map(letter, north)),
            _row("", *(stones[pit] for pit in north)),
            _row(stones[position.store(Side.NORTH)], *("" for _ in south), stones[position.store(Side.SOUTH)]),
            _row("", *(stones[pit] for pit in south)),
            _row("", *map(letter, south)),
        )
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _result(ruleset: Ruleset, position: Position) -> str:
    outcome = ruleset.outcome(position)
    if outcome is None:
        return "not over"
    south, north = outcome.score
    verdict = f"{_name(outcome.winner)} wins" if outcome.winner else "draw"
    return f"{verdict} {south}:{north}"


def _rounds(sowings: Iterable[Sowing]) -> Iterator[str]:
    """Numbered lines, each of one turn of South and one of North: a turn is one ply and its extra turns."""
    turns = ["".join(letter(sowing.pit) for sowing in turn) for _, turn in groupby(sowings, attrgetter("side"))]
    for number, first in enumerate(range(0, len(turns), 2), start=1):
        yield f"{number}. {' '.join(turns[first : first + 2])}"


def _story(sowing: Sowing) -> str:
    if sowing.is_swap:
        return "the players swap sides, and sit from now on as named above"
    story = f"{_name(sowing.side)} sows {letter(sowing.pit)}"
    if sowing.captured:
        story += f", captures {sowing.captured}"
    if sowing.extra_turn:
        story += ", has an extra turn"
    if sowing.transfers[-1].kind is Kind.SWEEP:
        story += ", the rest is swept"
    return story


def _name(side: Side) -> str:
    return side.name.capitalize()


def _row(*cells: object) -> str:
    return "".join(f"{cell!s:>4}" for cell in cells)
