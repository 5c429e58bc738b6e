"""What the pages about the rules, puzzles and whole games show: positions and what is sown from them, as the rules say.

In the shapes of the protocol, so that a browser shows a lesson as it shows a game. Never the database; the words to an
example are in its template, under the same name.
"""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from django.utils.translation import gettext
from msgspec.structs import replace

from games import puzzles, snapshot
from games.protocol import OutcomeShape, PlayerShape, Seat, Seats, Snapshot, Sown, Welcome
from games.rules import transcript
from games.rules.position import Position, Side
from games.rules.ruleset import Ruleset, by_key, name_of
from games.rules.sowing import Kind, Outcome, Prospect, Sowing

SAMPLE_KEY = "both-stores-6x4"
SAMPLE_GAME = "cajmdimhckdmjbhemidkmlmjchdkelm"
"""The game printed in the sheet "Mancala Rules", which ends 25:23."""

_FULL = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 S"


class Part(enum.Enum):
    """How much of a sowing a step shows. One that ends the game is easier to follow in two."""

    WHOLE = enum.auto()
    ALL_BUT_THE_SWEEP = enum.auto()
    SWEEP = enum.auto()


@dataclass(frozen=True, slots=True)
class Example:
    """A position, and the letter of the pit sown from it if there is one."""

    name: str
    position: str
    pit: str = ""
    part: Part = Part.WHOLE


LESSON = (
    Example("side", _FULL),
    Example("sow", _FULL, "b"),
    Example("around", "4,0,5,5,5,5,0/4,4,4,4,4,4,0 S", "f"),
    Example("skip", "1,2,0,3,1,9,9/2,3,0,4,2,1,11 S", "f"),
    Example("extra", _FULL, "c"),
    Example("capture", "3,1,2,1,0,2,15/1,5,2,0,3,1,12 S", "c"),
    Example("end", "0,0,0,0,0,1,25/0,2,0,3,1,0,16 S", "f", Part.ALL_BUT_THE_SWEEP),
    Example("left", "0,0,0,0,0,1,25/0,2,0,3,1,0,16 S", "f", Part.SWEEP),
)
"""The eight steps for beginners. They follow `classic`, on a full board."""

_CAPTURE = Example("capture", "2,1,0,1,6/1,4,2,0,7 S", "a")
_NOTHING_ACROSS = "2,1,0,1,8/3,0,2,0,7 S"

EXAMPLES = {
    "classic": (
        Example("skip", "2,1,0,6,3/2,1,3,1,5 S", "d"),
        _CAPTURE,
        Example("alone", _NOTHING_ACROSS, "a"),
        Example("lap", "1,0,1,9,4/1,0,2,1,5 S", "d"),
    ),
    "both-stores": (
        Example("theirs", "2,0,1,7,3/2,1,2,1,5 S", "d"),
        Example("stop", "2,1,0,6,3/2,1,3,1,5 S", "d"),
        _CAPTURE,
        Example("stays", _NOTHING_ACROSS, "a"),
    ),
    "no-empty-capture": (
        Example("skip", "2,1,0,6,3/2,1,3,1,5 S", "d"),
        _CAPTURE,
        Example("stays", _NOTHING_ACROSS, "a"),
    ),
    "avalanche": (
        Example("relay", "2,1,3,1,5/2,0,2,1,7 S", "a"),
        Example("beyond", "1,2,0,2,6/2,1,3,0,7 S", "d"),
        Example("home", "1,2,1,0,7/2,1,3,0,7 S", "a"),
        Example("nothing", "2,1,0,1,6/1,4,2,0,7 S", "a"),
    ),
}
"""What is special about each ruleset. The examples of one page have the same number of stones: one board shows them."""


class Step(msgspec.Struct, frozen=True):
    """How an example begins, as South sees it, and what is sown. Nothing else is offered to be sown."""

    name: str
    welcome: Welcome
    sown: tuple[Sown, ...]


class Try(msgspec.Struct, frozen=True):
    """A pit that may be tried: what is sown then, Moon's answer included, and whether it is right."""

    pit: int
    sown: tuple[Sown, ...]
    right: bool
    score: tuple[int, int]
    """How the game ends if both play their best from there."""


