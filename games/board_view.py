"""A board as a page draws it: two rows and two stores from the viewer's seat. Never a rule, never HTML."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext
from msgspec.structs import replace

from games.protocol import PlayerShape, Seats, Snapshot
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
    position, near = Position(snapshot.stones, Side.SOUTH), Side(you or Side.SOUTH)
    offered = {pit for pit, *_ in snapshot.legal} if snapshot.turn == you else set()

    def row(side: Side) -> RowView:
        player = snapshot.seats.of(side.letter)
        return _row(position, side, player, far=side is not near, you=side.letter == you, offered=offered)

    return BoardView(far=row(near.opponent), near=row(near), width=position.width)


def of_position(position: Position) -> BoardView:
    """The board of a position that nobody plays, as Sun sees it."""
    sun, moon = PlayerShape("S", gettext("Sun")), PlayerShape("N", gettext("Moon"))
    far, near = _row(position, Side.NORTH, moon, far=True), _row(position, Side.SOUTH, sun, far=False)
    return BoardView(far=far, near=near, width=position.width)


def _row(  # noqa: PLR0913  all that a row shows
    position: Position,
    side: Side,
    player: PlayerShape | None,
    *,
    far: bool,
    you: bool = False,
    offered: Collection[Hole] = (),
) -> RowView:
    pits = position.pits(side)

    def view(hole: Hole) -> HoleView:
        return HoleView(hole, letter(hole), position.stones[hole], hole in offered)

    return RowView(
        side=side.letter,
        name=player.name if player else "",
        level=player.level if player else None,
        you=you,
        pits=tuple(map(view, reversed(pits) if far else pits)),
        store=view(position.store(side)),
    )
