/** The lobby: lists that follow the server, and a name that can be changed in passing. Wiring only. */
import { Connection, socketUrl } from './lib/connection.js';
import { $, mark, write } from './lib/dom.js';
import { LiveList } from './lobby/list.js';
import { keepName } from './lobby/name.js';
import { parseRuleset } from './lobby/order.js';

const open = new LiveList($('#open-list'), $('#open-row'), ({ ruleset, host, seat }) => {
  const { rules, pits, stones } = parseRuleset(ruleset);
  return { texts: { host, pits, stones }, facts: [rules, seat] };
});
const live = new LiveList($('#live-list'), $('#live-row'), ({ ruleset, south, north, score, spectators }) => {
  const { rules, pits, stones } = parseRuleset(ruleset);
  const [southScore, northScore] = score;
  return { texts: { south, north, southScore, northScore, spectators, pits, stones }, facts: [rules] };
});

const mine = new LiveList($('#mine-list'), $('#mine-row'), ({ ruleset, you, opponent, score, turn }) => {
  const { rules, pits, stones } = parseRuleset(ruleset);
  const [own, theirs] = you === 'S' ? score : [...score].reverse();
  const whose = turn === null ? 'nobody' : opponent === null ? 'shared' : turn === you ? 'you' : 'them';
  return { texts: { opponent: opponent ?? '', own, theirs, pits, stones }, facts: [rules], turn: whose };
});
const { player } = $('#main').dataset;

const connection = new Connection({
  url: () => socketUrl('/ws/v1/lobby/'),
  // The heartbeat asks for the lists, so a lost announcement is made up for.
  ping: () => '{"type":"sync"}',
  closing: { 4406: null, 4408: null, 4412: [0, 2_000], 4429: [10_000, 12_000] },
  onDown: ({ final }) => mark($('#lists'), 'data-link', final ? 'closed' : 'down'),
  onText: (text) => {
    const message = JSON.parse(text);
    if (message.type === 'lobby') show(message);
    if (message.type === 'mine') showMine(message);
  },
});

function show(lobby) {
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
