/** What the server would write into a page, on a board of two pits a side. Not a test. */
export const START = [1, 1, 0, 1, 1, 0];

/** A game that stands at `stones`, seen by whoever sits as South; `legal` is the one pit offered. */
export const welcome = ({ stones = START, turn = 'S', legal = [], you = 'S' } = {}) => ({
  type: 'welcome',
  you,
  player: you,
  snapshot: {
    type: 'snapshot', room: '', game: 1, version: 0, status: 'playing', ply: 0, ruleset: 'classic-2x1', stones, turn, legal,
    last: null, seats: { S: { id: 'S', name: 'Sun' }, N: { id: 'N', name: 'Moon' } }, outcome: null, transcript: '',
    captures: [],
  },
});

const sown = (ply, pit, side, to, stones, turn) => ({
  type: 'sown', game: 1, version: ply + 1, ply, pit, side, transfers: [['sow', pit, to]], stones, turn, legal: [],
  last: to.at(-1), extra_turn: turn === side, captured: 0, outcome: null,
});

/** b ends in the store, a in b; then North sows e into its store, and d into e. */
export const SOWN = [
  sown(0, 1, 'S', [2], [1, 0, 1, 1, 1, 0], 'S'),
  sown(1, 0, 'S', [1], [0, 1, 1, 1, 1, 0], 'N'),
  sown(2, 4, 'N', [5], [0, 1, 1, 1, 0, 1], 'N'),
];
