/** From transfers to steps: what is shown, in which order, for how long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PACES, carry, plan as planned } from '../../static/js/game/plan.js';

const PACE = PACES.normal;
const plan = (stones, told) => planned(stones, told, PACE);
const sown = (transfers, stones, more = {}) => ({ transfers, stones, last: null, extra_turn: false, ...more });
const lasts = ({ from, to, lift, hop, drop }) => (from === undefined ? 0 : lift + hop * to.length + drop);

test('transfers carry every stone from hole to hole', () => {
  assert.deepEqual(carry([2, 0, 0, 0], [['sow', 0, [1, 2]], ['capture', 2, [1]]]), [0, 2, 0, 0]);
});

test('a sowing lifts, hops from stop to stop, and drops', () => {
  const [step, ...others] = plan([2, 0, 0, 0], sown([['sow', 0, [1, 2]]], [0, 1, 1, 0]));
  assert.deepEqual(step, { kind: 'sow', from: 0, to: [1, 2], rest: 0, lift: PACE.lift, hop: PACE.hop, drop: PACE.drop });
  assert.deepEqual(others, []);
});

test('thirteen stones take no longer than eight: the cap', () => {
  for (const n of [8, 13, 24, 60]) {
    const to = Array.from({ length: n }, (_, k) => (k % 3) + 1);
    const stones = [n, 0, 0, 0];
    const [step] = plan(stones, sown([['sow', 0, to]], carry(stones, [['sow', 0, to]])));
    assert.ok(lasts(step) <= PACE.cap + 1e-9, `${n} stones take ${lasts(step)} ms`);
  }
});

test('both parts of a capture fly as one, after a rest', () => {
  const transfers = [['sow', 0, [1]], ['capture', 1, [3]], ['capture', 4, [3, 3]]];
  const [, capture, ...others] = plan([1, 0, 0, 0, 2, 0], sown(transfers, [0, 0, 0, 3, 0, 0]));
  assert.equal(capture.kind, 'capture');
  assert.deepEqual(capture.flights, [[1, 3], [4, 3], [4, 3]]);
  assert.equal(capture.rest, PACE.rest);
  assert.deepEqual(others, []);
});

test('a sweep from many pits is one step, and its stones set out within half a second or so', () => {
  const transfers = [['sow', 0, [1]], ['sweep', 3, Array(20).fill(5)], ['sweep', 4, Array(20).fill(5)]];
  const [, sweep] = plan([1, 0, 0, 20, 20, 0], sown(transfers, [0, 1, 0, 0, 0, 40]));
  assert.equal(sweep.kind, 'sweep');
  assert.equal(sweep.flights.length, 40);
  assert.ok(sweep.gap * 40 <= 520);
});

test('an extra turn is a step of its own, at the hole where the last stone fell', () => {
  const steps = plan([1, 0, 0, 0], sown([['sow', 0, [1]]], [0, 1, 0, 0], { extra_turn: true, last: 1 }));
  assert.deepEqual(steps.at(-1), { kind: 'extra', hole: 1, rest: 2 * PACE.rest });
});

test('laps share the cap, rest between them, and each still takes its least time', () => {
  const transfers = [['sow', 0, [1, 2]], ['sow', 2, [3, 0]]];
  const steps = plan([2, 0, 1, 0], sown(transfers, [1, 1, 0, 1]));
  assert.deepEqual(steps.map((step) => step.rest), [0, PACE.rest / 2]);
  for (const step of steps) assert.ok(lasts(step) <= PACE.cap / 2);
});

test('a relay of sixty laps is not shown to its end: the board jumps', () => {
  const transfers = Array.from({ length: 60 }, (_, k) => ['sow', k % 2, [1 - (k % 2)]]);
  const steps = plan([1, 0, 0, 0], sown(transfers, [1, 0, 0, 0]));
  const total = steps.reduce((sum, step) => sum + step.rest + lasts(step), 0);
  assert.ok(steps.length < 60);
  assert.ok(total < PACE.patience + 2 * PACE.lap);
});

test('transfers that do not lead to the stones of the server show nothing', () => {
  assert.deepEqual(plan([2, 0, 0, 0], sown([['sow', 0, [1, 2]]], [0, 2, 0, 0])), []);
});
