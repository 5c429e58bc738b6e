/**
 * A game that the page brought along: how it begins, and what is sown. To the browser it is a game like any other, only
 * that its messages are all here already. Pure.
 */
import { begin, reduce } from '../game/state.js';

/** The state of the room after the first `count` sowings, with nothing moving. */
export function after({ welcome, sown }, count) {
  const start = { ...begin(welcome), link: 'online' };
  return sown.slice(0, count).reduce((game, message) => rest(reduce(game, message).state), start);
}

/** One sowing: the state after it, and the effect that shows it. */
export function follow(game, message) {
  const { state, effects } = reduce(game, message);
  return { game: state, effects: effects.filter((effect) => effect.do === 'sow') };
}

/** The board shows what the state says. */
export const rest = (game) => reduce(game, { type: 'settled' }).state;
