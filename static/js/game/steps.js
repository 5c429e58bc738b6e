/**
 * The buttons and the slider that lead through a game or a lesson. From clicks to intents, and from a place to the page; it
 * decides nothing.
 */
import { $, $$, mark, write } from '../lib/dom.js';

export class Steps {
  #root;
  #say;
  #buttons;
  #slider;

  /** `say` is the phrase book. Not all have a slider. */
  constructor(root, say) {
    this.#root = root;
    this.#say = say;
    this.#buttons = $$('[data-go]', root);
    this.#slider = $('.steps__slider', root);
  }

  /** Tells `dispatch` what the reader asks for: first, back, next, last and others, or go to an index. */
  start(dispatch) {
    for (const button of this.#buttons) button.addEventListener('click', () => dispatch({ type: button.dataset.go }));
    this.#slider?.addEventListener('input', () => dispatch({ type: 'go', index: Number(this.#slider.value) }));
  }

  /** The place `index` of `count` is shown, in the words of `where`; `isStill`: nothing is to be seen there again. */
  render({ index, count, isStill, where: key = 'where' }) {
    const [isFirst, isLast] = [index === 0, index === count - 1];
    const idle = { first: isFirst, back: isFirst, again: isStill, last: isLast, next: isLast && this.#slider };
    for (const button of this.#buttons) mark(button, 'aria-disabled', idle[button.dataset.go] ? 'true' : null);
    if (!this.#slider) return;
    const where = this.#say(key, { n: index, count: count - 1 });
    this.#slider.max = count - 1;
    this.#slider.value = index;
    mark(this.#slider, 'aria-valuetext', where);
    write($('#where', this.#root), where);
  }
}
