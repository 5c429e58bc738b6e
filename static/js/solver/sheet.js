/** The solver on the page: numbers, stones, values and their words. It shows a state and tells what is asked; no more. */
import { $, $$, mark, stamp, write } from '../lib/dom.js';
import { Stones } from '../game/stones.js';
import { short, told, verdict } from './worth.js';

const MOST_DRAWN = 162; // more the server does not take

export class Sheet {
  #say;
  #root = $('#board');
  #inputs = $$('#board input').sort((a, b) => holeOf(a) - holeOf(b));
  #stones;
  #total = 0;
  #chosen = 0;

  constructor(say) {
    this.#say = say;
    const hollows = this.#inputs.map((input) => input.closest('[data-hole]').querySelector('.pit__hollow, .store__hollow'));
    this.#stones = new Stones(this.#root, $('.board__stones'), hollows, () => {});
    if (matchMedia('(pointer: coarse)').matches) for (const input of this.#inputs) input.inputMode = 'none';
  }

  /** Tells `dispatch` what the reader asks for. */
  start(dispatch, stones) {
    this.#lay(stones);
    new ResizeObserver(() => this.#stones.measure()).observe(this.#root);
    $('#step').hidden = false;
    const form = $('#solver');
    form.addEventListener('input', ({ target }) => {
      const hole = this.#inputs.indexOf(target);
      if (hole >= 0) dispatch({ type: 'count', hole, n: target.valueAsNumber });
    });
    form.addEventListener('change', ({ target }) => {
      if (target.name === 'rules' || target.name === 'turn') dispatch({ type: target.name, [target.name]: target.value });
      if (target.name === 'stones') dispatch({ type: 'board', do: 'start', stones: Number(target.value) });
      if (target.name === 'pits') form.requestSubmit($('[value=start]', form)); // another board is another page
    });
    form.addEventListener('focusin', ({ target }) => {
      const hole = this.#inputs.indexOf(target);
      if (hole >= 0) dispatch({ type: 'choose', hole });
    });
    form.addEventListener('submit', (event) => {
      const what = event.submitter?.value ?? 'show';
      if (what === 'start' && !this.#isThisBoard()) return;
      event.preventDefault();
      if (what !== 'show') dispatch({ type: 'board', do: what, stones: Number($('[name=stones]:checked')?.value ?? 4) });
    });
    form.addEventListener('click', (event) => {
      const { target } = event;
      const hollow = target.closest('.pit__hollow, .store__hollow');
      const move = target.closest('[data-pit]');
      const step = target.closest('[data-by]');
      const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (hollow) dispatch({ type: 'add', hole: Number(hollow.parentNode.dataset.hole), by: 1 });
      else if (step) dispatch({ type: 'add', hole: this.#chosen, by: Number(step.dataset.by) });
      else if (move && isPlain) {
        event.preventDefault();
        const isListed = move.closest('#list') !== null; // then it goes with the list
        dispatch({ type: 'sow', pit: Number(move.dataset.pit) });
        if (isListed) $('#found').focus({ preventScroll: true });
      } else if (target.closest('#longer a') && isPlain) {
        event.preventDefault();
        dispatch({ type: 'longer' });
      }
    });
  }

  render(state, addressOf) {
    const { stones, turn, hole, answer, fault, asking } = state;
    if (String(stones) !== String(this.#stones.counts)) this.#lay(stones);
    this.#root.dataset.turn = turn;
    this.#chosen = hole;
    this.#inputs.forEach((input, at) => {
      if (input.valueAsNumber !== stones[at]) input.value = stones[at];
      const node = input.closest('[data-hole]');
      mark(node, 'data-count', stones[at]);
      mark(node, 'data-chosen', at === hole);
    });
    write($('#step-hole'), `${this.#inputs[hole].getAttribute('aria-label')}: ${stones[hole]}`);
    for (const name of ['turn', 'rules']) $(`[name=${name}][value=${state[name]}]`).checked = true;
    mark($('#found'), 'aria-busy', String(asking));
    write($('#verdict'), this.heading(state));
    write($('#note'), answer ? this.#note(state) : '');
    $('#line').hidden = !answer?.line;
    write($('.solver__line'), answer?.line ?? '');
    $('#longer').hidden = !answer || answer.exact || asking;
    const pits = answer?.pits ?? [];
    $('#list').replaceChildren(...pits.map((pit) => this.#item(pit, answer.turn, addressOf(pit.after))));
    for (const span of $$('.worths > span')) span.replaceChildren();
    for (const pit of pits) this.#cell(pit.pit, stones.length).append(this.#chip(pit, addressOf(pit.after)));
  }

  /** What is known, in a sentence: also said aloud. */
  heading({ answer, fault, asking }) {
    if (answer) return verdict(this.#say, answer);
    return this.#say(fault ?? (asking ? 'asking' : 'lost'));
  }

  #note({ answer, fault, asking }) {
    if (fault) return this.#say(fault);
    if (asking) return this.#say('asking');
    return answer.compiled || answer.exact ? '' : this.#say('slow');
  }

  /** As many stones again glide to where they belong; another number of them is laid anew. */
  #lay(stones) {
    const total = stones.reduce((sum, n) => sum + n, 0);
    if (total > MOST_DRAWN) return;
    if (total === this.#total) this.#stones.settle(stones);
    else {
      this.#stones.make(stones);
      this.#stones.measure();
    }
    this.#total = total;
  }

  #isThisBoard() {
    return Number($('[name=pits]:checked').value) === this.#inputs.length / 2 - 1;
  }

  #cell(hole, holes) {
    const isFar = hole >= holes / 2;
    const cells = $$(`.worths[data-place=${isFar ? 'far' : 'near'}] > span`);
    return isFar ? cells.reverse()[hole - holes / 2] : cells[hole];
  }

  #chip(worth, href) {
    const chip = document.createElement('a');
    chip.className = 'worth';
    chip.tabIndex = -1;
    chip.href = href;
    chip.dataset.pit = worth.pit;
    mark(chip, 'data-best', worth.best);
    chip.textContent = short(worth);
    return chip;
  }

  #item(pit, turn, href) {
    const item = stamp('move');
    mark(item, 'data-best', pit.best);
    const link = $('a', item);
    link.href = href;
    link.dataset.pit = pit.pit;
    write(link.lastElementChild, this.#say('pit', { letter: pit.letter }));
    write($('b', item), short(pit));
    write(item.lastElementChild, told(this.#say, turn, pit));
    return item;
  }
}

const holeOf = (input) => Number(input.closest('[data-hole]').dataset.hole);
