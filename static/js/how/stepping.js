/** What stands around the board of a whole game: as around a lesson, and the way to what the board it shows is worth. */
import { $ } from '../lib/dom.js';
import { addressOf, text } from '../solver/study.js';
import { Tour } from './tour.js';

export class Stepping extends Tour {
  #rules;

  constructor(root, say, announcer, { rules }) {
    super(root, say, announcer);
    this.#rules = rules; // as the solver knows them
  }

  render(view, { game }) {
    super.render(view);
    if (this.#rules) $('#in-solver').search = addressOf(this.#rules, text({ ...game, turn: game.turn ?? 'S' }));
  }
}
