/** Handing on the link of a page: copied, through the device's own sheet, or by hand where the browser allows neither. */
import { $, $$, mark, write } from './dom.js';

const COPIED_MS = 2_400;

/** Binds every [data-copy] and [data-share] button to the field with the link that it names. */
export function listenToLinks(say, announcer) {
  for (const input of $$('.link input')) input.addEventListener('focus', () => input.select());
  for (const button of $$('[data-copy]')) button.addEventListener('click', () => copyFor(button, say, announcer));
  for (const button of $$('[data-share]')) {
    button.hidden = !navigator.share;
    button.addEventListener('click', () => share(button.dataset.words, fieldOf(button.dataset.share).value));
  }
}

/** Copies what a field holds; false if the browser forbids it, which leaves the text selected. */
export async function copy(field, { clipboard } = navigator, page = document) {
  try {
    await clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return page.execCommand('copy'); // plain http has no clipboard, but still this
  }
}

/** What to do by hand with a selected text: a key of the phrases copy.* and say.copy.*. */
export function byHand(isTouch, platform) {
  if (isTouch) return 'touch';
  return /^Mac/.test(platform) ? 'mac' : 'keys';
}

/** Opens the device's own sheet. Who closes it again has thought better of it. */
export async function share(text, url, device = navigator) {
  try {
    await device.share({ text, url });
  } catch {
    // The link is still there to be copied.
  }
}

const fieldOf = (id) => document.getElementById(id);

async function copyFor(button, say, announcer) {
  const isDone = await copy(fieldOf(button.dataset.copy));
  const outcome = isDone ? 'done' : byHand(matchMedia('(pointer: coarse)').matches, navigator.platform);
  const words = $('span', button);
  if (isDone) button.focus(); // copying by selection took it away
  mark(button, 'data-done', isDone);
  write(words, say(`copy.${outcome}`));
  announcer.say(say(`say.copy.${outcome}`));
  setTimeout(() => {
    mark(button, 'data-done', null);
    write(words, say('copy.copy'));
  }, COPIED_MS);
}
