"""Rows -> the shapes of the protocol. Page, welcome, sync and JSON all come from here. Never writes."""

import time
import uuid
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple, cast

from django.conf import settings
from msgspec.structs import replace

from games import computers, names
from games.models import Game, Talk
from games.protocol import (
    Claims,
    ClockShape,
    LastSowing,
    LegalPit,
    LineShape,
    OfferKind,
    OfferShape,
    OutcomeShape,
    PlayerShape,
    Reacted,
    ReactionKind,
    Refusal,
    Refused,
    Seat,
    Seated,
    Seats,
    Series,
    Snapshot,
    Sown,
    Status,
    TalkMessage,
    Welcome,
    WireTransfer,
)
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Position, Side
from games.rules.ruleset import Ruleset
from games.rules.sowing import Kind, Sowing

_DAY_MS = 86_400_000  # a turn without a clock that lasts so long may be claimed

_SOW = Kind.SOW  # finding a member in its class takes longer than most of what is done with it


def moment() -> int:
    """Now, in ms since 1970."""
    return time.time_ns() // 1_000_000


def current_game(code: str) -> Game:
    """The current game of a room, with its players. One query.

    Raises:
        Refused: `no_such_room`.
    """
    game = Game.current(code)
    if game is None:
        raise Refused(Refusal.NO_SUCH_ROOM)
    return game


class Room(NamedTuple):
    """A room as everybody finds it."""

    game: Game
    state: Snapshot


def rooms(codes: Iterable[str]) -> dict[str, Room]:
    """Of these rooms those that there are. One query for each, however often it is named."""
    found = {}
    for code in dict.fromkeys(codes):
        with suppress(Refused):
            game = current_game(code)
            found[code] = Room(game, of(game))
    return found


def read(code: str) -> Snapshot:
    """The state of a room now. One query. Raises `Refused` as `current_game` does."""
    return of(current_game(code))


def welcome(code: str, player: uuid.UUID | None) -> Welcome:
    """What a socket is told first. One query. Raises `Refused` as `current_game` does."""
    return welcome_to(current_game(code), player)


def welcome_to(game: Game, player: uuid.UUID | None, state: Snapshot | None = None) -> Welcome:
    """The state of a game, `of` it, and who in it the viewer is: who holds both seats looks from neither."""
    you = None if game.is_shared else _seat(game.seat_of(player))
    return Welcome(you=you, player=str(player) if player else None, snapshot=state or of(game))


def version(code: str) -> tuple[int, int]:
    """Number and version of the current game of a room: what a heartbeat is compared with. One light query.

    Raises:
        Refused: `no_such_room`.
    """
    found = Game.objects.of_room(code).values_list("number", "version").first()
    if found is None:
        raise Refused(Refusal.NO_SUCH_ROOM)
    return found


def of(game: Game) -> Snapshot:
    """The whole state of a game, the same for every viewer."""
    ruleset = rulesets.by_key(game.ruleset)
    position = Position.parse(game.position)
    playing = game.status == Game.Status.PLAYING
    sowings = tuple(transcript.replay(ruleset, game.transcript))
    return Snapshot(
        room=game.room_id,
        game=game.number,
        version=game.version,
        status=cast("Status", game.status),
        ply=game.ply,
        ruleset=game.ruleset,
        stones=position.stones,
        turn=position.turn.letter if playing else None,
        legal=ruleset.prospects(position) if playing else (),
        last=_last_sowing(sowings),
        seats=seats(game),
        outcome=outcome(game, position),
        transcript=game.transcript,
        captures=tuple((ply, sowing.captured) for ply, sowing in enumerate(sowings) if sowing.captured),
        offer=offer(game),
        series=Series(S=game.south_wins, N=game.north_wins, draws=game.draws),
        control=game.control,
        clock=clock(game),
        claims=claims(game),
        may_swap=playing and may_swap(game, ruleset, position),
    )


