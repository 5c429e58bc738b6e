/**
 * The board on the page: counts, labels, marks, preview, and one sowing after the other shown by its stones (stones.js).
 * It is told what happened and shows it; it knows no rule, sends nothing and decides nothing.
 */
import { $, $$, mark, write } from '../lib/dom.js';
import { prefers, speed } from '../lib/preferences.js';
import { PACES, plan } from './plan.js';
import { flag, holeLabel, rankLabel } from './sentences.js';
import { adviceOf, handOf, nearOf, playable } from './state.js';
import { Stones } from './stones.js';

const RATES = [1, 5, 12]; // how fast a sowing runs when so many others wait for it
const MOST_WAITING = 2; // with more than these waiting, the board jumps
const CALM_MS = 300; // without motion, a sowing still takes a moment, or a double click would play twice
const FLASH_MS = 900;
const RIBBON_MS = 1_400;
const SILENT = { play() {} };

export class Board {
  #root;
  #say;
  #settled;
  #sound;
  #pace;
  #cells = new Map(); // hole -> { node, hollow, count, isStore }
  #state;
  #stones;
  #queue = []; // sowings still to be shown
  #token = null; // who moves the stones now; null when they rest
  #previewed = null; // the pit under the pointer or the focus
  #armed = null; // the pit that a second tap will sow
  #ghost;
  #trail;
  #flag;
  #ribbon;
  #upright = false;

