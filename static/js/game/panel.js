/**
 * Everything of the room but the board: title, plates, moves, what can be done, banner, and the dialogs. It writes what
 * the state says and knows nothing of the socket.
 */
import { $, $$, mark, stamp, write } from '../lib/dom.js';
import { keep, recall } from '../lib/memory.js';
import { DOUBLE_MS } from '../lib/taps.js';
import { missed, shown } from './lookback.js';
import {
  moveLabel, offering, plateLabel, presenceWord, resultReason, resultTitle, seatName, seriesScore, tabTitle, title, turnWord,
} from './sentences.js';
import {
  adviceOf, attendanceOf, canAsk, canOffer, canSwap, handOf, holdsBoth, isSeated, letterOf, nameOf, nearOf, opponentOf, storeOf, turnsOf,
} from './state.js';
import { Steps } from './steps.js';

const BACK_MS = 2_500;
const STILL_MS = 30_000; // a connection lost for so long deserves another word
const TOAST_MS = 3_200;
const HINT_MS = 8_000;
const WORDS_MS = 4_500;
const SILENT_MS = 6_000;
const SIDES = ['S', 'N'];
const EDGE_PX = 4; // around the move that the list shows
const FEW_STONES = 48; // that many lie well in the groove of the result

export class Panel {
  #say;
  #announcer;
  #sheet = matchMedia('(max-width: 40rem), (max-height: 30rem)'); // as in panel.css
  #state = null;
  #listed = null; // the moves that are written
  #pointed = null; // the plies up to the one that they point at
  #steps;
  #hush = null; // timer of the word about sounds
  #words = {}; // timers of what is said, by side
  #later = null; // timer of what the banner says next
  #room;
  #kept; // the plies after which the reader chose to keep the own side
  #tookBackAt = -Infinity; // when that was last tapped
  #isWatching = false; // chose to watch rather than to sit down

  constructor({ say, announcer, room }) {
    this.#say = say;
    this.#announcer = announcer;
    this.#room = room;
    this.#kept = recall(`side.${room}`, { tab: true });
    this.#steps = new Steps($('#main'), say);
  }

