/** A message of the browser while the page is out of sight. Only for those who asked for it, and only where it is allowed. */
import { prefers } from './preferences.js';

/** Says `text`; a later one with the same `tag` takes its place. A tap brings the page back. */
export function notify(text, tag) {
  if (!document.hidden || !prefers('notify') || globalThis.Notification?.permission !== 'granted') return;
  try {
    const note = new Notification(text, { tag });
    note.onclick = () => {
      focus();
      note.close();
    };
  } catch {
    // Some phones allow it to installed apps only: the tab's title says the same.
  }
}
