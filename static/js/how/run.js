/** Wires the board of a page that teaches, and what stands around it, to its lesson, game or puzzle. Decides nothing. */
import { Announcer } from '../lib/announcer.js';
import { $ } from '../lib/dom.js';
import { phraseBook, phrasesOf } from '../lib/words.js';
import { Board } from '../game/board.js';
import { listen } from '../game/input.js';

const WAIT_MS = 1_000; // a look at the pit before it is sown

/** `begin`, `reduce` and `view` are those of lesson.js, replay.js, puzzle.js or review.js; `Around` shows a view: Tour or the like. */
export function run({ begin, reduce, view }, Around, pace) {
  const page = JSON.parse($('#page').textContent);
  const say = phraseBook(phrasesOf($('#words')), document.documentElement.lang);
  let state = begin(page, location.hash.slice(1));
  let wait = null; // a timer

  const board = new Board($('#board'), { say, pace, settled: () => dispatch({ type: 'settled' }) });
  const around = new Around($('#tour'), say, new Announcer($('#announcer')), page);

  function dispatch(action) {
    const next = reduce(state, action);
    state = next.state;
    render();
    next.effects.forEach(perform);
  }

  function render() {
    board.render(state.game);
    around.render(view(state), state);
  }

  function perform(effect) {
    if (effect.do === 'show') board.show();
    else if (effect.do === 'sow') board.sow(effect.sown, effect.stones);
    else if (effect.do !== 'wait') around.perform(effect);
    else {
      clearTimeout(wait);
      wait = setTimeout(() => dispatch({ type: 'due' }), WAIT_MS);
    }
  }

  function step(to) {
    dispatch({ type: to === 'last' ? 'leave' : to });
  }

  board.start(state.game);
  around.start(dispatch);
  listen($('#board'), board, { pick: (pit) => dispatch({ type: 'pick', pit }), armed() {}, step, help() {}, mute() {} });
  document.addEventListener('preferences', render);
  dispatch({ type: 'again' });
}
