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

const connection = new Connection({
  url: () => socketUrl('/ws/v1/lobby/'),
  // The heartbeat asks for the lists, so a lost announcement is made up for.
  ping: () => '{"type":"sync"}',
  closing: { 4406: null, 4408: null, 4412: [0, 2_000], 4429: [10_000, 12_000] },
  onDown: ({ final }) => mark($('#lists'), 'data-link', final ? 'closed' : 'down'),
  onText: (text) => {
    const message = JSON.parse(text);
    if (message.type === 'lobby') show(message);
  },
});

function show(lobby) {
  mark($('#lists'), 'data-link', 'live');
  open.show(lobby.open);
  live.show(lobby.playing);
  showTotal($('#open-total'), lobby.open_total);
  showTotal($('#live-total'), lobby.playing_total);
  // Said when the first one comes, not with every change.
  write($('#open-said'), lobby.open_total > 0 ? $('#open-said').dataset.words : '');
}

function showTotal(node, total) {
  write(node, total);
  mark(node.parentElement, 'hidden', total === 0);
}

connection.open();
keepName($('#name-form'));
