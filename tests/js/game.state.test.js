/** The reducer: messages and intents in, state and effects out. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { read } from '../../static/js/game/messages.js';
import { adviceOf, begin, canAsk, canOffer, canSwap, nearOf, playable, reduce, seatedAt, standing, turnsOf } from '../../static/js/game/state.js';

const ANN = { id: 'ann', name: 'Ann' };
const BEN = { id: 'ben', name: 'Ben' };
const START = {
  type: 'snapshot', room: 'abcdefgh', game: 1, version: 2, status: 'playing', ply: 0, ruleset: 'classic-3x2',
  stones: [2, 2, 2, 0, 2, 2, 2, 0], turn: 'S', legal: [[0, 2, false, 0], [1, 3, true, 0], [2, 4, false, 0]], last: null,
  seats: { S: ANN, N: BEN }, outcome: null, transcript: '', captures: [], offer: null,
  series: { S: 0, N: 0, draws: 0 },
};
// Ann sows b into c and her store, and moves again.
const FIRST = {
  type: 'sown', game: 1, version: 3, ply: 0, pit: 1, side: 'S', transfers: [['sow', 1, [2, 3]]],
  stones: [2, 0, 3, 1, 2, 2, 2, 0], turn: 'S', legal: [[0, 2, false, 0], [2, 5, false, 0]],
  last: 3, extra_turn: true, captured: 0, outcome: null, offer: null,
};
// Then a, into b and c; it is Ben's turn.
const SECOND = {
  type: 'sown', game: 1, version: 4, ply: 1, pit: 0, side: 'S', transfers: [['sow', 0, [1, 2]]],
  stones: [0, 1, 4, 1, 2, 2, 2, 0], turn: 'N', legal: [[4, 6, false, 0], [5, 7, true, 0], [6, 0, false, 0]],
  last: 2, extra_turn: false, captured: 0, outcome: null, offer: null,
};
const WELCOME = { type: 'welcome', you: 'S', player: 'ann', snapshot: START };

/** The state after all the actions, and the effects of the last one. */
function after(...actions) {
  let state = begin({ you: 'S', player: 'ann', snapshot: START });
  let effects = [];
  for (const action of [WELCOME, ...actions]) ({ state, effects } = reduce(state, action));
  return { state, effects };
}
const sent = (effects) => effects.filter((effect) => effect.do === 'send').map((effect) => effect.message);
const told = (effects) => effects.filter((effect) => effect.do === 'tell').map(({ what, why, code }) => why ?? code ?? what);
const PICK = { type: 'pick', pit: 1 };
const SETTLED = { type: 'settled' };

test('recorded conversations end in the state that the server has', () => {
  const folder = new URL('conversations/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const { page, messages, sent: asked, you, snapshot } = JSON.parse(readFileSync(new URL(name, folder)));
    let state = begin(page);
    const replies = [];
    for (const message of messages) {
      const next = reduce(state, read(JSON.stringify(message)));
      state = next.state;
      replies.push(...sent(next.effects));
    }
    const { type, ...expected } = snapshot;
    const held = Object.fromEntries(Object.keys(expected).map((field) => [field, state[field]]));
    assert.deepEqual(held, expected, name);
    assert.equal(state.you, you, name);
    assert.deepEqual(replies, asked, name);
  }
});

test('a page is not online before the welcome, and offers nothing until then', () => {
  const state = begin({ you: 'S', player: 'ann', snapshot: START });
  assert.equal(state.link, 'connecting');
  assert.deepEqual(playable(state), []);
  assert.deepEqual(playable(reduce(state, WELCOME).state), START.legal);
});

test('a sowing is shown and said once, and the board is busy until it has settled', () => {
  const { state, effects } = after(FIRST);
  assert.deepEqual(effects.map((effect) => effect.do), ['sow', 'tell']);
  assert.deepEqual(effects[0].stones, START.stones);
  assert.deepEqual([state.busy, playable(state)], [true, []]);
  assert.deepEqual(playable(reduce(state, SETTLED).state), FIRST.legal);
});

test('a message that came before changes nothing', () => {
  const once = after(FIRST);
  const twice = reduce(once.state, FIRST);
  assert.equal(twice.state, once.state);
  assert.deepEqual(twice.effects, []);
});

