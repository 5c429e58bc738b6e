/** On every page: dialogs open and close, a double click is no trap, and what is chosen in the settings holds at once and is remembered. */
import { listenToDialogs } from './lib/dialogs.js';
import { $, $$, mark } from './lib/dom.js';
import { preference, prefers, setPreference, speed, togglePreference } from './lib/preferences.js';
import { listenToDoubles } from './lib/taps.js';

const form = $('#settings form');

/** A theme is a sheet, and the colour of the browser's frame: each says when it holds by itself. */
function wear(theme) {
  for (const node of $$('[data-look]')) {
    const holds = theme === node.dataset.look ? 'all' : 'not all';
    node.media = theme === 'auto' ? node.dataset.auto : holds;
  }
}

function show() {
  for (const control of form.elements) {
    const chosen = control.name === 'speed' ? speed() : preference(control.name);
    if (control.type === 'checkbox') control.checked = chosen === '1';
    if (control.type === 'radio') control.checked = control.value === chosen;
  }
  for (const button of $$('[data-toggle]')) mark(button, 'aria-pressed', String(prefers(button.dataset.toggle)));
}

/** Notifications need the browser's leave: without it the switch goes back by itself. */
async function choose({ name, type, value, checked }) {
  const allowed = name !== 'notify' || !checked || await Notification.requestPermission() === 'granted';
  setPreference(name, type === 'checkbox' ? String(Number(checked && allowed)) : value);
  if (name === 'notify') $('#notify-denied').hidden = allowed;
}

listenToDoubles();
listenToDialogs();
form.addEventListener('change', ({ target }) => choose(target));
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-toggle]');
  if (button) togglePreference(button.dataset.toggle);
});
document.addEventListener('submit', ({ target }) => { // another language for what is shown now
  const next = $('[data-here]', target);
  if (next) next.value = location.pathname + location.search + location.hash;
});
document.addEventListener('preferences', ({ detail }) => {
  if (detail.name === 'theme') wear(detail.value);
  show();
});
for (const node of $$('[data-needs="Notification"]')) node.hidden = !('Notification' in globalThis);
show();
