"""Replays every stored game against what its row says."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Game
from games.rules import ruleset as rulesets, transcript
from games.rules.position import Position


class Command(BaseCommand):
    """`manage.py check_games`: exit status 1 and a line for each game whose row and record disagree."""

    help = "Replay every stored game and compare it with its cached position, ply, status and winner."

    def handle(self, *args: Any, **options: Any) -> None:
        """Check them all."""
        checked = bad = 0
        for game in Game.objects.select_related("review").order_by("pk").iterator():
            checked += 1
            for fault in faults(game):
                bad += 1
                self.stderr.write(f"{game}: {fault}")
        if bad:
            raise CommandError(f"{bad} faults in {checked} games")
        self.stdout.write(f"{checked} games are as their records say")


def faults(game: Game) -> list[str]:
    """What in a game's row its record does not bear out."""
    try:
        rules = rulesets.by_key(game.ruleset)
        position = transcript.position(rules, game.transcript)
    except ValueError as error:
        return [f"its record cannot be replayed: {error}"]
    found = []
    if game.position != str(position):
        found.append(f"position is {game.position}, by its record {position}")
    if game.ply != len(game.transcript):
        found.append(f"ply is {game.ply}, by its record {len(game.transcript)}")
    if game.version < game.ply:
        found.append(f"version {game.version} is below ply {game.ply}")
    timed = len(game.times.split())
    if timed != (game.ply if game.control else 0):
        found.append(f"times are of {timed} plies, by its record of {game.ply}")
    if (game.deadline is not None) != bool(game.control and game.status == Game.Status.PLAYING):
        found.append(f"deadline is {game.deadline} while it is {game.status}")
    review = getattr(game, "review", None)
    if review and not (game.is_over and len(review.plies) == game.ply):
        found.append(f"its review is of {len(review.plies)} plies, and it is {game.status} after {game.ply}")
    return found + _series_faults(game) + _outcome_faults(game, rules.outcome(position), position)


def _series_faults(game: Game) -> list[str]:
    """Whether the series goes on from the game before it, begun by the other one; on one device Sun stays Sun."""
    before = Game.objects.filter(room_id=game.room_id, number=game.number - 1).first()
    if before is None:
        return [] if game.number == 1 else ["the game before it is missing"]
    found = []
    first, second = _as_begun(before, before.south_id, before.north_id)
    if _as_begun(game, game.south_id, game.north_id) != (second, first):
        found.append("sides are not swapped")
    won = None if before.ending == Game.Ending.ABANDONED else before.winner  # which counts for nobody
    wins = before.south_wins + (won == "S"), before.north_wins + (won == "N")
    if not before.is_shared:
        first, second = _as_begun(before, *wins)
        wins = _as_begun(game, second, first)
    due = (*wins, before.draws + (won == ""))
    if (game.south_wins, game.north_wins, game.draws) != due:
        found.append(f"series is {(game.south_wins, game.north_wins, game.draws)}, by the game before it {due}")
    return found


def _as_begun(game: Game, south: Any, north: Any) -> tuple[Any, Any]:
    """What is now South's and North's, for those who sat there when the game began; and the other way round."""
    swapped = transcript.is_swapped(rulesets.by_key(game.ruleset), game.transcript)
    return (north, south) if swapped else (south, north)


def _outcome_faults(game: Game, outcome: Any, position: Position) -> list[str]:
    by_sowing = game.ending in {Game.Ending.PLAYED_OUT, Game.Ending.MAJORITY}
    if outcome is None:
        return [f"it is {game.ending}, by its record it goes on"] if by_sowing else []
    if not by_sowing:
        return [f"it is {game.ending or game.status}, by its record it is over"]
    found = []
    winner = outcome.winner.value if outcome.winner else ""
    if game.winner != winner:
        found.append(f"winner is {game.winner or 'nobody'}, by its record {winner or 'nobody'}")
    emptied = not position.in_play
    if (game.ending == Game.Ending.PLAYED_OUT) != emptied:
        found.append(f"ending is {game.ending}, but stones are {'not ' if emptied else ''}left in the pits")
    return found
