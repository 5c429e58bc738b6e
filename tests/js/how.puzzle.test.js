/** How a puzzle goes: a try is shown with Moon's answer, a wrong one goes back, a right one goes on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, reduce, view } from '../../static/js/how/puzzle.js';
import { whyNot } from '../../static/js/how/solving.js';
import { SOWN, START, welcome } from './how.example.js';

const OFFER = [[0, 1, false, 0, [1], []], [1, 2, true, 0, [2], []]];
const EXTRA = { ...SOWN[0], legal: [OFFER[0]] };
const WRONG = { ...SOWN[0], pit: 0, stones: [0, 2, 0, 1, 1, 0], turn: 'N', extra_turn: false };
const ANSWER = { ...SOWN[1], pit: 4, side: 'N', stones: [0, 2, 0, 1, 0, 1], turn: 'S', captured: 0 };

const PUZZLE = {
  welcome: welcome({ legal: OFFER }),
  steps: [
    [{ pit: 1, sown: [EXTRA], right: true, score: [3, 1] }, { pit: 0, sown: [WRONG, ANSWER], right: false, score: [2, 2] }],
    [{ pit: 0, sown: [SOWN[1]], right: true, score: [3, 1] }],
  ],
};

const RIGHT = [{ type: 'pick', pit: 1 }, 'settled'];
const ALL = [...RIGHT, { type: 'pick', pit: 0 }, 'settled'];
const A_WRONG_ONE = [{ type: 'pick', pit: 0 }, 'settled', 'due', 'settled'];

/** The state after the actions, and what each asked for. */
function after(...actions) {
  let state = begin({ puzzle: PUZZLE });
  const names = [];
  let effects = [];
  for (const action of actions) {
    ({ state, effects } = reduce(state, typeof action === 'string' ? { type: action } : action));
    names.push(...effects.map((effect) => effect.what ?? effect.do));
  }
  return { state, names, seen: view(state) };
}

test('a puzzle begins with its question, and nothing moves by itself', () => {
  const { names, seen } = after('settled', 'due');
  assert.deepEqual(names, []);
  assert.deepEqual([seen.says, seen.isStill], ['task', true]);
});

test('a right pit with an extra turn asks for the next', () => {
  const { state, names, seen } = after(...RIGHT);
  assert.deepEqual(names, ['sow', 'on']);
  assert.equal(seen.says, 'on');
  assert.deepEqual(state.game.stones, EXTRA.stones);
});

test('after the last right pit it is solved, and kept', () => {
  const { names, seen } = after(...ALL);
  assert.deepEqual(names, ['sow', 'on', 'sow', 'solved', 'keep']);
  assert.equal(seen.says, 'solved');
});

test('whoever has solved it can sow nothing more', () => {
  assert.deepEqual(after(...ALL, { type: 'pick', pit: 0 }).names, after(...ALL).names);
});

test('a wrong pit is shown, then the answer, then why; then the board goes back while the words stay', () => {
  const { names, state, seen } = after(...A_WRONG_ONE);
  assert.deepEqual(names, ['sow', 'wait', 'sow', 'wrong', 'wait']);
  assert.deepEqual(state.game.stones, ANSWER.stones);
  assert.equal(seen.wrong.pit, 0);
  const back = after(...A_WRONG_ONE, 'due');
  assert.equal(back.names.at(-1), 'show');
  assert.deepEqual(back.state.game.stones, START);
  assert.deepEqual([back.seen.says, back.seen.wrong.pit], ['wrong', 0]);
});

test('after a wrong pit the right one still solves it', () => {
  assert.equal(after(...A_WRONG_ONE, 'due', ...ALL).seen.says, 'solved');
});

test('a pit that cannot be sown, or one while stones move, is nothing', () => {
  assert.deepEqual(after({ type: 'pick', pit: 4 }).names, []);
  assert.deepEqual(after({ type: 'pick', pit: 0 }, { type: 'pick', pit: 1 }).names, ['sow']);
});

test('shown, it is not solved', () => {
  const { names, seen } = after('reveal', 'due', 'settled', 'due', 'settled');
  assert.deepEqual(names, ['show', 'wait', 'sow', 'wait', 'sow', 'shown']);
  assert.equal(seen.says, 'shown');
});

test('while it is shown, the board points at the pit and takes no other', () => {
  const { state } = after('reveal');
  assert.deepEqual(state.game.advice, { ply: 0, pit: 1 });
  assert.deepEqual(after('reveal', { type: 'pick', pit: 0 }).names, ['show', 'wait']);
});

test('it is shown from where the reader is, and from the beginning once it is over', () => {
  assert.deepEqual(after(...RIGHT, 'reveal').state.game.advice, { ply: 1, pit: 0 });
  assert.deepEqual(after(...ALL, 'reveal').state.game.advice, { ply: 0, pit: 1 });
});

test('again begins anew, in the middle of everything', () => {
  for (const actions of [RIGHT, A_WRONG_ONE, ['reveal', 'due'], ALL]) {
    const { state, seen } = after(...actions, 'again');
    assert.deepEqual(state.game.stones, START);
    assert.deepEqual([seen.says, seen.wrong, seen.reveals, seen.isStill], ['task', null, false, true]);
    assert.deepEqual(after(...actions, 'again', 'due').state.game.stones, START);
  }
});

const say = (key, values = {}) => [key, ...Object.values(values)].join(' ');

test('why a pit does not win: what Moon answers, and what is left', () => {
  assert.equal(whyNot(say, PUZZLE.steps[0][1]), 'not.answer e not.draw 2 2');
  const captures = { sown: [WRONG, { ...ANSWER, captured: 2 }], score: [1, 3] };
  assert.equal(whyNot(say, captures), 'not.captures e stones 2 not.lost 1 3');
});

test('why a pit does not win: an extra turn that is not enough, or the end', () => {
  assert.equal(whyNot(say, { sown: [EXTRA], score: [1, 3] }), 'not.again not.lost 1 3');
  assert.equal(whyNot(say, { sown: [{ ...WRONG, outcome: {} }], score: [1, 3] }), 'not.over 1 3');
});
