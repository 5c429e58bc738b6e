/** What is said of a ply of a finished game, from the page's phrase book `say`. Pure: the same words for eye and ear. */
import { letterOf } from '../game/state.js';
import { valueOf } from './review.js';

/** What ply number `nth`, from 1, was worth. */
export function verdict(say, state, nth) {
  const value = valueOf(state, nth);
  if (!value) return say(state.phase === 'done' ? 'verdict.hard' : 'verdict.later');
  const [least, most] = value.lost;
  if (least) return `${chance(say, state, nth, value)} ${say(least === most ? 'verdict.gave' : 'verdict.least', { n: least })}`;
  if (most) return say('verdict.hard');
  return [say(value.choice ? 'verdict.best' : 'verdict.only'), ...ahead(say, state, nth, value)].join(' ');
}

/** What could have been had, and how. */
function chance(say, state, nth, { low, high, line }) {
  const isSwap = line[0] === state.swap;
  const { side } = state.main.sown[nth - 1];
  // Whoever swaps sides has what was the other's.
  const [least, most] = (side === 'S') === !isSwap ? [low, high] : [-high, -low];
  const way = isSwap ? say('way.swap') : say('way.pit', { letter: line[0] });
  const seat = state.who[nth - 1];
  const who = seat === state.you ? 'you' : 'name';
  const values = { name: state.names[seat], n: Math.abs(least), way };
  if (least > 0) return say(`verdict.${least === most ? 'won' : 'more'}.${who}`, values);
  if (least < most) return say('verdict.better', values);
  return say(`verdict.${least === 0 ? 'draw' : 'less'}.${who}`, values);
}

/** How it stands, where that is known: the person on the side that is ahead as the plies lie. */
function ahead(say, state, nth, { low, high }) {
  if (low !== high) return [];
  if (low === 0) return [say('ahead.draw')];
  const isSouth = low > 0;
  const mover = state.who[nth - 1];
  const leads = isSouth === (state.main.sown[nth - 1].side === 'S') ? mover : { S: 'N', N: 'S' }[mover];
  return [say('ahead.won', { name: state.names[leads], n: Math.abs(low) })];
}

/** From `low` to `high`, or the one number that both are. */
export const span = (low, high) => (low === high ? `${low}` : `${low} … ${high}`).replaceAll('-', '−');

/** One ply of the better way. */
export const wayLabel = (say, state, { side, pit }) => say('way.move', { name: state.main.welcome.snapshot.seats[side].name, letter: letterOf(pit) });
