"""What the lobby lists: rooms where somebody waits, games that are played, and the reader's own. Never writes."""

import uuid
from datetime import timedelta
from typing import cast

from django.utils import timezone
from msgspec.structs import replace

from games import presence, snapshot
from games.models import Game, Player
from games.protocol import LiveGame, Lobby, Mine, OpenRoom, OwnGame, Seat
from games.rules.position import Position, Side

LISTED = 8
"""How many open rooms, how many games, and how many of the reader's own, the lobby shows."""

_ON_THE_WAY = timedelta(seconds=10)  # from opening a room to the socket of its page


def waiting_for(ruleset: str, control: str) -> list[Game]:
    """Public games of this ruleset and control where somebody waits now, the longest waiting first. One query.

    Whoever has just opened a room is believed to be on the way there.
    """
    waiting = list(Game.objects.public().seated().waiting().filter(ruleset=ruleset, control=control)[: LISTED * 4])[
        ::-1
    ]
    here = presence.recall(game.room_id for game in waiting)
    fresh = timezone.now() - _ON_THE_WAY
    return [game for game in waiting if game.created_at > fresh or _a_player_is_here(game, here)]


def lobby() -> Lobby:
    """The public rooms where somebody is waiting now, and the public games being played. Two queries.

    Either is listed only while a socket of a player is open there: nobody should sit down opposite an empty chair, or
    watch two.
    """
    public = Game.objects.public().seated()
    waiting, playing = list(public.waiting()[: LISTED * 4]), list(public.playing()[: LISTED * 4])
    here = presence.recall(game.room_id for game in (*waiting, *playing))
    waiting, playing = ([game for game in games if _a_player_is_here(game, here)] for games in (waiting, playing))
    return Lobby(
        open=tuple(_open_room(game) for game in waiting[:LISTED]),
        playing=tuple(_live_game(game, here) for game in playing[:LISTED]),
        open_total=len(waiting),
        playing_total=len(playing),
    )


def lobby_without(player: uuid.UUID) -> Lobby:
    """The lobby as a page shows it: nobody is offered the room where they wait themselves."""
    everything = lobby()
    others = tuple(room for room in everything.open if room.player != str(player))
    own = len(everything.open) - len(others)
    return replace(everything, open=others, open_total=everything.open_total - own)


def mine(player: uuid.UUID | None) -> Mine:
    """The unfinished games of a player, who need not have a row. At most two queries, for nobody none."""
    if player is None:
        return Mine(games=(), total=0)
    unfinished = Game.objects.seated().unfinished_of(player)
    first = tuple(_own_game(game, player) for game in unfinished.by_turn_of(player)[:LISTED])
    return Mine(games=first, total=unfinished.count() if len(first) == LISTED else len(first))


def going_on(player: uuid.UUID | None) -> tuple[OwnGame, ...]:
    """The games that a player is playing, the latest sowing first: two at most. One query, for nobody none."""
    if player is None:
        return ()
    return tuple(_own_game(game, player) for game in Game.objects.seated().unfinished_of(player).playing()[:2])


def _a_player_is_here(game: Game, here: dict[str, presence.Counts]) -> bool:
    counts = here.get(game.room_id, presence.Counts())
    return bool((game.south_id and counts.south) or (game.north_id and counts.north))


def _open_room(game: Game) -> OpenRoom:
    host = cast("Player", game.south or game.north)  # exactly one sits in a waiting game
    return OpenRoom(
        code=game.room_id,
        ruleset=game.ruleset,
        host=host.name,
        player=str(host.pk),
        seat="N" if game.south else "S",
        control=game.control,
    )


def _own_game(game: Game, player: uuid.UUID) -> OwnGame:
    side = cast("Seat", "S" if game.is_shared else game.seat_of(player))
    opponent = None if game.is_shared else snapshot.seats(game).of(Side(side).opponent.letter)
    position = Position.parse(game.position)
    return OwnGame(
        code=game.room_id,
        ruleset=game.ruleset,
        you=side,
        opponent=opponent.name if opponent else None,
        score=snapshot.score(position),
        turn=position.turn.letter if game.status == Game.Status.PLAYING else None,
        control=game.control,
        claim=_may_claim(game, side),
    )


def _may_claim(game: Game, side: str) -> bool:
    since = snapshot.claims(game).of(side)
    return since is not None and since <= snapshot.moment()


def _live_game(game: Game, here: dict[str, presence.Counts]) -> LiveGame:
    players = snapshot.seats(game)
    position = Position.parse(game.position)
    return LiveGame(
        code=game.room_id,
        ruleset=game.ruleset,
        south=players.S.name if players.S else "",
        north=players.N.name if players.N else "",
        score=snapshot.score(position),
        spectators=here[game.room_id].spectators,
        control=game.control,
    )
