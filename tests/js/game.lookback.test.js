/** Looking at an earlier ply: the board is that of then, the game goes on meanwhile, and one is back at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, missed, reduce, shown } from '../../static/js/game/lookback.js';
import { playable } from '../../static/js/game/state.js';

const START = {
  type: 'snapshot', room: 'abcdefgh', game: 1, version: 2, status: 'playing', ply: 0, ruleset: 'classic-3x2',
  stones: [2, 2, 2, 0, 2, 2, 2, 0], turn: 'S', legal: [[0, 2, false, 0], [1, 3, true, 0], [2, 4, false, 0]], last: null,
  seats: { S: { id: 'ann', name: 'Ann' }, N: { id: 'ben', name: 'Ben' } }, outcome: null, transcript: '', captures: [],
  offer: null, series: { S: 0, N: 0, draws: 0 },
};
const sown = (ply, pit, side, to, stones, turn) => ({
  type: 'sown', game: 1, version: 3 + ply, ply, pit, side, transfers: [['sow', pit, to]], stones, turn, legal: [],
  last: to.at(-1), extra_turn: turn === side, captured: 0, outcome: null,
});
// b into the store, a into c; then North: f into its store, e into g.
const SOWN = [
  sown(0, 1, 'S', [2, 3], [2, 0, 3, 1, 2, 2, 2, 0], 'S'),
  sown(1, 0, 'S', [1, 2], [0, 1, 4, 1, 2, 2, 2, 0], 'N'),
  sown(2, 5, 'N', [6, 7], [0, 1, 4, 1, 2, 0, 3, 1], 'N'),
  sown(3, 4, 'N', [5, 6], [0, 1, 4, 1, 0, 1, 4, 1], 'S'),
];
const WELCOME = { type: 'welcome', you: 'S', player: 'ann', snapshot: START };
const SETTLED = { type: 'settled' };
const recorded = (plies) => ({ type: 'recorded', record: { game: 1, start: START.stones, plies: SOWN.slice(0, plies) } });
const step = (to) => ({ type: 'step', to });

/** The state after `plies` plies and then all the actions, and the effects of the last one. */
function after(plies, ...actions) {
  let state = begin({ you: 'S', player: 'ann', snapshot: START });
  let effects = [];
  const before = SOWN.slice(0, plies).flatMap((message) => [message, SETTLED]);
  for (const action of [WELCOME, ...before, ...actions]) ({ state, effects } = reduce(state, action));
  return { state, effects, names: effects.map((effect) => effect.what ?? effect.do) };
}
const lookBack = [step('back'), recorded(3)]; // after three plies, at the second

test('the record is asked for once, and then shows the ply', () => {
  assert.deepEqual(after(3, step('back')).names, ['fetch']);
  assert.deepEqual(after(3, step('back'), step('back')).names, []);
  assert.equal(after(3, step('back')).state.at, null);
  const { state, names } = after(3, ...lookBack);
  assert.deepEqual([state.at, names], [2, ['show', 'stepped']]);
  assert.deepEqual(after(3, ...lookBack, step('first')).names, ['show', 'stepped']);
});

test('keys pressed while the record is on its way all count', () => {
  assert.equal(after(3, step('back'), step('back'), recorded(3)).state.at, 1);
});

test('the board of then is drawn: its stones, its last sowing, nothing to sow', () => {
  const { state } = after(3, ...lookBack);
  const past = shown(state);
  assert.deepEqual([past.stones, past.last.pit, past.ply, past.turn, past.legal], [SOWN[1].stones, 0, 2, null, []]);
  assert.deepEqual([state.stones, state.ply], [SOWN[2].stones, 3]);
  const start = shown(reduce(state, step('first')).state);
  assert.deepEqual([start.stones, start.last], [START.stones, null]);
});

test('sides were swapped: that ply shows the board and the last sowing of before', () => {
  const swap = { ...sown(2, 7, 'N', [], SOWN[1].stones, 'N'), transfers: [], last: 7 };
  const shape = { ...START, ply: 4, version: 6, transcript: 'bahf', last: SOWN[2], stones: SOWN[2].stones };
  const begun = begin({ you: 'S', player: 'ann', snapshot: shape });
  const record = { game: 1, start: START.stones, plies: [SOWN[0], SOWN[1], swap, SOWN[2]] };
  const back = reduce(reduce(begun, step(3)).state, { type: 'recorded', record }).state;
  const { ply, stones, last } = shown(back);
  assert.deepEqual([ply, stones, last.pit], [3, SOWN[1].stones, 0]);
  assert.equal(reduce(back, step('back')).state.at, 2);
});

