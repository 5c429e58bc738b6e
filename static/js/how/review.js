/**
 * A finished game gone over: a game to step through, what is known of its plies, and the better way than one of them, which
 * can be stepped through as well. Pure: never the document, a clock or a socket.
 *
 * Intents, beside those of replay.js: heard { message } · linked { link } · better · branched { nth, sown or null } ·
 *   due (the board has been looked at) · leave (the better way) · slip (to the next ply that gave something away)
 * Effects, beside those: fetch { nth, plies } · wait · tell { what: 'way' or 'offline' }
 */
import * as replay from './replay.js';
import { after } from './example.js';

/** The state a page begins with. A reader who has no address of a ply begins before the first. */
export function begin(page, name) {
  const { review, transcript, you, who, names, swap, rules } = page;
  return {
    ...replay.begin(page, name), main: page.game, transcript, you, who, names, swap, rules,
    plies: review.plies, marks: review.marks, phase: review.state, link: 'connecting',
    sought: null, // the ply whose better way is being fetched, counted from 1
    branch: null, // { nth, isDue }: the better way than that ply is on the board
  };
}

export function reduce(state, action) {
  if (Object.hasOwn(HANDLERS, action.type)) return HANDLERS[action.type](state, action);
  return replay.reduce(state, action);
}

/** What the page around the board shows. In the better way `bar` says how far the reader is in it. */
export function view(state) {
  const { main, index, branch } = state;
  const place = branch ? branch.nth : index;
  const around = { ...replay.view({ example: main, index: place }) };
  if (!branch) return around;
  return { ...around, bar: { index: index - branch.nth + 1, count: state.example.sown.length - branch.nth + 2, where: 'where.better' } };
}

/** What is known of ply number `nth`, from 1; null: nothing yet. */
export const valueOf = ({ plies }, nth) => plies[nth - 1] ?? null;

/** How many plies are known. */
export const counted = ({ plies }) => plies.filter(Boolean).length;

/** How much is held, as the server counts it. */
export const version = (state) => counted(state) + Number(state.phase === 'done');

/** The number of the next ply that gave something away, after the last one the first again; 0: none did. */
export function slipAfter({ plies, index, branch }) {
  const slips = plies.flatMap((known, at) => (known?.lost[0] ? [at + 1] : []));
  return slips.find((nth) => nth > (branch?.nth ?? index)) ?? slips[0] ?? 0;
}

/** By how much South is ahead in the end, with best play from each board on: { low, high }, or null where it is not known. */
export function course({ plies, main }) {
  const { outcome, stones } = main.sown.at(-1);
  const ahead = outcome ? stones[stones.length / 2 - 1] - stones.at(-1) : null;
  return [...plies, ahead === null ? null : { low: ahead, high: ahead }];
}

/** The plies of the better way that is on the board, from the one that is better on. */
export const wayOf = ({ example, branch }) => (branch ? example.sown.slice(branch.nth - 1) : []);

const MESSAGES = {
  review: (state, { plies, marks, state: phase }) => ({ ...state, plies, marks, phase }),
  valued(state, { ply, value, marks }) {
    const plies = state.plies.map((known, at) => (at === ply ? value : known));
    return { ...state, plies, marks, phase: plies.every(Boolean) ? 'done' : 'looking' };
  },
};

function heard(state, { message }) {
  return rest(Object.hasOwn(MESSAGES, message.type) ? MESSAGES[message.type](state, message) : state);
}

function better(state) {
  const nth = state.index;
  const line = valueOf(state, nth)?.line;
  if (!line || state.branch || state.sought !== null) return rest(state);
  return rest({ ...state, sought: nth }, { do: 'fetch', nth, plies: state.transcript.slice(0, nth - 1) + line });
}

/** The better way is here, or, with null, is not. Its board is looked at before it goes on. */
function branched(state, { nth, sown }) {
  if (state.sought !== nth) return rest(state);
  const next = { ...state, sought: null };
  if (sown === null) return rest(next, { do: 'tell', what: 'offline' });
  if (state.index !== nth) return rest(next); // the reader has gone on
  const example = { ...state.main, sown };
  const there = { ...next, example, index: nth - 1, game: after(example, nth - 1), branch: { nth, isDue: true } };
  return rest(there, { do: 'show' }, { do: 'wait' }, { do: 'tell', what: 'way' });
}

function leave(state) {
  if (!state.branch) return rest(state);
  const { nth } = state.branch;
  const home = { ...state, example: state.main, branch: null, index: nth, game: after(state.main, nth) };
  return rest(home, { do: 'show' }, { do: 'tell', what: 'step', index: nth });
}

/** Within the better way nothing lies before the ply that is better; and the reader who steps waits for nothing. */
const walk = (type) => (state) => {
  if (!state.branch) return replay.reduce(state, { type });
  const first = state.branch.nth - 1;
  const still = { ...state, branch: { ...state.branch, isDue: false } };
  if (type === 'first') return tellWay(replay.reduce(still, { type: 'go', index: first }));
  if (type === 'back' && state.index === first) return rest(state);
  return tellWay(replay.reduce(still, { type }));
};

const tellWay = ({ state, effects }) => ({
  state,
  effects: effects.map((effect) => (effect.do === 'tell' ? { do: 'tell', what: 'way' } : effect)),
});

/** A place of the game is asked for, not of the better way. */
function go(state, action) {
  if (!state.branch) return replay.reduce(state, action);
  const { state: home, effects } = leave(state);
  return action.index === home.index ? { state: home, effects } : replay.reduce(home, action);
}

const HANDLERS = {
  heard,
  slip: (state) => reduce(state, { type: 'go', index: slipAfter(state) || state.index }),
  linked: (state, { link }) => rest({ ...state, link }),
  better,
  branched,
  leave,
  go,
  first: walk('first'),
  back: walk('back'),
  next: walk('next'),
  last: walk('last'),
  due: (state) => (state.branch?.isDue ? HANDLERS.next(state) : rest(state)),
  way: (state, { index }) => (state.branch ? tellWay(replay.reduce(state, { type: 'go', index })) : rest(state)),
};

const rest = (state, ...effects) => ({ state, effects });