class Task(msgspec.Struct, frozen=True):
    """A puzzle as a page shows it: how it begins, and all that may be tried at each step."""

    welcome: Welcome
    steps: tuple[tuple[Try, ...], ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A ply of a game, for the words of its page."""

    nth: int
    """Counted from 1."""
    side: Seat
    name: str
    """Of that side, or of who sits there."""
    letter: str
    is_swap: bool
    hand: int
    extra_turn: bool
    captured: int
    stays: bool
    """The last stone fell in an own empty pit and captured nothing."""
    swept: int


def lesson() -> tuple[Step, ...]:
    """The eight steps."""
    return tuple(_step("classic", example) for example in LESSON)


def examples(rules: str) -> tuple[Step, ...]:
    """What is special about the ruleset of this name; raises KeyError."""
    return tuple(_step(rules, example) for example in EXAMPLES[rules])


def task(puzzle: puzzles.Puzzle) -> Task:
    """All of a puzzle, worked out by the rules."""
    ruleset, position = by_key(puzzles.RULESET), Position.parse(puzzle.position)
    welcome = _welcome(ruleset, position, you="S", legal=ruleset.prospects(position))
    steps = []
    for ply, (letter, wrong) in enumerate(zip(puzzle.solution, puzzle.wrong, strict=True)):
        after = ruleset.sow(position, transcript.hole(letter)).after
        legal = ruleset.prospects(after) if after.turn is position.turn else ()
        tries = [_try(position, ply, letter, puzzle.score, right=True, legal=legal)]
        for pit, value, answer in map(puzzles.Wrong.parse, wrong.split(", ")):
            tries.append(_try(position, ply, pit + answer, puzzle.score_of(value)))
        steps.append(tuple(tries))
        position = after
    return Task(welcome=welcome, steps=tuple(steps))


def game(key: str, plies: str) -> Step:
    """A whole game of this ruleset, as a spectator sees it; raises IllegalSowing like `transcript.replay`."""
    ruleset = by_key(key)
    told = tuple(_sown(ruleset, sowing, ply) for ply, sowing in enumerate(transcript.replay(ruleset, plies)))
    return Step(name="game", welcome=_welcome(ruleset, ruleset.start(), you=None), sown=told)


def studied(ruleset: Ruleset) -> str | None:
    """The name by which the page of the solver has these rules, which has none where more than half wins."""
    return None if "+majority" in ruleset.key else name_of(ruleset)


def moves(key: str, plies: str, names: Sequence[str] | None = None) -> list[Move]:
    """The plies of such a game, with the names of who did them; raises IllegalSowing like `transcript.replay`."""
    sowings = tuple(transcript.replay(by_key(key), plies))
    names = names or [gettext("Sun") if sowing.side is Side.SOUTH else gettext("Moon") for sowing in sowings]
    return [_move(sowing, nth, name) for nth, (sowing, name) in enumerate(zip(sowings, names, strict=True), start=1)]


def score(game: Step) -> tuple[int, int]:
    """South's and North's stones in their stores after the last ply of such a game, which has one."""
    stones = game.sown[-1].stones
    return stones[len(stones) // 2 - 1], stones[-1]


def _try(  # noqa: PLR0913  made in one place
    position: Position,
    ply: int,
    letters: str,
    score: tuple[int, int],
    *,
    right: bool = False,
    legal: tuple[Prospect, ...] = (),
) -> Try:
    """What comes of sowing `letters` one after the other, the first of which is the try."""
    ruleset = by_key(puzzles.RULESET)
    told: list[Sown] = []
    for letter in letters:
        sowing = ruleset.sow(position, transcript.hole(letter))
        told.append(_sown(ruleset, sowing, ply + len(told), legal=legal))
        position = sowing.after
    return Try(pit=told[0].pit, sown=tuple(told), right=right, score=score)


def _step(rules: str, example: Example) -> Step:
    position = Position.parse(example.position)
    ruleset = by_key(f"{rules}-{position.width}x4")  # the position may hold any stones
    if not example.pit:
        return Step(name=example.name, welcome=_welcome(ruleset, position, you="S"), sown=())
    pit = transcript.hole(example.pit)
    told = _sown(ruleset, ruleset.sow(position, pit), ply=0)
    if example.part is not Part.WHOLE:
        before, sweep = _in_two(told)
        if example.part is Part.SWEEP:
            position, told = Position(before.stones, position.turn), sweep
        else:
            told = before
    offered = tuple(offer for offer in ruleset.prospects(position) if offer.pit == pit)
    return Step(name=example.name, welcome=_welcome(ruleset, position, you="S", legal=offered), sown=(told,))


def _welcome(ruleset: Ruleset, position: Position, *, you: Seat | None, legal: tuple[Prospect, ...] = ()) -> Welcome:
    """Somebody comes to a game that stands at `position`; only `legal` is offered."""
    return Welcome(
        you=you,
        player=you,
        snapshot=Snapshot(
            room="",
            game=1,
            version=0,
            status="playing",
            ply=0,
            ruleset=ruleset.key,
            stones=position.stones,
            turn=position.turn.letter,
            legal=legal,
            last=None,
            seats=Seats(S=PlayerShape("S", gettext("Sun")), N=PlayerShape("N", gettext("Moon"))),
            outcome=None,
            transcript="",
        ),
    )


def _sown(ruleset: Ruleset, sowing: Sowing, ply: int, *, legal: tuple[Prospect, ...] = ()) -> Sown:
    """A sowing as it is told there, and what is offered after it."""
    outcome = ruleset.outcome(sowing.after)
    return snapshot.told(
        sowing, game=1, version=ply + 1, ply=ply, legal=legal, outcome=_outcome(outcome) if outcome else None
    )


def _outcome(outcome: Outcome) -> OutcomeShape:
    winner = outcome.winner.value if outcome.winner else None
    return OutcomeShape(winner=winner, score=outcome.score, ending="played_out")


def _in_two(sown: Sown) -> tuple[Sown, Sown]:
    """A sowing that ends the game, as two: all but its sweep, and its sweep."""
    is_sweep = Kind.SWEEP.value.__eq__
    sweep = tuple(transfer for transfer in sown.transfers if is_sweep(transfer[0]))
    others = tuple(transfer for transfer in sown.transfers if not is_sweep(transfer[0]))
    unswept = list(sown.stones)
    for _kind, source, targets in sweep:
        unswept[source] += len(targets)
        for hole in targets:
            unswept[hole] -= 1
    return replace(sown, transfers=others, stones=tuple(unswept)), replace(sown, transfers=sweep)


def _move(sowing: Sowing, nth: int, name: str) -> Move:
    before, after = sowing.before, sowing.after
    swept = [transfer.stones for transfer in sowing.transfers if transfer.kind is Kind.SWEEP]
    return Move(
        nth=nth,
        side=sowing.side.letter,
        name=name,
        letter=transcript.letter(sowing.pit),
        is_swap=sowing.is_swap,
        hand=before.stones[sowing.pit],
        extra_turn=sowing.extra_turn,
        captured=sowing.captured,
        stays=sowing.last in before.pits(sowing.side) and after.stones[sowing.last] == 1,
        swept=sum(swept),
    )
