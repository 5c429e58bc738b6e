"""Every websocket message, both ways, and every refusal and close code. Never the ORM, never Channels.

`docs/protocol.md` tells the same story to a reader; a test compares the two.
"""

import enum
from typing import Annotated, Literal

import msgspec

VERSION = 1
"""The protocol spoken at /ws/v1/."""

MAX_FRAME_BYTES = 4096
"""The longest text frame a client may send, in bytes."""

Seat = Literal["S", "N"]
"""South or North, as on the wire."""

OfferKind = Literal["draw", "takeback", "rematch"]
"""What one player can offer the other: a draw, to go back to the own last turn, another game with sides swapped."""

ReactionKind = Literal["hello", "luck", "well", "thanks", "wow", "oops", "think", "bye"]
"""What anybody in a room can say: words that every browser has in its own language."""

Ms = int
"""A time in ms, or a moment in ms since 1970 as the server knows it."""

ReviewState = Literal["looking", "waiting", "done"]
"""It is being worked out; so much else is that it is not, and is to be asked for again; nothing more is to come."""

Status = Literal["open", "playing", "over"]
"""Somebody waits for a second player; two play; nothing more can be sown."""


class Refusal(enum.StrEnum):
    """Why a message was not acted upon. Told to its sender only."""

    MALFORMED = "malformed"
    NOT_SEATED = "not_seated"
    NOT_YOUR_TURN = "not_your_turn"
    STALE_PLY = "stale_ply"
    ILLEGAL_PIT = "illegal_pit"
    GAME_OVER = "game_over"
    NOT_STARTED = "not_started"
    TALK_OFF = "talk_off"
    TOO_FAST = "too_fast"
    UNAVAILABLE = "unavailable"
    SEATS_TAKEN = "seats_taken"
    NO_SUCH_ROOM = "no_such_room"
    NOT_OVER = "not_over"
    OFFER_OPEN = "offer_open"
    OFFER_GONE = "offer_gone"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    NO_CLAIM = "no_claim"
    NO_ADVICE = "no_advice"


class Close(enum.IntEnum):
    """Why the server closed a socket. Sent after accepting, so that the page can read it."""

    NO_SUCH_ROOM = 4404
    NOT_OVER = 4405
    PROTOCOL_TOO_OLD = 4406
    TOO_MANY_TABS = 4408
    RESTARTING = 4412
    TOO_LARGE = 4413
    FLOODING = 4429


class Refused(Exception):  # the domain's word for it; `raise Refused(Refusal.STALE_PLY)`
    """An action was refused. The edges translate it; nothing was written."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


# Client to server ---------------------------------------------------------------------------------

Natural = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class _Incoming(msgspec.Struct, frozen=True, tag_field="type"):
    """Unknown fields are ignored: a newer client may send more."""


class Play(_Incoming, frozen=True, tag="play"):
    """Sow `pit` as ply number `ply` of game number `game`. Safe to resend."""

    game: Natural
    ply: Natural
    pit: Natural


class Swap(_Incoming, frozen=True, tag="swap"):
    """Take South's side as ply number `ply` of game number `game`, by the pie rule."""

    game: Natural
    ply: Natural


class Resign(_Incoming, frozen=True, tag="resign"):
    """Give up game number `game`."""

    game: Natural


class Offer(_Incoming, frozen=True, tag="offer"):
    """Offer the other player of game number `game` something, when `ply` comes next. The same from both is agreed."""

    game: Natural
    kind: OfferKind
    ply: Natural | None = None


class Answer(_Incoming, frozen=True, tag="answer"):
    """Accept offer number `offer` of game number `game` or not; whoever made it may only withdraw it."""

    game: Natural
    offer: Natural
    accept: bool


class Claim(_Incoming, frozen=True, tag="claim"):
    """End game number `game`, which the other player has left: as won, or as a draw."""

    game: Natural
    win: bool


class Advise(_Incoming, frozen=True, tag="advise"):
    """Give me a hint for ply number `ply` of game number `game`, which is against a computer or on one device."""

    game: Natural
    ply: Natural


