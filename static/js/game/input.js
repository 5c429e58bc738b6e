/**
 * From pointer and keyboard to intents. It never sends and never judges: whether a pit may be sown is the state's affair.
 *
 * The board is one tab stop. Arrows, Home and End walk over the pits as they are seen; letters and digits pick a pit of
 * the own row, or of the one to move, from anywhere on the page but not while somebody types or a dialog is open. All ways of picking pass
 * through `choose`, which first shows a pit and waits for a second tap if the reader wishes so.
 */
import { $, $$ } from '../lib/dom.js';
import { prefers } from '../lib/preferences.js';

const LYING = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const STANDING = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, 1], ArrowRight: [0, -1] };

const MUTE = 'v'; // as in volume: no pit of any board has this letter
const TIME = 'w'; // as in watch
const ASK = 'y'; // as in why
const STEPS = { ',': 'back', '.': 'next', Escape: 'last' };

const holeAt = (target) => {
  const pit = target.closest?.('.pit');
  return pit ? Number(pit.dataset.hole) : null;
};
const rowOf = (root, place) => $$(`.rank[data-place="${place}"] > .pit`, root);
const isModified = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey;

/** `board` shows previews and takes the focus; the rest is what the reader asked for: `armed(hole)` waits for a second tap. */
export function listen(root, board, { pick, armed, step, help, mute, time, ask }) {
  const choose = (hole) => {
    if (prefers('twotap') && board.arm(hole)) armed(hole);
    else pick(hole);
  };
  root.addEventListener('click', ({ target }) => {
    const hole = holeAt(target);
    if (hole !== null) choose(hole);
  });
  root.addEventListener('pointerover', ({ target }) => board.preview(holeAt(target)));
  root.addEventListener('pointerleave', () => board.preview(null));
  root.addEventListener('focusin', ({ target }) => {
    if (target.matches(':focus-visible')) board.preview(holeAt(target));
  });
  root.addEventListener('focusout', () => board.preview(null));
  root.addEventListener('keydown', (event) => {
    if (event.repeat && event.key === 'Enter') event.preventDefault(); // held down it is still one tap
    const hole = isModified(event) ? null : neighbour(root, board, event);
    if (hole === null) return;
    event.preventDefault();
    board.focus(hole);
  });
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isModified(event) || (event.repeat && !STEPS[event.key])) return;
    if (root.closest('[inert]') || event.target.closest('input:not([type=range]), textarea, select, dialog')) return;
    if (!prefers('keys')) return;
    const hole = keyed(root, event.key);
    if (hole !== null) {
      if (root.dataset.status !== 'over') board.focus(hole);
      choose(hole);
    } else if (STEPS[event.key]) step(STEPS[event.key]);
    else if (event.key === '?') help();
    else if (event.key === MUTE) mute();
    else if (event.key === TIME) time();
    else if (event.key === ASK) ask?.();
    else return;
    event.preventDefault();
  });
}

/** The pit that an arrow, Home or End leads to from the focused one; null for any other key. */
function neighbour(root, board, { key, target }) {
  const pit = target.closest('.pit');
  if (!pit) return null;
  const [far, near] = [rowOf(root, 'far'), rowOf(root, 'near')];
  const isNear = near.includes(pit);
  const row = isNear ? near : far;
  if (key === 'Home') return holeAt(row[0]);
  if (key === 'End') return holeAt(row.at(-1));
  const step = (board.tall ? STANDING : LYING)[key];
  if (!step) return null;
  const [along, across] = step;
  const next = across === 1 || (across === 0 && isNear) ? near : far;
  const place = Math.max(0, Math.min(row.length - 1, row.indexOf(pit) + along));
  return holeAt(next[place]);
}

/** The pit of the row of who acts, for a spectator the near one, with that letter or with that number from the left. */
function keyed(root, key) {
  const { hand } = root.dataset;
  const row = $$(`.rank[data-${hand ? 'side' : 'place'}="${hand || 'near'}"] > .pit`, root);
  const pit = row.find(({ dataset }) => dataset.letter === key.toLowerCase()) ?? row[Number(key) - 1];
  return pit ? holeAt(pit) : null;
}
