/** How a lesson goes from step to step: show, wait, sow, tell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, reduce, view } from '../../static/js/how/lesson.js';
import { SOWN, START, welcome } from './how.example.js';

const OFFER = [[1, 2, true, 0, [2], []]];
const PAGE = {
  steps: [
    { name: 'look', welcome: welcome(), sown: [] },
    { name: 'sow', welcome: welcome({ legal: OFFER }), sown: SOWN.slice(0, 1) },
    { name: 'chain', welcome: welcome({ legal: OFFER }), sown: SOWN.slice(0, 2) },
  ],
};

/** The state after the actions, and what the last one asked for. */
function after(name, ...actions) {
  let state = begin(PAGE, name);
  let effects = [];
  for (const action of actions) ({ state, effects } = reduce(state, typeof action === 'string' ? { type: action } : action));
  return { state, effects, names: effects.map((effect) => effect.what ?? effect.do) };
}

test('a page begins at the step its address names, or at the first', () => {
  assert.equal(begin(PAGE, 'chain').index, 2);
  assert.equal(begin(PAGE, '').index, 0);
  assert.equal(begin(PAGE, 'nonsense').index, 0);
});

test('a step shows its position, waits, and is told', () => {
  const { state, names } = after('look', 'next');
  assert.deepEqual(names, ['show', 'wait', 'step']);
  assert.deepEqual(state.game.stones, START);
  assert.equal(view(state).told, false);
});

test('a step without a sowing waits for nothing and has nothing left to tell', () => {
  const { state, names } = after('sow', 'back');
  assert.deepEqual(names, ['show', 'step']);
  assert.equal(view(state).told, true);
  assert.deepEqual(after('look', 'again', 'due', 'settled').names, []);
});

test('when the wait is over the stones are sown, from where they lie', () => {
  const { state, effects } = after('sow', 'due');
  assert.deepEqual(effects, [{ do: 'sow', sown: SOWN[0], stones: START }]);
  assert.deepEqual(state.game.stones, SOWN[0].stones);
  assert.equal(state.game.busy, true);
});

test('the outcome is told once, when the stones lie', () => {
  const seen = after('sow', 'due', 'settled');
  assert.deepEqual(seen.effects, [{ do: 'tell', what: 'outcome', index: 1 }]);
  assert.equal(view(seen.state).told, true);
  assert.deepEqual(after('sow', 'due', 'settled', 'settled').names, []);
});

test('the picture of a new step is no outcome', () => {
  assert.deepEqual(after('look', 'next', 'settled').names, []);
});

test('whoever picks the pit that is ringed need not wait; any other pit is nothing', () => {
  assert.deepEqual(after('sow', { type: 'pick', pit: 1 }).names, ['sow']);
  assert.deepEqual(after('sow', { type: 'pick', pit: 0 }).names, []);
  assert.deepEqual(after('sow', { type: 'pick', pit: 1 }, { type: 'pick', pit: 1 }).names, []);
});

test('a wait of a step that was left comes to nothing', () => {
  assert.deepEqual(after('sow', 'due', 'due').names, []);
  assert.deepEqual(after('sow', 'back', 'due').names, []);
});

test('a step of two sowings waits before each and is told after both', () => {
  assert.deepEqual(after('chain', 'due', 'settled').names, ['wait']);
  const { state, names } = after('chain', 'due', 'settled', 'due', 'settled');
  assert.deepEqual(names, ['outcome']);
  assert.deepEqual(state.game.stones, SOWN[1].stones);
});

test('again begins the step anew without reading it out', () => {
  const { state, names } = after('sow', 'due', 'settled', 'again');
  assert.deepEqual(names, ['show', 'wait']);
  assert.deepEqual(state.game.stones, START);
  assert.equal(view(state).told, false);
});

test('after the last step comes the first; before the first there is none', () => {
  assert.equal(after('chain', 'next').state.index, 0);
  assert.deepEqual(after('look', 'back').names, []);
  assert.deepEqual(after('look', { type: 'go', index: 3 }).names, []);
});

test('the view says where one is and what can be done', () => {
  const { index, isStill, count } = view(begin(PAGE, 'look'));
  assert.deepEqual([index, isStill, count], [0, true, 3]);
  assert.deepEqual([view(begin(PAGE, 'chain')).index, view(begin(PAGE, 'chain')).isStill], [2, false]);
});
