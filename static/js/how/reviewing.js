/**
 * What stands around the board of a review: as around any game to step through, and what each ply was worth, which comes over
 * a socket as it is proved. It decides nothing.
 */
import { Connection, socketUrl } from '../lib/connection.js';
import { Findings } from './findings.js';
import { version } from './review.js';
import { Stepping } from './stepping.js';

const AGAIN_MS = 10_000; // until it is asked once more whether there is time for this game

export class Reviewing {
  #tour;
  #findings;
  #say;
  #announcer;
  #page;
  #dispatch;
  #connection;
  #state = null;
  #again = null; // a timer

  constructor(root, say, announcer, page) {
    this.#tour = new Stepping(root, say, announcer, page);
    this.#findings = new Findings(say);
    this.#say = say;
    this.#announcer = announcer;
    this.#page = page;
  }

  /** Tells `dispatch` what the reader asks for, and what the server says. */
  start(dispatch) {
    this.#dispatch = dispatch;
    this.#tour.start(dispatch);
    this.#findings.start(dispatch);
    this.#connection = new Connection({
      url: () => socketUrl(this.#page.socket),
      onText: (text) => dispatch({ type: 'heard', message: JSON.parse(text) }),
      onDown: ({ final }) => dispatch({ type: 'linked', link: final ? 'closed' : 'offline' }),
      ping: () => JSON.stringify({ type: 'ping', game: 0, version: version(this.#state), sent_at: Date.now() }),
      closing: { 4404: null, 4405: null, 4406: null, 4412: [0, 2_000], 4429: [10_000, 10_000] },
    });
    if (this.#page.review.state !== 'done') this.#connection.open();
  }

  render(view, state) {
    const isNews = this.#state && this.#state.phase !== 'done' && state.phase === 'done';
    this.#state = state;
    this.#tour.render(view, state);
    this.#findings.render(state);
    if (isNews) this.#announcer.say(this.#say('done'));
    if (state.phase !== 'waiting' || this.#again) return;
    this.#again = setTimeout(() => {
      this.#again = null;
      this.#connection.send(JSON.stringify({ type: 'sync' }));
    }, AGAIN_MS);
  }

  /** Fetches the better way, says it, or that it did not come. */
  perform(effect) {
    if (effect.do === 'fetch') this.#fetch(effect);
    else if (effect.what === 'step') this.#tour.perform(effect);
    else this.#announcer.say(effect.what === 'way' ? this.#findings.words(this.#state) : this.#say(effect.what), { alone: true });
  }

  async #fetch({ nth, plies }) {
    const answer = await fetch(this.#page.branches.replace('PLIES', plies)).catch(() => null);
    this.#dispatch({ type: 'branched', nth, sown: answer?.ok ? (await answer.json()).sown : null });
  }
}
