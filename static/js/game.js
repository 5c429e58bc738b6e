/** The room: wires socket, state, board, panel and input together. Decides nothing. */
import { Announcer } from './lib/announcer.js';
import { Connection, socketUrl } from './lib/connection.js';
import { $, $$ } from './lib/dom.js';
import { notify } from './lib/notify.js';
import { prefers, togglePreference } from './lib/preferences.js';
import { listenToLinks } from './lib/share.js';
import { Sound } from './lib/sound.js';
import { phraseBook, phrasesOf } from './lib/words.js';
import { Board } from './game/board.js';
import { listen } from './game/input.js';
import { CLOSING, ping, read } from './game/messages.js';
import { Panel } from './game/panel.js';
import {
  advised, arrival, caughtUp, hint, offering, over, reaction, refusal, sowing, stepped, swapped, tabTitle, turned, unoffered,
} from './game/sentences.js';
import { begin, reduce, shown } from './game/lookback.js';
import { isUnheard } from './game/state.js';

const GONE_MS = 4_000; // a reload is not an absence
const ECHO_MS = 2_000; // what changes the game, unanswered for so long: try the line, and of a play say so
const RESULT_MS = 700; // a last look at the board
const ADDRESS_MS = 300; // a slider passes many plies, and a browser takes only so many addresses
const WHOLE = new Set(['welcome', 'snapshot']); // messages with the whole state
const PLAYED = new Set(['sown', 'swapped', 'caught_up']); // after which it may be the reader's turn

const say = phraseBook(phrasesOf($('#words')), document.documentElement.lang);
const announcer = new Announcer($('#announcer'));
const page = JSON.parse($('#page').textContent);
let state = begin({ ...page, sides: { S: say('side.S'), N: say('side.N') } });
let finished = null; // the game whose result was shown
const absences = { S: null, N: null }; // timers
let address = null; // a timer
let seen = state.at; // the ply in the address
let time = null; // clocks and claims, where there are any
let letters = null; // what the two players write to each other, once there is any or it is looked for
let isLookedFor = false;

const panel = new Panel({ say, announcer, room: state.room });
const sound = new Sound({ onSilent: (isSilent) => panel.silent(isSilent) });
const board = new Board($('#board'), { say, sound, settled: () => dispatch({ type: 'settled' }) });
const connection = new Connection({
  url: () => socketUrl(`/ws/v1/rooms/${state.room}/`),
  onText: (text) => {
    const message = read(text);
    if (!message) return;
    if (message.type === 'pong') time?.sample(message, performance.now());
    else dispatch(message);
    if (time && !time.isKnown && WHOLE.has(message.type)) connection.wake(); // the answer to the ping was a snapshot
  },
  onDown: ({ code, final }) => dispatch({ type: 'offline', code, final }),
  ping: () => JSON.stringify(ping(state, performance.now())),
  probe: async () => read(await (await fetch(`/r/${state.room}/state.json`)).text()),
  onBlocked: (message) => {
    dispatch(message);
    panel.blocked();
  },
  closing: CLOSING,
});

function dispatch(action) {
  const next = reduce(state, action);
  state = next.state;
  render();
  next.effects.forEach(perform);
}

function render() {
  if (state.at !== seen) lead();
  board.render(shown(state));
  panel.render(state);
  if (time) time.render(state);
  else if (state.clock || (state.you && state.claims[state.you])) wind();
  if (letters) letters.render(state);
  else if (isLookedFor || state.talk.version) loadLetters();
  if (state.status !== 'over' || state.busy || state.at !== null || finished === state.game) return;
  finished = state.game;
  setTimeout(() => {
    if (finished === state.game) panel.showResult(); // or the next one has begun
  }, RESULT_MS);
}

/** A module that only some rooms need; null while there is no line: whatever is rendered next asks again. */
const some = (module) => module.catch(() => null);

async function loadLetters() {
  isLookedFor = true;
  if (letters || !$('#letters')) return; // a public room has none
  const module = await some(import('./game/talk.js'));
  if (!module || letters) return;
  letters = new module.Letters({ say, panel, room: state.room, act: dispatch });
  letters.render(state);
}

async function wind() {
  const module = await some(import('./game/time.js'));
  if (!module || time) return;
  time = new module.Time({
    say, announcer, room: state.room, sample: visit(), measure: () => connection.wake(),
    claim: (win) => dispatch({ type: 'claim', win }),
  });
  time.render(state);
}

/** What the page says of the server's clock: it was asked for and came as any answer does. */
function visit() {
  const [{ requestStart, responseStart }] = performance.getEntriesByType('navigation');
  return { sentAt: requestStart, now: page.now, heardAt: responseStart };
}

