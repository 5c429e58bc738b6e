/**
 * The clocks of a game, and what may be claimed while somebody is away. Everything shown follows from moments of the
 * server's and is worked out anew each time; nothing is counted, and this device's own clock is never asked. Only loaded
 * where there are clocks, or something to claim.
 */
import { $, $$, mark, write } from '../lib/dom.js';
import { keep, recall } from '../lib/memory.js';
import { nameOf, opponentOf } from './state.js';

const SAMPLES = 8;
const HURRY_MS = 20_000; // from here on tenths are shown
const TOLD_MS = [30_000, 10_000]; // what is left of the own time is said aloud
const JITTER_MS = 500;
const SIDES = ['S', 'N'];

/** What the server's clock says, told from the answers to pings: of the last few, the quickest is trusted. Pure. */
export class ServerTime {
  #samples = [];
  #before; // a sample from before: worse than any new one, and better than none

  constructor(sample = null) {
    this.#before = sample && estimate(sample);
  }

  /** `sentAt` and `heardAt` by this page's own running time, `now` by the server's clock, all in ms. */
  sample(sample) {
    const last = estimate(sample);
    // Two that cannot both be right: the server's clock was set in between.
    const wasSet = this.#samples.some(({ lag, ahead }) => Math.abs(ahead - last.ahead) > (lag + last.lag) / 2 + JITTER_MS);
    this.#samples = [...(wasSet ? [] : this.#samples.slice(1 - SAMPLES)), last];
  }

  /** The device may have slept, and its running time with it: what is known holds only until there is news. */
  doubt() {
    this.#before = this.#best;
    this.#samples = [];
  }

  get isKnown() {
    return this.#samples.length > 0;
  }

  /** The server's clock at a moment of this page's running time; null as long as nothing is known. */
  at(moment) {
    const best = this.#best;
    return best && moment + best.ahead;
  }

  get #best() {
    return this.#samples.reduce((best, sample) => (best && best.lag <= sample.lag ? best : sample), null) ?? this.#before;
  }
}

const estimate = ({ sentAt, now, heardAt }) => ({ lag: heardAt - sentAt, ahead: now - (sentAt + heardAt) / 2 });

/** What `side` has left, in ms, when the server's clock says `now`; null for a moment nobody knows. */
export function left({ clock }, side, now) {
  if (side !== clock.running || now === null) return clock[side];
  return Math.max(0, clock[side] - Math.max(0, now - clock.since));
}

/** From when on a clock is red: with so much for every turn, in its last quarter. */
export const hurry = (control) => (control.endsWith('s') ? Number.parseInt(control, 10) * 250 : HURRY_MS);

/** What is shown after `before` in the same turn: when the server's clock is told a little better no clock jumps up. */
export const steady = (before, ms) => (ms > before && ms - before < JITTER_MS ? before : ms);

/** Minutes and seconds, as on a chess clock; towards the end with tenths, cut off rather than rounded up. */
export function face(ms) {
  const tenths = Math.floor(ms / 100);
  const [minutes, seconds] = [Math.floor(tenths / 600), Math.floor(tenths / 10) % 60];
  const short = `${minutes}:${String(seconds).padStart(2, '0')}`;
  return ms < HURRY_MS ? `${short}.${tenths % 10}` : short;
}

export class Time {
  #say;
  #announcer;
  #server;
  #state;
  #timer = null;
  #told = ''; // the last of TOLD_MS that was said, and in which turn
  #shown = {}; // by side: what was shown, and of which turn
  #put; // the claim that the reader has put away: its moment

