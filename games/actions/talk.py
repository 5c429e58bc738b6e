"""What is said in a room."""

import uuid

from games import broadcast, snapshot
from games.protocol import ReactionKind, Refusal, Refused
from games.reactions import may_react


def react(code: str, player: uuid.UUID | None, *, kind: ReactionKind) -> None:
    """Say something to everybody in a room: a player or a spectator. Nothing is written.

    Raises:
        Refused: `no_such_room`; `not_seated` for a browser without an identity; `too_fast`.
    """
    row = snapshot.current_game(code)
    if player is None:
        raise Refused(Refusal.NOT_SEATED)
    if not may_react(code, player):
        raise Refused(Refusal.TOO_FAST)
    broadcast.announce(code, snapshot.reacted(row, player, kind))
