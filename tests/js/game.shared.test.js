/** Two people on one device: one player holds both seats. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hint, holeLabel, resultTitle, resultReason, sowing, tabTitle, turned, turnWord } from '../../static/js/game/sentences.js';
import { begin, canOffer, handOf, isSeated, nearOf, playable, reduce } from '../../static/js/game/state.js';
import { phraseBook } from '../../static/js/lib/words.js';

const templates = ['_board_words', '_words']
  .map((name) => readFileSync(new URL(`../../templates/games/${name}.html`, import.meta.url), 'utf8'));
const phrase = /<data value="([^"]+)">(?:\{% translate "([^"]*)"[^}]*%\})?<\/data>/g;
const say = phraseBook([...templates.join('').matchAll(phrase)].map(([, key, text = '']) => [key, text]), 'en');

const ANN = { id: 'ann', name: 'Ann' };
const START = {
  type: 'snapshot', room: 'abcdefgh', game: 1, version: 1, status: 'playing', ply: 0, ruleset: 'classic-3x2',
  stones: [2, 2, 2, 0, 2, 2, 2, 0], turn: 'S', legal: [[0, 2, false, 0], [1, 3, true, 0], [2, 4, false, 0]], last: null,
  seats: { S: ANN, N: ANN }, outcome: null, transcript: '', captures: [], offer: null, series: { S: 0, N: 0, draws: 0 },
};
// Sun sows a into b and c; it is Moon's turn.
const SOWN = {
  type: 'sown', game: 1, version: 2, ply: 0, pit: 0, side: 'S', transfers: [['sow', 0, [1, 2]]],
  stones: [0, 3, 3, 0, 2, 2, 2, 0], turn: 'N', legal: [[4, 6, false, 0], [5, 7, true, 0], [6, 0, false, 0]],
  last: 2, extra_turn: false, captured: 0, outcome: null, offer: null,
};
const SETTLED = { type: 'settled' };
const FOLLOW = { type: 'follow', on: true };
const ENDED = { type: 'ended', game: 1, version: 2, outcome: { winner: 'N', score: [0, 0], ending: 'resigned' } };

/** The state of `player` after all the actions, and the effects of the last one. */
function after(player, ...actions) {
  const welcome = { type: 'welcome', you: null, player, snapshot: START };
  let state = begin({ ...welcome, sides: { S: 'Sun', N: 'Moon' } });
  let effects = [];
  for (const action of [welcome, ...actions]) ({ state, effects } = reduce(state, action));
  return { state, effects };
}
const sent = ({ effects }) => effects.filter((effect) => effect.do === 'send').map((effect) => effect.message);

test('who holds both seats sows for the side to move, wherever its row is', () => {
  assert.deepEqual(sent(after('ann', { type: 'pick', pit: 1 })), [{ type: 'play', game: 1, ply: 0, pit: 1 }]);
  assert.deepEqual(sent(after('ann', SOWN, SETTLED, { type: 'pick', pit: 5 })), [{ type: 'play', game: 1, ply: 1, pit: 5 }]);
  const { state } = after('ann', SOWN, SETTLED);
  assert.deepEqual([state.you, handOf(state), playable(state)], [null, 'N', SOWN.legal]);
});

test('a pit of the other side is refused with whose turn it is', () => {
  const { state, effects } = after('ann', { type: 'pick', pit: 5 });
  assert.deepEqual(effects, [{ do: 'tell', what: 'hint', why: 'theirs', pit: 5 }]);
  assert.equal(hint(say, state, 'theirs', 5), 'Sun’s turn.');
});

test('anybody else watches, and sees the same names', () => {
  for (const player of ['ben', null]) {
    const { state, effects } = after(player, { type: 'pick', pit: 1 });
    assert.deepEqual(effects, [{ do: 'tell', what: 'hint', why: 'watching', pit: 1 }]);
    assert.deepEqual([isSeated(state), handOf(state), playable(state)], [false, null, []]);
    assert.equal(tabTitle(say, state), 'Sun against Moon · Mancala');
  }
});

