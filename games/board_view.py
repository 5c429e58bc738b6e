"""A board as a page draws it: two rows and two stores from the viewer's seat. Never a rule, never HTML."""

from dataclasses import dataclass

from django.utils.translation import gettext
from msgspec.structs import replace

from games.protocol import Seats, Snapshot
from games.rules.position import Hole, Position, Side
from games.rules.transcript import letter


@dataclass(frozen=True, slots=True)
class HoleView:
    """A pit or a store: its number everywhere, its letter, its stones, and whether it is offered."""

    hole: Hole
    letter: str
    count: int
    legal: bool = False


@dataclass(frozen=True, slots=True)
class RowView:
    """One side of the board, its pits from left to right as the viewer sees them."""

    side: str
    name: str
    level: int | None
    """Of a computer."""
    you: bool
    pits: tuple[HoleView, ...]
    store: HoleView


@dataclass(frozen=True, slots=True)
class BoardView:
    """The far row, the near row, and the number of pits in each."""

    far: RowView
    near: RowView
    width: int


def worded(snapshot: Snapshot) -> Snapshot:
    """A room's state for a page: seats that one player holds are called by their emblems."""
    south, north = snapshot.seats.S, snapshot.seats.N
    if south is None or north is None or south.id != north.id:
        return snapshot
    seats = Seats(S=replace(south, name=gettext("Sun")), N=replace(north, name=gettext("Moon")))
    return replace(snapshot, seats=seats)


def board(snapshot: Snapshot, you: str | None) -> BoardView:
    """The board of a snapshot; whoever plays sees their own row near, everybody else sees South's."""
    near = Side(you or Side.SOUTH)
    return BoardView(
        far=_row(snapshot, near.opponent, you, far=True),
        near=_row(snapshot, near, you, far=False),
        width=len(snapshot.stones) // 2 - 1,
    )


def of_position(position: Position) -> BoardView:
    """The board of a position that nobody plays, as Sun sees it."""
    return BoardView(
        far=_named(position, Side.NORTH, gettext("Moon")),
        near=_named(position, Side.SOUTH, gettext("Sun")),
        width=position.width,
    )


def _named(position: Position, side: Side, name: str) -> RowView:
    def view(hole: Hole) -> HoleView:
        return HoleView(hole, letter(hole), position.stones[hole])

    pits = position.pits(side)
    return RowView(
        side=side.letter,
        name=name,
        level=None,
        you=False,
        pits=tuple(map(view, reversed(pits) if side is Side.NORTH else pits)),
        store=view(position.store(side)),
    )


def _row(snapshot: Snapshot, side: Side, you: str | None, *, far: bool) -> RowView:
    position = Position(snapshot.stones, side)
    offered = {pit for pit, *_ in snapshot.legal} if snapshot.turn == you else set()
    pits = tuple(position.pits(side))
    player = snapshot.seats.of(side.letter)

    def view(hole: Hole) -> HoleView:
        return HoleView(hole, letter(hole), snapshot.stones[hole], hole in offered)

    return RowView(
        side=side.letter,
        name=player.name if player else "",
        level=player.level if player else None,
        you=side.letter == you,
        pits=tuple(view(pit) for pit in (reversed(pits) if far else pits)),
        store=view(position.store(side)),
    )
