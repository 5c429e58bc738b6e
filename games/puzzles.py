"""The puzzles: positions of real games in which one pit wins and no other. Pure.

`python -m tools.puzzles` finds them, and proves what is said of them here; so do the tests. The words to a puzzle are
in templates, under the same name.
"""

from dataclasses import dataclass
from typing import NamedTuple

from games.rules.position import Position

RULESET = "classic-6x4"


class Wrong(NamedTuple):
    """A pit that does not win."""

    pit: str
    value: int
    """South's stones less Moon's, in the end, if both play their best from there."""
    answer: str
    """What Moon sows then, until the turn is South's again; nothing if it is South's already, or the game is over."""

    def __str__(self) -> str:
        return f"{self.pit} {self.value} {self.answer}".strip()

    @classmethod
    def parse(cls, text: str) -> "Wrong":
        """From its text: `e -4 mk`, or `e -4` without an answer."""
        pit, value, *answer = text.split()
        return cls(pit, int(value), "".join(answer))


@dataclass(frozen=True, slots=True)
class Puzzle:
    """South is to move and wins, at each step by one pit alone, until the turn is Moon's."""

    name: str
    position: str
    solution: str
    """A letter for each step."""
    value: int
    """As that of `Wrong`, after the solution."""
    wrong: tuple[str, ...]
    """For each step all other pits that can be sown, each as the text of a `Wrong`."""

    @property
    def stones(self) -> tuple[int, ...]:
        """One count per hole."""
        return Position.parse(self.position).stones

    @property
    def score(self) -> tuple[int, int]:
        """How the game ends after the solution if both play their best: South's stones, and Moon's."""
        return self.score_of(self.value)

    def score_of(self, value: int) -> tuple[int, int]:
        """South's stones and Moon's in the end, when South has so many more."""
        whole = sum(self.stones)
        return (whole + value) // 2, (whole - value) // 2


PUZZLES = (
    # game 399, ply 23
    Puzzle(
        "one-more",
        "1,2,0,1,1,1,14/5,2,1,0,0,12,8 S",
        "fe",
        8,
        ("a -4 h, b -4 h, d -10 j, e -10 i", "a -8 h, b -4 h, d -10 j"),
    ),
    # game 318, ply 32
    Puzzle("across", "1,1,0,0,0,2,15/0,0,0,6,0,2,21 S", "b", 4, ("a -2 m, f -2 k",)),
    # game 323, ply 16
    Puzzle("small", "1,0,0,2,5,4,9/0,2,0,0,9,0,16 S", "a", 12, ("d -6 l, e -8 l, f -8 l",)),
    # game 328, ply 26
    Puzzle("count", "1,0,3,1,1,0,18/0,0,0,0,1,1,22 S", "a", 2, ("c -2 ml, d -2 ml, e -2 ml",)),
    # game 147, ply 26
    Puzzle("danger", "1,2,3,1,0,0,18/0,0,0,0,1,0,22 S", "a", 2, ("b 0 l, c 0 l, d 0 l",)),
    # game 217, ply 31
    Puzzle(
        "three",
        "0,2,2,8,2,0,15/1,1,1,1,0,0,15 S",
        "efd",
        2,
        ("b -4 j, c -8 j, d -6 j", "b -4 j, c -4 k, d -2 j", "b -4 j, c -4 k"),
    ),
    # game 47, ply 23
    Puzzle("around", "0,12,1,1,0,0,12/0,0,4,1,2,5,10 S", "b", 10, ("c -20 lk, d -12 lk",)),
    # game 317, ply 24
    Puzzle("quiet", "0,0,0,1,1,6,21/0,0,1,0,0,1,17 S", "e", 10, ("d 0 j, f 0 h",)),
    # game 208, ply 27
    Puzzle(
        "stairs",
        "1,0,4,0,0,1,13/2,0,0,0,0,6,21 S",
        "fcfe",
        4,
        ("a -10 h, c -12", "a -10 h", "a -12 h, d -10 h, e -14 h", "a -12 h, d -10 h"),
    ),
    # game 348, ply 21
    Puzzle(
        "long",
        "2,1,0,1,2,1,11/1,4,1,0,0,13,11 S",
        "fefd",
        6,
        ("a -12 i, b -12 m, d -14 h, e -2", "a -12 i, b -10 i, d -14 h", "a -12 i, b -10 i, d 0 m", "a -12 i, b -10 i"),
    ),
)
"""From easy to hard. The games are those of `tools.puzzles`."""
