/**
 * Looking at an earlier ply of a game that goes on meanwhile: what state.js knows of a room, and where in its game the
 * reader is. Pure.
 *
 * Intents, beside those of state.js: step { to } · recorded { record }. Effects, beside those: fetch.
 */
import * as room from './state.js';

/* Earlier boards are in the `record` { game, start, plies }, which the server is asked for once and which then grows with
   the game: its plies are always the first of the transcript. */
const NOW = {
  at: null, // the board is shown as it was after so many plies; null: as it is
  since: null, // how many plies there were when the reader looked away from the game
  sought: null, // the ply to be shown when the record is here
  record: null,
};

/** The state a page begins with: the welcome that the server wrote into it, and the record if it shows an earlier ply. */
export function begin({ at = null, record = null, ...welcome }) {
  const state = { ...room.begin(welcome), ...NOW, isReplay: false };
  return record ? { ...state, at, since: state.ply, record } : state;
}

export function reduce(state, action) {
  if (action.type === 'step') return step(state, action);
  if (action.type === 'recorded') return recorded(state, action);
  if (action.type === 'settled' && state.isReplay) return rest({ ...state, busy: false, isReplay: false }); // news to nobody
  if (action.type === 'pick' && state.at !== null) return rest(state, { do: 'tell', what: 'hint', why: 'lookback' });
  return follow(state, room.reduce(state, action));
}

/** The state as it is drawn: that of now, or that of an earlier ply, from which nothing can be sown. */
export function shown(state) {
  if (state.at === null) return state;
  const { start, plies } = state.record;
  const stones = plies[state.at - 1]?.stones ?? start;
  const last = plies.slice(0, state.at).findLast(({ transfers }) => transfers.length) ?? null; // a swap moves nothing
  return { ...state, ply: state.at, stones, last, turn: null, legal: [], pending: null, outcome: null };
}

/** How many plies came while the reader looked at earlier ones. */
export const missed = ({ at, since, ply }) => (at === null ? 0 : ply - since);

/** The game goes on: a ply extends the record, and is not seen by whoever looks at another. */
function follow(state, { state: next, effects }) {
  const sow = effects.find((effect) => effect.do === 'sow');
  if (!sow) return { state: { ...next, ...recall(state, next) }, effects };
  const record = extended(state.record, sow.sown);
  if (state.at === null) return { state: { ...next, record, isReplay: false }, effects };
  const heard = room.reduce(next, { type: 'settled' });
  const others = effects.filter((effect) => effect !== sow);
  return { state: { ...heard.state, record, busy: state.busy }, effects: [...others, ...heard.effects] };
}

/** Another ply is asked for: `to` is a number of plies, or first, back, next or last, which is the game as it is. */
function step(state, { to }) {
  const from = state.sought ?? state.at ?? state.ply;
  const ply = { first: 0, back: from - 1, next: from + 1, last: state.ply }[to] ?? to;
  if (ply === from || !(ply >= 0 && ply <= state.ply)) return rest(state);
  if (ply === state.ply || ply <= known(state.record)) return look(state, ply);
  return { state: { ...state, sought: ply }, effects: state.sought === null ? [{ do: 'fetch' }] : [] };
}

/** The record has come, or, with null, has not. */
function recorded(state, { record }) {
  const { sought } = state;
  const next = { ...state, ...recall({ ...state, record: record ?? state.record }, state), sought: null };
  if (sought === null) return rest(next);
  return sought <= known(next.record) ? look(next, sought) : rest(next, { do: 'tell', what: 'hint', why: 'offline' });
}

function look(state, ply) {
  const at = ply === state.ply ? null : ply;
  const next = { ...state, at, sought: null, since: at === null ? null : state.since ?? state.ply };
  const tell = { do: 'tell', what: 'stepped' };
  const sown = state.at !== null && ply === state.at + 1 && state.record.plies[state.at];
  if (!sown) return rest(next, { do: 'show' }, tell);
  return rest({ ...next, busy: true, isReplay: true }, { do: 'sow', sown, stones: shown(state).stones }, tell);
}

function extended(record, sown) {
  return known(record) === sown.ply ? { ...record, plies: [...record.plies, sown] } : record;
}

/** What still holds of a reader's looking about: plies may have been taken back, or another game have begun. */
function recall({ game, record, at, since, sought }, now) {
  if ((record?.game ?? game) !== now.game) return NOW;
  const parting = record?.plies.findIndex(({ pit }, ply) => room.letterOf(pit) !== now.transcript[ply]) ?? -1;
  const kept = parting < 0 ? record : { ...record, plies: record.plies.slice(0, parting) };
  const isThere = at !== null && at < now.ply && at <= known(kept);
  return {
    record: kept,
    at: isThere ? at : null,
    since: isThere ? Math.min(since, now.ply) : null,
    sought: sought !== null && sought < now.ply ? sought : null,
  };
}

const known = (record) => record?.plies.length ?? -1;
const rest = (state, ...effects) => ({ state, effects });
