/** How a position is set up and asked about, and that an old answer is none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, begin, question, reduce, text } from '../../static/js/solver/study.js';
import { short, told, verdict, worth } from '../../static/js/solver/worth.js';

const PAGE = { rules: 'classic', position: '1,2,3/4,5,6 S', answer: null, fault: null, most: 5 };
const ANSWER = { turn: 'S', pits: [{ pit: 1, after: '1,0,4/5,5,6 N' }], exact: false };

function after(...actions) {
  let state = begin(PAGE);
  let effects = [];
  for (const action of actions) ({ state, effects } = reduce(state, action));
  return { state, effects };
}
const answered = (position = PAGE.position, answer = ANSWER) => ({ type: 'answered', question: `classic ${position}`, answer });

test('what is read is written again', () => {
  assert.equal(text(begin(PAGE)), PAGE.position);
  assert.equal(question(begin(PAGE)), 'classic 1,2,3/4,5,6 S');
  assert.equal(addressOf('classic', PAGE.position), '?rules=classic&position=1,2,3/4,5,6%20S');
});

test('a page whose answer is open asks at once, with what is known meanwhile', () => {
  const { state, effects } = after(answered(), { type: 'ask' });
  assert.deepEqual(effects, [{ do: 'ask', seconds: 2, wait: 0 }]);
  assert.equal(state.answer, ANSWER);
  assert.equal(state.asking, true);
});

test('a change is asked for after a moment, and the address follows without a step back', () => {
  const { state, effects } = after(answered(), { type: 'add', hole: 3, by: 1 });
  assert.equal(text(state), '1,2,3/5,5,6 S');
  assert.equal(state.answer, null);
  assert.equal(state.hole, 3);
  assert.deepEqual(effects, [{ do: 'address', push: false }, { do: 'ask', seconds: 2, wait: 350 }]);
});

test('what changes nothing asks nothing', () => {
  for (const action of [{ type: 'add', hole: 0, by: 0 }, { type: 'turn', turn: 'S' }, { type: 'rules', rules: 'classic' }]) {
    const { state, effects } = after(answered(), action);
    assert.deepEqual(effects, []);
    assert.equal(state.answer, ANSWER);
  }
});

test('a hole never holds less than nothing, nor what is no number', () => {
  assert.equal(text(after({ type: 'add', hole: 0, by: -5 }).state), '0,2,3/4,5,6 S');
  assert.equal(text(after({ type: 'count', hole: 0, n: NaN }).state), '0,2,3/4,5,6 S');
  assert.equal(text(after({ type: 'count', hole: 0, n: 9999 }).state), '162,2,3/4,5,6 S');
  assert.equal(text(after({ type: 'count', hole: 0, n: 2.9 }).state), '2,2,3/4,5,6 S');
});

test('the board is laid anew, emptied, and turned round with the side to move', () => {
  assert.equal(text(after({ type: 'board', do: 'start', stones: 4 }).state), '4,4,0/4,4,0 S');
  assert.equal(text(after({ type: 'board', do: 'clear' }).state), '0,0,0/0,0,0 S');
  const { state, effects } = after({ type: 'board', do: 'round' });
  assert.equal(text(state), '4,5,6/1,2,3 N');
  assert.deepEqual(effects[0], { do: 'address', push: true }); // back leads to the board that was there
});

test('a pit with a value is sown as the server says, which is a step back and asked for at once', () => {
  const { state, effects } = after(answered(), { type: 'sow', pit: 1 });
  assert.equal(text(state), '1,0,4/5,5,6 N');
  assert.deepEqual(effects, [{ do: 'address', push: true }, { do: 'ask', seconds: 2, wait: 0 }]);
  assert.deepEqual(after({ type: 'sow', pit: 1 }).effects, []);
  assert.deepEqual(after(answered(), { type: 'sow', pit: 0 }).effects, []);
});

test('the answer to an earlier question is none', () => {
  const { state, effects } = after({ type: 'turn', turn: 'N' }, answered());
  assert.equal(state.answer, null);
  assert.equal(state.asking, true);
  assert.deepEqual(effects, []);
  assert.equal(after({ type: 'turn', turn: 'N' }, { type: 'refused', question: 'classic x', fault: 'busy' }).state.fault, null);
});

test('an answer is told', () => {
  const { state, effects } = after({ type: 'longer' }, answered());
  assert.equal(state.answer, ANSWER);
  assert.equal(state.asking, false);
  assert.deepEqual(effects, [{ do: 'tell' }]);
});

test('longer is as long as may be, with what is known meanwhile', () => {
  const { state, effects } = after(answered(), { type: 'longer' });
  assert.equal(state.answer, ANSWER);
  assert.deepEqual(effects, [{ do: 'ask', seconds: 5, wait: 0 }]);
});

test('who is told to come back does so, who is refused for good does not', () => {
  const refused = (fault, retry) => after({ type: 'refused', question: question(begin(PAGE)), fault, retry });
  assert.deepEqual(refused('busy', 3).effects, [{ do: 'tell' }, { do: 'ask', seconds: 2, wait: 3000 }]);
  assert.deepEqual(refused('playing', 0).effects, [{ do: 'tell' }]);
  assert.equal(refused('playing', 0).state.fault, 'playing');
});

test('the way back leads to the position of the address', () => {
  const { state, effects } = after({ type: 'visit', rules: 'avalanche', position: '0,1,2/3,4,5 N' });
  assert.equal(question(state), 'avalanche 0,1,2/3,4,5 N');
  assert.deepEqual(effects, [{ do: 'ask', seconds: 2, wait: 0 }]);
});

const say = (key, values = {}) => `${key} ${Object.values(values).join(' ')}`.trim();
const exact = (n) => ({ low: n, high: n, guess: n });

test('a value has a sign, a bound says that it is one, a guess that it is none', () => {
  const values = [exact(4), exact(0), exact(-6), { low: 2, high: 9, guess: 3 }, { low: -9, high: -2, guess: -2 }, { low: -3, high: 5, guess: 1 }];
  assert.deepEqual(values.map(short), ['+4', '0', '−6', '≥ +2', '≤ −2', '≈ +1']);
});

test('a value in words names who wins, seen from who is to move', () => {
  assert.equal(worth(say, '', 'N', exact(3)), 'wins N 3');
  assert.equal(worth(say, 'best.', 'N', exact(-3)), 'best.wins S 3');
  assert.equal(worth(say, '', 'S', exact(0)), 'draw');
  assert.equal(worth(say, '', 'S', { low: 2, high: 8, guess: 5 }), 'least S 2');
  assert.equal(worth(say, '', 'S', { low: -2, high: 8, guess: 5 }), 'open −2 +8');
  assert.equal(worth(say, '', 'S', { low: -20, high: 20, guess: 5 }), 'about +5');
  assert.equal(told(say, 'S', { ...exact(4), extra_turn: true, captured: 0 }), 'wins S 4. extra');
  assert.equal(told(say, 'S', { ...exact(0), extra_turn: false, captured: 3 }), 'draw. capture 3');
});

test('a game that is over is told with its score, the greater first', () => {
  assert.equal(verdict(say, { outcome: { winner: 'N', score: [10, 14] } }), 'over.wins N 14 10');
  assert.equal(verdict(say, { outcome: { winner: null, score: [12, 12] } }), 'over.draw 12');
});