  /**
   * `sample` is what the page itself says of the server's clock; `measure` asks the server for another; `claim(win)` is
   * what the reader wants.
   */
  constructor({ say, announcer, room, sample, measure, claim }) {
    this.#say = say;
    this.#announcer = announcer;
    this.#server = new ServerTime(sample);
    this.#put = recall(`wait.${room}`, { tab: true });
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return;
      this.#server.doubt();
      this.#show();
      measure();
    });
    for (const button of $$('[data-claim]')) {
      button.addEventListener('click', () => {
        if (button.dataset.claim === 'wait') {
          this.#put = this.#state.claims[this.#state.you];
          keep(`wait.${room}`, this.#put, { tab: true });
        } else claim(button.dataset.claim === 'win');
        this.#show();
      });
    }
    measure();
  }

  get isKnown() {
    return this.#server.isKnown;
  }

  sample({ sent_at: sentAt, now }, heardAt) {
    this.#server.sample({ sentAt, now, heardAt });
    this.#show();
  }

  render(state) {
    this.#state = state;
    this.#show();
  }

  /** The own time first. */
  tell() {
    const { clock, you } = this.#state;
    if (!clock) return;
    const now = this.#now();
    const sides = you === 'N' ? ['N', 'S'] : SIDES;
    this.#announcer.say(sides.map((side) => (
      this.#say('time.left', { name: nameOf(this.#state, side) ?? '', time: this.#words(left(this.#state, side, now)) }))).join(' '));
  }

  #now() {
    return this.#server.at(performance.now());
  }

  #words(ms) {
    const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor(ms / 1000) % 60];
    return [
      ...(minutes ? [this.#say('time.minutes', { n: minutes })] : []),
      ...(seconds || !minutes ? [this.#say('time.seconds', { n: seconds })] : []),
    ].join(' ');
  }

  #show() {
    clearTimeout(this.#timer);
    const state = this.#state;
    if (!state || state.link === 'closed') return; // without a line the server's clocks run on, and so do these
    const now = this.#now();
    const due = [this.#claim(state, now)];
    if (state.clock) for (const side of SIDES) due.push(this.#clock(state, side, now));
    const next = Math.min(...due.filter((ms) => ms !== null));
    if (Number.isFinite(next)) this.#timer = setTimeout(() => this.#show(), next);
  }

  /** Shows a clock; in how many ms its picture changes. */
  #clock(state, side, now) {
    const ms = this.#steady(state, side, left(state, side, now));
    const node = $(`#plate-${side} .plate__clock`);
    const isTurn = state.clock.running === side && now !== null;
    const rest = isTurn ? Math.max(0, state.clock.since - now) : 0; // nobody is charged for how a first turn begins
    const runs = isTurn && !rest;
    write($('[data-part="clock"]', node), face(ms));
    mark(node, 'data-runs', runs);
    mark(node, 'data-hurry', state.status === 'playing' && ms < hurry(state.control));
    const seconds = { n: Math.ceil(rest / 1000) };
    write($(`#plate-${side} [data-part="starts"]`), rest ? this.#say('time.starts', seconds) : '');
    write($(`#plate-${side} [data-part="rest"]`), rest ? this.#say('time.short', seconds) : '');
    if (!isTurn) return null;
    if (rest) return ((rest - 1) % 1000) + 1;
    if (side === state.you) this.#warn(state, ms);
    return ms > HURRY_MS ? (ms % 1000) + 1 : ms > 0 ? 100 : null;
  }

  #steady({ game, clock }, side, ms) {
    const turn = `${game} ${clock.since} ${clock[side]}`;
    const before = this.#shown[side];
    this.#shown[side] = { turn, ms: before?.turn === turn ? steady(before.ms, ms) : ms };
    return this.#shown[side].ms;
  }

  #warn(state, ms) {
    const step = TOLD_MS.findLast((limit) => ms <= limit);
    const told = `${state.game} ${state.clock.since} ${step}`;
    if (!step || told === this.#told) return;
    this.#told = told;
    if (ms > step - 2000) this.#announcer.say(this.#say('time.warning', { n: step / 1000 })); // not where a turn began with less
  }

  /** Who is away, for how long one waits, and then the choice; in how many ms that changes. */
  #claim(state, now) {
    const card = $('#claim');
    const at = state.you ? state.claims[state.you] : null;
    const isDue = at !== null && now !== null && now >= at;
    card.hidden = !isDue || at === this.#put || state.offer !== null;
    for (const side of state.clock ? SIDES : []) { // without clocks nobody is counted down
      const other = state.claims[opponentOf(side)];
      const rest = other === null || now === null ? 0 : Math.ceil((other - now) / 1000);
      write($(`#plate-${side} [data-part="away"]`), rest > 0 ? this.#say('time.short', { n: rest }) : '');
    }
    if (isDue) write($('p', card), this.#say(state.control ? 'claim.away' : 'claim.idle', { name: nameOf(state, opponentOf(state.you)) }));
    const waits = SIDES.map((side) => state.claims[side]).filter((moment) => moment !== null && now !== null && moment > now);
    return waits.length ? ((Math.min(...waits) - now - 1) % 1000) + 1 : null;
  }
}