test('a gap asks for the state once, however much more comes', () => {
  const gap = after(SECOND);
  assert.deepEqual(sent(gap.effects), [{ type: 'sync' }]);
  assert.deepEqual(gap.state.stones, START.stones);
  const more = reduce(gap.state, { ...SECOND, version: 5 });
  assert.deepEqual(sent(more.effects), []);
});

test('after the answer to a sync another gap asks again', () => {
  const { effects } = after(SECOND, WELCOME, { ...SECOND, version: 9 });
  assert.deepEqual(sent(effects), [{ type: 'sync' }]);
});

test('a message of the next game is a gap, one of the last game is old', () => {
  assert.deepEqual(sent(after({ ...FIRST, game: 2, version: 1 }).effects), [{ type: 'sync' }]);
  assert.deepEqual(after({ ...FIRST, game: 0, version: 99 }).effects, []);
});

test('an older snapshot is ignored, an equal one only shows the board again', () => {
  const now = after(FIRST, SETTLED).state;
  assert.equal(reduce(now, START).state.version, 3);
  assert.deepEqual(after(START).effects, [{ do: 'show' }]);
});

test('a pick is sent once: the second tap and the tap at moving stones do nothing', () => {
  const first = after(PICK);
  assert.deepEqual(sent(first.effects), [{ type: 'play', game: 1, ply: 0, pit: 1 }]);
  assert.deepEqual(playable(first.state), []);
  assert.deepEqual(reduce(first.state, PICK), { state: first.state, effects: [] });
  const moving = reduce(first.state, FIRST).state;
  assert.deepEqual(reduce(moving, { type: 'pick', pit: 0 }), { state: moving, effects: [] });
});

test('a pick out of turn is dropped at once with a cue, and not made when the turn comes', () => { // B28
  const theirs = after(FIRST, SETTLED, SECOND, SETTLED).state;
  const early = reduce(theirs, { type: 'pick', pit: 1 });
  assert.deepEqual([sent(early.effects), told(early.effects), early.state.pending], [[], ['turn'], null]);
  const mine = reduce(early.state, { type: 'snapshot', ...START, version: 9 });
  assert.deepEqual([sent(mine.effects), mine.state.pending], [[], null]);
});

test('the echo ends the waiting', () => {
  assert.equal(after(PICK, FIRST).state.pending, null);
});

test('a refusal puts the stones down and says why', () => {
  const { state, effects } = after(PICK, { type: 'refused', re: 'play', code: 'illegal_pit' });
  assert.equal(state.pending, null);
  assert.deepEqual(told(effects), ['illegal_pit']);
});

test('a stale ply is put right quietly by the snapshot that follows', () => {
  const { state, effects } = after(PICK, { type: 'refused', re: 'play', code: 'stale_ply' });
  assert.deepEqual([state.pending, effects], [null, []]);
});

test('a message refused unread may have been the play: its stones are put down', () => {
  const { state, effects } = after(PICK, { type: 'refused', re: '', code: 'too_fast' });
  assert.equal(state.pending, null);
  assert.deepEqual(told(effects), ['too_fast']);
});

test('a play that the server does not have is sent again after a reconnect', () => {
  const { state, effects } = after(PICK, { type: 'offline', code: 1006, final: false }, WELCOME);
  assert.deepEqual(sent(effects), [{ type: 'play', game: 1, ply: 0, pit: 1 }]);
  assert.deepEqual(told(effects), ['reconnected']);
  assert.equal(state.pending.pit, 1);
});

test('a play that the server has is not sent again, and no second one is possible meanwhile', () => {
  const lost = after(PICK, { type: 'offline', code: 1006, final: false });
  assert.deepEqual(sent(reduce(lost.state, { type: 'pick', pit: 0 }).effects), []);
  const { type, transfers, pit, side, last, extra_turn, captured, ...position } = FIRST;
  const snapshot = {
    ...START, ...position, ply: 1, transcript: 'b', last: { ply: 0, pit, side, last, extra_turn, captured },
  };
  const back = reduce(lost.state, { ...WELCOME, snapshot });
  assert.deepEqual(sent(back.effects), []);
  assert.equal(back.state.pending, null);
  assert.deepEqual(back.state.stones, FIRST.stones);
});

