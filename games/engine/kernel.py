"""The search itself, on bare numbers. Runs as it stands, and some thirty times as fast when compiled: see compiled.py.

Everything is seen from the side to move. `me` and `you` are the two rows, pit by pit from the owner's left, each pit in
so many bits of one number. Stores do not come in: a value is what the side to move will yet put into its store beyond
what the other one will, so that positions are the same whatever lies there. Only the house rule `majority` asks for the
stores: `mine` is what lies in the mover's, and 0 where that rule does not hold.

`board` holds what there is to know of a ruleset on a board (board.py), `ending` the values of all positions with few
stones (endings.py), `memory` what has been found out of others, `state` the counters and the sowings under way.

Only whole numbers of 63 bits, arrays of them, and functions that know nothing but their arguments and constants: what
numba compiles and Python understands alike.
"""
# ruff: noqa: C901, PLR0912, PLR0911, PLR0913, PLR0915 - a call costs more than what it would do

from typing import Protocol

# Where things are in `board`. What follows them: sowings, then the numbers that rank a position among the endings.
WIDTH, BITS, RELAY, EMPTY_CAPTURE, STEP, GUARD, TOTAL, SALT, RANKED, RANKS, SOWINGS = range(11)

# Where things are in `state`. What follows them: the sowings of each ply under way.
NODES, LIMIT, STOPPED = range(3)
PLIES = 8
ROOM = 6
"""Numbers kept of one sowing."""
DEEPEST = 250
"""Plies below the root; a line that is longer is not followed."""

STATE = PLIES + (DEEPEST + 1) * 9 * ROOM
"""How many numbers `state` has."""

FOREVER = 127
"""A depth that only the end of the game ends."""
UNKNOWN = -128
"""What stands in `ending` before a value does."""

FETCHES = False
"""Whether `fetch` does anything: when it is compiled."""

_OFFSET = 256  # makes a value positive
_NINE = 511
_LOW63 = 0x7FFF_FFFF_FFFF_FFFF
_MIX, _MIX_MINE, _MIX_SLOT = 0x1E37_79B9_7F4A_7C15, 0x2545_F491_4F6C_DD1D, 0x5851_F42D_4C95_7F2D


