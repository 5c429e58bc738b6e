/** Where stones lie: the same heap for every viewer, and nothing jumps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STONE_R, heap, hollowOf } from '../../static/js/game/pebbles.js';

const PIT = hollowOf(1, 1);
const STORE = hollowOf(1.04, 2.28);
const ROOM_PX = 100; // a pit on a desktop

test('a heap depends on its hollow, its count and its hole alone', () => {
  const upwards = Array.from({ length: 31 }, (_, n) => structuredClone(heap(PIT, n, 5)));
  assert.deepEqual(heap(hollowOf(1, 1), 30, 5), upwards[30]);
  assert.notDeepEqual(heap(PIT, 4, 1), heap(PIT, 4, 2));
});

test('every count up to a whole game has a place for each stone, inside the hollow', () => {
  for (const [hollow, most] of [[PIT, 60], [STORE, 108]]) {
    for (let n = 0; n <= most; n += 1) {
      const places = heap(hollow, n, 3);
      assert.equal(places.length, n);
      for (const { x, y, scale } of places) {
        assert.ok(Math.hypot(x, Math.max(0, Math.abs(y) - hollow.a)) <= hollow.r - STONE_R * scale + 1e-9);
      }
    }
  }
});

test('a newcomer makes its neighbours budge, not jump', () => {
  for (let n = 1; n <= 12; n += 1) {
    const before = heap(PIT, n, 0);
    heap(PIT, n + 1, 0).slice(0, n).forEach(({ x, y }, k) => {
      assert.ok(Math.hypot(x - before[k].x, y - before[k].y) * ROOM_PX < 40);
    });
  }
});

test('a hollow that is not drawn yet still takes stones', () => {
  assert.equal(heap(hollowOf(0, 0), 30, 0).length, 30);
});