test('a turn can be taken back as soon as anybody has sown, a draw had at any time, another game after the end', () => {
  const can = ({ state }) => ['takeback', 'draw', 'rematch'].map((kind) => canOffer(state, kind));
  assert.deepEqual(can(after('ann')), [false, true, false]);
  assert.deepEqual(can(after('ann', SOWN)), [true, true, false]);
  assert.deepEqual(can(after('ann', ENDED)), [false, false, true]);
  assert.deepEqual(can(after('ben', SOWN)), [false, false, false]);
  assert.deepEqual(sent(after('ann', { type: 'resign' })), [{ type: 'resign', game: 1 }]);
});

test('the second seat of the same player begins the game on one device, the own seat of another does not', () => {
  const open = { ...START, version: 0, status: 'open', turn: null, legal: [], seats: { S: ANN, N: null } };
  const seated = { type: 'seated', game: 1, version: 1, side: 'N', status: 'playing', turn: 'S', legal: START.legal };
  const sat = (player) => reduce(begin({ you: 'S', player: 'ann', snapshot: open }), { ...seated, player }).state;
  assert.deepEqual([sat(ANN).you, handOf(sat(ANN))], [null, 'S']);
  assert.deepEqual([sat({ id: 'ben', name: 'Ben' }).you, handOf(sat({ id: 'ben', name: 'Ben' }))], ['S', 'S']);
  const { state } = reduce(begin({ you: 'S', player: 'ann', snapshot: open }), START); // the message was lost
  assert.deepEqual([state.you, handOf(state)], [null, 'S']);
});

test('the board stays as it is, or turns with the turn once its stones rest', () => {
  assert.equal(nearOf(after('ann', SOWN, SETTLED).state), 'S');
  assert.equal(nearOf(after('ann', FOLLOW, SOWN).state), 'S');
  assert.equal(nearOf(after('ann', FOLLOW, SOWN, SETTLED).state), 'N');
  assert.equal(nearOf(after('ann', SOWN, SETTLED, FOLLOW).state), 'N');
  assert.equal(nearOf(after('ann', SOWN, SETTLED, FOLLOW, { type: 'follow', on: false }).state), 'S');
  const over = { ...ENDED, version: 3 };
  assert.equal(nearOf(after('ann', FOLLOW, SOWN, SETTLED, over, SETTLED).state), 'N');
  assert.equal(nearOf(after('ben', FOLLOW, SOWN, SETTLED).state), 'S');
  assert.equal(nearOf(after('ben', { type: 'flip' }, SOWN, SETTLED).state), 'N');
});

test('no turn is called and nobody has lost', () => {
  assert.deepEqual(after('ann', SOWN, SETTLED).effects, []);
  assert.deepEqual(after('ann', ENDED).effects.at(-1), { do: 'hear', what: 'won' });
});

test('everything is told of Sun and Moon', () => {
  const { state } = after('ann', SOWN, SETTLED);
  assert.equal(
    sowing(say, state, SOWN),
    'Sun sowed 2 stones from pit a. The last one falls in pit c. Sun has 0, Moon has 0. Moon’s turn.',
  );
  assert.equal(tabTitle(say, state), 'Sun against Moon · Mancala');
  assert.equal(turnWord(say, state, 'N'), 'To move');
  assert.equal(turnWord(say, { ...state, pending: { slow: true } }, 'N'), 'Sending…');
  assert.equal(holeLabel(say, state, 1), 'Sun’s pit b, 3 stones');
  assert.equal(holeLabel(say, state, 4), 'Pit e, 2 stones, ends in pit g');
  assert.equal(turned(say, state, 'begun'), 'A new game. Sun begins.');
  const over = after('ann', ENDED).state;
  assert.equal(resultTitle(say, over), 'Moon won');
  assert.equal(resultReason(say, over), 'Sun resigned.');
});
