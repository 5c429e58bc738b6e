/** The choices for a new game outlive the page, in its tab, until they are used: another language, a refused name, a look at the rules. */
const KEY = 'choices';

export function keepChoices(form, storage = sessionStorage) {
  const fields = [...form.elements].filter(({ name, type }) => name && type !== 'hidden');
  const kept = storage.getItem(KEY);
  storage.removeItem(KEY);
  if (kept !== null) restore(fields, new URLSearchParams(kept));
  let isUsed = false;
  form.addEventListener('submit', () => { isUsed = true; });
  addEventListener('pagehide', () => {
    const chosen = fields.filter(({ type, checked }) => checked || type.startsWith('select'));
    if (!isUsed) storage.setItem(KEY, new URLSearchParams(chosen.map(({ name, value }) => [name, value])));
  });
}

function restore(fields, chosen) {
  for (const field of fields) {
    if (field.type === 'radio' || field.type === 'checkbox') field.checked = chosen.get(field.name) === field.value;
    else field.value = chosen.get(field.name);
  }
}