test('why a pit cannot be picked is said', () => {
  const why = (state, pit) => told(reduce(state, { type: 'pick', pit }).effects)[0];
  const mine = after().state;
  assert.equal(why(mine, 5), 'theirs');
  assert.equal(why(after(FIRST, SETTLED).state, 1), 'empty');
  assert.equal(why(after(FIRST, SETTLED, SECOND, SETTLED).state, 2), 'turn');
  assert.equal(why({ ...mine, you: null }, 1), 'watching');
  assert.equal(why({ ...mine, status: 'open', turn: null }, 1), 'open');
  assert.equal(why({ ...mine, status: 'over', turn: null }, 1), 'over');
  assert.equal(why({ ...mine, link: 'offline' }, 1), 'offline');
});

test('whoever sits down in another tab sits here too, and stands up again', () => {
  const open = { ...START, status: 'open', turn: null, legal: [], seats: { S: BEN, N: null } };
  let state = begin({ you: null, player: 'ann', snapshot: open });
  const { status, turn, legal } = START;
  ({ state } = reduce(state, { type: 'seated', game: 1, version: 3, side: 'N', player: ANN, status, turn, legal }));
  assert.deepEqual([state.you, state.seats.N, state.status], ['N', ANN, 'playing']);
  ({ state } = reduce(state, { type: 'seated', game: 1, version: 4, side: 'N', player: null, status: 'open', turn: null, legal: [] }));
  assert.deepEqual([state.you, state.seats.N, state.status], [null, null, 'open']);
});

test('a resignation ends the game and with it everything that was pending', () => {
  const outcome = { winner: 'N', score: [0, 0], ending: 'resigned' };
  const { state, effects } = after(PICK, { type: 'ended', game: 1, version: 3, outcome });
  assert.deepEqual([state.status, state.turn, state.legal, state.pending], ['over', null, [], null]);
  assert.deepEqual(told(effects), ['ended']);
});

test('what was to change the game and was lost with the line is sent again over the next, and only then', () => {
  const lost = [{ type: 'offline', code: 1006, final: false }, WELCOME];
  const offered = { type: 'offered', game: 1, version: 3, offer: { id: 3, kind: 'draw', side: 'S' }, declined: false };
  const back = { ...WELCOME, snapshot: { ...START, version: 3, offer: offered.offer } };
  const RESIGN = { type: 'resign' };
  const DRAW = { type: 'offer', kind: 'draw' };
  assert.deepEqual(sent(after(RESIGN, ...lost).effects), [{ type: 'resign', game: 1 }]);
  assert.deepEqual(sent(after(DRAW, ...lost).effects), [{ type: 'offer', game: 1, kind: 'draw', ply: 0 }]);
  assert.deepEqual(sent(after(RESIGN, ...lost, ...lost).effects), [{ type: 'resign', game: 1 }]);
  assert.deepEqual(sent(after(RESIGN, WELCOME).effects), []); // asked for over the same line
  assert.deepEqual(sent(after(DRAW, lost[0], back).effects), []); // it has come
  assert.deepEqual(sent(after(DRAW, offered, lost[0], back).effects), []);
  assert.deepEqual(sent(after(DRAW, { type: 'refused', re: 'offer', code: 'offer_open' }, ...lost).effects), []);
  assert.deepEqual(sent(after(DRAW, { type: 'refused', re: '', code: 'too_fast' }, ...lost).effects), []);
  assert.deepEqual(sent(after({ type: 'react', kind: 'hello' }, ...lost).effects), []);
});

test('only a player of a game being played can resign', () => {
  assert.deepEqual(sent(after({ type: 'resign' }).effects), [{ type: 'resign', game: 1 }]);
  assert.deepEqual(reduce({ ...after().state, you: null }, { type: 'resign' }).effects, []);
  assert.deepEqual(reduce({ ...after().state, status: 'over' }, { type: 'resign' }).effects, []);
});

test('a new name is known at once, whatever the version', () => {
  const { state } = after({ type: 'renamed', player: { id: 'ben', name: 'Benjamin' } });
  assert.deepEqual([state.seats.N.name, state.seats.S.name], ['Benjamin', 'Ann']);
});

