/** The messages of protocol v1 as the browser reads and writes them (docs/protocol.md). Pure. */

export const play = ({ game, ply, pit }) => ({ type: 'play', game, ply, pit });
export const swap = ({ game, ply }) => ({ type: 'swap', game, ply });
export const resign = ({ game }) => ({ type: 'resign', game });
export const offer = ({ game, ply }, kind) => ({ type: 'offer', game, kind, ply });
export const answer = ({ game, offer: { id } }, accept) => ({ type: 'answer', game, offer: id, accept });
export const claim = ({ game }, win) => ({ type: 'claim', game, win });
export const advise = ({ game, ply }) => ({ type: 'advise', game, ply });
export const reaction = (kind) => ({ type: 'react', kind });
export const switchTalk = (on) => ({ type: 'switch_talk', on });
export const line = (text) => ({ type: 'say', text });
export const sync = () => ({ type: 'sync' });
export const ping = ({ game, version }, sentAt) => ({ type: 'ping', game, version, sent_at: sentAt });

/** What a close code means for the next attempt: null is the end, [from, to] a wait in ms. */
export const CLOSING = {
  4404: null, // no such room
  4406: null, // protocol too old
  4408: null, // too many tabs
  4412: [0, 2_000], // restarting
  4429: [10_000, 10_000], // flooding
};

const whole = Number.isInteger;
const list = Array.isArray;
const thing = (value) => typeof value === 'object' && value !== null && !list(value);
const word = (value) => typeof value === 'string';

const VERSIONED = { game: whole, version: whole };
const SNAPSHOT = {
  ...VERSIONED, status: word, ply: whole, stones: list, legal: list, seats: thing, transcript: word, captures: list,
  series: thing, claims: thing,
};
const SHAPES = {
  welcome: { snapshot: (value) => thing(value) && fits(value, SNAPSHOT) },
  snapshot: SNAPSHOT,
  sown: {
    ...VERSIONED, ply: whole, pit: whole, side: word, transfers: list, stones: list, legal: list, last: whole,
  },
  seated: { ...VERSIONED, side: word, status: word, legal: list },
  ended: { ...VERSIONED, outcome: thing },
  offered: VERSIONED,
  claimable: { ...VERSIONED, claims: thing },
  advice: { game: whole, ply: whole, pit: whole },
  renamed: { player: thing },
  reacted: { kind: word },
  talk: { version: whole, lines: list },
  presence: { south: whole, north: whole, spectators: whole },
  refused: { re: word, code: word },
  pong: { sent_at: Number.isFinite, now: whole },
};

/** The message in a text frame; null if it is none that we know: a newer server may say more. */
export function read(text) {
  let message;
  try {
    message = JSON.parse(text);
  } catch {
    return null;
  }
  if (!thing(message) || !Object.hasOwn(SHAPES, message.type)) return null;
  return fits(message, SHAPES[message.type]) ? message : null;
}

function fits(message, shape) {
  return Object.entries(shape).every(([field, is]) => is(message[field]));
}