test('nothing is sown from an earlier board, and it is said why', () => {
  const { state } = after(2, step('back'), recorded(2));
  assert.deepEqual(playable(shown(state)), []);
  const { effects } = reduce(state, { type: 'pick', pit: 1 });
  assert.deepEqual(effects, [{ do: 'tell', what: 'hint', why: 'lookback' }]);
});

test('one step on is sown from where the stones lay; any other place is shown at once', () => {
  const { state, effects } = after(3, ...lookBack, step('first'), step('next'));
  assert.deepEqual(effects[0], { do: 'sow', sown: SOWN[0], stones: START.stones });
  assert.equal(state.busy, true);
  assert.deepEqual(reduce(state, step(0)).effects.map((effect) => effect.do), ['show', 'tell']);
});

test('a new ply leaves the board alone, is told, and is counted', () => {
  const { state, names } = after(3, ...lookBack, SOWN[3]);
  assert.deepEqual([state.at, state.ply, state.busy, missed(state)], [2, 4, false, 1]);
  assert.deepEqual(shown(state).stones, SOWN[1].stones);
  assert.deepEqual(names, ['sown', 'turn']); // and heard, since it is Ann's turn now
});

test('one steps over new plies without asking again', () => {
  const { state, names } = after(3, ...lookBack, SOWN[3], step('next'), SETTLED, step('next'));
  assert.deepEqual([state.at, names], [null, ['sow', 'stepped']]);
  assert.deepEqual([shown(state).stones, missed(state)], [SOWN[3].stones, 0]);
});

test('back to the game is one step, whatever came; what was seen before is not heard again', () => {
  const { state, names } = after(3, ...lookBack, SOWN[3], step('last'));
  assert.deepEqual([state.at, names], [null, ['show', 'stepped']]);
  assert.deepEqual(after(4, step('back'), recorded(4), step('next'), SETTLED).names, []);
  assert.deepEqual(playable(after(2, step('back'), recorded(2), step('last')).state), SOWN[1].legal);
});

test('there is nothing before the start, beyond the game, or where one is', () => {
  for (const to of ['next', 'last', -1, 4, 3]) assert.deepEqual(after(3, step(to)).effects, []);
  assert.deepEqual(after(3, ...lookBack, step('first'), step('back')).effects, []);
  assert.deepEqual(after(0, step('first')).effects, []);
});

test('without an answer the board stays, and one may ask again', () => {
  const { state, effects } = after(3, step('back'), { type: 'recorded', record: null });
  assert.deepEqual([state.at, effects[0].why], [null, 'offline']);
  assert.deepEqual(reduce(state, step('back')).effects, [{ do: 'fetch' }]);
});

test('a ply that was missed is asked for when it is needed', () => {
  const late = { ...START, version: 6, ply: 4, stones: SOWN[3].stones, transcript: 'bafe', last: null };
  const { state } = after(1, step('first'), recorded(1), { ...WELCOME, snapshot: late });
  assert.deepEqual([state.at, missed(state)], [0, 3]);
  assert.equal(reduce(state, step(1)).state.at, 1);
  const asked = reduce(state, step(3));
  assert.deepEqual(asked.effects, [{ do: 'fetch' }]);
  assert.equal(reduce(asked.state, recorded(4)).state.at, 3);
});

test('a turn taken back takes its boards along; who looks at an earlier one stays', () => {
  const shorter = (plies) => ({ ...START, version: 9, ply: plies, stones: SOWN[plies - 1].stones, transcript: 'bafe'.slice(0, plies) });
  const { state } = after(4, step('back'), recorded(4), step(1), shorter(2));
  assert.deepEqual([state.at, state.record.plies.length, missed(state)], [1, 2, 0]);
  assert.equal(after(4, step('back'), recorded(4), shorter(2)).state.at, null);
});

test('another game begins on the board of now', () => {
  const { state, names } = after(3, ...lookBack, { ...START, game: 2, version: 0 });
  assert.deepEqual([state.at, state.record, names], [null, null, ['show', 'begun']]);
});

test('a page may begin at an earlier ply', () => {
  const snapshot = { ...START, version: 5, ply: 3, stones: SOWN[2].stones, transcript: 'baf' };
  const state = begin({ you: null, player: null, snapshot, at: 1, record: recorded(3).record });
  assert.deepEqual([state.at, missed(state), shown(state).stones], [1, 0, SOWN[0].stones]);
  assert.equal(reduce(state, { ...WELCOME, you: null, snapshot }).state.at, 1);
});