test('an absence is told after a while, a return at once, a reload never', () => {
  const away = { type: 'presence', south: 1, north: 0, spectators: 3 };
  const here = { ...away, north: 1 };
  const gone = { type: 'gone', side: 'N' };
  assert.deepEqual(told(after(here, away).effects), []);
  assert.deepEqual(told(after(here, away, gone).effects), ['gone']);
  assert.deepEqual(told(after(here, away, gone, gone).effects), []);
  assert.deepEqual(told(after(here, away, gone, here).effects), ['back']);
  assert.deepEqual(told(after(here, away, here, gone).effects), []);
  assert.deepEqual(after(away).effects.find(({ side }) => side === 'N'), { do: 'watch', side: 'N', missing: true });
});

test('nobody is called here before they were seen', () => {
  const attendance = (...actions) => after(...actions).state.attendance.N;
  const away = { type: 'presence', south: 1, north: 0, spectators: 0 };
  assert.equal(attendance(away), 'unknown');
  assert.equal(attendance({ ...away, north: 1 }, away), 'here');
  assert.equal(attendance(away, { type: 'gone', side: 'N' }), 'gone');
});

test('the transcript in turns: two plies in a row are an extra turn, captures are what was told', () => {
  const { state } = after(FIRST, SECOND, {
    type: 'sown', game: 1, version: 5, ply: 2, pit: 5, side: 'N', transfers: [['sow', 5, [6, 7]], ['capture', 1, [7]]],
    stones: [0, 0, 4, 1, 2, 0, 3, 2], turn: 'S', legal: [], last: 7, extra_turn: false, captured: 1, outcome: null,
  });
  assert.equal(state.transcript, 'baf');
  assert.deepEqual(turnsOf(state), [
    { side: 'S', plies: [{ ply: 0, pit: 1, isSwap: false, extra: true, captured: 0 }, { ply: 1, pit: 0, isSwap: false, extra: false, captured: 0 }] },
    { side: 'N', plies: [{ ply: 2, pit: 5, isSwap: false, extra: false, captured: 1 }] },
  ]);
});

test('whoever comes late is told of every capture', () => {
  const shape = { ...START, ply: 3, transcript: 'baf', captures: [[0, 2], [2, 1]] };
  const plies = turnsOf(begin({ you: null, player: null, snapshot: shape })).flatMap((turn) => turn.plies);
  assert.deepEqual(plies.map(({ captured }) => captured), [2, 0, 1]);
});

test('an extra turn that was not taken yet is marked too', () => {
  assert.equal(turnsOf(after(FIRST).state)[0].plies[0].extra, true);
});

test('whoever watches turns the board round; players have their own row below', () => {
  const watching = begin({ you: null, player: null, snapshot: START });
  const turned = reduce(watching, { type: 'flip' }).state;
  assert.deepEqual([watching, turned, reduce(turned, { type: 'flip' }).state].map(nearOf), ['S', 'N', 'S']);
  assert.equal(nearOf(reduce(turned, { ...WELCOME, you: 'S', player: 'ann' }).state), 'S');
  const north = begin({ you: 'N', player: 'ben', snapshot: START });
  assert.equal(nearOf(reduce(north, { type: 'flip' }).state), 'N');
});

test('the own turn is heard once the picture has settled; a reload and the own extra turn are silent', () => {
  const heard = ({ effects }) => effects.filter((effect) => effect.do === 'hear').map(({ what }) => what);
  const begun = begin({ you: 'N', player: 'ben', snapshot: START });
  const seenByBen = (...actions) => {
    let state = begun;
    let effects = [];
    for (const action of [{ ...WELCOME, you: 'N', player: 'ben' }, ...actions]) ({ state, effects } = reduce(state, action));
    return { state, effects };
  };
  assert.deepEqual(heard(seenByBen(SETTLED)), []);
  assert.deepEqual(heard(seenByBen(FIRST, SETTLED)), []);
  assert.deepEqual(heard(seenByBen(FIRST, SETTLED, SECOND)), []);
  assert.deepEqual(heard(seenByBen(FIRST, SETTLED, SECOND, SETTLED)), ['turn']);
  assert.deepEqual(heard(seenByBen(FIRST, SETTLED, SECOND, SETTLED, SETTLED)), []);
  assert.deepEqual(heard(after(FIRST, SETTLED)), []);
});

test('the end is heard as what it is for the one who hears it', () => {
  const heard = (you, winner) => {
    const begun = begin({ you, player: null, snapshot: START });
    const ended = { type: 'ended', game: 1, version: 3, outcome: { winner, score: [3, 2], ending: 'resigned' } };
    return reduce(begun, ended).effects.filter((effect) => effect.do === 'hear').map(({ what }) => what);
  };
  assert.deepEqual([heard('S', 'S'), heard('N', 'S'), heard(null, 'S'), heard('N', null)], [['won'], ['lost'], ['won'], ['won']]);
});

