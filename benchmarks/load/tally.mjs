// What is counted and timed while a load runs.

export class Tally {
  playing = false; // whether a player whose turn it is sows
  counting = false; // whether what is sown now belongs to the measurement
  rate = 0; // moves per second in each room; 0: as fast as they are shown
  sent = 0; // sowings, counted or not
  inFlight = 0; // sowings that somebody has not been shown yet
  finished = 0; // games
  finals = 0; // last boards of games, compared and right
  dropped = 0;
  stalled = 0;
  #moves = 0;
  #mismatched = 0;
  #refused = {};
  #ms = { own: [], opponent: [], spectator: [] };

  // A sowing leaves for the server; it is followed until each of `viewers` is shown the position
  send(side, position, viewers) {
    this.sent += 1;
    this.inFlight += 1;
    if (this.counting) this.#moves += 1;
    return { side, position, unseen: viewers, counted: this.counting, sentAt: performance.now() };
  }

  // Whoever sits in `seat` is shown it; of the spectators only the last one is timed
  show(seat, sowing, now) {
    const seenByAll = sowing.unseen === 0;
    if (seenByAll) this.inFlight -= 1;
    if (!sowing.counted) return;
    const ms = now - sowing.sentAt;
    if (seat === null) sowing.spectatorMs = ms;
    else this.#ms[seat === sowing.side ? 'own' : 'opponent'].push(ms);
    if (seenByAll && sowing.spectatorMs) this.#ms.spectator.push(sowing.spectatorMs);
  }

  refuse(code) {
    this.#refused[code] = (this.#refused[code] ?? 0) + 1;
  }

  mismatch(state, expected) {
    this.#mismatched += 1;
    if (this.#mismatched === 1) console.error('shown', JSON.stringify(state), 'instead of', JSON.stringify(expected));
  }

  // Whatever should not have happened is in `wrong`
  report() {
    const { finished, finals, inFlight: lost, dropped, stalled } = this;
    const refused = Object.entries(this.#refused).map(([code, count]) => [`refused ${code}`, count]);
    return {
      moves: this.#moves,
      finished,
      finals,
      ms: Object.fromEntries(Object.entries(this.#ms).map(([who, each]) => [who, spread(each)])),
      wrong: { lost, mismatched: this.#mismatched, dropped, stalled, ...Object.fromEntries(refused) },
    };
  }
}

// The median, what 99 % are within, and the greatest
export function spread(values) {
  values.sort((a, b) => a - b);
  const at = (part) => values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? null;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}
