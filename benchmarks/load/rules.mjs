// The rules of `classic-6x4`, written apart from the servers' so that they can be checked. Holes are numbered as
// everywhere: South's pits 0-5, South's store 6, North's pits 7-12, North's store 13.

const PITS = { S: [0, 1, 2, 3, 4, 5], N: [7, 8, 9, 10, 11, 12] };
const STORE = { S: 6, N: 13 };
const OPPONENT = { S: 'N', N: 'S' };

export function start() {
  return { stones: [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0], turn: 'S', over: false };
}

export function legalPits({ stones, turn, over }) {
  return over ? [] : PITS[turn].filter((pit) => stones[pit] > 0);
}

export function sow(position, pit) {
  const side = position.turn;
  const stones = [...position.stones];
  let hand = stones[pit];
  let hole = pit;
  stones[pit] = 0;
  while (hand > 0) {
    hole = (hole + 1) % 14;
    if (hole === STORE[OPPONENT[side]]) continue;
    stones[hole] += 1;
    hand -= 1;
  }
  if (PITS[side].includes(hole) && stones[hole] === 1) {
    stones[STORE[side]] += 1 + stones[12 - hole];
    stones[hole] = 0;
    stones[12 - hole] = 0;
  }
  const over = Object.values(PITS).some((pits) => pits.every((each) => stones[each] === 0));
  if (over) {
    for (const owner of ['S', 'N']) {
      for (const each of PITS[owner]) {
        stones[STORE[owner]] += stones[each];
        stones[each] = 0;
      }
    }
  }
  return { stones, turn: hole === STORE[side] ? side : OPPONENT[side], over };
}
