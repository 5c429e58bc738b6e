/** Wires board, text and buttons of a page about the rules to its lesson or its sample game. Decides nothing. */
import { Announcer } from '../lib/announcer.js';
import { $ } from '../lib/dom.js';
import { phraseBook, phrasesOf } from '../lib/words.js';
import { Board } from '../game/board.js';
import { listen } from '../game/input.js';
import { Tour } from './tour.js';

const WAIT_MS = 1_000; // a look at the pit before it is sown

/** `begin`, `reduce` and `view` are those of lesson.js or replay.js; `pace` is the board's. */
export function run({ begin, reduce, view }, pace) {
  const page = JSON.parse($('#page').textContent);
  const say = phraseBook(phrasesOf($('#words')), document.documentElement.lang);
  const announcer = new Announcer($('#announcer'));
  let state = begin(page, location.hash.slice(1));
  let wait = null; // a timer

  const board = new Board($('#board'), { say, pace, settled: () => dispatch({ type: 'settled' }) });
  const tour = new Tour($('#tour'), say);

  function dispatch(action) {
    const next = reduce(state, action);
    state = next.state;
    render();
    next.effects.forEach(perform);
  }

  function render() {
    board.render(state.game);
    tour.render(view(state));
  }

  function perform(effect) {
    if (effect.do === 'show') board.show();
    else if (effect.do === 'sow') board.sow(effect.sown, effect.stones);
    else if (effect.do === 'tell') tell(effect);
    else {
      clearTimeout(wait);
      wait = setTimeout(() => dispatch({ type: 'due' }), WAIT_MS);
    }
  }

  function tell({ what, index }) {
    if (what === 'outcome') announcer.say(tour.outcome(index));
    else {
      announcer.say(tour.words(index), { alone: true });
      history.replaceState(null, '', tour.address(index));
    }
  }

  function step(to) {
    if (to !== 'last') dispatch({ type: to });
  }

  board.start(state.game);
  tour.start(dispatch);
  listen($('#board'), board, { pick: (pit) => dispatch({ type: 'pick', pit }), armed() {}, step, help() {}, mute() {} });
  document.addEventListener('preferences', render);
  dispatch({ type: 'again' });
}
