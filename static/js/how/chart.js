/**
 * The course of a game as a line: who was ahead after each ply, Sun above and Moon below. From a course to the page, and
 * from the pointer to a place; the slider below it is for keys, and the table says the same in numbers.
 */
import { mark } from '../lib/dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const LEAST = 8; // stones from the middle to the edge, so that little does not look like much

export class Chart {
  #svg;
  #parts = {};
  #width = 1;

  constructor(root) {
    this.#svg = this.#draw('svg', root, { preserveAspectRatio: 'none' });
    for (const name of ['unknown', 'sun', 'moon', 'band', 'middle', 'line', 'now']) {
      this.#parts[name] = this.#draw('path', this.#svg, { class: `chart__${name}` });
    }
  }

  /** Tells `dispatch` which place of the game is pointed at. */
  start(dispatch) {
    const point = ({ clientX, buttons, type }) => {
      if (type === 'pointermove' && !buttons) return;
      const { left, width } = this.#svg.getBoundingClientRect();
      const index = Math.round(((clientX - left) / width) * this.#width);
      dispatch({ type: 'go', index: Math.max(0, Math.min(this.#width, index)) });
    };
    for (const kind of ['pointerdown', 'pointermove']) this.#svg.addEventListener(kind, point);
  }

  /** `course` has a place for each board; the reader looks at number `index`. */
  render(course, index) {
    this.#width = course.length - 1;
    const known = course.filter(Boolean);
    const edge = Math.max(LEAST, ...known.flatMap(({ low, high }) => (low === high ? [Math.abs(low)] : [])));
    const y = (value) => -Math.max(-edge, Math.min(edge, value));
    mark(this.#svg, 'viewBox', `0 ${-edge} ${this.#width} ${2 * edge}`);
    const runs = runsOf(course.map((at) => at && at.low === at.high && y(at.low)));
    const draw = (name, d) => mark(this.#parts[name], 'd', d || 'M0 0');
    draw('line', runs.map((run) => `M${run.map(([x, at]) => `${x} ${at}`).join('L')}`).join(''));
    for (const [name, clip] of [['sun', Math.min], ['moon', Math.max]]) {
      draw(name, runs.map((run) => area(run, clip)).join(''));
    }
    draw('band', course.map((at, x) => (at && at.low < at.high ? box(x, y(at.high), y(at.low)) : '')).join(''));
    draw('unknown', course.map((at, x) => (at ? '' : box(x, -edge, edge))).join(''));
    draw('middle', `M0 0H${this.#width}`);
    draw('now', `M${index} ${-edge}V${edge}`);
  }

  #draw(name, parent, attributes) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    parent.append(node);
    return node;
  }
}

/** The stretches of places whose value is known, as points. */
function runsOf(values) {
  const runs = [];
  values.forEach((value, x) => {
    if (typeof value !== 'number') return;
    if (typeof values[x - 1] !== 'number') runs.push([]);
    runs.at(-1).push([x, value]);
  });
  return runs;
}

/** What lies between a run and the middle, on one side of it: where the line crosses, it is cut there. */
function area(run, clip) {
  const points = run.flatMap(([x, at], k) => {
    const [before, last] = run[k - 1] ?? [x, at];
    const crosses = last * at < 0;
    return [...(crosses ? [[before + last / (last - at), 0]] : []), [x, clip(at, 0)]];
  });
  return `M${run[0][0]} 0${points.map(([x, at]) => `L${x} ${at}`).join('')}L${run.at(-1)[0]} 0Z`;
}

const box = (x, top, bottom) => `M${x - 0.5} ${top}h1V${bottom}h-1Z`;
