/** Wires board, text and buttons of a page about the rules to its lesson or its sample game. Decides nothing. */
import { Announcer } from '../lib/announcer.js';
import { $ } from '../lib/dom.js';
import { phraseBook, phrasesOf } from '../lib/words.js';
import { Board } from '../game/board.js';
import { listen } from '../game/input.js';
import { Tour } from './tour.js';

const WAIT_MS = 1_000; // a look at the pit before it is sown

/**
 * `begin`, `reduce` and `view` are those of lesson.js, replay.js or review.js; `pace` is the board's. What a page has beside
 * is made by `more`: { start, render, and a function for each effect of its own, or of telling what is its own }.
 */
export function run({ begin, reduce, view }, pace, more = () => null) {
  const page = JSON.parse($('#page').textContent);
  const say = phraseBook(phrasesOf($('#words')), document.documentElement.lang);
  const announcer = new Announcer($('#announcer'));
  let state = begin(page, location.hash.slice(1));
  let wait = null; // a timer

  const board = new Board($('#board'), { say, pace, settled: () => dispatch({ type: 'settled' }) });
  const tour = new Tour($('#tour'), say);
  const extra = more({ page, say, announcer, dispatch });

  function dispatch(action) {
    const next = reduce(state, action);
    state = next.state;
    render();
    next.effects.forEach(perform);
  }

  function render() {
    board.render(state.game);
    tour.render(view(state));
    extra?.render(state);
  }

  function perform(effect) {
    if (effect.do === 'show') board.show();
    else if (effect.do === 'sow') board.sow(effect.sown, effect.stones);
    else if (effect.do === 'tell') tell(effect);
    else if (effect.do === 'fetch') extra.fetch(effect);
    else {
      clearTimeout(wait);
      wait = setTimeout(() => dispatch({ type: 'due' }), WAIT_MS);
    }
  }

  function tell(effect) {
    const { what, index } = effect;
    if (what === 'outcome') announcer.say(tour.outcome(index));
    else if (what !== 'step') extra.tell(effect);
    else {
      announcer.say(tour.words(index), { alone: true });
      history.replaceState(null, '', tour.address(index));
    }
  }

  function step(to) {
    dispatch({ type: to === 'last' ? 'leave' : to });
  }

  board.start(state.game);
  tour.start(dispatch);
  extra?.start();
  listen($('#board'), board, { pick: (pit) => dispatch({ type: 'pick', pit }), armed() {}, step, help() {}, mute() {} });
  document.addEventListener('preferences', render);
  dispatch({ type: 'again' });
}
