/**
 * What stands around the board of a puzzle: what it asks, what came of a try, buttons, and the mark in the list. From clicks
 * to intents, and from a view to the page; it decides nothing.
 */
import { $, $$, mark, write } from '../lib/dom.js';
import { letterOf } from '../game/state.js';
import { Steps } from '../game/steps.js';

export class Solving {
  #root;
  #say;
  #announcer;
  #buttons;

  constructor(root, say, announcer) {
    this.#root = root;
    this.#say = say;
    this.#announcer = announcer;
    this.#buttons = new Steps(root, say);
  }

  /** Tells `dispatch` what the reader asks for. */
  start(dispatch) {
    this.#buttons.start(dispatch);
  }

  render({ says, wrong, isStill, reveals }) {
    if (wrong) write($('#why-not', this.#root), whyNot(this.#say, wrong));
    for (const text of $$('.step', this.#root)) mark(text, 'data-current', text.id === says);
    mark(this.#root, 'data-says', says);
    mark($('[data-go="reveal"]', this.#root), 'aria-pressed', String(reveals));
    this.#buttons.render({ index: 0, count: 1, isStill });
  }

  /** Says aloud what came of a try; or keeps that the puzzle is solved. */
  perform(effect) {
    if (effect.do === 'keep') this.#keep();
    else this.#announcer.say($$(`#${effect.what} :is(h2, p)`, this.#root).map((node) => node.textContent).join(' '));
  }

  /** Without a network it is solved all the same, and kept when there is one again. */
  async #keep() {
    mark($('.tour__list [aria-current]', this.#root), 'data-done', true);
    const form = $('#solved-form');
    const sent = { method: 'POST', body: new FormData(form), keepalive: true };
    const answer = await fetch(form.action, sent).catch(() => null);
    if (!answer) addEventListener('online', () => this.#keep(), { once: true });
  }
}

/** Why a try does not win: what comes next, and how the game ends then. */
export function whyNot(say, { sown: [first, ...answer], score: [own, theirs] }) {
  if (answer.length ? answer.at(-1).outcome : first.outcome) return `${next(say, answer)} ${say('not.over', { own, theirs })}`.trim();
  return `${next(say, answer) || say('not.again')} ${say(own === theirs ? 'not.draw' : 'not.lost', { own, theirs })}`;
}

/** What Moon answers; empty if Moon is not to move. */
function next(say, answer) {
  if (!answer.length) return '';
  const pits = answer.map(({ pit }) => letterOf(pit)).join(', ');
  const n = answer.reduce((sum, { captured }) => sum + captured, 0);
  return n ? say('not.captures', { pits, stones: say('stones', { n }) }) : say('not.answer', { pits });
}
