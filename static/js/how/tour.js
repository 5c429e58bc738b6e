/**
 * What stands around the board of a lesson or a sample game: the text of the step, the list of all, buttons and slider.
 * From clicks and keys to intents, and from a view to the page; it decides nothing.
 */
import { $, $$, mark } from '../lib/dom.js';
import { Steps } from '../game/steps.js';

const KEYS = { ArrowLeft: 'back', ArrowRight: 'next' };
const OWN_ARROWS = 'input, textarea, select, dialog, [role="region"]'; // in these an arrow has another meaning

export class Tour {
  #root;
  #board;
  #say;
  #announcer;
  #steps;
  #list;
  #links;
  #listed = null; // the step in whose sight the list is
  #buttons;

  constructor(root, say, announcer) {
    this.#root = root;
    this.#board = $('.board', root);
    this.#say = say;
    this.#announcer = announcer;
    this.#steps = $$('.step', root);
    this.#list = $('.tour__list', root);
    this.#links = $$('a', this.#list);
    this.#buttons = new Steps(root, say);
  }

  /** Tells `dispatch` what the reader asks for. */
  start(dispatch) {
    this.#root.addEventListener('click', (event) => {
      const link = event.target.closest('.tour__list a');
      if (!link) return;
      event.preventDefault();
      dispatch({ type: 'go', index: this.#steps.findIndex(({ id }) => id === link.hash.slice(1)) });
      this.#board.scrollIntoView({ block: 'nearest' });
    });
    this.#buttons.start(dispatch);
    document.addEventListener('keydown', (event) => {
      const isMeant = !event.defaultPrevented && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!isMeant || !KEYS[event.key] || event.target.closest(OWN_ARROWS)) return;
      event.preventDefault();
      dispatch({ type: KEYS[event.key] });
    });
  }

  /** `bar`: what the buttons lead through, if that is not the steps. */
  render({ index, count, told, isStill, bar = { index, count } }) {
    this.#steps.forEach((step, k) => {
      mark(step, 'data-current', k === index);
      mark(step, 'data-told', k === index && told);
    });
    mark(this.#board, 'data-points', this.#steps[index].dataset.points);
    for (const link of this.#links) {
      const place = this.#steps.findIndex((step) => step.id === link.hash.slice(1));
      mark(link, 'aria-current', place === index ? 'step' : null);
      mark(link, 'data-done', place < index);
    }
    mark(this.#root, 'data-end', index === count - 1);
    this.#buttons.render({ ...bar, isStill });
    if (this.#listed !== index) this.#follow($('[aria-current]', this.#list));
    this.#listed = index;
  }

  /** A list too long for its place shows the current step; the page does not move. */
  #follow(link) {
    if (!link) return;
    const [here, seen] = [link.getBoundingClientRect(), this.#list.getBoundingClientRect()];
    this.#list.scrollTop += Math.floor(Math.min(0, here.top - seen.top)) + Math.ceil(Math.max(0, here.bottom - seen.bottom));
  }

  /** Says a step aloud, and names it in the address; or says its outcome, when all of it has been seen. */
  perform({ what, index }) {
    const step = this.#steps[index];
    if (what === 'outcome') this.#announcer.say($('.step__seen', step).textContent);
    else {
      this.#announcer.say(this.#words(index), { alone: true });
      history.replaceState(null, '', `#${step.id}`);
    }
  }

  /** Its number, if steps are counted so, title and text. */
  #words(index) {
    const step = this.#steps[index];
    const title = $('h2', step);
    const text = $('p', step).textContent;
    return title ? this.#say('step', { n: index + 1, count: this.#steps.length, title: title.textContent, text }) : tidy(step.textContent);
  }
}

const tidy = (text) => text.replace(/\s+/g, ' ').trim();
