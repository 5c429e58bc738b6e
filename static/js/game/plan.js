/** From the transfers of a sowing to the steps that show it, with their times. Pure: no rule, no document. */

/** All in ms. A sowing never takes longer than `cap`; a lap of a relay at least `lap`; after `patience` the board jumps. */
export const PACES = {
  calm: { lift: 220, hop: 300, drop: 150, cap: 3600, rest: 260, fly: 420, lap: 400, patience: 4000 },
  normal: { lift: 150, hop: 180, drop: 120, cap: 1700, rest: 160, fly: 340, lap: 400, patience: 4000 },
  brisk: { lift: 90, hop: 95, drop: 80, cap: 900, rest: 90, fly: 240, lap: 400, patience: 4000 },
  instant: null, // no motion
};

const SPREAD_MS = 520; // all stones of a capture set out within this time
const GAP_MS = 46; // and no further apart than this

/** The stones after the transfers. */
export function carry(stones, transfers) {
  const after = [...stones];
  for (const [, from, to] of transfers) {
    after[from] -= to.length;
    for (const hole of to) after[hole] += 1;
  }
  return after;
}

/**
 * The steps of `sown`, which found the board with `stones`:
 *   { kind: 'sow', from, to: [hole…], rest, lift, hop, drop }
 *   { kind: 'capture' or 'sweep', flights: [[from, to]…], rest, gap, fly }
 *   { kind: 'extra', hole, rest }
 * `rest` is waited before a step (for extra: after it). None, if the transfers do not lead to the stones the server sent.
 */
export function plan(stones, sown, pace) {
  if (String(carry(stones, sown.transfers)) !== String(sown.stones)) return [];
  const laps = sown.transfers.filter(([kind]) => kind === 'sow').length;
  const cap = laps > 1 ? Math.max(pace.lap, pace.cap / laps) : pace.cap;
  const steps = [];
  let spent = 0;
  for (const [kind, from, to] of sown.transfers) {
    if (spent > pace.patience) return steps;
    const before = steps.at(-1);
    if (kind === 'sow') {
      const hop = Math.min(pace.hop, (cap - pace.lift - pace.drop) / to.length);
      const rest = before ? pace.rest / 2 : 0;
      steps.push({ kind, from, to, rest, lift: pace.lift, hop, drop: pace.drop });
      spent += rest + pace.lift + hop * to.length + pace.drop;
    } else if (before?.kind === kind) {
      before.flights.push(...to.map((hole) => [from, hole]));
    } else {
      const rest = kind === 'sweep' ? pace.rest * 2 : pace.rest;
      steps.push({ kind, flights: to.map((hole) => [from, hole]), rest, fly: pace.fly });
    }
  }
  for (const step of steps) if (step.flights) step.gap = Math.min(GAP_MS, SPREAD_MS / step.flights.length);
  if (sown.extra_turn) steps.push({ kind: 'extra', hole: sown.last, rest: pace.rest * 2 });
  return steps;
}
