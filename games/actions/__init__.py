"""Every write to players, rooms and games: check, write, announce. Never HTTP, never sockets.

A game is one row, changed by compare-and-set on its version. Whoever loses a race reads again: either the request
still makes sense, or it is refused.
"""

from games.actions.offers import answer, offer
from games.actions.play import play, resign
from games.actions.rooms import close_idle, keep_guest, leave_seat, open_room, play_anyone, rename, take_seat
from games.actions.talk import react, say, switch_talk

__all__ = [
    "answer",
    "close_idle",
    "keep_guest",
    "leave_seat",
    "offer",
    "open_room",
    "play",
    "play_anyone",
    "react",
    "rename",
    "resign",
    "say",
    "switch_talk",
    "take_seat",
]
