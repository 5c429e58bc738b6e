"""A whole game whose plies are gone over by hand, on a board of two pits a side with a stone in each.

South's `b` ends in its store, and `a` then captures: 3 to 1, so the start is worth 2. After `a` North's best is `d`,
whereupon South has to sow `b` past its store and has nothing left: 1 to 3. But North sows `e`, into its store, and then
has only `d`: 2 to 2.
"""

from games import actions, snapshot
from games.models import Game, Player
from games.protocol import Mark, Marks, PlyShape
from tests.rooms import begin, sow

RULES = "classic-2x1"
PLIES = "aed"

VALUES = (
    PlyShape(low=2, high=2, lost=(2, 2), choice=True, line="ba"),
    PlyShape(low=-2, high=-2, lost=(1, 1), choice=True, line="db"),
    PlyShape(low=0, high=0, lost=(0, 0), choice=False, line=""),
)
MARKS = Marks(S=Mark(plies=1, best=0, accuracy=50), N=Mark(plies=1, best=0, accuracy=71))


def played(south: Player, north: Player, plies: str = PLIES, rules: str = RULES, *, public: bool = False) -> Game:
    """The game, which is over: played out, or given up by South."""
    code = begin(south, north, rules, public=public)
    sow(code, plies)
    game = snapshot.current_game(code)
    if not game.is_over:
        actions.resign(code, game.south_id, game=1)
    return Game.objects.seated().get(pk=game.pk)
