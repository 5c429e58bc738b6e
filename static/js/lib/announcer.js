/** What is said aloud: one polite live region. Messages close together are joined, so that none is lost. */
const JOIN_MS = 120;
const NO_BREAK_SPACE = '\u00a0';

export class Announcer {
  #region;
  #waiting = [];
  #timer = null;

  constructor(region) {
    this.#region = region;
  }

  /** `alone`: whatever is not said yet is news no more. */
  say(text, { alone = false } = {}) {
    if (alone) this.#waiting = [];
    this.#waiting.push(text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#speak(), JOIN_MS);
  }

  #speak() {
    const text = this.#waiting.join(' ');
    this.#waiting = [];
    // The same sentence twice is still news: a trailing space makes it another text.
    this.#region.textContent = this.#region.textContent === text ? text + NO_BREAK_SPACE : text;
  }
}
