/** The choices for a new game outlive the page, in its tab, until they are used: another language, a refused name, a look at the rules. */
import { keep, recall } from '../lib/memory.js';

const KEY = 'choices';

export function keepChoices(form) {
  const fields = [...form.elements].filter(({ name, type }) => name && type !== 'hidden');
  const kept = recall(KEY, { tab: true });
  if (kept) restore(fields, kept);
  let isUsed = false;
  form.addEventListener('submit', () => { isUsed = true; });
  addEventListener('pagehide', () => {
    const chosen = fields.filter(({ type, checked }) => checked || type.startsWith('select'));
    const choices = Object.fromEntries(chosen.map(({ name, value }) => [name, value]));
    keep(KEY, isUsed ? null : choices, { tab: true });
  });
}

function restore(fields, chosen) {
  for (const field of fields) {
    if (field.type === 'radio' || field.type === 'checkbox') field.checked = chosen[field.name] === field.value;
    else field.value = chosen[field.name];
  }
}
