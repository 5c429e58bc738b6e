"""The rules a second time, as a person plays them: two rows in a dict, one stone at a time. For comparison only."""

from copy import deepcopy

OTHER = {"S": "N", "N": "S"}


class NaiveGame:
    """A game that changes as it is played. Places are (side, number); number `pits` is that side's store."""

    def __init__(self, name: str, pits: int, stones: int, *, majority: bool = False):
        self.name, self.pits, self.majority = name, pits, majority
        self.rows = {"S": [stones] * pits, "N": [stones] * pits}
        self.stores = {"S": 0, "N": 0}
        self.turn = "S"
        self.over = False

    def copy(self) -> "NaiveGame":
        return deepcopy(self)

    def stones(self) -> tuple[int, ...]:
        """The board in the order of the holes."""
        return (*self.rows["S"], self.stores["S"], *self.rows["N"], self.stores["N"])

    def choices(self) -> list[int]:
        """The numbers of the pits that may be sown."""
        if self.over:
            return []
        return [number for number, stones in enumerate(self.rows[self.turn]) if stones > 0]

    def play(self, number: int) -> dict[str, object]:
        """Sow a pit; what happened beside the sowing itself."""
        mover, enemy = self.turn, OTHER[self.turn]
        side, place = self.sow_stones(mover, number)
        captured = self.capture(place) if side == mover else 0
        swept = self.end()
        again = not self.over and (side, place) == (mover, self.pits)
        self.turn = mover if again else enemy
        return {"captured": captured, "extra_turn": again, "swept": swept}

    def sow_stones(self, side: str, place: int) -> tuple[str, int]:
        enemy = OTHER[side]
        hand, self.rows[side][place] = self.rows[side][place], 0
        while hand > 0:
            if place == self.pits:
                side, place = OTHER[side], 0
            else:
                place += 1
            if place == self.pits:
                if side == enemy and self.name != "both-stores":
                    continue
                self.stores[side] += 1
                hand -= 1
            else:
                self.rows[side][place] += 1
                hand -= 1
                if hand == 0 and self.name == "avalanche" and self.rows[side][place] > 1:
                    hand, self.rows[side][place] = self.rows[side][place], 0
        return side, place

    def capture(self, place: int) -> int:
        if self.name == "avalanche" or place == self.pits or self.rows[self.turn][place] != 1:
            return 0
        facing, across = self.rows[OTHER[self.turn]], self.pits - 1 - place
        if facing[across] == 0 and self.name != "classic":
            return 0
        taken = 1 + facing[across]
        self.rows[self.turn][place] = facing[across] = 0
        self.stores[self.turn] += taken
        return taken

    def end(self) -> list[int]:
        """Look whether the game is over, and sweep; the stones swept by South and by North."""
        left = {side: sum(row) for side, row in self.rows.items()}
        total = sum(left.values()) + sum(self.stores.values())
        if self.majority and any(store > total / 2 for store in self.stores.values()):
            self.over = True
        elif left["S"] == 0 or left["N"] == 0:
            self.over = True
            for side in "SN":
                self.stores[side] += left[side]
                self.rows[side] = [0] * self.pits
            return [left["S"], left["N"]]
        return [0, 0]

    def winner(self) -> str | None:
        """The side with more stones; None when it is a draw or not over."""
        south, north = self.stores["S"], self.stores["N"]
        if not self.over or south == north:
            return None
        return "S" if south > north else "N"