const OFFERED = { type: 'offered', game: 1, version: 3, offer: { id: 3, kind: 'draw', side: 'N' }, declined: false };
const ENDED = { type: 'ended', game: 1, version: 3, outcome: { winner: 'S', score: [0, 0], ending: 'resigned' } };

test('an offer is answered once, by whom it is made to, and is gone with the next sowing', () => {
  const { state, effects } = after(OFFERED);
  assert.deepEqual(told(effects), ['offered']);
  assert.deepEqual(sent(reduce(state, { type: 'answer', accept: true }).effects), [
    { type: 'answer', game: 1, offer: 3, accept: true },
  ]);
  assert.deepEqual(sent(after({ type: 'answer', accept: true }).effects), []);
  assert.equal(after(OFFERED, { ...FIRST, version: 4 }).state.offer, null);
  assert.deepEqual(after(OFFERED, { ...FIRST, version: 4, offer: OFFERED.offer }).state.offer, OFFERED.offer);
  assert.deepEqual(told(after(OFFERED, { ...OFFERED, version: 4, offer: null, declined: true }).effects), ['declined']);
  assert.deepEqual(told(after(OFFERED, { ...OFFERED, version: 4, offer: null }).effects), ['withdrawn']);
});

test('what somebody says is heard and changes nothing; whoever is here may say something', () => {
  const { state, effects } = after({ type: 'reacted', side: 'N', kind: 'well' });
  assert.deepEqual(effects, [{ do: 'tell', what: 'reacted', side: 'N', kind: 'well' }]);
  assert.deepEqual(state, after().state);
  const watching = reduce(begin({ you: null, player: null, snapshot: START }), { ...WELCOME, you: null }).state;
  for (const before of [state, watching]) {
    assert.deepEqual(sent(reduce(before, { type: 'react', kind: 'hello' }).effects), [{ type: 'react', kind: 'hello' }]);
  }
  assert.deepEqual(sent(after({ type: 'offline', code: 1006, final: false }, { type: 'react', kind: 'hello' }).effects), []);
});

test('a second tap on what was done already is refused in silence', () => {
  assert.deepEqual(after({ type: 'refused', re: 'offer', code: 'stale_ply' }).effects, []);
  assert.deepEqual(told(after({ type: 'refused', re: 'offer', code: 'offer_open' }).effects), ['offer_open']);
});

test('without a line it is said of which message there is none', () => {
  const { effects } = after({ type: 'offline', code: 1006, final: false }, { type: 'say', text: 'Hi' });
  assert.deepEqual(effects, [{ do: 'tell', what: 'hint', why: 'offline', re: 'say' }]);
});

test('only what can be had is offered', () => {
  const can = (...actions) => ['draw', 'takeback', 'rematch'].filter((kind) => canOffer(after(...actions).state, kind));
  assert.deepEqual(can(), ['draw']);
  assert.deepEqual(can(FIRST), ['draw', 'takeback']);
  assert.deepEqual(can(OFFERED), ['draw']); // the same from both is agreed
  assert.deepEqual(can({ ...OFFERED, offer: { id: 3, kind: 'draw', side: 'S' } }), []);
  assert.deepEqual(can(ENDED), ['rematch']);
  const watching = begin({ you: null, player: null, snapshot: START });
  assert.equal(canOffer(watching, 'draw'), false);
  assert.deepEqual(sent(after({ type: 'offer', kind: 'draw' }).effects), [{ type: 'offer', game: 1, kind: 'draw', ply: 0 }]);
  assert.deepEqual(sent(after({ type: 'offer', kind: 'rematch' }).effects), []);
});

test('in another game of the room whoever plays sits on the other side; whoever watches goes on watching', () => {
  const another = { ...START, game: 2, version: 0, seats: { S: BEN, N: ANN }, series: { S: 0, N: 1, draws: 0 } };
  const { state, effects } = after(ENDED, another);
  assert.equal(state.you, 'N');
  assert.deepEqual(told(effects), ['begun']);
  assert.deepEqual(standing(state), { S: 0, N: 1, draws: 0 });
  assert.equal(reduce(begin({ you: null, player: null, snapshot: START }), another).state.you, null);
});