  /**
   * `say` is the phrase book; `settled` is called whenever the picture shows the newest state; `sound.play(name, nth)` is
   * told what can be heard; `pace()` gives the times of plan.js, or null for no motion.
   */
  constructor(root, { say, settled, sound = SILENT, pace = () => PACES[speed()] }) {
    this.#root = root;
    this.#say = say;
    this.#settled = settled;
    this.#sound = sound;
    this.#pace = pace;
    const nodes = $$('[data-hole]', root).sort((a, b) => a.dataset.hole - b.dataset.hole);
    nodes.forEach((node, hole) => this.#cells.set(hole, {
      node,
      isStore: node.matches('.store'),
      hollow: $('.pit__hollow, .store__hollow', node),
      count: $('.count', node),
    }));
    const hollows = [...this.#cells.values()].map(({ hollow }) => hollow);
    this.#stones = new Stones(root, $('.board__stones', root), hollows, (...counted) => this.#count(...counted));
    this.#ghost = $('.stone--ghost', root);
    this.#trail = $('.trail', root);
    this.#flag = $('.flag', root);
    this.#ribbon = $('.ribbon', root);
  }

  /** Draws the first state and from then on follows its own size and the tab's visibility. */
  start(state) {
    this.#state = state;
    this.#stones.make(state.stones);
    new ResizeObserver(() => this.#resized()).observe(this.#root);
    this.#resized();
    document.addEventListener('visibilitychange', () => { if (this.#token) this.show(); });
    this.#root.addEventListener('focusin', () => this.#rove());
  }

  /** True when the board stands upright, as on a phone. */
  get tall() {
    return this.#upright;
  }

  /* Following the state ------------------------------------------------------------------------ */

  render(state) {
    this.#state = state;
    const { dataset } = this.#root;
    for (const name of ['game', 'version', 'ply', 'status', 'link', 'busy']) dataset[name] = state[name];
    dataset.turn = state.turn ?? '';
    dataset.hand = handOf(state) ?? '';
    this.#face(nearOf(state));
    for (const rank of $$('.rank', this.#root)) {
      mark(rank, 'aria-label', rankLabel(this.#say, state, rank.dataset.side));
    }
    const offers = new Set(playable(state).map(([pit]) => pit));
    const isHinted = prefers('hints');
    this.#cells.forEach(({ node, isStore }, hole) => {
      mark(node, 'aria-label', holeLabel(this.#say, state, hole, isHinted));
      if (isStore) return;
      mark(node, 'data-legal', offers.has(hole));
      mark(node, 'aria-disabled', String(!offers.has(hole)));
    });
    requestAnimationFrame(() => setTimeout(() => this.#rove())); // after the paint: it makes the browser think
    if (!this.#token) this.#markLast(state.last);
    if (!state.busy) {
      const pit = state.pending?.pit ?? null;
      this.#stones.lift(pit); // while a play is on its way its stones are in the hand
    }
    if (!offers.has(this.#armed)) this.#armed = null;
    this.preview(this.#previewed);
  }

  /** Own row at the bottom: the other way round, the same holes lie elsewhere. The focus stays in its place, not in its pit. */
  #face(side) {
    if ($('.rank[data-place="near"]', this.#root).dataset.side === side) return;
    const places = () => ['far', 'near'].flatMap((place) => $$(`.rank[data-place="${place}"] > .pit`, this.#root));
    const focused = places().indexOf(document.activeElement);
    for (const node of $$('[data-place]', this.#root)) node.dataset.place = node.dataset.side === side ? 'near' : 'far';
    for (const rank of $$('.rank', this.#root)) {
      const pits = $$('.pit', rank).sort((a, b) => a.dataset.hole - b.dataset.hole);
      rank.append(...(rank.dataset.place === 'near' ? pits : pits.reverse()));
    }
    const [far, near] = ['far', 'near'].map((place) => $$(`[data-place="${place}"]`, this.#root));
    $('.board__stones', this.#root).before(far[0], near[0], near[1], far[1]);
    places()[focused]?.focus({ preventScroll: true });
    this.#resized();
  }

  /** One tab stop: where the focus is, else the first pit offered, else the first of the near row; none when all is over. */
  #rove() {
    const stop = document.activeElement?.closest('.pit') ?? $('.pit[data-legal]', this.#root)
      ?? $('.rank[data-place="near"] > .pit', this.#root);
    const isOver = this.#state.status === 'over';
    for (const { node, isStore } of this.#cells.values()) {
      if (!isStore) mark(node, 'tabindex', node === stop && !isOver ? 0 : -1);
    }
  }

  focus(hole) {
    this.#cells.get(hole).node.focus();
  }

  #markLast(last) {
    this.#cells.forEach(({ node }, hole) => {
      const marks = [hole === last?.pit && 'from', hole === last?.last && 'landing'].filter(Boolean);
      mark(node, 'data-last', marks.join(' ') || null);
    });
  }

  /* Preview ------------------------------------------------------------------------------------ */

  /** Waits for a second tap at `pit`. False when there is nothing to wait for: it is not on offer, or this is the second. */
  arm(pit) {
    const isFirst = pit !== this.#armed && playable(this.#state).some(([legal]) => legal === pit);
    this.#armed = isFirst ? pit : null;
    this.preview(this.#previewed);
    return isFirst;
  }

  /** Shows where the stones of `pit` would end and what that brings; if it is not on offer, of the armed one or the one hinted at. */
  preview(pit) {
    this.#previewed = pit;
    const offers = playable(this.#state);
    const advised = adviceOf(this.#state)?.pit ?? null;
    const offerOf = (hole) => offers.find(([legal]) => legal === hole);
    const offer = offerOf(pit) ?? offerOf(this.#armed) ?? offerOf(advised) ?? null;
    const isHinted = offer !== null && (offer[0] === advised || prefers('hints'));
    const [from, last, , , way, taken] = offer ?? [];
    this.#cells.forEach(({ node, isStore }, hole) => {
      const isTaken = isHinted && hole !== last && taken.includes(hole);
      const marks = [
        offer && hole === from && 'from', isHinted && hole === last && 'landing', isTaken && 'taken',
      ].filter(Boolean);
      mark(node, 'data-preview', marks.join(' ') || null);
      if (isStore) return;
      for (const stone of this.#stones.in(hole)) {
        mark(stone, 'data-raised', offer !== null && hole === from);
        mark(stone, 'data-doomed', isTaken);
      }
    });
    const hinted = (isHinted && flag(this.#say, offer))
      || (offer && from === this.#armed && { kind: 'again', text: this.#say('flag.again') });
    this.#ghost.hidden = !isHinted;
    this.#flag.hidden = !hinted;
    mark(this.#trail, 'd', isHinted ? this.#path([from, ...way]) : '');
    if (isHinted) {
      const falls = Math.max(1, way.filter((hole) => hole === last).length);
      const before = (last === from ? 0 : this.#stones.in(last).length) + falls - 1;
      this.#stones.place(this.#ghost, last, before + 1, before);
      this.#ghost.dataset.hue = this.#stones.in(from).at(-1)?.dataset.hue ?? 'milk';
    }
    if (!hinted) return;
    this.#flag.dataset.kind = hinted.kind;
    write($('span', this.#flag), hinted.text);
    this.#placeFlag(isHinted ? last : from, hinted.text);
  }

  #path(holes) {
    return holes.map((hole, k) => {
      const { x, y } = this.#stones.spots[hole];
      return `${k ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    }).join('');
  }

  /** In the groove between the ranks; beside a store rather than over it. Reads no layout. */
  #placeFlag(last, text) {
    const { d, width, height, spots } = this.#stones;
    const half = (text.length * 0.27 + 1.6) * Math.max(14, 0.16 * d); // near enough
    const { isStore, node } = this.#cells.get(last);
    const toward = node.dataset.place === 'near' ? -1 : 1;
    let { x, y } = spots[last];
    if (this.#upright) {
      x = width / 2;
      y += (isStore ? toward * 0.62 : -0.57) * d; // above the row it speaks of
    } else {
      y = height / 2;
      if (isStore) x += toward * (half + 0.5 * d);
    }
    this.#flag.style.translate = `${Math.max(half, Math.min(width - half, x))}px ${y}px`;
  }

  /* Showing ------------------------------------------------------------------------------------ */

  /** Shows the state at once: whatever moves stops, and stones that must change hole glide there. */
  show() {
    this.#queue = [];
    this.#stop();
    this.#stones.settle(this.#state.stones);
    this.#markLast(this.#state.last);
    this.#settled();
  }

  /** Shows one sowing after those that are still to be shown. `stones` is what it found. */
  sow(sown, stones) {
    this.#queue.push({ sown, stones });
    if (!this.#token) this.#drain();
    else if (this.#queue.length > MOST_WAITING) this.show();
    else this.#stones.hurry(RATES[this.#queue.length]);
  }

  async #drain() {
    const token = Symbol('token');
    this.#token = token;
    while (this.#queue.length) {
      const { sown, stones } = this.#queue.shift();
      this.#stones.hurry(RATES[this.#queue.length]);
      if (!document.hidden) await this.#animate(token, sown, stones);
      if (this.#token !== token) return; // show() took over
      this.#stones.settle(sown.stones);
    }
    this.#token = null;
    this.#stones.hurry(RATES[0]);
    this.#markLast(this.#state.last);
    this.#settled();
  }

  #stop() {
    this.#token = null;
    this.#stones.stop();
  }

  async #animate(token, sown, stones) {
    if (String(stones) !== String(this.#stones.counts)) this.#stones.settle(stones);
    const pace = this.#pace();
    if (!pace) {
      await this.#change(sown);
      return;
    }
    this.#markLast({ pit: sown.pit });
    for (const step of plan(stones, sown, pace)) {
      if (step.kind !== 'extra') await this.#stones.wait(step.rest);
      if (this.#token !== token) return;
      await this.#perform(step, sown);
      if (this.#token !== token) return;
      if (step.kind === 'sow') this.#markLast({ pit: sown.pit, last: step.to.at(-1) });
    }
  }

  #perform(step, sown) {
    const landed = (hole, k) => this.#sound.play(this.#cells.get(hole).isStore ? 'store' : 'tap', k);
    if (step.kind === 'sow') {
      if (sown.side !== this.#state.you) this.#sound.play('lift'); // the own hand was heard when it was lifted
      return this.#stones.carry(step, landed);
    }
    if (step.kind === 'sweep') return this.#stones.fly(step, landed);
    if (step.kind === 'capture') {
      this.#announce('capture', sown);
      return this.#stones.fly(step, landed);
    }
    this.#announce('extra', sown);
    this.#pulse(step.hole);
    return this.#stones.wait(step.rest);
  }

  /** Without motion: the new counts at once, and a quiet glow in every hole that changed. */
  async #change(sown) {
    const before = this.#stones.counts;
    this.#stones.settle(sown.stones);
    this.#sound.play('tap');
    if (sown.captured) this.#announce('capture', sown);
    if (sown.extra_turn) this.#announce('extra', sown);
    this.#cells.forEach(({ hollow }, hole) => {
      if (before[hole] === sown.stones[hole]) return;
      mark(hollow, 'data-flash', true);
      setTimeout(() => mark(hollow, 'data-flash', null), FLASH_MS);
    });
    await this.#stones.wait(CALM_MS);
  }

  /** A brass ripple around the store that earned an extra turn. */
  #pulse(hole) {
    const { d } = this.#stones;
    this.#cells.get(hole).hollow.animate([
      { outline: '0 solid transparent', outlineOffset: 0 },
      { outline: `${0.05 * d}px solid var(--brass)`, outlineOffset: `${0.02 * d}px`, offset: 0.25 },
      { outline: `${0.02 * d}px solid transparent`, outlineOffset: `${0.2 * d}px` },
    ], { duration: 900, easing: 'cubic-bezier(.2,.8,.2,1)' });
  }

  /** A ribbon over the groove: `kind` is extra or capture. */
  #announce(kind, { captured }) {
    this.#sound.play(kind);
    const ribbon = this.#ribbon.cloneNode(true); // a new one starts its motion anew
    ribbon.dataset.kind = kind;
    ribbon.hidden = false;
    write($('span', ribbon), this.#say(`ribbon.${kind}`, { n: captured }));
    this.#ribbon.replaceWith(ribbon);
    this.#ribbon = ribbon;
    setTimeout(() => { ribbon.hidden = true; }, RIBBON_MS);
  }

  #count(hole, n, isNews) {
    const { node, count } = this.#cells.get(hole);
    write(count, n);
    mark(node, 'data-count', n);
    if (isNews) count.animate([{ scale: 1 }, { scale: 1.22 }, { scale: 1 }], { duration: 180, easing: 'ease-out' });
  }

  #resized() {
    if (this.#token) this.#stop();
    this.#upright = getComputedStyle(this.#root).getPropertyValue('--view').trim() === 'tall';
    this.#stones.measure();
    if (this.#queue.length || this.#state.busy) this.show();
  }
}