def earlier(now: Snapshot, ply: int) -> Snapshot:
    """The state of a game with its board as it stood after `ply` plies, from where nothing can be sown."""
    ruleset = rulesets.by_key(now.ruleset)
    sowings = tuple(transcript.replay(ruleset, now.transcript[:ply]))
    stones = (sowings[-1].after if sowings else ruleset.start()).stones
    last = _last_sowing(sowings)
    return replace(now, ply=ply, stones=stones, turn=None, legal=(), last=last, outcome=None, may_swap=False)


def offer(game: Game) -> OfferShape | None:
    """What one player of `game` offers the other."""
    if not game.offer:
        return None
    kind, side, number = game.offer.split()
    return OfferShape(id=int(number), kind=cast("OfferKind", kind), side=cast("Seat", side))


def clock(game: Game) -> ClockShape | None:
    """The clock of `game`, if it has one."""
    state = game.clock
    if state is None:
        return None
    running = state.running.value if state.running else None
    return ClockShape(S=state.south, N=state.north, running=_seat(running), since=state.since)


def claims(game: Game) -> Claims:
    """From when on whose player may end `game` because the other is away; without clocks, who may because it lies."""
    if game.status != Game.Status.PLAYING or game.is_shared or game.computer:
        return Claims()
    if game.control:
        wait = settings.CLAIM_SECONDS * 1000
        return Claims(S=game.north_away and game.north_away + wait, N=game.south_away and game.south_away + wait)
    now = moment()
    since = (game.turn_since or now) + _DAY_MS
    return Claims(**{game.turn.opponent.letter: since}) if since <= now else Claims()


def may_swap(game: Game, ruleset: Ruleset, position: Position) -> bool:
    """Whether the side to move may take the other one; not where one player holds both."""
    return not game.is_shared and transcript.may_swap(ruleset, game.transcript, position)


def seats(game: Game) -> Seats:
    """Who sits where. Two names that a reader could confuse are told apart by a mark."""
    south, north = game.south, game.north
    mark = " (2)" if south and north and south != north and names.alike(south.name, north.name) else ""
    return Seats(
        S=PlayerShape(str(south.pk), south.name, computers.level_of(south.pk)) if south else None,
        N=PlayerShape(str(north.pk), north.name + mark, computers.level_of(north.pk)) if north else None,
    )


def seated(game: Game, side: str) -> Seated:
    """The message that a seat of `game` was taken, or left."""
    state = of(game)
    return Seated(
        game=state.game,
        version=state.version,
        side=_seat(side),
        player=state.seats.of(side),
        status=state.status,
        turn=state.turn,
        legal=state.legal,
        clock=state.clock,
    )


def reacted(game: Game, player: uuid.UUID, kind: ReactionKind) -> Reacted:
    """The message that `player`, who may only watch, said something."""
    return Reacted(side=_seat(game.seat_of(player)), kind=kind)


def talk(code: str, player: uuid.UUID) -> TalkMessage | None:
    """What the players of a room write to each other, for one of them; None for anybody else, and if neither ever did.

    One query for anybody else, two if neither ever did, else three. Raises `Refused` as `current_game` does.
    """
    return talk_of(current_game(code), player)


def talk_of(game: Game, player: uuid.UUID | None) -> TalkMessage | None:
    """The same of the current game of a room; one query less."""
    found = Talk.objects.of_room(game.room_id) if game.seat_of(player) else None
    return talk_to(player, found) if player and found else None


def talk_to(player: uuid.UUID, talk: Talk) -> TalkMessage:
    """What one of the two players is told of their talk."""
    you = str(player)
    return TalkMessage(
        version=talk.version,
        you=you in talk.talkers,
        other=any(talker != you for talker in talk.talkers),
        lines=tuple(
            LineShape(id=line["id"], own=line["by"] == you, text=line["text"], at=line["at"]) for line in talk.lines
        )
        if talk.is_on
        else (),
    )


def sown(game: Game, sowing: Sowing, ruleset: Ruleset) -> Sown:
    """The message that `sowing` has just been recorded in `game`."""
    return told(
        sowing,
        game=game.number,
        version=game.version,
        ply=game.ply - 1,
        legal=() if game.is_over else ruleset.prospects(sowing.after),
        outcome=outcome(game, sowing.after),
        offer=offer(game),
        clock=clock(game),
        may_swap=ruleset.pie and may_swap(game, ruleset, sowing.after),
    )


