/**
 * A puzzle: the reader tries pits, one of which is right at each step; a wrong one is shown with Moon's answer, and then the
 * board goes back. Pure: never the document or a clock.
 *
 * Intents: pick { pit } · reveal (how it goes is shown) · again · due (the wait is over) · settled
 * Effects: show · wait · sow { sown, stones } · tell { what } · keep (it was solved)
 */
import { after, follow, rest } from './example.js';

/** The state a page begins with. */
export function begin({ puzzle }) {
  return at(puzzle, 0);
}

export function reduce(state, action) {
  return Object.hasOwn(HANDLERS, action.type) ? HANDLERS[action.type](state, action) : unchanged(state);
}

/** What the page around the board shows. `says` is task, on, wrong, solved or shown; `wrong` what was tried last, if it was wrong. */
export function view({ says, wrong, step, tried, reveals }) {
  return { says, wrong, isStill: says === 'task' && step === 0 && !tried && !reveals, reveals };
}

/**
 * `tried` is what is being shown, of which `shown` sowings have set out; `reveals`: the page sows by itself, not the reader.
 * `says` stays while stones move, and so does `wrong` until the next try.
 */
function at(puzzle, step, { says = 'task', reveals = false } = {}) {
  const sown = puzzle.steps.map((tries) => right(tries).sown[0]);
  const game = after({ welcome: puzzle.welcome, sown }, step);
  return { puzzle, step, game, says, reveals, tried: null, shown: 0, wrong: null, waiting: false };
}

const right = (tries) => tries.find((one) => one.right);

function pick(state, { pit }) {
  if (state.tried || state.reveals) return unchanged(state);
  const tried = state.puzzle.steps[state.step]?.find((one) => one.pit === pit);
  return tried ? sow({ ...state, tried, wrong: null }) : unchanged(state);
}

function sow(state) {
  const { game, effects } = follow(state.game, state.tried.sown[state.shown]);
  return { state: { ...state, game, shown: state.shown + 1, waiting: false }, effects };
}

function settled(before) {
  const state = { ...before, game: rest(before.game) };
  const { tried, waiting, shown, step, puzzle, reveals } = state;
  if (!tried || waiting) return unchanged(state);
  if (shown < tried.sown.length) return wait(state);
  if (!tried.right) return wait({ ...state, says: 'wrong', wrong: tried }, tell('wrong'));
  const next = { ...state, step: step + 1, tried: null, shown: 0 };
  if (step + 1 < puzzle.steps.length) {
    return reveals ? wait(point(next)) : { state: { ...next, says: 'on' }, effects: [tell('on')] };
  }
  if (reveals) return { state: { ...next, says: 'shown', reveals: false }, effects: [tell('shown')] };
  return { state: { ...next, says: 'solved' }, effects: [tell('solved'), { do: 'keep' }] };
}

/** The wait is over: the next sowing, or back from a wrong one. */
function due(state) {
  if (!state.waiting) return unchanged(state);
  const { tried, shown, puzzle, step, says, wrong } = state;
  if (!tried) return sow({ ...state, tried: right(puzzle.steps[step]) });
  if (shown < tried.sown.length) return sow(state);
  return { state: { ...at(puzzle, step, { says }), wrong }, effects: [{ do: 'show' }] };
}

function reveal({ puzzle, step, reveals }) {
  const first = step < puzzle.steps.length ? step : 0;
  if (reveals) return again({ puzzle });
  const { state, effects } = wait(point(at(puzzle, first, { reveals: true })));
  return { state, effects: [{ do: 'show' }, ...effects] };
}

function again({ puzzle }) {
  return { state: at(puzzle, 0), effects: [{ do: 'show' }] };
}

/** The board points at the pit that is right. */
function point(state) {
  const { pit } = right(state.puzzle.steps[state.step]);
  return { ...state, game: { ...state.game, advice: { ply: state.game.ply, pit } } };
}

const tell = (what) => ({ do: 'tell', what });
const wait = (state, ...effects) => ({ state: { ...state, waiting: true }, effects: [...effects, { do: 'wait' }] });
const unchanged = (state) => ({ state, effects: [] });

const HANDLERS = { pick, settled, due, reveal, again };
