"""Every write to players, rooms and games: check, write, announce. Never HTTP, never sockets.

A game is one row, changed by compare-and-set on its version. Whoever loses a race reads again: either the request
still makes sense, or it is refused.
"""

from games.actions.claims import attend, claim
from games.actions.clocks import beat, fall_flags, keep_time, make_up
from games.actions.handover import NoHandover, hand_over, handed_over, take_over
from games.actions.learn import solve
from games.actions.offers import answer, offer, prepare_answer, prepare_offer
from games.actions.play import play, prepare, resign, swap
from games.actions.reviews import begin_review, note_review
from games.actions.rooms import close_idle, keep_guest, leave_seat, open_room, play_anyone, rename, take_both, take_seat
from games.actions.row import keep_current
from games.actions.talk import react, say, switch_talk

__all__ = [
    "NoHandover",
    "answer",
    "attend",
    "beat",
    "begin_review",
    "claim",
    "close_idle",
    "fall_flags",
    "hand_over",
    "handed_over",
    "keep_current",
    "keep_guest",
    "keep_time",
    "leave_seat",
    "make_up",
    "note_review",
    "offer",
    "open_room",
    "play",
    "play_anyone",
    "prepare",
    "prepare_answer",
    "prepare_offer",
    "react",
    "rename",
    "resign",
    "say",
    "solve",
    "swap",
    "switch_talk",
    "take_both",
    "take_over",
    "take_seat",
]
