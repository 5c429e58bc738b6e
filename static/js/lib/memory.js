/** What a browser keeps for a page beside the reader's choices: in its `tab` until that is closed, else for good. */
const storeOf = (isTab) => (isTab ? sessionStorage : localStorage);

/** What was kept under `key`; null if nothing was, or if nothing may be kept here. */
export function recall(key, { tab = false } = {}) {
  try {
    return JSON.parse(storeOf(tab).getItem(key));
  } catch {
    return null;
  }
}

/** Where nothing may be kept it holds as long as the page does. */
export function keep(key, value, { tab = false } = {}) {
  try {
    storeOf(tab).setItem(key, JSON.stringify(value));
  } catch {
    // the page itself still knows
  }
}
