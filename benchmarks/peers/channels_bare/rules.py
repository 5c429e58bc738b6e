"""The rules of `classic-6x4` on a bare list, as a relay of two screens of code would have them. Not games/rules."""

START = (4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0)
PITS = {"S": range(6), "N": range(7, 13)}
STORE = {"S": 6, "N": 13}
OPPONENT = {"S": "N", "N": "S"}


def sow(stones, side, pit):
    """The stones, the side to move and whether the game is over after `pit`; None if it cannot be sown."""
    if pit not in PITS[side] or not stones[pit]:
        return None
    stones = list(stones)
    hand, stones[pit], hole = stones[pit], 0, pit
    while hand:
        hole = (hole + 1) % 14
        if hole != STORE[OPPONENT[side]]:
            stones[hole] += 1
            hand -= 1
    if hole in PITS[side] and stones[hole] == 1:
        stones[STORE[side]] += 1 + stones[12 - hole]
        stones[hole] = stones[12 - hole] = 0
    over = not any(stones[:6]) or not any(stones[7:13])
    if over:
        for owner, pits in PITS.items():
            stones[STORE[owner]] += sum(stones[each] for each in pits)
            for each in pits:
                stones[each] = 0
    return stones, side if hole == STORE[side] else OPPONENT[side], over