function perform(effect) {
  if (effect.do === 'send') post(effect.message);
  else if (effect.do === 'sow') board.sow(effect.sown, effect.stones);
  else if (effect.do === 'show') board.show();
  else if (effect.do === 'watch') watch(effect);
  else if (effect.do === 'hear') sound.play(effect.what);
  else if (effect.do === 'fetch') fetchRecord();
  else tell(effect);
}

function post(message) {
  connection.send(JSON.stringify(message));
  const isPlay = message.type === 'play';
  if (isPlay) sound.play('lift');
  setTimeout(() => {
    if (isPlay && state.pending?.ply === message.ply) dispatch({ type: 'slow' });
    else if (!isUnheard(state) || state.unheard.message !== message) return;
    connection.wake();
  }, ECHO_MS);
}

async function fetchRecord() {
  let record = null;
  try {
    const answer = await fetch(`/r/${state.room}/${state.game}.json`);
    if (answer.ok) record = await answer.json();
  } catch {
    // no line: it is said, and may be asked for again
  }
  dispatch({ type: 'recorded', record });
}

/** The address leads to the ply that is shown, and to none while there is none: it would be an earlier one some day. */
function lead() {
  seen = state.at;
  clearTimeout(address);
  address = setTimeout(() => {
    const url = new URL(location.href);
    if (state.at === null) url.searchParams.delete('ply');
    else url.searchParams.set('ply', state.at);
    history.replaceState(null, '', url);
  }, ADDRESS_MS);
}

function watch({ side, missing }) {
  if (missing && absences[side] !== null) return;
  clearTimeout(absences[side]);
  absences[side] = missing ? setTimeout(() => dispatch({ type: 'gone', side }), GONE_MS) : null;
}

function tell({ what, ...event }) {
  if (what === 'sown') announcer.say(news(sowing(say, state, event.sown)));
  else if (what === 'stepped') announcer.say(stepped(say, state, shown(state)), { alone: true });
  else if (what === 'ended') announcer.say(over(say, state));
  else if (what === 'hint') deny(hint(say, state, event.why, event.pit), event.re);
  else if (what === 'refused') deny(refusal(say, event), event.re);
  else if (what === 'offered') announcer.say(offering(say, state, event.offer));
  else if (what === 'declined' || what === 'withdrawn') panel.toast(unoffered(say, state, what, event.offer));
  else if (what === 'reacted') hearWords(event);
  else if (what === 'advised') panel.hint(advised(say, state));
  else if (what === 'stopped') {
    panel.toast(say('time.stopped'));
    connection.wake(); // the server's clock may be another
  }
  else if (what === 'swapped') panel.toast(swapped(say, state));
  else if (what === 'begun' || what === 'back_again') announcer.say(turned(say, state, what));
  else if (what === 'caught_up') announcer.say(news(caughtUp(say, state, event)));
  else if (event.side && event.side !== state.you) announcer.say(arrival(say, state, what, event.side));
  const calls = what === 'seated' ? event.side !== state.you : PLAYED.has(what) && state.turn === state.you;
  if (state.you && calls) notify(tabTitle(say, state), state.room);
}

function hearWords(event) {
  if (!prefers('talk')) return;
  const { words, sentence } = reaction(say, state, event);
  panel.speak(event.side, words, sentence);
}

/** What happens in the game while an earlier ply is looked at. */
function news(text) {
  return state.at === null ? text : say('say.meanwhile', { text });
}

/** Something was not done; `re` is the type of the message that asked for it, if any did. */
function deny(text, re) {
  sound.play('refused');
  panel.toast(text, true);
  letters?.deny(re, text);
}

function ask() {
  dispatch({ type: 'ask' });
}

function step(to) {
  dispatch({ type: 'step', to });
}

lead();
board.start(shown(state));
panel.start({
  swap: () => dispatch({ type: 'swap' }),
  resign: () => dispatch({ type: 'resign' }),
  offer: (kind) => dispatch({ type: 'offer', kind }),
  answer: (accept) => dispatch({ type: 'answer', accept }),
  ask,
  react: (kind) => dispatch({ type: 'react', kind }),
  flip: () => dispatch({ type: 'flip' }),
  retry: () => connection.wake(),
  step,
});
for (const opener of $$('[data-open="talk"]')) opener.addEventListener('click', loadLetters);
listenToLinks(say, announcer);
listen($('#board'), board, {
  pick: (pit) => dispatch({ type: 'pick', pit }),
  armed: () => announcer.say(say('flag.again')),
  step,
  help: () => $('#keys').showModal(),
  mute: () => togglePreference('sound'),
  time: () => time?.tell(),
  ask,
});
const follow = () => dispatch({ type: 'follow', on: prefers('follow') });
document.addEventListener('preferences', follow);
follow();
connection.open();
