/**
 * Some people press everything twice. The second press is for what the first was at: where that has brought a dialog or
 * a card, or closed one, it would land on something that nobody meant, a pit below it maybe, and so lands nowhere.
 */
export const DOUBLE_MS = 500;
const NEAR_PX = 24;

/** Whether a click, `at` ms after its page began, is the second of another: so soon and so near. Touch screens do not count. */
export function isSecond(click, before) {
  if (click.detail === 0) return false; // of a key
  if (!before) return click.detail > 1 && click.at < DOUBLE_MS; // the first was at the page before
  return click.at - before.at < DOUBLE_MS && Math.hypot(click.x - before.x, click.y - before.y) < NEAR_PX;
}

export function listenToDoubles() {
  let before = null;
  document.addEventListener('click', (event) => {
    const { detail, timeStamp: at, clientX: x, clientY: y } = event;
    const click = { detail, at, x, y, layer: event.target.closest('dialog, .card') };
    if (isSecond(click, before) && click.layer !== before?.layer) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    if (detail) before = click; // a third is meant
  }, { capture: true });
}