class React(_Incoming, frozen=True, tag="react"):
    """Say one of the ready-made words to everybody in the room."""

    kind: ReactionKind


class SwitchTalk(_Incoming, frozen=True, tag="switch_talk"):
    """Switch on or off, for oneself, that the two players of a private room write to each other."""

    on: bool


class Say(_Incoming, frozen=True, tag="say"):
    """Write a line to the other player, and to nobody else."""

    text: str


class Sync(_Incoming, frozen=True, tag="sync"):
    """Send me a welcome with a fresh snapshot."""


class Ping(_Incoming, frozen=True, tag="ping"):
    """Heartbeat: the client holds `version` of `game`; `sent_at` is its own clock in ms, echoed."""

    game: Natural
    version: Natural
    sent_at: float = 0.0


Incoming = Play | Swap | Resign | Offer | Answer | Claim | Advise | React | SwitchTalk | Say | Sync | Ping

_decoder: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)


def parse(text: str) -> Incoming:
    """The message in a text frame.

    Raises:
        Refused: `malformed`, whatever is wrong with it.

    >>> parse('{"type": "play", "game": 1, "ply": 0, "pit": 2}')
    Play(game=1, ply=0, pit=2)
    """
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Refused(Refusal.MALFORMED) from error


_plays = msgspec.json.Decoder(Play)


def parse_play(text: bytes) -> Play | None:
    """The ply in a text frame; None for whatever else it is, good or bad: `parse` says which."""
    try:
        return _plays.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None


# Server to client ---------------------------------------------------------------------------------


class _Outgoing(msgspec.Struct, frozen=True, tag_field="type"):
    """A message as the browser reads it."""

    def text(self) -> str:
        """The JSON text of this message."""
        return _encoder.encode(self).decode()


_encoder = msgspec.json.Encoder()

LegalPit = tuple[int, int, bool, int, tuple[int, ...], tuple[int, ...]]
"""A pit that may be sown and what it would bring: pit, last hole, extra turn, stones captured, the hole of each stone
of the first hand, the pits that a capture would empty."""

WireTransfer = tuple[str, int, tuple[int, ...]]
"""kind (sow, capture, sweep), the hole the stones leave, and the hole each of them goes to, in order."""