// By the pie rule Ben takes Ann's side after her first turn: the letter is that of his store, h.
const MAY = { ...SECOND, may_swap: true };
const SWAPPED = {
  ...START, version: 5, ply: 3, stones: SECOND.stones, turn: 'N', legal: SECOND.legal, transcript: 'bah',
  last: { ply: 1, pit: 0, side: 'S', last: 2, extra_turn: false, captured: 0 }, seats: { S: BEN, N: ANN }, may_swap: false,
};

test('only who is to move may take the other side, once it has been said', () => {
  const north = { ...WELCOME, you: 'N', player: 'ben' };
  const seenByBen = (...actions) => actions.reduce((state, action) => reduce(state, action).state, after(north).state);
  assert.equal(Boolean(canSwap(seenByBen(FIRST, SECOND))), false);
  assert.equal(canSwap(after(FIRST, MAY).state), false);
  assert.equal(canSwap(seenByBen(FIRST, MAY)), true);
  assert.equal(canSwap(seenByBen(FIRST, MAY, { ...ENDED, version: 5 })), false);
  assert.deepEqual(sent(reduce(seenByBen(FIRST, MAY), { type: 'swap' }).effects), [{ type: 'swap', game: 1, ply: 2 }]);
  assert.deepEqual(after(FIRST, MAY, { type: 'swap' }).effects, []);
  // A second tap is stale, and put right quietly.
  assert.deepEqual(after(FIRST, MAY, { type: 'refused', re: 'swap', code: 'stale_ply' }).effects, []);
});

test('when sides are swapped everybody finds the own seat, and who is to move hears it', () => {
  const { state, effects } = after(FIRST, MAY, SETTLED, SWAPPED);
  assert.deepEqual([state.you, state.turn, canSwap(state)], ['N', 'N', false]);
  assert.deepEqual(effects.map(({ what, ...effect }) => what ?? effect.do), ['show', 'swapped', 'turn']);
  const watching = reduce(begin({ you: null, player: null, snapshot: START }), SWAPPED);
  assert.deepEqual([watching.state.you, told(watching.effects)], [null, ['swapped']]);
  assert.deepEqual(told(reduce(state, SWAPPED).effects), []); // once
});

test('a swap is a move of whoever made it, brings no extra turn, and what came before stays whose it was', () => {
  const { state } = after(FIRST, MAY, SETTLED, SWAPPED, { ...FIRST, version: 6, ply: 3, pit: 4, side: 'N' });
  assert.deepEqual(turnsOf(state).map(({ side, plies }) => [side, plies.map(({ isSwap, extra }) => [isSwap, extra])]), [
    ['S', [[false, true], [false, false]]],
    ['N', [[true, false], [false, true]]],
  ]);
  const seen = [1, 2, 3].map((ply) => seatedAt(state, ply)).map(({ you, seats }) => [you, seats.N.name]);
  assert.deepEqual(seen, [['S', 'Ben'], ['S', 'Ben'], ['N', 'Ann']]);
});

test('what was sown before a swap cannot be taken back', () => {
  const swapped = after(FIRST, MAY, SETTLED, SWAPPED).state;
  assert.equal(canOffer(swapped, 'takeback'), false);
  assert.equal(canOffer(reduce(swapped, { ...FIRST, version: 6, ply: 3, pit: 4, side: 'N' }).state, 'takeback'), true);
});

test('a turn taken back takes its captures with it', () => {
  const { state } = after({ ...FIRST, captured: 2 });
  assert.deepEqual(state.captures, [[0, 2]]);
  const back = reduce(state, { ...START, version: 4 });
  assert.deepEqual([back.state.captures, back.state.transcript], [[], '']);
  assert.deepEqual(told(back.effects), ['back_again']);
});

