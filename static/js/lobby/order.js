/** In which order a live list shows its rows. Pure: codes, not elements. */

/**
 * The codes to show, in order. Whatever stands at or above `anchor`, the row under the pointer or with the focus, keeps
 * its place even when it is no longer wanted; newcomers come last. Without an anchor the list is simply as wanted.
 */
export function arrange(shown, wanted, anchor) {
  const fixed = shown.slice(0, shown.indexOf(anchor) + 1);
  if (fixed.length === 0) return wanted;
  const staying = shown.slice(fixed.length).filter((code) => wanted.includes(code));
  const newcomers = wanted.filter((code) => !shown.includes(code));
  return [...fixed, ...staying, ...newcomers];
}

/** A time control in a row of a list: as it is written, its numbers, and of which kind it is. */
export function parseControl(key) {
  if (!key) return { texts: {}, kinds: [] };
  const [minutes, seconds] = key.split('+');
  if (seconds === undefined) return { texts: { seconds: key.replace('s', '') }, kinds: ['clock', 'turn'] };
  return { texts: { control: key, minutes, seconds }, kinds: ['clock', 'game'] };
}

/** The parts of a ruleset's key: "classic-6x4+pie" is { rules: "classic", pits: "6", stones: "4", extras: ["pie"] }. */
export function parseRuleset(key) {
  const [board, ...extras] = key.split('+');
  return { ...board.match(/^(?<rules>.+)-(?<pits>\d)x(?<stones>\d)/)?.groups, extras };
}
