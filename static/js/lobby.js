/** The lobby: lists that follow the server, and a name that can be changed in passing. Wiring only. */
import { Connection, socketUrl } from './lib/connection.js';
import { $, mark, write } from './lib/dom.js';
import { keepChoices } from './lobby/choices.js';
import { LiveList } from './lobby/list.js';
import { keepName } from './lobby/name.js';
import { parseControl, parseRuleset } from './lobby/order.js';

/** What the rows of all lists say of a game: how it is played. */
function described({ ruleset, control: key }) {
  const { rules, pits, stones, extras } = parseRuleset(ruleset);
  const { texts, kinds } = parseControl(key);
  return { texts: { pits, stones, ...texts }, facts: [rules, ...extras, ...kinds] };
}

/** Whose affair an own game is, as its row says it. */
function whoseTurn({ you, opponent, turn, claim }) {
  if (turn === null) return 'nobody';
  if (opponent === null) return 'shared';
  if (turn === you) return 'you';
  return claim ? 'claim' : 'them';
}

const open = new LiveList($('#open-list'), $('#open-row'), ({ host, seat, ...game }) => {
  const { texts, facts } = described(game);
  return { texts: { host, ...texts }, facts: [seat, ...facts] };
});
const live = new LiveList($('#live-list'), $('#live-row'), ({ south, north, score, spectators, ...game }) => {
  const { texts, facts } = described(game);
  const [southScore, northScore] = score;
  return { texts: { south, north, southScore, northScore, spectators, ...texts }, facts };
});

const mine = new LiveList($('#mine-list'), $('#mine-row'), ({ you, opponent, score, turn, claim, ...game }) => {
  const { texts, facts } = described(game);
  const [own, theirs] = you === 'S' ? score : [...score].reverse();
  return { texts: { opponent: opponent ?? '', own, theirs, ...texts }, facts, turn: whoseTurn({ you, opponent, turn, claim }) };
});
const { player } = $('#main').dataset;

const connection = new Connection({
  url: () => socketUrl('/ws/v1/lobby/'),
  // The heartbeat asks for the lists, so a lost announcement is made up for.
  ping: () => '{"type":"sync"}',
  probe: async () => (await fetch('/', { method: 'HEAD' })).ok,
  onBlocked: () => mark($('#blocked'), 'hidden', false),
  closing: { 4406: null, 4408: null, 4412: [0, 2_000], 4429: [10_000, 12_000] },
  onDown: ({ final }) => mark($('#lists'), 'data-link', final ? 'closed' : 'down'),
  onText: (text) => {
    const message = JSON.parse(text);
    if (message.type === 'lobby') show(message);
    if (message.type === 'mine') showMine(message);
  },
});

function show(lobby) {
  mark($('#blocked'), 'hidden', true);
  mark($('#lists'), 'data-link', 'live');
  const others = lobby.open.filter((room) => room.player !== player);
  const total = lobby.open_total - (lobby.open.length - others.length);
  open.show(others);
  live.show(lobby.playing);
  showTotal($('#open-total'), total);
  showTotal($('#live-total'), lobby.playing_total);
  say($('#open-said'), total > 0);
}

function showMine({ games, total }) {
  mine.show(games);
  showTotal($('#mine-total'), total);
  say($('#mine-said'), games.some(({ you, opponent, turn }) => opponent !== null && turn === you));
  // The way back was drawn with the page: once nothing goes on it leads nowhere.
  const back = $('#return');
  if (back) mark(back, 'data-gone', games.every(({ turn }) => turn === null));
}

/** Says something when it comes to be so, not with every change. */
function say(node, isSo) {
  write(node, isSo ? node.dataset.words : '');
}

function showTotal(node, total) {
  write(node, total);
  mark(node.parentElement, 'hidden', total === 0);
}

connection.open();
keepName($('#name-form'));
keepChoices($('.create'));