test('whoever was away is told what was played, who sat down and what is asked, but nothing twice', () => {
  const heard = ({ effects }) => effects.map(({ what, do: done, since }) => (since === undefined ? what ?? done : [what, since]));
  const met = { ...WELCOME, snapshot: { ...START, version: 4, ply: 2, stones: SECOND.stones, turn: 'N', legal: SECOND.legal, transcript: 'ba' } };
  const lost = { type: 'offline', code: 1006, final: false };
  assert.deepEqual(heard(after(FIRST, lost, met)), ['show', 'reconnected', ['caught_up', 1]]);
  assert.deepEqual(heard(after(FIRST, SECOND, lost, met)), ['show', 'reconnected']);
  const ben = { ...met, you: 'N', player: 'ben' };
  assert.deepEqual(heard(after(lost, ben)), ['show', 'reconnected', ['caught_up', 0], 'turn']);
  const asked = { ...START, offer: { id: 7, kind: 'draw', side: 'N' }, version: 3 };
  assert.deepEqual(heard(after(lost, { ...WELCOME, snapshot: asked })), ['show', 'reconnected', 'offered']);
  assert.deepEqual(heard(after(asked, lost, { ...WELCOME, snapshot: { ...asked, version: 4 } })), ['show', 'reconnected']);
  const over = { ...START, version: 3, status: 'over', turn: null, legal: [], outcome: { winner: 'S', score: [0, 0], ending: 'resigned' } };
  assert.deepEqual(heard(after(lost, { ...WELCOME, snapshot: over })), ['show', 'reconnected', ['caught_up', 0], 'won']);
  // Two things while somebody was away: both are said, and the end whatever came before it.
  const news = (effects) => effects.filter(({ do: done }) => done === 'tell').map(({ what, since, first }) => [what, since, first]);
  const back = (shape) => news(after(FIRST, SECOND, { ...WELCOME, snapshot: { ...START, version: 9, ...shape } }).effects);
  assert.deepEqual(back({ ply: 2, transcript: 'bc', turn: 'N' }), [['caught_up', 1, 'back_again']]);
  assert.deepEqual(back({ ply: 1, transcript: 'b' }), [['back_again', undefined, undefined]]);
  assert.deepEqual(back({ game: 2, ply: 1, transcript: 'b' }), [['caught_up', 0, 'begun']]);
  assert.deepEqual(back({ ...SWAPPED, version: 9 }), [['swapped', undefined, undefined]]);
  const ended = { status: 'over', turn: null, legal: [], outcome: over.outcome };
  assert.deepEqual(back({ ...SWAPPED, version: 9, ...ended }), [['caught_up', 2, null]]);
  assert.deepEqual(back({ game: 2, ...ended }), [['caught_up', 0, 'begun']]);
  const open = { ...START, version: 1, status: 'open', turn: null, legal: [], seats: { S: ANN, N: null } };
  const waiting = begin({ you: 'S', player: 'ann', snapshot: open });
  const { effects } = reduce(waiting, WELCOME);
  assert.deepEqual(effects.filter(({ do: done }) => done === 'tell'), [{ do: 'tell', what: 'seated', side: 'N' }]);
});

test('the standing of a series counts the game that is over', () => {
  assert.deepEqual(standing(after(ENDED).state), { S: 1, N: 0, draws: 0 });
  const drawn = { ...ENDED, outcome: { ...ENDED.outcome, winner: null } };
  assert.deepEqual(standing(after(drawn).state), { S: 0, N: 0, draws: 1 });
  const abandoned = { ...drawn, outcome: { ...drawn.outcome, ending: 'abandoned' } };
  assert.deepEqual(standing(after(abandoned).state), { S: 0, N: 0, draws: 0 });
});

test('what nobody knows changes nothing', () => {
  const { state } = after();
  for (const type of ['tomorrow', 'toString', '__proto__']) assert.equal(reduce(state, { type }).state, state);
});

test('a state is replaced, never edited', () => {
  const frozen = (value) => {
    Object.values(value).forEach((part) => { if (typeof part === 'object' && part) frozen(part); });
    return Object.freeze(value);
  };
  let state = frozen(structuredClone(after().state));
  const presence = { type: 'presence', south: 1, north: 1, spectators: 0 };
  for (const action of [PICK, { type: 'slow' }, presence, FIRST, SETTLED, SECOND, SETTLED]) {
    state = frozen(reduce(state, action).state);
  }
  assert.equal(state.transcript, 'ba');
});

test('of two messages about what the players write the one with the greater version is true', () => {
  const line = { id: 3, own: false, text: '<b>Hi</b>', at: 0 };
  const both = { type: 'talk', version: 3, you: true, other: true, lines: [line] };
  const older = { type: 'talk', version: 2, you: true, other: true, lines: [] };
  assert.deepEqual(after(both, older).state.talk, { version: 3, you: true, other: true, lines: [line] });
  const off = after(both, { ...older, version: 4, other: false }).state.talk;
  assert.deepEqual(off, { version: 4, you: true, other: false, lines: [] });
});

