/**
 * A whole game to step through: forward one by one its plies are sown, anywhere else the board stands at once. Pure: never
 * the document or a clock.
 *
 * Intents: go { index } · first · back · next · last · again (what is there, from the beginning of the page) · settled
 * Effects: show · sow { sown, stones } · tell { what: 'step', index }
 */
import { after, follow, rest } from './example.js';

/** The state a page begins with: after as many plies as `name` says, `move-3`, or before the first. */
export function begin({ game: example }, name) {
  const index = Math.min(example.sown.length, Number(name.match(/^move-(\d+)$/)?.[1] ?? 0));
  return { example, index, game: after(example, index) };
}

export function reduce(state, action) {
  return Object.hasOwn(HANDLERS, action.type) ? HANDLERS[action.type](state, action) : unchanged(state);
}

/** What the page around the board shows. */
export function view({ example, index }) {
  const count = example.sown.length + 1;
  return { index, count, told: true, isStill: true };
}

function go(state, { index }) {
  if (index < 0 || index > state.example.sown.length || index === state.index) return unchanged(state);
  const tell = { do: 'tell', what: 'step', index };
  if (index !== state.index + 1) {
    return { state: { ...state, index, game: after(state.example, index) }, effects: [{ do: 'show' }, tell] };
  }
  const { game, effects } = follow(state.game, state.example.sown[state.index]);
  return { state: { ...state, index, game }, effects: [...effects, tell] };
}

const HANDLERS = {
  go,
  first: (state) => go(state, { index: 0 }),
  back: (state) => go(state, { index: state.index - 1 }),
  next: (state) => go(state, { index: state.index + 1 }),
  last: (state) => go(state, { index: state.example.sown.length }),
  again: (state) => ({ state, effects: [{ do: 'show' }] }),
  settled: (state) => unchanged({ ...state, game: rest(state.game) }),
};

const unchanged = (state) => ({ state, effects: [] });
