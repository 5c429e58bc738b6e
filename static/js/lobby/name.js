/** The name in the greeting: kept when its field is left, without leaving the page. Without this file it is a form. */

export function keepName(form) {
  const field = form.elements.name;
  const status = form.querySelector('[role="status"]');
  if (field.getAttribute('aria-invalid') === 'true') return; // the server is explaining something: let it go on

  async function keep() {
    const name = field.value.trim();
    const before = field.defaultValue;
    field.value = name || before;
    if (field.value === before) return;
    field.defaultValue = name; // Enter asks twice
    const sent = { method: 'POST', body: new FormData(form), redirect: 'manual', keepalive: true };
    const answer = await fetch(form.action, sent).catch(() => null);
    if (answer?.type === 'opaqueredirect') {
      status.textContent = status.dataset.kept;
    } else if (answer) {
      form.submit(); // refused: the page that comes says why
    } else {
      field.defaultValue = before;
      status.textContent = status.dataset.lost;
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    field.blur();
    keep();
  });
  field.addEventListener('change', keep);
  field.addEventListener('input', () => { status.textContent = ''; });
  field.addEventListener('focus', () => field.select());
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    field.value = field.defaultValue;
    field.blur();
  });
}
