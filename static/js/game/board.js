/**
 * The board on the page: counts, labels, marks, and one element per stone for the whole game, moved about. It is told
 * what happened and shows it; it knows no rule, sends nothing and decides nothing.
 */
import { $, $$, mark, write } from '../lib/dom.js';
import { heap, hollowOf } from './pebbles.js';
import { PACE, plan } from './plan.js';
import { flag, holeLabel, rankLabel } from './sentences.js';
import { offered } from './state.js';

const HUES = ['amber', 'sea', 'cobalt', 'rose', 'leaf', 'milk'];
const SHAPES = 5;
const RATES = [1, 5, 12]; // how fast a sowing runs when so many others wait for it
const MOST_WAITING = 2; // with more than these waiting, the board jumps
const CALM_MS = 300; // without motion, a sowing still takes a moment, or a double click would play twice
const FLASH_MS = 900;
const RIBBON_MS = 1_400;

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Board {
  #root;
  #say;
  #settled;
  #cells = new Map(); // hole -> { node, hollow, count, isStore }
  #state;
  #drawn = []; // stones shown in each hole
  #heaps = []; // the elements lying in each hole
  #stones = []; // all of them
  #spots = []; // where the holes are
  #d = 1; // diameter of a pit in px
  #queue = []; // sowings still to be shown
  #token = null; // who moves the stones now; null when they rest
  #running = new Set(); // animations
  #rate = 1;
  #lifted = null; // { pit, at }: the stones in the hand
  #previewed = null; // the pit under the pointer or the focus
  #layer;
  #ghost;
  #flag;
  #ribbon;
  #width = 0; // of the board, in px
  #height = 0;
  #upright = false;

  /** `say` is the phrase book; `settled` is called whenever the picture shows the newest state. */
  constructor(root, { say, settled }) {
    this.#root = root;
    this.#say = say;
    this.#settled = settled;
    for (const node of $$('[data-hole]', root)) {
      const isStore = node.matches('.store');
      this.#cells.set(Number(node.dataset.hole), {
        node, isStore, hollow: $('.pit__hollow, .store__hollow', node), count: $('.count', node),
      });
    }
    this.#layer = $('.board__stones', root);
    this.#ghost = $('.stone--ghost', root);
    this.#flag = $('.flag', root);
    this.#ribbon = $('.ribbon', root);
  }

  /** Draws the first state and from then on follows its own size and the tab's visibility. */
  start(state) {
    this.#state = state;
    this.#makeStones(state.stones);
    new ResizeObserver(() => this.#resized()).observe(this.#root);
    this.#resized();
    document.addEventListener('visibilitychange', () => { if (this.#token) this.show(); });
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
    dataset.you = state.you ?? '';
    this.#face(state.you ?? 'S');
    for (const rank of $$('.rank', this.#root)) {
      mark(rank, 'aria-label', rankLabel(this.#say, state, rank.dataset.side));
    }
    const offers = new Set(offered(state).map(([pit]) => pit));
    this.#cells.forEach(({ node, isStore }, hole) => {
      mark(node, 'aria-label', holeLabel(this.#say, state, hole));
      if (isStore) return;
      mark(node, 'data-legal', offers.has(hole));
      mark(node, 'aria-disabled', String(!offers.has(hole)));
    });
    requestAnimationFrame(() => setTimeout(() => this.#rove())); // after the paint: it makes the browser think
    if (!this.#token) this.#markLast(state.last);
    this.#lift(state);
    this.preview(this.#previewed);
  }

  /** Own row at the bottom: the other way round, the same holes lie elsewhere. */
  #face(side) {
    if ($('.rank[data-place="near"]', this.#root).dataset.side === side) return;
    for (const node of $$('[data-place]', this.#root)) node.dataset.place = node.dataset.side === side ? 'near' : 'far';
    for (const rank of $$('.rank', this.#root)) {
      const pits = $$('.pit', rank).sort((a, b) => a.dataset.hole - b.dataset.hole);
      rank.append(...(rank.dataset.place === 'near' ? pits : pits.reverse()));
    }
    const [far, near] = ['far', 'near'].map((place) => $$(`[data-place="${place}"]`, this.#root));
    this.#layer.before(far[0], near[0], near[1], far[1]);
    this.#resized();
  }

  /** One tab stop: where the focus is, else the first pit offered, else the first of the near row. */
  #rove() {
    const near = $$('.rank[data-place="near"] > .pit', this.#root);
    const stop = document.activeElement?.closest('.pit') ?? near.find((pit) => pit.hasAttribute('data-legal')) ?? near[0];
    for (const { node, isStore } of this.#cells.values()) if (!isStore) mark(node, 'tabindex', node === stop ? 0 : -1);
  }

  focus(hole) {
    this.#cells.get(hole).node.focus();
    this.#rove();
  }

  #markLast(last) {
    this.#cells.forEach(({ node }, hole) => {
      const marks = [hole === last?.pit && 'from', hole === last?.last && 'landing'].filter(Boolean);
      mark(node, 'data-last', marks.join(' ') || null);
    });
  }

  /* Preview ------------------------------------------------------------------------------------ */

  /** Shows where the stones of `pit` would end and what that brings; null: nothing. Only for pits on offer. */
  preview(pit) {
    this.#previewed = pit;
    const offer = offered(this.#state).find(([legal]) => legal === pit) ?? null;
    const last = offer?.[1];
    this.#cells.forEach(({ node }, hole) => {
      const marks = [offer && hole === pit && 'from', offer && hole === last && 'landing'].filter(Boolean);
      mark(node, 'data-preview', marks.join(' ') || null);
      for (const stone of this.#heaps[hole]) mark(stone, 'data-raised', offer !== null && hole === pit);
    });
    const hinted = offer && flag(this.#say, offer);
    this.#ghost.hidden = !offer;
    this.#flag.hidden = !hinted;
    if (!offer) return;
    const before = last === pit ? 0 : this.#drawn[last];
    this.#put(this.#ghost, this.#slot(last, before + 1, before));
    this.#ghost.dataset.hue = this.#heaps[pit].at(-1)?.dataset.hue ?? 'milk';
    if (!hinted) return;
    this.#flag.dataset.kind = hinted.kind;
    write($('span', this.#flag), hinted.text);
    this.#placeFlag(last, hinted.text);
  }

  /** In the groove between the ranks; beside a store rather than over it. Reads no layout. */
  #placeFlag(last, text) {
    const half = (text.length * 0.27 + 1.6) * Math.max(14, 0.16 * this.#d); // near enough
    const { isStore, node } = this.#cells.get(last);
    const toward = node.dataset.place === 'near' ? -1 : 1;
    let { x, y } = this.#spots[last];
    if (this.#upright) {
      x = this.#width / 2;
      y += (isStore ? toward * 0.62 : -0.57) * this.#d; // above the row it speaks of
    } else {
      y = this.#height / 2;
      if (isStore) x += toward * (half + 0.5 * this.#d);
    }
    this.#flag.style.translate = `${Math.max(half, Math.min(this.#width - half, x))}px ${y}px`;
  }

  /* The hand ----------------------------------------------------------------------------------- */

  /** While a play is on its way its stones are in the hand; refused, they are put down again. */
  #lift({ pending, busy }) {
    const pit = pending?.pit ?? null;
    if (busy || pit === (this.#lifted?.pit ?? null)) return;
    const before = this.#lifted;
    this.#lifted = pit === null ? null : { pit, at: performance.now() };
    if (before) {
      for (const stone of this.#heaps[before.pit]) mark(stone, 'data-lifted', null);
      this.#arrange(before.pit);
    }
    if (pit === null) return;
    const hand = this.#heaps[pit];
    const spot = this.#spots[pit];
    hand.forEach((stone, k) => {
      mark(stone, 'data-raised', null);
      mark(stone, 'data-lifted', true);
      const { x, y } = this.#cluster(hand.length, k);
      stone.style.translate = px(spot.x + x, spot.y + y - 0.1 * this.#d);
      stone.style.scale = heldScale(hand.length);
      stone.style.zIndex = 9000 + k;
    });
  }

  /** Where stone `k` of a hand of `n` is held, from the middle of the hand. */
  #cluster(n, k) {
    const radius = 0.1 * this.#d * Math.sqrt(k + 0.35) * (n > 9 ? 0.72 : 1);
    return { x: Math.cos(k * 2.4) * radius, y: Math.sin(k * 2.4) * radius };
  }

  /* Showing ------------------------------------------------------------------------------------ */

  /** Shows the state at once: whatever moves stops, and stones that must change hole glide there. */
  show() {
    this.#queue = [];
    this.#stop();
    this.#settle(this.#state.stones);
    this.#markLast(this.#state.last);
    this.#settled();
  }

  /** Shows one sowing after those that are still to be shown. `stones` is what it found. */
  sow(sown, stones) {
    this.#queue.push({ sown, stones });
    if (!this.#token) this.#drain();
    else if (this.#queue.length > MOST_WAITING) this.show();
    else this.#hurry();
  }

  async #drain() {
    const token = Symbol('token');
    this.#token = token;
    while (this.#queue.length) {
      const { sown, stones } = this.#queue.shift();
      this.#hurry();
      if (!document.hidden) await this.#animate(token, sown, stones);
      if (this.#token !== token) return; // show() took over
      this.#settle(sown.stones);
    }
    this.#token = null;
    this.#rate = 1;
    this.#markLast(this.#state.last);
    this.#settled();
  }

  #hurry() {
    this.#rate = RATES[this.#queue.length];
    for (const animation of this.#running) animation.updatePlaybackRate(this.#rate);
  }

  #stop() {
    this.#token = null;
    this.#rate = 1;
    this.#lifted = null;
    for (const animation of this.#running) animation.cancel();
    this.#running.clear();
    for (const stone of this.#stones) for (const name of ['data-air', 'data-lifted']) mark(stone, name, null);
  }

  async #animate(token, sown, stones) {
    if (String(stones) !== String(this.#drawn)) this.#settle(stones);
    if (still()) {
      await this.#change(sown);
      return;
    }
    this.#markLast({ pit: sown.pit });
    for (const step of plan(stones, sown, PACE)) {
      if (step.kind !== 'extra') await this.#wait(step.rest);
      if (this.#token !== token) return;
      await this.#show(step, sown);
      if (this.#token !== token) return;
      if (step.kind === 'sow') this.#markLast({ pit: sown.pit, last: step.to.at(-1) });
    }
  }

  #show(step, sown) {
    if (step.kind === 'sow') return this.#carry(step);
    if (step.kind === 'sweep') return this.#fly(step);
    if (step.kind === 'capture') {
      this.#announce('capture', this.#say('ribbon.capture', { n: sown.captured }));
      return this.#fly(step);
    }
    this.#announce('extra', this.#say('ribbon.extra'));
    this.#pulse(step.hole);
    return this.#wait(step.rest);
  }

  /** Without motion: the new counts at once, and a quiet glow in every hole that changed. */
  async #change(sown) {
    const before = this.#drawn;
    this.#settle(sown.stones);
    if (sown.captured) this.#announce('capture', this.#say('ribbon.capture', { n: sown.captured }));
    if (sown.extra_turn) this.#announce('extra', this.#say('ribbon.extra'));
    this.#cells.forEach(({ hollow }, hole) => {
      if (before[hole] === sown.stones[hole]) return;
      mark(hollow, 'data-flash', true);
      setTimeout(() => mark(hollow, 'data-flash', null), FLASH_MS);
    });
    await this.#wait(CALM_MS);
  }

  /** Lift, hop, hop, hop: the hand carries all its stones and one falls at each stop. */
  #carry({ from, to, lift, hop, drop }) {
    const hand = this.#heaps[from].splice(0).reverse();
    const held = this.#lifted?.pit === from ? performance.now() - this.#lifted.at : 0;
    this.#lifted = null;
    const raise = Math.max(0, lift - held); // they may be in the hand already
    const scale = heldScale(hand.length);
    const counts = [...this.#drawn];
    this.#count(from, 0);
    return Promise.all(hand.map((stone, k) => {
      const target = to[k];
      counts[target] += 1;
      const end = this.#slot(target, counts[target], counts[target] - 1);
      const total = raise + (k + 1) * hop + drop;
      const own = this.#cluster(hand.length, hand.length - 1 - k);
      const over = ({ x, y }, rise) => px(x + own.x, y + own.y - rise * this.#d);
      // No first keyframe: it sets out from wherever it is.
      const frames = [{ offset: raise / total, translate: over(this.#spots[from], 0.1), scale, easing: 'ease-in' }];
      for (let stop = 0; stop <= k; stop += 1) {
        const here = this.#spots[stop === 0 ? from : to[stop - 1]];
        const there = this.#spots[to[stop]];
        const at = raise + stop * hop;
        const midway = { x: (here.x + there.x) / 2, y: (here.y + there.y) / 2 };
        const falls = stop === k;
        frames.push(
          { offset: (at + hop / 2) / total, translate: over(midway, 0.19), scale: scale * 1.06, easing: 'ease-out' },
          { offset: (at + hop) / total, translate: over(there, 0.1), scale, easing: falls ? 'cubic-bezier(.5,0,.9,.6)' : 'ease-in' },
        );
      }
      frames.push({ offset: 1, translate: px(end.x, end.y), scale: end.scale });
      mark(stone, 'data-raised', null);
      mark(stone, 'data-lifted', null);
      mark(stone, 'data-air', true);
      stone.style.zIndex = 9000 + hand.length - k;
      return this.#run(stone, frames, { duration: total }).then((ended) => { if (ended) this.#land(stone, target); });
    }));
  }

  /** Captured and swept stones fly to their store one after another. */
  #fly({ flights, gap, fly }) {
    const counts = [...this.#drawn];
    const stones = flights.map(([from]) => this.#heaps[from].shift());
    for (const from of new Set(flights.map(([hole]) => hole))) this.#count(from, this.#heaps[from].length);
    return Promise.all(stones.map((stone, k) => {
      const target = flights[k][1];
      counts[target] += 1;
      const end = this.#slot(target, counts[target], counts[target] - 1);
      const here = this.#spots[flights[k][0]];
      const goal = this.#spots[target];
      const midway = px(
        here.x * 0.45 + goal.x * 0.55,
        Math.min(here.y, goal.y) * 0.5 + (here.y + goal.y) * 0.25 - 0.55 * this.#d,
      );
      mark(stone, 'data-air', true);
      stone.style.zIndex = 9000 + k;
      return this.#run(stone, [
        { translate: stone.style.translate, scale: stone.style.scale, easing: 'cubic-bezier(.3,0,.7,1)' },
        { offset: 0.5, translate: midway, scale: 1.18, easing: 'cubic-bezier(.3,0,.7,1)' },
        { translate: px(end.x, end.y), scale: end.scale },
      ], { duration: fly, delay: k * gap }).then((ended) => { if (ended) this.#land(stone, target); });
    }));
  }

  /** The newcomer is already in its place: only its neighbours make room. */
  #land(stone, hole) {
    this.#heaps[hole].push(stone);
    this.#count(hole, this.#drawn[hole] + 1, true);
    mark(stone, 'data-placed', true);
    mark(stone, 'data-air', null);
    this.#arrange(hole);
    // Two frames later its transition may come back, without forcing a layout now.
    requestAnimationFrame(() => requestAnimationFrame(() => mark(stone, 'data-placed', null)));
  }

  /** A brass ripple around the store that earned an extra turn. */
  #pulse(hole) {
    this.#cells.get(hole).hollow.animate([
      { outline: '0 solid transparent', outlineOffset: 0 },
      { outline: `${0.05 * this.#d}px solid var(--brass)`, outlineOffset: `${0.02 * this.#d}px`, offset: 0.25 },
      { outline: `${0.02 * this.#d}px solid transparent`, outlineOffset: `${0.2 * this.#d}px` },
    ], { duration: 900, easing: 'cubic-bezier(.2,.8,.2,1)' });
  }

  #announce(kind, text) {
    const ribbon = this.#ribbon.cloneNode(true); // a new one starts its motion anew
    ribbon.dataset.kind = kind;
    ribbon.hidden = false;
    write($('span', ribbon), text);
    this.#ribbon.replaceWith(ribbon);
    this.#ribbon = ribbon;
    setTimeout(() => { ribbon.hidden = true; }, RIBBON_MS);
  }

  /** Runs one animation at the common rate; resolves to whether it came to its end. */
  #run(node, frames, options) {
    const animation = node.animate(frames, { fill: 'both', ...options });
    animation.playbackRate = this.#rate;
    this.#running.add(animation);
    return animation.finished.then(() => true, () => false).finally(() => {
      this.#running.delete(animation);
      animation.cancel();
    });
  }

  /** A rest that hurries with everything else. */
  #wait(ms) {
    return this.#run(this.#layer, [{ opacity: 1 }, { opacity: 1 }], { duration: ms });
  }

  /* Stones and their places -------------------------------------------------------------------- */

  #makeStones(counts) {
    const total = counts.reduce((sum, n) => sum + n, 0);
    this.#stones = Array.from({ length: total }, (_, k) => {
      const stone = document.createElement('i');
      stone.className = 'stone';
      stone.dataset.hue = HUES[(k * 5 + Math.floor(k / HUES.length)) % HUES.length];
      stone.dataset.shape = (k * 7 + Math.floor(k / SHAPES)) % SHAPES;
      return stone;
    });
    this.#layer.replaceChildren(...this.#stones);
    const rest = [...this.#stones];
    this.#heaps = counts.map((n) => rest.splice(0, n));
    this.#drawn = [...counts];
  }

  /** Lets every hole hold as many stones as `counts` says: those too many anywhere go where some are missing. */
  #settle(counts) {
    this.#lifted = null;
    const resting = new Set(this.#heaps.flat());
    const spare = this.#stones.filter((stone) => !resting.has(stone));
    counts.forEach((n, hole) => spare.push(...this.#heaps[hole].splice(n)));
    counts.forEach((n, hole) => {
      this.#heaps[hole].push(...spare.splice(0, n - this.#heaps[hole].length));
      for (const stone of this.#heaps[hole]) for (const name of ['data-air', 'data-lifted']) mark(stone, name, null);
      this.#arrange(hole);
      this.#count(hole, n);
    });
  }

  #count(hole, n, isNews = false) {
    this.#drawn[hole] = n;
    const { node, count } = this.#cells.get(hole);
    write(count, n);
    mark(node, 'data-count', n);
    if (isNews) count.animate([{ scale: 1 }, { scale: 1.22 }, { scale: 1 }], { duration: 180, easing: 'ease-out' });
  }

  #resized() {
    if (this.#token) this.#stop();
    this.#measure();
    if (this.#queue.length || this.#state.busy) this.show();
  }

  #measure() {
    this.#upright = getComputedStyle(this.#root).getPropertyValue('--view').trim() === 'tall';
    this.#width = this.#root.clientWidth;
    this.#height = this.#root.clientHeight;
    this.#d = this.#cells.get(0).hollow.offsetWidth || 1;
    this.#spots = [...this.#state.stones.keys()].map((hole) => {
      const { hollow } = this.#cells.get(hole);
      let x = hollow.offsetWidth / 2;
      let y = hollow.offsetHeight / 2;
      for (let node = hollow; node && node !== this.#root; node = node.offsetParent) {
        x += node.offsetLeft;
        y += node.offsetTop;
      }
      return { x, y, hollow: hollowOf(hollow.offsetWidth / this.#d, hollow.offsetHeight / this.#d) };
    });
    mark(this.#root, 'data-measuring', true);
    for (const hole of this.#cells.keys()) this.#arrange(hole);
    void this.#root.offsetWidth; // the stones are there before their transitions come back
    mark(this.#root, 'data-measuring', null);
  }

  #slot(hole, n, k) {
    const spot = this.#spots[hole];
    const place = heap(spot.hollow, n, hole)[k];
    return { x: spot.x + place.x * this.#d, y: spot.y + place.y * this.#d, scale: place.scale, layer: place.layer };
  }

  #put({ style }, { x, y, scale, layer }) {
    style.translate = px(x, y - layer * 0.035 * this.#d);
    style.scale = scale.toFixed(3);
    style.zIndex = layer * 1000 + Math.round(y);
  }

  #arrange(hole) {
    const stones = this.#heaps[hole];
    stones.forEach((stone, k) => this.#put(stone, this.#slot(hole, stones.length, k)));
  }
}

const px = (x, y) => `${x.toFixed(1)}px ${y.toFixed(1)}px`;
const heldScale = (n) => (n > 1 ? 1.1 : 1.16);
