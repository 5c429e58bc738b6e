/** What a value is called, as games/studying.py has it. Pure; the sentences come from the page. */

const NEAR = 10; // stones: bounds further apart say less than a guess

/** A value as it stands on the board. */
export function short({ low, high, guess }) {
  if (low === high) return signed(low);
  if (low > 0) return `≥ ${signed(low)}`;
  return high < 0 ? `≤ ${signed(high)}` : `≈ ${signed(guess)}`;
}

/** A value in words; `kind` is 'best.' for a whole position. */
export function worth(say, kind, mover, { low, high, guess }) {
  const other = mover === 'S' ? 'N' : 'S';
  if (low === 0 && high === 0) return say(`${kind}draw`);
  if (low > 0 || high < 0) {
    const [name, n] = low > 0 ? [mover, low] : [other, -high];
    return say(`${kind}${low === high ? 'wins' : 'least'}`, { name: say(name), n });
  }
  return high - low <= NEAR ? say('open', { low: signed(low), high: signed(high) }) : say('about', { n: signed(guess) });
}

/** What sowing a pit leads to, and what it brings at once. */
export function told(say, mover, pit) {
  return [
    worth(say, '', mover, pit),
    pit.extra_turn && say('extra'),
    pit.captured > 0 && say('capture', { n: pit.captured }),
  ].filter(Boolean).join('. ');
}

/** What is known of the whole position. */
export function verdict(say, answer) {
  if (!answer.outcome) return worth(say, 'best.', answer.turn, answer);
  const { winner, score } = answer.outcome;
  const [m, n] = [...score].sort((a, b) => a - b);
  return winner ? say('over.wins', { name: say(winner), n, m }) : say('over.draw', { n });
}

function signed(value) {
  if (value === 0) return '0';
  return value > 0 ? `+${value}` : `−${-value}`;
}
