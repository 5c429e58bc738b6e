/**
 * A room inside somebody else's page: its board, the players, the score and whose turn it is, through all its games.
 * It watches and never speaks up: a reader of that page did not come for the game. Wiring only.
 */
import { Connection, socketUrl } from './lib/connection.js';
import { $, mark, write } from './lib/dom.js';
import { phraseBook, phrasesOf } from './lib/words.js';
import { Board } from './game/board.js';
import { listen } from './game/input.js';
import { CLOSING, ping, read } from './game/messages.js';
import { resultTitle, seatName, title } from './game/sentences.js';
import { begin, reduce, storeOf } from './game/state.js';

const say = phraseBook(phrasesOf($('#words')), document.documentElement.lang);
let state = begin({ ...JSON.parse($('#page').textContent), sides: { S: say('side.S'), N: say('side.N') } });

const board = new Board($('#board'), { say, settled: () => dispatch({ type: 'settled' }) });
const connection = new Connection({
  url: () => socketUrl(`/ws/v1/rooms/${state.room}/watch/`),
  onText: (text) => {
    const message = read(text);
    if (message) dispatch(message);
  },
  onDown: ({ code, final }) => dispatch({ type: 'offline', code, final }),
  ping: () => JSON.stringify(ping(state, performance.now())),
  closing: CLOSING,
});

function dispatch(action) {
  const next = reduce(state, action);
  state = next.state;
  render();
  next.effects.forEach(perform);
}

function render() {
  board.render(state);
  const winner = state.busy ? null : state.outcome?.winner;
  for (const side of ['S', 'N']) {
    const row = $(`.embed__side[data-side="${side}"]`);
    mark(row, 'data-state', state.turn === side ? 'turn' : winner === side ? 'won' : 'idle');
    write($('bdi', row), seatName(say, state, side));
    if (!state.busy) write($('b', row), state.stones[storeOf(state, side)]); // with the picture, not before it
  }
  write($('#now'), now(winner));
}

/** What goes on that no player's name says. */
function now(winner) {
  if (state.link === 'closed') return say(`closed.${state.closed}`);
  if (state.link === 'offline') return say('turn.hold');
  if (state.status === 'open') return title(say, state);
  return state.outcome && !state.busy && !winner ? resultTitle(say, state) : '';
}

function perform(effect) {
  if (effect.do === 'send') connection.send(JSON.stringify(effect.message));
  else if (effect.do === 'sow') board.sow(effect.sown, effect.stones);
  else if (effect.do === 'show') board.show();
}

board.start(state);
listen($('#board'), board, { pick() {}, armed() {}, step() {}, help() {}, mute() {} }); // the arrows walk over the pits
render();
connection.open();
