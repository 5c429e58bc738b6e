"""Players who are away: noted in games with clocks, and what the other may claim."""

import uuid

from games import broadcast, snapshot
from games.actions.clocks import judged
from games.actions.row import announce_end, change, check_playing, over
from games.models import Game
from games.protocol import Claimable, Refusal, Refused


def attend(code: str, *, south: bool, north: bool) -> None:
    """Note who of the two players of a room is there, if its game has clocks. Nothing is said where nothing is new."""
    while True:
        row = snapshot.current_game(code)
        if not row.control or row.status != Game.Status.PLAYING:
            return
        now = snapshot.moment()
        south_away, north_away = (
            None if here else since or now for here, since in ((south, row.south_away), (north, row.north_away))
        )
        if (south_away, north_away) == (row.south_away, row.north_away):
            return
        if change(row, south_away=south_away, north_away=north_away):
            claims = snapshot.claims(row)
            broadcast.announce(code, Claimable(game=row.number, version=row.version, claims=claims))
            return


def claim(code: str, player: uuid.UUID | None, *, game: int, win: bool) -> Game:
    """End a game that the other player has left: `player` wins it, or it is a draw.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`, `stale_ply`, `game_over`; `no_claim` while the other is
            there, or not away for long enough.
    """
    while True:
        row, now = judged(code)
        side = check_playing(row, player, game)
        since = snapshot.claims(row).of(side)
        if since is None or now < since:
            raise Refused(Refusal.NO_CLAIM)
        if change(row, **over(row, Game.Ending.CLAIMED, side if win else "", now)):
            announce_end(row)
            return row
