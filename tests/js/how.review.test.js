/** A finished game gone over: what is heard of its plies, what is said of them, and the better way beside the game. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, counted, course, reduce, slipAfter, valueOf, version, view, wayOf } from '../../static/js/how/review.js';
import { verdict } from '../../static/js/how/verdict.js';
import { SOWN, START, welcome } from './how.example.js';

const NONE = { plies: 0, best: 0, accuracy: null };
const MARKS = { S: NONE, N: NONE };
const LATER = { S: { plies: 1, best: 0, accuracy: 50 }, N: NONE };
const value = (low, high, lost, line = '', choice = true) => ({ low, high, lost, line, choice });

/** On the example's board: `b`, then South's `a`, then North's `e`. What was better than the second ply is made up. */
const page = (plies = [null, null, null], more = {}) => ({
  game: { name: 'game', welcome: welcome({ you: null }), sown: SOWN }, transcript: 'bae', you: null, who: ['S', 'S', 'N'],
  names: { S: 'Ann', N: 'Ben' }, swap: 'f', review: { plies, marks: MARKS, state: 'looking' }, ...more,
});

const BETTER = page([null, value(2, 2, [4, 4], 'bd'), null]);

function play(from, name, ...actions) {
  let state = begin(from, name);
  let effects = [];
  for (const action of actions) ({ state, effects } = reduce(state, typeof action === 'string' ? { type: action } : action));
  return { state, effects, names: effects.map((effect) => effect.do) };
}

const heard = (message) => ({ type: 'heard', message });
const branched = { type: 'branched', nth: 2, sown: SOWN };

/* What is heard -------------------------------------------------------------------------------- */

test('each ply that is heard of is known, and with the last one all is done', () => {
  const known = value(0, 0, [0, 0]);
  const first = play(page(), '', heard({ type: 'valued', ply: 2, value: known, marks: MARKS }));
  assert.deepEqual([valueOf(first.state, 3), valueOf(first.state, 1), counted(first.state)], [known, null, 1]);
  assert.deepEqual([first.state.phase, version(first.state)], ['looking', 1]);
  const last = play(page([null, known, known]), '', heard({ type: 'valued', ply: 0, value: known, marks: LATER }));
  assert.deepEqual([last.state.phase, version(last.state), last.state.marks], ['done', 4, LATER]);
});

test('a whole review takes the place of all that was known, and what nobody knows is no message', () => {
  const { state } = play(page(), '', heard({ type: 'review', plies: [null, value(1, 1, [0, 0]), null], marks: LATER, state: 'waiting' }));
  assert.deepEqual([state.phase, counted(state), state.marks], ['waiting', 1, LATER]);
  for (const type of ['pong', 'later', 'toString']) assert.deepEqual(play(page(), '', heard({ type })).state, begin(page(), ''));
});

test('what is heard moves nobody on the board', () => {
  const { state, names } = play(page(), 'move-2', heard({ type: 'valued', ply: 0, value: value(0, 0, [0, 0]), marks: MARKS }));
  assert.deepEqual([state.index, state.game.stones, names], [2, SOWN[1].stones, []]);
});

test('the course of a game has a place for each board, the last one only if the stones decided', () => {
  assert.deepEqual(course(begin(page([null, value(2, 4, [0, 2]), null]), '')), [null, value(2, 4, [0, 2]), null, null]);
  const over = [...SOWN.slice(0, 2), { ...SOWN[2], outcome: { winner: null, score: [1, 1], ending: 'played_out' } }];
  assert.deepEqual(course(begin(page([], { game: { welcome: welcome(), sown: over } }), '')).at(-1), { low: 0, high: 0 });
});

test('the next slip is the next ply that surely gave something away, and after the last one the first', () => {
  const slips = page([value(0, 0, [2, 2]), value(0, 4, [0, 4]), value(0, 0, [1, 5])]);
  assert.deepEqual(['', 'move-1', 'move-2', 'move-3'].map((name) => slipAfter(begin(slips, name))), [1, 3, 3, 1]);
  assert.equal(play(slips, 'move-1', 'slip').state.index, 3);
  assert.deepEqual(play(slips, 'move-3', 'slip').names, ['show', 'tell']);
  assert.equal(slipAfter(begin(page(), '')), 0);
  assert.deepEqual(play(page(), 'move-2', 'slip').names, []);
});

test('from the better way the next slip leads back into the game, be it the same one', () => {
  const { state } = play(BETTER, 'move-2', 'better', branched, 'slip');
  assert.deepEqual([state.index, state.branch, state.game.stones], [2, null, SOWN[1].stones]);
});

/* The better way ------------------------------------------------------------------------------- */

test('the better way is fetched once, with what was played before it', () => {
  const { state, effects } = play(BETTER, 'move-2', 'better');
  assert.deepEqual(effects, [{ do: 'fetch', nth: 2, plies: 'bbd' }]);
  assert.deepEqual(reduce(state, { type: 'better' }).effects, []);
});

test('where nothing was better, or nothing is known, nothing is fetched', () => {
  for (const name of ['', 'move-1', 'move-3']) assert.deepEqual(play(BETTER, name, 'better').names, []);
});