def told(  # noqa: PLR0913  # as many as the message has that a sowing does not know
    sowing: Sowing,
    *,
    game: int,
    version: int,
    ply: int,
    legal: tuple[LegalPit, ...],
    outcome: OutcomeShape | None,
    offer: OfferShape | None = None,
    clock: ClockShape | None = None,
    may_swap: bool = False,
) -> Sown:
    """A sowing as it is told to a browser."""
    return Sown(
        game=game,
        version=version,
        ply=ply,
        pit=sowing.pit,
        side=sowing.side.letter,
        transfers=carried(sowing),
        stones=sowing.after.stones,
        turn=None if outcome else sowing.after.turn.letter,
        legal=legal,
        last=sowing.last,
        extra_turn=sowing.extra_turn,
        captured=sowing.captured,
        outcome=outcome,
        offer=offer,
        clock=clock,
        may_swap=may_swap,
    )


def carried(sowing: Sowing) -> tuple[WireTransfer, ...]:
    """Its transfers as on the wire: what one hand carries from one hole is one entry, a hole named for each stone."""
    transfers, stones = sowing.transfers, list(sowing.before.stones)
    if transfers and len(transfers) == stones[sowing.pit]:  # mostly: one hand, and nothing else happened
        return (("sow", sowing.pit, tuple([transfer.target for transfer in transfers])),)
    hands: list[WireTransfer] = []
    begin = 0
    while begin < len(transfers):
        first = transfers[begin]
        # Every hand takes all there is, so that two laps from one pit stay two; sown stones travel one by one.
        end = begin + (stones[first.source] if first.kind is _SOW else 1)
        targets = [transfer.target for transfer in transfers[begin:end] for _ in range(transfer.stones)]
        hands.append((first.kind.value, first.source, tuple(targets)))
        stones[first.source] = 0
        for target in targets:
            stones[target] += 1
        begin = end
    return tuple(hands)


def outcome(game: Game, position: Position) -> OutcomeShape | None:
    """How `game` ended; its score is what lies in the stores."""
    if not game.is_over:
        return None
    return OutcomeShape(winner=_seat(game.winner), score=score(position), ending=game.ending)


def record(game: Game) -> dict[str, Any]:
    """The record of a game for programs: ruleset, transcript, players, and what every ply did."""
    ruleset = rulesets.by_key(game.ruleset)
    shape = of(game)
    return {
        "room": shape.room,
        "game": shape.game,
        "ruleset": shape.ruleset,
        "transcript": shape.transcript,
        "south": shape.seats.S.name if shape.seats.S else None,
        "north": shape.seats.N.name if shape.seats.N else None,
        "status": shape.status,
        "outcome": shape.outcome,
        "start": ruleset.start().stones,
        "plies": [
            {
                "ply": ply,
                "pit": sowing.pit,
                "side": sowing.side.letter,
                "transfers": carried(sowing),
                "stones": sowing.after.stones,
                "last": sowing.last,
                "extra_turn": sowing.extra_turn,
                "captured": sowing.captured,
            }
            for ply, sowing in enumerate(transcript.replay(ruleset, game.transcript))
        ],
    }


def _last_sowing(sowings: tuple[Sowing, ...]) -> LastSowing | None:
    """What the board marks: swapping sides moves no stone."""
    ply = len(sowings) - 1
    while ply >= 0 and sowings[ply].is_swap:
        ply -= 1
    if ply < 0:
        return None
    sowing = sowings[ply]
    return LastSowing(
        ply=ply,
        pit=sowing.pit,
        side=sowing.side.letter,
        last=sowing.last,
        extra_turn=sowing.extra_turn,
        captured=sowing.captured,
    )


def score(position: Position) -> tuple[int, int]:
    """South's and North's stones in their stores."""
    return position.stones[position.store(Side.SOUTH)], position.stones[position.store(Side.NORTH)]


def _seat(side: str | None) -> Any:
    """A column's "S", "N" or nothing, as the protocol has it."""
    return side or None
