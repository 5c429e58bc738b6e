"""The kernel sows as the rules do."""

from itertools import islice

from games.engine import board as boards, kernel
from games.rules.position import Side
from tests.engine.samples import random_positions


def test_every_sowing_of_random_positions_of_every_ruleset_and_size_is_that_of_the_rules():
    for ruleset, position in islice(random_positions(2), 1_296):
        board = boards.of(ruleset, position, endings=0)
        side = position.turn
        for pit in ruleset.legal_pits(position):
            me, you, gain, loss, last = kernel.sow(*board.rows(position), pit % (position.width + 1), board.numbers)
            sowing = ruleset.sow(position, pit)
            stores = [position.stones[position.store(each)] for each in (side, side.opponent)]
            transfers = [move for move in sowing.transfers if move.kind.value != "sweep"]
            after = list(position.stones)
            for move in transfers:
                after[move.source] -= move.stones
                after[move.target] += move.stones
            unswept = type(position)(tuple(after), side)
            assert (me, you) == board.rows(unswept), (ruleset.key, str(position), pit)
            assert [stores[0] + gain, stores[1] + loss] == [
                unswept.stones[unswept.store(each)] for each in (side, side.opponent)
            ]
            hole = last if side is Side.SOUTH else (last + position.width + 1) % len(position.stones)
            assert hole == sowing.last