class PlayerShape(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player as others see them."""

    id: str
    name: str
    level: int | None = None
    """Of a computer, 1 to 5; left out for a person."""


class OutcomeShape(msgspec.Struct, frozen=True):
    """How a game ended: `winner` is None for a draw, `score` is South's and North's stones."""

    winner: Seat | None
    score: tuple[int, int]
    ending: str


class Seats(msgspec.Struct, frozen=True):
    """Who sits where; None: the seat is free."""

    S: PlayerShape | None
    N: PlayerShape | None

    def of(self, side: str) -> PlayerShape | None:
        """Who sits on `side`."""
        return self.S if side == "S" else self.N

    def players(self) -> tuple[str | None, str | None]:
        """The ids of South's and North's players."""
        return self.S.id if self.S else None, self.N.id if self.N else None


class OfferShape(msgspec.Struct, frozen=True):
    """What is offered, by whom; `id` is new with every offer of a game."""

    id: int
    kind: OfferKind
    side: Seat


class Series(msgspec.Struct, frozen=True):
    """The games of a room before this one: how many those won who now sit South and North, and how many were drawn."""

    S: int
    N: int
    draws: int


class ClockShape(msgspec.Struct, frozen=True):
    """What South and North had left as the running turn began; whose clock runs, and since when, or from when on."""

    S: Ms
    N: Ms
    running: Seat | None
    since: Ms


class Claims(msgspec.Struct, frozen=True):
    """From when on South and North may end the game because the other one is away; None: not at all."""

    S: Ms | None = None
    N: Ms | None = None

    def of(self, side: str) -> Ms | None:
        """From when on `side` may."""
        return self.S if side == "S" else self.N


class LastSowing(msgspec.Struct, frozen=True):
    """The most recent sowing of a game, so that a late comer's board can mark it."""

    ply: int
    pit: int
    side: Seat
    last: int
    extra_turn: bool
    captured: int


class Snapshot(_Outgoing, frozen=True, tag="snapshot"):
    """The whole state of a room's current game. The same for every viewer."""

    room: str
    game: int
    version: int
    status: Status
    ply: int
    ruleset: str
    stones: tuple[int, ...]
    turn: Seat | None
    legal: tuple[LegalPit, ...]
    last: LastSowing | None
    seats: Seats
    outcome: OutcomeShape | None
    transcript: str
    captures: tuple[tuple[int, int], ...] = ()
    offer: OfferShape | None = None
    series: Series = Series(0, 0, 0)
    control: str = ""
    clock: ClockShape | None = None
    claims: Claims = Claims()
    may_swap: bool = False


class Welcome(_Outgoing, frozen=True, tag="welcome"):
    """The first message, and the answer to `sync`: the only one that differs from viewer to viewer."""

    you: Seat | None
    player: str | None
    snapshot: Snapshot


class Sown(_Outgoing, frozen=True, tag="sown", omit_defaults=True):
    """One sowing. `stones` is the truth, `transfers` the story; `offer` is what is still on the table after it.

    What is told most often is told shortly: the last four fields are left out where they say nothing.
    """

    game: int
    version: int
    ply: int
    pit: int
    side: Seat
    transfers: tuple[WireTransfer, ...]
    stones: tuple[int, ...]
    turn: Seat | None
    legal: tuple[LegalPit, ...]
    last: int
    extra_turn: bool
    captured: int
    outcome: OutcomeShape | None = None
    offer: OfferShape | None = None
    clock: ClockShape | None = None
    may_swap: bool = False


class Seated(_Outgoing, frozen=True, tag="seated"):
    """A seat was taken, or left again before the game began (`player` is None)."""

    game: int
    version: int
    side: Seat
    player: PlayerShape | None
    status: Status
    turn: Seat | None
    legal: tuple[LegalPit, ...]
    clock: ClockShape | None = None


class Ended(_Outgoing, frozen=True, tag="ended"):
    """The game ended other than by sowing. With the game whatever was offered ends too."""

    game: int
    version: int
    outcome: OutcomeShape
    clock: ClockShape | None = None


class Claimable(_Outgoing, frozen=True, tag="claimable"):
    """A player is away, or back: what may be claimed now."""

    game: int
    version: int
    claims: Claims


class Offered(_Outgoing, frozen=True, tag="offered"):
    """Something is offered; or, with None, no longer: `declined` by the other player, or else withdrawn."""

    game: int
    version: int
    offer: OfferShape | None
    declined: bool = False


class Advice(_Outgoing, frozen=True, tag="advice", omit_defaults=True):
    """A hint for ply number `ply`, to whoever asked: the best pit as far as was looked, and what speaks for it.

    More of that is in the `legal` of the position. Unversioned: a lost one is asked for again.
    """

    game: int
    ply: int
    pit: int
    wins: int | None = None
    """By how many stones it wins with best play, where that is proved."""
    saves: int = 0
    """How many stones the other side could capture at once if none moved, where they are safer after it."""
    prepares: bool = False
    """Whether an extra turn is to be had after it that was not before."""


class Renamed(_Outgoing, frozen=True, tag="renamed"):
    """A seated player has a new name. Unversioned: a lost one is corrected by the next snapshot."""

    player: PlayerShape


class Reacted(_Outgoing, frozen=True, tag="reacted"):
    """Somebody reacted: whoever sits on `side`, or with None a spectator. Unversioned: a lost one is not missed."""

    side: Seat | None
    kind: ReactionKind


class LineShape(msgspec.Struct, frozen=True):
    """A line that the reader (`own`) or the other player wrote, `at` in ms since 1970. Later ones have larger ids."""

    id: int
    own: bool
    text: str
    at: int


class TalkMessage(_Outgoing, frozen=True, tag="talk"):
    """Told to each of two players only: who has writing switched on, and while both have, the last lines."""

    version: int
    you: bool
    other: bool
    lines: tuple[LineShape, ...]


class Presence(_Outgoing, frozen=True, tag="presence"):
    """Sockets open for each seat; people who watch, the first by name. Unversioned: the next corrects a lost one."""

    south: int
    north: int
    spectators: int
    names: tuple[str, ...] = ()


class RefusedMessage(_Outgoing, frozen=True, tag="refused"):
    """What the sender asked for was not done, and why. `stale_ply` is followed by a snapshot."""

    re: str
    code: str


class Pong(_Outgoing, frozen=True, tag="pong"):
    """Answers a ping whose version is ours. `now` is the server's clock in ms since 1970."""

    sent_at: float
    now: int


class PlyShape(msgspec.Struct, frozen=True):
    """What a ply of a finished game was worth."""

    low: int
    """Of the position before it, with best play: South's stones in the end less North's, at least …"""
    high: int
    """… and at most."""
    lost: tuple[int, int]
    """How many stones the ply gave away, at least and at most."""
    choice: bool
    """Whether anything else could be done."""
    line: str
    """The letters of what was better, to the end or as far as it is proved; empty: nothing was, or none is known."""


class Mark(msgspec.Struct, frozen=True):
    """How well somebody sowed, by the plies with a choice whose loss is known: so many, and so many of them best."""

    plies: int
    best: int
    accuracy: int | None
    """In percent; None while there is no such ply."""


class Marks(msgspec.Struct, frozen=True):
    """Those of the two players, by where they sat in the end."""

    S: Mark
    N: Mark

    def of(self, side: str) -> Mark:
        """That of who sat on `side`."""
        return self.S if side == "S" else self.N


class Review(_Outgoing, frozen=True, tag="review"):
    """All that is known of a finished game, ply by ply; null: not yet."""

    game: int
    plies: tuple[PlyShape | None, ...]
    marks: Marks
    state: ReviewState


class Valued(_Outgoing, frozen=True, tag="valued"):
    """One ply more is known. Unversioned: a lost one is corrected by the answer to the next ping."""

    game: int
    ply: int
    value: PlyShape
    marks: Marks


class OpenRoom(msgspec.Struct, frozen=True):
    """A public room where somebody waits for a second player; `seat` is the free one, `player` the id of who waits."""

    code: str
    ruleset: str
    host: str
    player: str
    seat: Seat
    control: str = ""


class LiveGame(msgspec.Struct, frozen=True):
    """A public game being played."""

    code: str
    ruleset: str
    south: str
    north: str
    score: tuple[int, int]
    spectators: int
    control: str = ""


class OwnGame(msgspec.Struct, frozen=True):
    """A game that is not over and in which the reader sits on side `you`; `opponent` is None while they wait.

    `claim` says that the other has let it lie for so long that the reader may end it.
    """

    code: str
    ruleset: str
    you: Seat
    opponent: str | None
    score: tuple[int, int]
    turn: Seat | None
    control: str = ""
    claim: bool = False


class Mine(_Outgoing, frozen=True, tag="mine"):
    """The reader's own unfinished games, those first in which the reader is to move, and how many there are in all."""

    games: tuple[OwnGame, ...]
    total: int


class Lobby(_Outgoing, frozen=True, tag="lobby"):
    """The whole lobby: the newest open rooms and games, and how many there are in all."""

    open: tuple[OpenRoom, ...]
    playing: tuple[LiveGame, ...]
    open_total: int
    playing_total: int


Outgoing = (
    Welcome
    | Snapshot
    | Sown
    | Seated
    | Ended
    | Claimable
    | Advice
    | Offered
    | Renamed
    | Reacted
    | TalkMessage
    | Presence
    | RefusedMessage
    | Pong
    | Lobby
    | Mine
    | Review
    | Valued
)
