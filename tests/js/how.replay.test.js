/** How a game is stepped through: the next ply is sown, every other place is shown at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, reduce, view } from '../../static/js/how/replay.js';
import { SOWN, START, welcome } from './how.example.js';

const PAGE = { game: { name: 'sample', welcome: welcome({ you: null }), sown: SOWN } };

function after(name, ...actions) {
  let state = begin(PAGE, name);
  let effects = [];
  for (const action of actions) ({ state, effects } = reduce(state, typeof action === 'string' ? { type: action } : action));
  return { state, effects, names: effects.map((effect) => effect.do) };
}

test('a page begins before the first ply, or after as many as its address says', () => {
  assert.deepEqual(begin(PAGE, '').game.stones, START);
  assert.deepEqual(begin(PAGE, 'move-2').game.stones, SOWN[1].stones);
  assert.equal(begin(PAGE, 'move-99').index, 3);
  assert.equal(begin(PAGE, 'sheet').index, 0);
});

test('the next ply is sown from where the stones lie, and told', () => {
  const { state, effects } = after('move-1', 'next');
  assert.deepEqual(effects, [
    { do: 'sow', sown: SOWN[1], stones: SOWN[0].stones },
    { do: 'tell', what: 'step', index: 2 },
  ]);
  assert.equal(state.game.busy, true);
  assert.equal(after('move-1', 'next', 'settled').state.game.busy, false);
});

test('plies may be asked for faster than they are seen', () => {
  const { state, effects } = after('', 'next', 'next');
  assert.deepEqual(effects[0].stones, SOWN[0].stones);
  assert.deepEqual(state.game.stones, SOWN[1].stones);
});

test('back, first, last and any other place are shown at once', () => {
  for (const [from, action, index] of [
    ['move-3', 'back', 2], ['move-3', 'first', 0], ['', 'last', 3], ['', { type: 'go', index: 2 }, 2],
  ]) {
    const { state, names } = after(from, action);
    assert.deepEqual(names, ['show', 'tell']);
    assert.equal(state.index, index);
    assert.deepEqual(state.game.stones, index ? SOWN[index - 1].stones : START);
    assert.equal(state.game.busy, false);
  }
});

test('going on to the next place by slider or list is a ply like any other', () => {
  assert.deepEqual(after('', { type: 'go', index: 1 }).names, ['sow', 'tell']);
});

test('there is nothing before the start, after the end, or where one is', () => {
  assert.deepEqual(after('', 'back').names, []);
  assert.deepEqual(after('move-3', 'next').names, []);
  assert.deepEqual(after('move-2', { type: 'go', index: 2 }).names, []);
});

test('the view counts the start as a place of its own', () => {
  assert.deepEqual([view(begin(PAGE, '')).count, view(begin(PAGE, '')).index], [4, 0]);
  assert.equal(view(begin(PAGE, 'move-3')).index, 3);
});