class Numbers(Protocol):
    """A list, an array of Python's or one of numpy's."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> int: ...
    def __setitem__(self, at: int, number: int, /) -> None: ...


def search(
    me: int,
    you: int,
    left: int,
    mine: int,
    goal: int,
    depth: int,
    ply: int,
    board: Numbers,
    ending: Numbers,
    memory: Numbers,
    state: Numbers,
) -> int:
    """Whether the value of a position reaches `goal`: a bound of the value, doubled, plus 1 if it is proved.

    The bound is a lower one if it reaches the goal and an upper one if it does not. It is proved if no guess went into
    it. Means nothing once `state[STOPPED]` is set.

    Args:
        me: The row of the side to move.
        you: The other row.
        left: The stones in both.
        mine: The stones in the mover's store, where the rule `majority` holds.
        goal: The value asked for.
        depth: How many sowings ahead to look before guessing.
        ply: How many sowings lie above.
        board: See board.py.
        ending: See endings.py.
        memory: Two numbers a slot, two slots for each place where a position may be.
        state: See NODES and the rest.
    """
    state[NODES] += 1
    if state[NODES] > state[LIMIT]:
        state[STOPPED] = 1
    if state[STOPPED] != 0:
        return 0
    if goal > left:
        return 2 * left + 1
    if goal <= -left:
        return -2 * left + 1
    width, bits, total = board[WIDTH], board[BITS], board[TOTAL]
    pit_mask = (1 << bits) - 1
    if depth <= 0 or ply >= DEEPEST or (me | you) & board[GUARD] != 0:
        return 2 * _guess(me, you, left, pit_mask)
    if total == 0 and (goal ^ left) & 1:
        goal += 1  # every stone ends in a store, so all values of a position are even or all are odd

    # What is known of it.
    key = mark(me, you, mine, board)
    home = place(key, memory)
    known = 0
    for at in range(home, home + 4, 2):
        if memory[at] ^ memory[at + 1] == key:
            known = memory[at + 1]
    low, high, guessed_low, guessed_high = -left, left, -left, left
    guessed_depth, first = 0, -1
    if known != 0:
        low, high = (known & _NINE) - _OFFSET, (known >> 9 & _NINE) - _OFFSET
        if low >= goal:
            return 2 * low + 1
        if high < goal:
            return 2 * high + 1
        guessed_depth, first = known >> 36 & 127, (known >> 43 & 15) - 1
        guessed_low, guessed_high = (known >> 18 & _NINE) - _OFFSET, (known >> 27 & _NINE) - _OFFSET
        if guessed_depth >= depth:
            if guessed_low >= goal:
                return 2 * guessed_low
            if guessed_high < goal:
                return 2 * guessed_high

    # Every sowing, with its value where that needs no search. What is known of the others is sent for at once, since it
    # takes longer to come than all the rest.
    best, proved, best_pit = -left - 1, 1, -1
    ranked = board[RANKED]
    start = PLIES + ply * 9 * ROOM
    count, endings = 0, start + 9 * ROOM  # the sowings that lead to endings stand behind the others
    for pit in range(width - 1, -1, -1):
        if me >> bits * pit & pit_mask == 0:
            continue
        own, other, gain, loss, last = sow(me, you, pit, board)
        remaining = left - gain - loss
        again = 1 if last == width else 0
        value, settled = gain - loss, True
        if (own | other) & board[GUARD] != 0:
            settled = False
        elif total != 0 and (2 * (mine + gain) > total or 2 * (total - left - mine + loss) > total):
            pass
        elif own == 0:
            value -= remaining
        elif other == 0:
            value += remaining
        elif remaining < ranked:
            endings -= ROOM
            at = rank(own, other, board) if again != 0 else rank(other, own, board)
            if FETCHES:
                fetch(ending, at)
            state[endings], state[endings + 1], state[endings + 2] = at, value, pit << 1 | again
            continue
        else:
            settled = False
        if settled:
            if value > best:
                best, best_pit = value, pit
                if best >= goal:
                    break
            continue
        score = 4 * (gain - loss) + 200 * again
        if pit == first:
            score = 10_000
        # Sorted as they come, the most promising first.
        at = start + count * ROOM
        while at > start and state[at - ROOM + 5] < score:
            for item in range(ROOM):
                state[at + item] = state[at - ROOM + item]
            at -= ROOM
        state[at], state[at + 1], state[at + 2], state[at + 3] = own, other, remaining, gain << 9 | loss
        state[at + 4], state[at + 5] = pit << 1 | again, score
        count += 1
        if FETCHES and again != 0:
            fetch(memory, place(mark(own, other, mine + gain if total != 0 else 0, board), memory))
        elif FETCHES:
            store = total - left - mine + loss if total != 0 else 0
            fetch(memory, place(mark(other, own, store, board), memory))

    for at in range(start + 8 * ROOM, endings - 1, -ROOM):
        if best >= goal:
            break
        value, pit = ending[state[at]], state[at + 2] >> 1
        value = state[at + 1] + (value if state[at + 2] & 1 else -value)
        if value > best:
            best, best_pit = value, pit

    if best < goal:
        deeper = depth - 1 if depth < FOREVER else depth
        for at in range(start, start + count * ROOM, ROOM):
            own, other, remaining, gain = state[at], state[at + 1], state[at + 2], state[at + 3] >> 9
            loss, pit, again = state[at + 3] & _NINE, state[at + 4] >> 1, state[at + 4] & 1
            if again != 0:
                store = mine + gain if total != 0 else 0
                ask = goal - gain + loss
                answer = search(own, other, remaining, store, ask, deeper, ply + 1, board, ending, memory, state)
                value = gain - loss + (answer >> 1)
            else:
                store = total - left - mine + loss if total != 0 else 0
                ask = gain - loss - goal + 1
                answer = search(other, own, remaining, store, ask, deeper, ply + 1, board, ending, memory, state)
                value = gain - loss - (answer >> 1)
            if state[STOPPED] != 0:
                return 0
            if value >= goal:
                best, best_pit, proved = value, pit, answer & 1
                break
            if value > best:
                best, best_pit = value, pit
            proved &= answer & 1

    # Remember it.
    if proved:
        if best >= goal:
            low = max(low, best)
        else:
            high = min(high, best)
    else:
        if guessed_depth != depth:
            guessed_low, guessed_high, guessed_depth = -left, left, depth
        if best >= goal:
            guessed_low = best
        else:
            guessed_high = best
    known = low + _OFFSET | high + _OFFSET << 9 | guessed_low + _OFFSET << 18 | guessed_high + _OFFSET << 27
    known |= guessed_depth << 36 | best_pit + 1 << 43 | left << 47
    at = home
    if memory[at] ^ memory[at + 1] != key and memory[at + 1] >> 47 > left:
        at += 2  # the first of the two slots is for positions that took more work
    memory[at], memory[at + 1] = key ^ known, known
    return 2 * best + proved


def mark(me: int, you: int, mine: int, board: Numbers) -> int:
    """What a position is known by in `memory`."""
    return me ^ ((you * _MIX + mine * _MIX_MINE + board[SALT]) & _LOW63)


def place(key: int, memory: Numbers) -> int:
    """Where in `memory` it may be: in the four numbers from here on."""
    return 4 * (((key * _MIX_SLOT & _LOW63) >> 31) * (len(memory) >> 2) >> 32)


def fetch(numbers: Numbers, at: int) -> None:
    """Have the processor bring a number near while other things are done; compiled.py knows how."""


def sow(me: int, you: int, pit: int, board: Numbers) -> tuple[int, int, int, int, int]:
    """Sow one pit: both rows after it, what came into the mover's store and into the other, and the last hole."""
    width, bits, step = board[WIDTH], board[BITS], board[STEP]
    pit_mask = (1 << bits) - 1
    hand = me >> bits * pit & pit_mask
    at = SOWINGS + (pit * step + hand) * 3
    me, you, rest = me - (hand << bits * pit) + board[at], you + board[at + 1], board[at + 2]
    last, gain, loss = rest & 31, rest >> 5 & 255, rest >> 13
    if board[RELAY] != 0:
        while last != width and (me | you) & board[GUARD] == 0:
            if last < width:
                hand = me >> bits * last & pit_mask
                if hand == 1:
                    break
                me -= hand << bits * last
                at = SOWINGS + (last * step + hand) * 3
            else:
                place = last - width - 1
                hand = you >> bits * place & pit_mask
                if hand == 1:
                    break
                you -= hand << bits * place
                at = SOWINGS + ((last - 1) * step + hand) * 3
            me, you, rest = me + board[at], you + board[at + 1], board[at + 2]
            last, gain = rest & 31, gain + (rest >> 5 & 255)
    elif last < width and me >> bits * last & pit_mask == 1:
        opposite = bits * (width - 1 - last)
        taken = you >> opposite & pit_mask
        if taken != 0 or board[EMPTY_CAPTURE] != 0:
            me -= 1 << bits * last
            you -= taken << opposite
            gain += taken + 1
    return me, you, gain, loss, last


