"""What a player has learned. No game is concerned, and nobody is told."""

from games.models import Player, Solved


def solve(player: Player, puzzle: str) -> None:
    """Keep that a player has solved the puzzle of this name; once is enough."""
    Solved.objects.get_or_create(player=player, puzzle=puzzle)
