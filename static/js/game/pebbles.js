/**
 * Where the stones lie. Pure geometry, no DOM.
 *
 * A heap of n stones is always the heap of n − 1 stones plus one, nudged until
 * nothing touches: a falling stone makes its neighbours budge but never jump,
 * and every viewer sees the same heap for the same count.
 *
 * Units: 1 = the diameter of a pit. The origin is the middle of the hollow.
 */
export const STONE_R = 0.108;

/**
 * Hollows are capsules: a segment of half-length `a` along `axis`, inflated by
 * `r`. Both come from the drawn size, less a lip that stones stay clear of.
 */
export function hollowOf(width, height, lip = 0.095) {
  const tall = height > width;
  const r = Math.min(width, height) / 2;
  return { axis: tall ? 'y' : 'x', a: Math.max(width, height) / 2 - r, r: r - lip };
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** How many stones lie side by side before they shrink a little, and before they pile up. */
function capacity({ a, r }) {
  const area = Math.PI * r * r + 4 * a * r;
  const stone = Math.PI * STONE_R * STONE_R;
  const loose = Math.floor((area * 0.70) / stone);
  return { loose, floor: Math.max(1, Math.floor(loose * 1.7)) };
}

function clamp(p, hollow, radius) {
  const along = hollow.axis;
  const across = along === 'x' ? 'y' : 'x';
  const mid = Math.max(-hollow.a, Math.min(hollow.a, p[along]));
  const dx = p[along] - mid;
  const dy = p[across];
  const reach = Math.hypot(dx, dy);
  const limit = hollow.r - radius;
  if (reach <= limit) return;
  p[along] = mid + (dx / reach) * limit;
  p[across] = (dy / reach) * limit;
}

function settle(points, hollow, radius, steps) {
  const gap = radius * (points.length < 9 ? 2.16 : 2.06);
  for (let step = 0; step < steps; step += 1) {
    const pull = (points.length < 9 ? 0.14 : 0.07) * (1 - step / steps) ** 2;
    for (const p of points) {
      p.x -= p.x * pull * (hollow.axis === 'x' && hollow.a ? 0.25 : 1);
      p.y -= p.y * pull * (hollow.axis === 'y' ? 0.25 : 1);
    }
    for (let i = 1; i < points.length; i += 1) {
      for (let j = 0; j < i; j += 1) {
        const dx = points[i].x - points[j].x;
        const dy = points[i].y - points[j].y;
        const d = Math.hypot(dx, dy) || 1e-6;
        if (d >= gap) continue;
        const push = ((gap - d) / d) * 0.42;
        points[i].x += dx * push; points[i].y += dy * push;
        points[j].x -= dx * push; points[j].y -= dy * push;
      }
    }
    for (const p of points) clamp(p, hollow, radius);
  }
}

/** The free spot a new stone would roll to: roomy first, central second. */
function freeSpot(points, hollow, radius, seed) {
  const turn = seed * 1.7;
  if (points.length === 0) {
    return { x: Math.cos(turn) * 0.035, y: Math.sin(turn) * 0.03 };
  }
  let best = null;
  let top = -Infinity;
  for (let k = 0; k < 160; k += 1) {
    const t = Math.sqrt((k + 0.5) / 160);
    const angle = k * GOLDEN + turn;
    const p = { x: Math.cos(angle) * t, y: Math.sin(angle) * t };
    p[hollow.axis] *= hollow.a + hollow.r;
    p[hollow.axis === 'x' ? 'y' : 'x'] *= hollow.r;
    clamp(p, hollow, radius);
    let room = Infinity;
    for (const q of points) room = Math.min(room, Math.hypot(p.x - q.x, p.y - q.y));
    const score = Math.min(room, radius * 2.1) - Math.hypot(p.x, p.y) * 0.5;
    if (score > top) { top = score; best = p; }
  }
  return best;
}

const cache = new Map();

function heaps(hollow, seed) {
  const key = `${hollow.axis}${hollow.a.toFixed(2)}:${hollow.r.toFixed(2)}:${seed}`;
  if (!cache.has(key)) cache.set(key, [[]]);
  return cache.get(key);
}

/**
 * The places of `n` stones: [{ x, y, scale, layer }], oldest stone first.
 * `seed` (the pit's index) gives each hollow a heap of its own.
 */
export function heap(hollow, n, seed = 0) {
  const known = heaps(hollow, seed);
  const { loose, floor } = capacity(hollow);
  while (known.length <= n) {
    const count = known.length;
    const before = known[count - 1];
    if (count <= floor) {
      const scale = Math.min(1, Math.sqrt(loose / count));
      const points = before.map((p) => ({ ...p, scale }));
      const spot = freeSpot(points, hollow, STONE_R * scale, seed);
      points.push({ ...spot, scale, layer: 0 });
      settle(points, hollow, STONE_R * scale, count < 9 ? 110 : 44);
      known.push(points);
    } else {
      // A second (third…) layer rests on the first, a little further in.
      const layer = Math.ceil(count / floor) - 1;
      const inner = { ...hollow, a: hollow.a * 0.86, r: hollow.r * 0.8 };
      const { scale } = before[0];
      const lower = before.filter((p) => p.layer < layer);
      const upper = before.filter((p) => p.layer === layer).map((p) => ({ ...p }));
      const spot = freeSpot(upper, inner, STONE_R * scale, seed + 3 * layer);
      upper.push({ ...spot, scale, layer });
      settle(upper, inner, STONE_R * scale, 34);
      known.push([...lower, ...upper]);
    }
  }
  return known[n];
}