def _guess(me: int, you: int, left: int, pit_mask: int) -> int:
    """What a position may be worth: stones mostly go to whom they lie before, and who moves is ahead by a little."""
    guess = (me % pit_mask - you % pit_mask) // 3 + 2
    return max(-left, min(left, guess + ((guess ^ left) & 1)))


def rank(me: int, you: int, board: Numbers) -> int:
    """The place of a position among all of its board, those with fewer stones first."""
    width, bits, ranked = board[WIDTH], board[BITS], board[RANKED]
    pit_mask = (1 << bits) - 1
    stones, place, at = 0, 0, board[RANKS]
    for pit in range(width):
        stones += me >> bits * pit & pit_mask
        place += board[at + stones]
        at += ranked
    for pit in range(width):
        stones += you >> bits * pit & pit_mask
        place += board[at + stones]
        at += ranked
    return place


def fill(begin: int, end: int, board: Numbers, ending: Numbers) -> None:
    """Find the values of all positions whose rank is in this range, those below being known."""
    width, bits, ranked = board[WIDTH], board[BITS], board[RANKED]
    for place in range(begin, end):
        if ending[place] != UNKNOWN:
            continue
        me, you, rest, before, left = 0, 0, place, ranked - 1, 0
        for pit in range(2 * width - 1, -1, -1):
            # `stones` lie in the pits up to this one: the most that the rank still has room for.
            at = board[RANKS] + pit * ranked
            stones = before
            while board[at + stones] > rest:
                stones -= 1
            rest -= board[at + stones]
            if pit == 2 * width - 1:
                left = stones
            elif pit >= width - 1:
                you |= before - stones << bits * (pit + 1 - width)
            else:
                me |= before - stones << bits * (pit + 1)
            before = stones
        me |= before
        settle(me, you, left, place, board, ending)


def settle(me: int, you: int, left: int, place: int, board: Numbers, ending: Numbers) -> int:
    """Find the value of one position of this rank, and of all with as many stones that it leads to."""
    if me == 0 or you == 0:
        best = left if you == 0 else -left
        ending[place] = best
        return best
    width, bits = board[WIDTH], board[BITS]
    pit_mask = (1 << bits) - 1
    best = -left - 1
    for pit in range(width):
        if me >> bits * pit & pit_mask == 0:
            continue
        own, other, gain, loss, last = sow(me, you, pit, board)
        remaining = left - gain - loss
        value = gain - loss
        if own == 0:
            value -= remaining
        elif other == 0:
            value += remaining
        elif last == width:
            after = rank(own, other, board)
            known = ending[after]
            value += settle(own, other, remaining, after, board, ending) if known == UNKNOWN else known
        else:
            after = rank(other, own, board)
            known = ending[after]
            value -= settle(other, own, remaining, after, board, ending) if known == UNKNOWN else known
        best = max(best, value)
    ending[place] = best
    return best
