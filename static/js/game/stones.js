/**
 * The stones of a board: one element each for the whole game, lying in heaps and moved about. It is told which hole holds
 * how many and in which steps they travel; whose they are and why is not known here.
 */
import { mark } from '../lib/dom.js';
import { heap, hollowOf } from './pebbles.js';

const HUES = ['amber', 'sea', 'cobalt', 'rose', 'leaf', 'milk'];
const SHAPES = 5;

export class Stones {
  #root;
  #layer;
  #hollows; // the element of each hole, by its number
  #counted; // told whenever a hole holds another number of stones
  #all = []; // every stone
  #heaps = []; // those lying in each hole
  #running = new Set(); // animations
  #rate = 1;
  #lifted = null; // { pit, at }: the stones in the hand
  spots = []; // the middle of each hole, in px of the board
  d = 1; // diameter of a pit in px
  width = 0;
  height = 0;

  /** `counted(hole, n, isNews)` writes a count; `isNews` when a stone has just fallen there. */
  constructor(root, layer, hollows, counted) {
    this.#root = root;
    this.#layer = layer;
    this.#hollows = hollows;
    this.#counted = counted;
  }

  /** As many stones as `counts` says, each in its hole. Before anything else. */
  make(counts) {
    const total = counts.reduce((sum, n) => sum + n, 0);
    this.#all = Array.from({ length: total }, (_, k) => {
      const stone = document.createElement('i');
      stone.className = 'stone';
      stone.dataset.hue = HUES[(k * 5 + Math.floor(k / HUES.length)) % HUES.length];
      stone.dataset.shape = (k * 7 + Math.floor(k / SHAPES)) % SHAPES;
      return stone;
    });
    this.#layer.replaceChildren(...this.#all);
    const rest = [...this.#all];
    this.#heaps = counts.map((n) => rest.splice(0, n));
  }

  /** How many lie in each hole. */
  get counts() {
    return this.#heaps.map((stones) => stones.length);
  }

  /** Those lying in a hole. */
  in(hole) {
    return this.#heaps[hole];
  }

  /** Reads where the holes are now, and lays every stone anew. */
  measure() {
    this.width = this.#root.clientWidth;
    this.height = this.#root.clientHeight;
    this.d = this.#hollows[0].offsetWidth || 1;
    this.spots = this.#hollows.map((hollow) => {
      let x = hollow.offsetWidth / 2;
      let y = hollow.offsetHeight / 2;
      for (let node = hollow; node && node !== this.#root; node = node.offsetParent) {
        x += node.offsetLeft;
        y += node.offsetTop;
      }
      return { x, y, hollow: hollowOf(hollow.offsetWidth / this.d, hollow.offsetHeight / this.d) };
    });
    mark(this.#root, 'data-measuring', true);
    for (const hole of this.#heaps.keys()) this.#arrange(hole);
    void this.#root.offsetWidth; // the stones are there before their transitions come back
    mark(this.#root, 'data-measuring', null);
  }

  /** Lets every hole hold as many as `counts` says: those too many anywhere go where some are missing. */
  settle(counts) {
    this.#lifted = null;
    const resting = new Set(this.#heaps.flat());
    const spare = this.#all.filter((stone) => !resting.has(stone));
    counts.forEach((n, hole) => spare.push(...this.#heaps[hole].splice(n)));
    counts.forEach((n, hole) => {
      this.#heaps[hole].push(...spare.splice(0, n - this.#heaps[hole].length));
      for (const stone of this.#heaps[hole]) ground(stone);
      this.#arrange(hole);
      this.#counted(hole, n, false);
    });
  }

  /** Puts `stone`, which is none of them, where the stone number `k` of `n` in a hole would lie. */
  place(stone, hole, n, k) {
    this.#put(stone, this.#slot(hole, n, k));
  }

  /* The hand ----------------------------------------------------------------------------------- */

  /** Takes the stones of `pit` into the hand; those of another pit, or with null, are put down again. */
  lift(pit) {
    if (pit === (this.#lifted?.pit ?? null)) return;
    const before = this.#lifted;
    this.#lifted = pit === null ? null : { pit, at: performance.now() };
    if (before) {
      for (const stone of this.#heaps[before.pit]) mark(stone, 'data-lifted', null);
      this.#arrange(before.pit);
    }
    if (pit === null) return;
    const hand = this.#heaps[pit];
    const spot = this.spots[pit];
    hand.forEach((stone, k) => {
      mark(stone, 'data-raised', null);
      mark(stone, 'data-lifted', true);
      const { x, y } = this.#cluster(hand.length, k);
      stone.style.translate = px(spot.x + x, spot.y + y - 0.1 * this.d);
      stone.style.scale = heldScale(hand.length);
      stone.style.zIndex = 9000 + k;
    });
  }

  /** Where stone `k` of a hand of `n` is held, from the middle of the hand. */
  #cluster(n, k) {
    const radius = 0.1 * this.d * Math.sqrt(k + 0.35) * (n > 9 ? 0.72 : 1);
    return { x: Math.cos(k * 2.4) * radius, y: Math.sin(k * 2.4) * radius };
  }

  /* Travelling --------------------------------------------------------------------------------- */

  /** Lift, hop, hop, hop: the hand carries all its stones and one falls at each stop; `landed(hole, k)` is told of it. */
  carry({ from, to, lift, hop, drop }, landed) {
    const hand = this.#heaps[from].splice(0).reverse();
    const held = this.#lifted?.pit === from ? performance.now() - this.#lifted.at : 0;
    this.#lifted = null;
    const raise = Math.max(0, lift - held); // they may be in the hand already
    const scale = heldScale(hand.length);
    const counts = this.counts;
    this.#counted(from, 0, false);
    return Promise.all(hand.map((stone, k) => {
      const target = to[k];
      counts[target] += 1;
      const end = this.#slot(target, counts[target], counts[target] - 1);
      const total = raise + (k + 1) * hop + drop;
      const own = this.#cluster(hand.length, hand.length - 1 - k);
      const over = ({ x, y }, rise) => px(x + own.x, y + own.y - rise * this.d);
      // No first keyframe: it sets out from wherever it is.
      const frames = [{ offset: raise / total, translate: over(this.spots[from], 0.1), scale, easing: 'ease-in' }];
      for (let stop = 0; stop <= k; stop += 1) {
        const here = this.spots[stop === 0 ? from : to[stop - 1]];
        const there = this.spots[to[stop]];
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
      return this.#travel(stone, frames, { duration: total }, () => {
        this.#land(stone, target);
        landed(target, k);
      });
    }));
  }

  /** Captured and swept stones fly to their store one after another. */
  fly({ flights, gap, fly }, landed) {
    const counts = this.counts;
    const stones = flights.map(([from]) => this.#heaps[from].shift());
    for (const from of new Set(flights.map(([hole]) => hole))) this.#counted(from, this.#heaps[from].length, false);
    return Promise.all(stones.map((stone, k) => {
      const [from, target] = flights[k];
      counts[target] += 1;
      const end = this.#slot(target, counts[target], counts[target] - 1);
      const here = this.spots[from];
      const goal = this.spots[target];
      const midway = px(
        here.x * 0.45 + goal.x * 0.55,
        Math.min(here.y, goal.y) * 0.5 + (here.y + goal.y) * 0.25 - 0.55 * this.d,
      );
      mark(stone, 'data-air', true);
      stone.style.zIndex = 9000 + k;
      return this.#travel(stone, [
        { translate: stone.style.translate, scale: stone.style.scale, easing: 'cubic-bezier(.3,0,.7,1)' },
        { offset: 0.5, translate: midway, scale: 1.18, easing: 'cubic-bezier(.3,0,.7,1)' },
        { translate: px(end.x, end.y), scale: end.scale },
      ], { duration: fly, delay: k * gap }, () => {
        this.#land(stone, target);
        landed(target, k);
      });
    }));
  }

  /** A rest that hurries with everything else. */
  wait(ms) {
    return this.#run(this.#layer, [{ opacity: 1 }, { opacity: 1 }], { duration: ms });
  }

  /** Everything that moves goes `rate` times as fast from now on. */
  hurry(rate) {
    this.#rate = rate;
    for (const animation of this.#running) animation.updatePlaybackRate(rate);
  }

  /** Whatever moves stops; `settle` says where it lies. */
  stop() {
    this.#rate = 1;
    this.#lifted = null;
    for (const animation of this.#running) animation.cancel();
    this.#running.clear();
    for (const stone of this.#all) ground(stone);
  }

  async #travel(stone, frames, options, land) {
    if (await this.#run(stone, frames, options)) land();
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

  /** The newcomer is already in its place: only its neighbours make room. */
  #land(stone, hole) {
    this.#heaps[hole].push(stone);
    this.#counted(hole, this.#heaps[hole].length, true);
    mark(stone, 'data-placed', true);
    mark(stone, 'data-air', null);
    this.#arrange(hole);
    // Two frames later its transition may come back, without forcing a layout now.
    requestAnimationFrame(() => requestAnimationFrame(() => mark(stone, 'data-placed', null)));
  }

  /* Places ------------------------------------------------------------------------------------- */

  #slot(hole, n, k) {
    const spot = this.spots[hole];
    const place = heap(spot.hollow, n, hole)[k];
    return { x: spot.x + place.x * this.d, y: spot.y + place.y * this.d, scale: place.scale, layer: place.layer };
  }

  #put({ style }, { x, y, scale, layer }) {
    style.translate = px(x, y - layer * 0.035 * this.d);
    style.scale = scale.toFixed(3);
    style.zIndex = layer * 1000 + Math.round(y);
  }

  #arrange(hole) {
    const stones = this.#heaps[hole];
    stones.forEach((stone, k) => this.#put(stone, this.#slot(hole, stones.length, k)));
  }
}

const ground = (stone) => { for (const name of ['data-air', 'data-lifted']) mark(stone, name, null); };
const px = (x, y) => `${x.toFixed(1)}px ${y.toFixed(1)}px`;
const heldScale = (n) => (n > 1 ? 1.1 : 1.16);