test('writing and its switch are sent when there is a line, and otherwise denied', () => {
  assert.deepEqual(sent(after({ type: 'switch_talk', on: true }).effects), [{ type: 'switch_talk', on: true }]);
  assert.deepEqual(sent(after({ type: 'say', text: 'Hi' }).effects), [{ type: 'say', text: 'Hi' }]);
  const down = { type: 'offline', code: 1006, final: false };
  assert.deepEqual(told(after(down, { type: 'say', text: 'Hi' }).effects), ['offline']);
});

test('who watches is known by name, and an older server names nobody', () => {
  const here = { type: 'presence', south: 1, north: 1, spectators: 3 };
  assert.deepEqual(after({ ...here, names: ['Cleo'] }).state.presence, { S: 1, N: 1, spectators: 3, names: ['Cleo'] });
  assert.deepEqual(after(here).state.presence.names, []);
});

test('what could be claimed because a turn lay is gone with the next sowing; with clocks only who was away says so', () => {
  const claims = { S: null, N: 5_000 };
  const clock = { S: 60_000, N: 60_000, running: 'S', since: 1_000 };
  assert.deepEqual(after({ ...START, version: 3, claims, clock: null }, { ...FIRST, version: 4, clock: null }).state.claims, { S: null, N: null });
  assert.deepEqual(after({ ...START, version: 3, claims, clock }, { ...FIRST, version: 4, clock }).state.claims, claims);
});

test('only a clock that was put back in the same turn tells of a stopped server, not a game that has begun (B54)', () => {
  const clock = { S: 60_000, N: 60_000, running: 'S', since: 1_000 };
  const running = { ...START, version: 3, clock };
  const stopped = { ...running, version: 4, clock: { ...clock, since: 9_000 } };
  assert.deepEqual(told(after(running, stopped).effects), ['stopped']);
  const waiting = { ...running, status: 'open', turn: null, clock: { ...clock, running: null, since: 0 } };
  assert.deepEqual(told(after(waiting, { ...running, version: 4 }).effects), []);
});

test('a hint can be asked for against a computer and on one device, once a ply', () => {
  const against = (N) => ({ ...WELCOME, snapshot: { ...START, version: 3, seats: { S: ANN, N } } });
  assert.equal(canAsk(after().state), false);
  for (const rival of [{ id: 'pip', name: 'Pip', level: 1 }, ANN]) {
    const sits = rival === ANN ? { ...against(rival), you: null } : against(rival);
    const { state, effects } = after(sits, { type: 'ask' });
    assert.deepEqual(sent(effects), [{ type: 'advise', game: 1, ply: 0 }]);
    assert.equal(canAsk(state), false);
    assert.deepEqual(reduce(state, { type: 'ask' }).effects, []);
    assert.equal(canAsk(reduce(state, { type: 'refused', re: 'advise', code: 'unavailable' }).state), true);
  }
});

test('a hint is kept until the ply it is for has been sown, and one that comes too late is no hint', () => {
  const alone = { ...WELCOME, snapshot: { ...START, seats: { S: ANN, N: { id: 'pip', name: 'Pip', level: 1 } } } };
  const advice = { type: 'advice', game: 1, ply: 0, pit: 1, wins: 4 };
  const { state, effects } = after(alone, { type: 'ask' }, advice);
  assert.deepEqual(told(effects), ['advised']);
  assert.deepEqual(adviceOf(state), { ply: 0, pit: 1, wins: 4, saves: 0, prepares: false });
  assert.deepEqual(adviceOf(reduce(state, alone).state), adviceOf(state)); // after a reconnect too
  assert.equal(adviceOf(reduce(state, FIRST).state), null);
  const late = after(alone, { type: 'ask' }, FIRST, advice);
  assert.deepEqual([late.effects, adviceOf(late.state), canAsk(reduce(late.state, SETTLED).state)], [[], null, true]);
  const wrong = after(alone, { type: 'ask' }, { ...advice, pit: 5 });
  assert.deepEqual([wrong.effects, adviceOf(wrong.state)], [[], null]);
});