test('it begins on the board before that ply, which is looked at, and then goes on by itself once', () => {
  const { state, names } = play(BETTER, 'move-2', 'better', branched);
  assert.deepEqual([state.game.stones, names], [SOWN[0].stones, ['show', 'wait', 'tell']]);
  assert.deepEqual(view(state).bar, { index: 0, count: 3, where: 'where.better' });
  assert.equal(view(state).index, 2);
  assert.deepEqual(wayOf(state).map(({ ply }) => ply), [1, 2]);
  const due = reduce(state, { type: 'due' });
  assert.deepEqual(due.effects.map((effect) => effect.do), ['sow', 'tell']);
  assert.deepEqual(reduce(due.state, { type: 'due' }).effects, []);
});

test('who steps does not wait for it, and finds nothing before it or after it', () => {
  const { state } = play(BETTER, 'move-2', 'better', branched, 'next');
  assert.deepEqual([state.index, reduce(state, { type: 'due' }).effects], [2, []]);
  const first = reduce(state, { type: 'first' });
  assert.equal(first.state.index, 1);
  assert.deepEqual(first.effects, [{ do: 'show' }, { do: 'tell', what: 'way' }]);
  assert.deepEqual(reduce(first.state, { type: 'back' }).effects, []);
  const last = reduce(first.state, { type: 'last' });
  assert.equal(last.state.index, 3);
  assert.deepEqual(reduce(last.state, { type: 'next' }).effects, []);
  assert.equal(reduce(last.state, { type: 'way', index: 2 }).state.index, 2);
});

test('back in the game the reader is at the ply that was not the best', () => {
  const { state, effects } = play(BETTER, 'move-2', 'better', branched, 'next', 'next', 'leave');
  assert.deepEqual([state.index, state.game.stones, state.branch], [2, SOWN[1].stones, null]);
  assert.deepEqual(effects, [{ do: 'show' }, { do: 'tell', what: 'step', index: 2 }]);
  assert.equal(view(state).bar, undefined);
});

test('a place of the game that is picked leads out of the better way', () => {
  const { state } = play(BETTER, 'move-2', 'better', branched, { type: 'go', index: 3 });
  assert.deepEqual([state.index, state.branch, state.game.stones], [3, null, SOWN[2].stones]);
});

test('a way that does not come, or comes too late, leaves all as it is', () => {
  const lost = play(BETTER, 'move-2', 'better', { ...branched, sown: null });
  assert.deepEqual(lost.effects, [{ do: 'tell', what: 'offline' }]);
  assert.deepEqual([lost.state.branch, lost.state.sought], [null, null]);
  const late = play(BETTER, 'move-2', 'better', 'next', branched);
  assert.deepEqual([late.state.index, late.state.branch, late.names], [3, null, []]);
  assert.deepEqual(play(BETTER, 'move-2', branched).names, []);
});

/* What is said --------------------------------------------------------------------------------- */

const say = (key, values = {}) => {
  const { way, ...others } = values;
  return [key, ...Object.values(others), ...(way ? [way] : [])].join(' ');
};
const said = (nth, known, more) => verdict(say, begin(page(SOWN.map((_, k) => (k === nth - 1 ? known : null)), more), ''), nth);

test('what could have been had is said of whose ply it was, from that side', () => {
  assert.equal(said(2, value(6, 6, [4, 4], 'bd')), 'verdict.won.name Ann 6 way.pit b verdict.gave 4');
  assert.equal(said(2, value(6, 6, [4, 4], 'bd'), { you: 'S' }), 'verdict.won.you Ann 6 way.pit b verdict.gave 4');
  assert.equal(said(3, value(-6, -6, [1, 1], 'd'), { you: 'S' }), 'verdict.won.name Ben 6 way.pit d verdict.gave 1');
  assert.equal(said(2, value(0, 0, [2, 2], 'b')), 'verdict.draw.name Ann 0 way.pit b verdict.gave 2');
  assert.equal(said(3, value(3, 3, [2, 2], 'd')), 'verdict.less.name Ben 3 way.pit d verdict.gave 2');
});

test('what is proved within bounds is said as at least so much', () => {
  assert.equal(said(2, value(2, 9, [3, 12], 'b')), 'verdict.more.name Ann 2 way.pit b verdict.least 3');
  assert.equal(said(2, value(-4, 9, [3, 12], 'b')), 'verdict.better Ann 4 way.pit b verdict.least 3');
  assert.equal(said(2, value(-4, 9, [0, 12])), 'verdict.hard');
});

test('who should have swapped sides could have had what was the other one’s', () => {
  assert.equal(said(3, value(5, 5, [6, 6], 'fb')), 'verdict.won.name Ben 5 way.swap verdict.gave 6');
});

test('the best move is called so, the only one too, with how it then stands', () => {
  assert.equal(said(2, value(6, 6, [0, 0])), 'verdict.best ahead.won Ann 6');
  assert.equal(said(3, value(0, 0, [0, 0], '', false)), 'verdict.only ahead.draw');
  assert.equal(said(2, value(2, 6, [0, 0])), 'verdict.best');
});

test('whoever swapped sides later is named by who they are, not by where they sat', () => {
  assert.equal(said(1, value(6, 6, [0, 0]), { who: ['N', 'S', 'N'] }), 'verdict.best ahead.won Ben 6');
});

test('what is not known is still to come, or too hard', () => {
  assert.equal(said(2, null), 'verdict.later');
  assert.equal(said(2, null, { review: { plies: [null, null, null], marks: MARKS, state: 'done' } }), 'verdict.hard');
});