  /** Binds what needs no state: the sheet. `swap`, `resign`, `flip`, `step` and `retry` are asked for by the reader. */
  start({ swap, resign, offer, answer, ask, react, flip, step, retry }) {
    for (const button of $$('[data-offer]')) {
      button.addEventListener('click', ({ timeStamp }) => {
        const kind = button.dataset.offer;
        const actsAtOnce = holdsBoth(this.#state);
        if (actsAtOnce && kind === 'draw') this.#ask();
        else if (actsAtOnce && kind === 'takeback' && this.#isTwice(timeStamp)) return;
        else offer(kind);
      });
    }
    $('#draw-yes').addEventListener('click', () => {
      $('#draw').close();
      offer('draw');
    });
    for (const button of $$('[data-answer]')) button.addEventListener('click', () => answer(button.dataset.answer === 'yes'));
    $('#swap-yes').addEventListener('click', swap);
    $('#swap-no').addEventListener('click', () => {
      this.#kept = pliesOf(this.#state);
      keep(`side.${this.#room}`, this.#kept, { tab: true });
      this.render(this.#state);
    });
    for (const link of $$('[data-over]')) {
      link.addEventListener('click', (event) => {
        if (link.getAttribute('aria-disabled') === 'true') event.preventDefault(); // nobody leaves a game by it
      });
    }
    for (const button of $$('[data-ask]')) button.addEventListener('click', ask);
    for (const button of $$('[data-react]')) {
      button.addEventListener('click', () => {
        $('#talk').close();
        react(button.dataset.react);
      });
    }
    for (const button of $$('[data-flip]')) button.addEventListener('click', flip);
    $('#result').addEventListener('close', () => {
      this.#offer(this.#state);
      const isLost = document.activeElement === document.body || $('#result').contains(document.activeElement);
      if (isLost || document.activeElement.matches('.rank[data-place="far"] > .pit')) this.#refocus(); // sides were changed
    });
    $('#resign-yes').addEventListener('click', () => {
      $('#resign').close();
      resign();
    });
    $('#try-now').addEventListener('click', retry);
    this.#steps.start(({ type, index }) => step(index ?? type));
    $('#moves').addEventListener('click', ({ target }) => {
      const move = target.closest('[data-ply]');
      if (move) step(Number(move.dataset.ply) + 1);
    });
    $('#just-watch').addEventListener('click', () => {
      this.#isWatching = true;
      this.render(this.#state);
    });
    this.#listenToSheet();
  }

  /** Whether a tap on Take back is the second of a double one: two on one device mean one ply by it. */
  #isTwice(timeStamp) {
    const isTwice = timeStamp - this.#tookBackAt < DOUBLE_MS;
    this.#tookBackAt = timeStamp;
    return isTwice;
  }

  /** Two on one device need nobody else for a draw, and so are asked. */
  #ask() {
    if (canOffer(this.#state, 'draw')) $('#draw').showModal();
  }

  render(state) {
    const before = this.#state;
    this.#state = state;
    this.#head(state);
    if (state.presence && state.presence !== before?.presence) this.#audience(state.presence);
    for (const side of SIDES) this.#plate(shown(state), side);
    this.#lookBack(state);
    this.#invitation(state);
    this.#actions(state);
    this.#offer(state);
    this.#hint(state);
    this.#swap(state);
    this.#banner(state, before);
    requestAnimationFrame(() => setTimeout(() => this.#moves(this.#state))); // the picture first, then the paperwork
  }

  #head(state) {
    const say = this.#say;
    write($('#title'), title(say, state));
    write($('#series'), seriesScore(say, state));
    if (document.title !== tabTitle(say, state)) document.title = tabTitle(say, state);
    $('#watching').hidden = isSeated(state) || state.status === 'open';
    $('[data-flip]').hidden = isSeated(state);
    $('[data-toggle="follow"]').hidden = !holdsBoth(state);
  }

  /** Who watches: how many in the header, and the first by name in a dialog. */
  #audience({ spectators, names }) {
    const count = this.#say('watching', { n: spectators });
    const more = spectators - names.length;
    mark($('#watchers'), 'data-none', spectators === 0);
    write($('#watchers > span'), spectators);
    for (const node of $$('#watchers > .sr-only, #audience-title')) write(node, count);
    $('#audience ul').replaceChildren(...names.map((name) => {
      const item = document.createElement('li');
      item.textContent = name;
      return item;
    }));
    write($('#audience p'), more > 0 ? this.#say('watching.more', { n: more }) : '');
  }

  #plate(state, side) {
    const say = this.#say;
    const plate = $(`#plate-${side}`);
    const part = (name) => $(`[data-part="${name}"]`, plate);
    this.#place(plate, side === nearOf(state) ? 'near' : 'far');
    plate.dataset.state = plateState(state, side);
    plate.dataset.presence = state.seats[side] ? attendanceOf(state, side) : 'unknown';
    mark(plate, 'aria-label', plateLabel(say, state, side));
    write(part('name'), seatName(say, state, side));
    part('you').hidden = side !== state.you;
    part('computer').hidden = !state.seats[side]?.level;
    write(part('presence'), presenceWord(say, state, side));
    write(part('turn'), turnWord(say, state, side));
    if (!state.busy) write(part('score'), state.stones[storeOf(state, side)]); // with the picture, not before it
    for (const node of $$(`[data-name="${side}"]`)) write(node, seatName(say, state, side));
  }

  #place(plate, place) {
    if (plate.dataset.place === place) return;
    plate.dataset.place = place;
    $('.stage__board')[place === 'near' ? 'after' : 'before'](plate);
  }

  /** The bar that leads through the moves lies over the own plate while an earlier one is looked at. */
  #lookBack(state) {
    const bar = $('#lookback');
    const isNow = state.at === null;
    const hadFocus = bar.contains(document.activeElement);
    this.#steps.render({ index: state.at ?? state.ply, count: state.ply + 1, isStill: true });
    const n = missed(state);
    write($('#missed'), n ? this.#say('missed', { n }) : '');
    mark($('#stage'), 'data-at', state.at);
    bar.hidden = isNow;
    if (isNow && hadFocus) this.#refocus();
  }

  #invitation(state) {
    const isOpen = state.status === 'open';
    const cards = [$('#invite'), $('#sit')];
    const focused = cards.find((card) => card.contains(document.activeElement));
    $('#stage').dataset.status = state.status;
    $('#invite').hidden = !isOpen || !state.you;
    const host = nameOf(state, 'S') ?? nameOf(state, 'N');
    write($('#sit-title'), this.#say(host ? 'sit.name' : 'sit.free', { name: host }));
    $('#sit').hidden = !isOpen || state.you !== null || this.#isWatching;
    mark($('#stage'), 'data-watching', this.#isWatching && state.you === null);
    if (focused?.hidden) this.#refocus();
  }

  #actions(state) {
    const canResign = isSeated(state) && state.status === 'playing';
    mark($('.actions'), 'data-watching', !isSeated(state));
    for (const node of $$('[data-offer], [data-open="resign"]')) node.hidden = !isSeated(state);
    for (const node of $$('[data-open="resign"]')) mark(node, 'aria-disabled', String(!canResign)); // in its place: nothing moves
    const isDone = state.status === 'over' && state.ply > 0;
    for (const link of $$('[data-over]')) { // for players in the place of what can be done no more
      link.hidden = isSeated(state) && !isDone;
      mark(link, 'aria-disabled', String(!isDone));
    }
    if (isDone) for (const node of $$('.actions [data-offer="takeback"], .dock [data-open="resign"]')) node.hidden = true;
    if (canResign) {
      const name = nameOf(state, opponentOf(handOf(state)));
      write($('#resign [data-part="body"]'), this.#say('resign.body', { name }));
    } else $('#resign').close();
  }

  /** What is offered, over the board, until it is answered; another game is offered in the dialog of the result too. */
  #offer(state) {
    const say = this.#say;
    const { offer, you } = state;
    const dialog = $('#result');
    for (const button of $$('[data-offer]')) {
      mark(button, 'aria-disabled', String(!canOffer(state, button.dataset.offer))); // it keeps the focus, and does nothing
    }
    for (const link of $$('[data-record]')) mark(link, 'href', link.getAttribute('href').replace(/\d+(?=\.txt$|\/review\/$)/, state.game));
    if (state.status !== 'over') dialog.close();
    if (!canOffer(state, 'draw')) $('#draw').close();
    const isOwn = offer !== null && offer.side === you;
    const hadFocus = $('#offer').contains(document.activeElement);
    mark($('#offer'), 'data-own', isOwn);
    const words = offer ? offering(say, state, offer) : '';
    $('#offer').hidden = !offer || dialog.open;
    write($('#offer p'), words);
    const [no, yes] = $$('[data-answer]', $('#offer'));
    $('.offer__answers', $('#offer')).hidden = you === null;
    write($('.result__offer', dialog), offer?.kind === 'rematch' ? words : '');
    const name = you && nameOf(state, opponentOf(you));
    write($('#again span'), say(isOwn ? 'rematch.wait' : offer ? 'offer.accept.rematch' : 'rematch.ask', { name }));
    if (hadFocus && $('#offer').hidden) this.#refocus();
    if (!offer || you === null) return;
    yes.hidden = isOwn;
    write(no, say(isOwn ? 'offer.withdraw' : `offer.decline.${offer.kind}`));
    write(yes, say(`offer.accept.${offer.kind}`));
  }

  /** A hint can be asked for in the place where, once the game is over, another one can. */
  #hint(state) {
    const isOver = state.status === 'over';
    const buttons = $$('[data-ask]');
    for (const button of buttons) {
      mark(button, 'aria-disabled', String(!canAsk(state)));
      mark(button, 'aria-busy', state.asked === state.ply && !isOver ? 'true' : null);
      if (button.matches('.action')) button.hidden = isOver;
    }
    if (buttons.length) $('.actions [data-offer="rematch"]').hidden = !isOver;
    if (!adviceOf(state)) $('.toast[data-hint]')?.remove();
  }

  /** The other side may be taken. What the other asks is answered first. */
  #swap(state) {
    const card = $('#swap');
    const hadFocus = card.contains(document.activeElement);
    card.hidden = !canSwap(state) || state.busy || state.at !== null || state.offer !== null
      || pliesOf(state) === this.#kept;
    if (hadFocus && card.hidden) this.#refocus();
  }

  /** What had the focus is gone: back to the board, or when nothing can be done there to what can. */
  #refocus() {
    const isInReach = (node) => node.checkVisibility() && !node.closest('[inert]'); // a closed sheet is not
    const row = '#board .rank[data-place="near"] > .pit';
    const stop = $('#board .pit[tabindex="0"]') && ($(`${row}[tabindex="0"]`) ?? $(row));
    const next = stop ?? [...$$('.actions .action')].find(isInReach);
    (next ?? $('#open-panel')).focus({ preventScroll: true });
  }

  #banner(state, before) {
    if (state.link === before?.link) return;
    const wasLost = before?.link === 'offline';
    const kinds = { offline: 'lost', closed: 'closed', online: wasLost ? 'back' : null, connecting: null };
    const kind = kinds[state.link];
    clearTimeout(this.#later);
    if (kind === 'back') this.#later = setTimeout(() => { $('#banner').hidden = true; }, BACK_MS);
    if (kind === 'lost') {
      write($('#lost'), this.#say('lost'));
      this.#later = setTimeout(() => write($('#lost'), this.#say('lost.still')), STILL_MS);
    }
    if (kind === 'closed') write($('#closed'), this.#say(`closed.${state.closed}`));
    for (const node of $('#banner').children) node.hidden = node.dataset.when !== kind;
    $('#banner').dataset.kind = kind;
    $('#banner').hidden = kind === null;
  }

  /** Pages come through, and sockets do not. */
  blocked() {
    clearTimeout(this.#later);
    write($('#lost'), this.#say('lost.blocked'));
  }

  /* Moves -------------------------------------------------------------------------------------- */

  #moves(state) {
    if (this.#sheet.matches && !$('#panel').hasAttribute('data-open')) return; // a closed sheet is not worth a layout
    const listed = `${state.game} ${state.transcript} ${JSON.stringify([state.last, state.captures, state.seats])}`;
    const { ply } = shown(state);
    if (listed === this.#listed && ply === this.#pointed) return;
    if (listed !== this.#listed) this.#list(state);
    this.#listed = listed;
    this.#pointed = ply;
    this.#point(ply - 1);
  }

  #list(state) {
    const focused = document.activeElement.dataset.ply;
    const rows = [];
    for (const turn of turnsOf(state)) {
      const row = rows.at(-1);
      if (!row || turn.side === 'S' || row[turn.side]) rows.push({ [turn.side]: turn });
      else row[turn.side] = turn;
    }
    $('#moves').replaceChildren(...rows.map((row, index) => this.#row(state, row, index)));
    $('.moves__empty').hidden = rows.length > 0;
    $(`#moves [data-ply="${focused}"]`)?.focus({ preventScroll: true });
  }

  /** The move that the board shows: in sight, and the one where a Tab stops. */
  #point(ply) {
    const list = $('.moves');
    const moves = $$('[data-ply]', list);
    moves.forEach((move, k) => {
      mark(move, 'aria-current', k === ply ? 'true' : null);
      mark(move, 'tabindex', k === Math.max(0, ply) ? 0 : -1);
    });
    const { offsetTop = 0, offsetHeight = 0 } = moves[ply] ?? {};
    const [above, below] = [offsetTop - list.offsetTop, offsetTop + offsetHeight - list.offsetTop - list.clientHeight];
    list.scrollTop = Math.max(below + EDGE_PX, Math.min(above - EDGE_PX, list.scrollTop));
  }

  #row(state, row, index) {
    const node = stamp('turns');
    write($('.turn__no', node), index + 1);
    $$('ol', node).forEach((list, k) => {
      const turn = row[SIDES[k]];
      list.append(...(turn?.plies ?? []).map((move) => this.#move(state, turn.side, move)));
    });
    return node;
  }

  #move(state, side, move) {
    const node = stamp('move');
    const [label, letter] = $$('span', node);
    write(label, moveLabel(this.#say, state, side, move));
    write(letter, move.isSwap ? '⇄' : letterOf(move.pit));
    const button = $('button', node);
    button.dataset.ply = move.ply;
    mark(button, 'data-extra', move.extra);
    if (move.captured) write($('b', node), `×${move.captured}`);
    return node;
  }

  /* The end ------------------------------------------------------------------------------------ */

  showResult() {
    const state = this.#state;
    if (state.status !== 'over') return;
    const writing = $('dialog[open] .input:focus')?.closest('dialog');
    if (writing) { // whoever is in the middle of a line is not made to press something else
      writing.addEventListener('close', () => this.showResult(), { once: true });
      return;
    }
    const { winner, score } = state.outcome;
    const dialog = $('#result');
    write($('.result__title', dialog), resultTitle(this.#say, state));
    write($('.result__reason', dialog), resultReason(this.#say, state));
    SIDES.forEach((side, k) => {
      const node = $(`.result__side[data-side="${side}"]`, dialog);
      write($('b', node), score[k]);
      mark(node, 'data-lost', winner !== null && winner !== side);
    });
    const total = score[0] + score[1];
    const groove = $('.groove', dialog);
    groove.hidden = total !== state.stones.reduce((sum, n) => sum + n); // some still lie in pits
    mark(groove, 'data-many', total > FEW_STONES);
    groove.replaceChildren(...Array.from({ length: total }, (_, k) => {
      const stone = document.createElement('i');
      stone.className = 'stone';
      stone.dataset.hue = k < score[0] ? 'amber' : 'cobalt';
      return stone;
    }));
    write($('.result__said', dialog), '');
    write($('.result__series', dialog), seriesScore(this.#say, state));
    for (const open of $$('dialog[open]')) open.close();
    dialog.showModal();
    this.#offer(state);
  }

  /* Small things ------------------------------------------------------------------------------- */

  /** Sounds are wanted, and the browser waits for a first tap. */
  silent(isSilent) {
    clearTimeout(this.#hush);
    $('#silent').hidden = !isSilent;
    if (isSilent) this.#hush = setTimeout(() => this.silent(false), SILENT_MS);
  }

  /** Somebody says `words`: a player beside the own emblem, a spectator below; and in the dialog of the result, if it is open. */
  speak(side, words, sentence) {
    const isOver = $('#result').open;
    if (isOver) write($('.result__said'), sentence);
    else if (side !== this.#state.you || side === null) this.#announcer.say(sentence);
    if (!side) {
      if (!isOver) this.#show(sentence);
      return;
    }
    const bubble = $(`#plate-${side} .plate__said`);
    write($('span', bubble), words);
    bubble.hidden = false;
    clearTimeout(this.#words[side]);
    this.#words[side] = setTimeout(() => { bubble.hidden = true; }, WORDS_MS);
  }

  /** A sentence for eye and ear that needs no answer. */
  toast(text, isWarning = false) {
    this.#show(text, isWarning);
    this.#announcer.say(text);
  }

  /** A hint, which takes longer to read, and is gone once it is no longer true. */
  hint(text) {
    mark(this.#show(text, false, HINT_MS), 'data-hint', true);
    this.#announcer.say(text);
  }

  #show(text, isWarning = false, ms = TOAST_MS) {
    const node = stamp('toast');
    if (!isWarning) $('.icon', node).remove();
    write($('span', node), text);
    $('#toasts').replaceChildren(node);
    setTimeout(() => node.remove(), ms);
    return node;
  }

  /** On phones the panel is a sheet: out of reach while it is closed. */
  #listenToSheet() {
    const panel = $('#panel');
    const opener = $('#open-panel');
    const set = (isOpen) => {
      mark(panel, 'data-open', isOpen);
      mark(opener, 'aria-expanded', String(isOpen));
      panel.inert = this.#sheet.matches && !isOpen;
      for (const node of $$('.room__home, .room__tools, .offer, #stage, .dock')) node.inert = this.#sheet.matches && isOpen;
      this.#moves(this.#state);
    };
    const close = () => {
      if (!panel.hasAttribute('data-open')) return;
      set(false);
      opener.focus();
    };
    opener.addEventListener('click', () => {
      set(!panel.hasAttribute('data-open'));
      if (!panel.inert) $('.panel__close').focus({ preventScroll: true });
    });
    $('.panel__close').addEventListener('click', close);
    panel.addEventListener('click', ({ target }) => {
      if (this.#sheet.matches && target.closest('[data-go], [data-ply]')) close(); // the board is behind it
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !panel.hasAttribute('data-open') || $('dialog[open]')) return; // what lies on top closes first
      close();
      event.preventDefault();
    });
    document.addEventListener('pointerdown', ({ target }) => {
      if (this.#sheet.matches && !target.closest('#panel, .dock, dialog')) close();
    });
    this.#sheet.addEventListener('change', () => set(false));
    panel.inert = this.#sheet.matches;
  }
}

const pliesOf = ({ game, transcript }) => `${game} ${transcript}`;

function plateState(state, side) {
  if (!state.seats[side]) return 'vacant';
  if (state.at !== null) return 'idle';
  if (state.busy ? state.last.side === side : state.turn === side) return 'turn'; // whose stones are on the move
  return state.outcome?.winner === side ? 'won' : 'idle';
}
