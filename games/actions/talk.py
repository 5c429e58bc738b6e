"""What is said in a room: ready-made words to everybody, and what its two players write to each other."""

import uuid

from games import broadcast, names, snapshot
from games.actions.row import change_beside
from games.models import Game, Room, Talk
from games.protocol import ReactionKind, Refusal, Refused
from games.reactions import may_react, may_write

LINE_VISIBLE = 200
"""The longest line, in visible characters."""

LINES_KEPT = 50
"""How many lines of a room are kept, the last ones."""


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


def switch_talk(code: str, player: uuid.UUID | None, *, on: bool) -> None:
    """Switch on or off for one player that the two write to each other. Off is never refused as too fast.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`; `talk_off` in a public room; `too_fast`.
    """
    game, you = _check_player(code, player)
    if on and not may_write(code, you):
        raise Refused(Refusal.TOO_FAST)
    while True:
        row, _ = Talk.objects.get_or_create(pk=code)
        if (you in row.talkers) == on:
            return
        others = [talker for talker in row.talkers if talker != you]
        if change_beside(row, talkers=[*others, you] if on else others):
            _announce(game, row)
            return


def say(code: str, player: uuid.UUID | None, *, text: str) -> None:
    """Write a line to the other player, and to nobody else. The last `LINES_KEPT` of a room are kept.

    Raises:
        Refused: `no_such_room`, `not_seated`, `not_started`; `malformed` when nothing can be seen of it, or too much;
            `talk_off` unless both have it switched on; `too_fast`.
    """
    game, you = _check_player(code, player)
    try:
        line = names.clean(text, LINE_VISIBLE)
    except names.InvalidName as error:
        raise Refused(Refusal.MALFORMED) from error
    if not may_write(code, you):
        raise Refused(Refusal.TOO_FAST)
    while True:
        row = Talk.objects.filter(pk=code).first()
        if row is None or not row.is_on:
            raise Refused(Refusal.TALK_OFF)
        said = {"id": row.version + 1, "by": you, "text": line, "at": snapshot.moment()}
        if change_beside(row, lines=[*row.lines, said][-LINES_KEPT:]):
            _announce(game, row)
            return


def _check_player(code: str, player: uuid.UUID | None) -> tuple[Game, str]:
    """The current game of a private room of two on devices of their own, and the id of who sits there and asks."""
    game = snapshot.current_game(code)
    if game.seat_of(player) is None:
        raise Refused(Refusal.NOT_SEATED)
    if game.status == Game.Status.OPEN:
        raise Refused(Refusal.NOT_STARTED)
    if game.is_shared or game.room.visibility != Room.Visibility.PRIVATE:
        raise Refused(Refusal.TALK_OFF)
    return game, str(player)


def _announce(game: Game, row: Talk) -> None:
    """Tell each of the two players, in all their tabs, and nobody else."""
    for player in (game.south_id, game.north_id):
        if player:
            broadcast.announce(game.room_id, snapshot.talk_to(player, row), only=[player])
