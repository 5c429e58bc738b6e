/** Wires the solver: what is asked to the state, the state to the page, to its address and to the server. Decides nothing. */
import { Announcer } from './lib/announcer.js';
import { $ } from './lib/dom.js';
import { phraseBook, phrasesOf } from './lib/words.js';
import { Sheet } from './solver/sheet.js';
import { addressOf, begin, question, reduce, text } from './solver/study.js';

const page = JSON.parse($('#page').textContent);
const say = phraseBook(phrasesOf($('#words')), document.documentElement.lang);
const announcer = new Announcer($('#announcer'));
const sheet = new Sheet(say);
let state = begin(page);
let timer = null;
let asking = new AbortController();

function dispatch(action) {
  const next = reduce(state, action);
  state = next.state;
  sheet.render(state, (after) => addressOf(state.rules, after));
  next.effects.forEach(perform);
}

function perform(effect) {
  if (effect.do === 'address') history[effect.push ? 'pushState' : 'replaceState'](null, '', addressOf(state.rules, text(state)));
  else if (effect.do === 'tell') announcer.say(sheet.heading(state), { alone: true });
  else {
    clearTimeout(timer);
    asking.abort();
    timer = setTimeout(() => ask(effect.seconds), effect.wait);
  }
}

async function ask(seconds) {
  const asked = question(state);
  asking = new AbortController();
  const { signal } = asking;
  try {
    const query = new URLSearchParams({ ruleset: state.rules, position: text(state), seconds });
    const response = await fetch(`${page.api}?${query}`, { signal });
    const told = await response.json();
    if (response.ok) dispatch({ type: 'answered', question: asked, answer: told });
    else dispatch({ type: 'refused', question: asked, fault: told.refused, retry: Number(response.headers.get('Retry-After')) });
  } catch (error) {
    if (!signal.aborted) dispatch({ type: 'refused', question: asked, fault: 'lost', retry: 5 });
  }
}

sheet.start(dispatch, state.stones);
const isOpen = !state.answer?.exact && (!state.fault || state.fault === 'busy');
dispatch(isOpen ? { type: 'ask' } : { type: 'choose', hole: 0 });
addEventListener('popstate', () => {
  const query = new URLSearchParams(location.search);
  const position = query.get('position') ?? page.position;
  if (position.split(',').length !== text(state).split(',').length) location.reload();
  else dispatch({ type: 'visit', rules: query.get('rules') ?? page.rules, position });
});
