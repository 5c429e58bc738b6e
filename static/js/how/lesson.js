/**
 * A lesson: each step shows a position, waits, and sows by itself. Pure: never the document or a clock.
 *
 * Intents: go { index } · back · next · again · pick { pit } · due (the wait is over) · settled
 * Effects: show · wait · sow { sown, stones } · tell { what: 'step' or 'outcome', index }
 */
import { after, follow, rest } from './example.js';

/** The state a page begins with: at the step called `name`, or the first. */
export function begin({ steps }, name) {
  return at(steps, Math.max(0, steps.findIndex((step) => step.name === name)));
}

export function reduce(state, action) {
  return Object.hasOwn(HANDLERS, action.type) ? HANDLERS[action.type](state, action) : unchanged(state);
}

/** What the page around the board shows. */
export function view({ steps, index, told }) {
  return { index, count: steps.length, told, isStill: !steps[index].sown.length };
}

/** `shown` sowings of the step have set out; `told` once all of them are seen. */
function at(steps, index) {
  const step = steps[index];
  return { steps, index, game: after(step, 0), shown: 0, waiting: step.sown.length > 0, told: step.sown.length === 0 };
}

function arrive({ steps }, index) {
  const state = at(steps, index);
  return { state, effects: [{ do: 'show' }, ...(state.waiting ? [{ do: 'wait' }] : [])] };
}

function go(state, { index }) {
  if (!state.steps[index]) return unchanged(state);
  const { state: next, effects } = arrive(state, index);
  return { state: next, effects: [...effects, { do: 'tell', what: 'step', index }] };
}

function sow(state) {
  if (!state.waiting) return unchanged(state);
  const { game, effects } = follow(state.game, state.steps[state.index].sown[state.shown]);
  return { state: { ...state, game, shown: state.shown + 1, waiting: false }, effects };
}

function pick(state, { pit }) {
  return state.game.legal.some(([legal]) => legal === pit) ? sow(state) : unchanged(state);
}

function settled(state) {
  const game = rest(state.game);
  if (state.told || state.waiting) return unchanged({ ...state, game });
  if (state.shown < state.steps[state.index].sown.length) {
    return { state: { ...state, game, waiting: true }, effects: [{ do: 'wait' }] };
  }
  return { state: { ...state, game, told: true }, effects: [{ do: 'tell', what: 'outcome', index: state.index }] };
}

const HANDLERS = {
  go,
  back: (state) => go(state, { index: state.index - 1 }),
  next: (state) => go(state, { index: (state.index + 1) % state.steps.length }),
  again: (state) => arrive(state, state.index),
  due: sow,
  pick,
  settled,
};

const unchanged = (state) => ({ state, effects: [] });
