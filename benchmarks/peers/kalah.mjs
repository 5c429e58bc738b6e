// The rules of `classic-6x4` for the peers on Node, apart from the load's own, which check them. Holes as everywhere:
// South's pits 0-5, South's store 6, North's pits 7-12, North's store 13.

const FIRST_PIT = { S: 0, N: 7 };
const OPPONENT = { S: 'N', N: 'S' };

export function start() {
  return [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0];
}

// Sow `pit` on `stones`, in place: the side to move and whether the game is over; null if it cannot be sown
export function sow(stones, side, pit) {
  const first = FIRST_PIT[side];
  const store = first + 6;
  if (!Number.isInteger(pit) || pit < first || pit >= store || stones[pit] === 0) return null;
  let hole = pit;
  let hand = stones[pit];
  stones[pit] = 0;
  for (; hand > 0; hand -= 1) {
    hole = (hole + 1) % 14;
    if (hole === 19 - store) hole = (hole + 1) % 14; // the opponent's store
    stones[hole] += 1;
  }
  if (hole >= first && hole < store && stones[hole] === 1) {
    stones[store] += 1 + stones[12 - hole];
    stones[hole] = 0;
    stones[12 - hole] = 0;
  }
  const over = isEmpty(stones, 0) || isEmpty(stones, 7);
  if (over) {
    for (const from of [0, 7]) {
      for (let each = from; each < from + 6; each += 1) {
        stones[from + 6] += stones[each];
        stones[each] = 0;
      }
    }
  }
  return { turn: hole === store ? side : OPPONENT[side], over };
}

function isEmpty(stones, from) {
  for (let pit = from; pit < from + 6; pit += 1) if (stones[pit]) return false;
  return true;
}
