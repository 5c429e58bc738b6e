/** What is found out about a game, around its board: line, marks, verdicts, the better way. Decides nothing. */
import { $, $$, mark, write } from '../lib/dom.js';
import { letterOf } from '../game/state.js';
import { Chart } from './chart.js';
import { counted, course, slipAfter, valueOf, view, wayOf } from './review.js';
import { span, verdict, wayLabel } from './verdict.js';

const MUCH = 2; // stones given away that are worth a look

export class Findings {
  #say;
  #chart;
  #verdicts;
  #slips;
  #rows;

  constructor(say) {
    this.#say = say;
    this.#chart = new Chart($('#chart'));
    this.#verdicts = $$('.step .verdict');
    this.#slips = $$('.tour__moves .slip');
    this.#rows = $$('#table tbody tr');
  }

  /** Tells `dispatch` what the reader asks for. */
  start(dispatch) {
    this.#chart.start(dispatch);
    $('#better').addEventListener('click', () => {
      dispatch({ type: 'better' });
      $('#board').scrollIntoView({ block: 'nearest' });
    });
    $('#next-slip').addEventListener('click', () => dispatch({ type: 'slip' }));
    $('#leave').addEventListener('click', () => dispatch({ type: 'leave' }));
    $('.better__line').addEventListener('click', ({ target }) => {
      const ply = target.closest('button');
      if (ply) dispatch({ type: 'way', index: Number(ply.dataset.index) });
    });
  }

  render(state) {
    this.#chart.render(course(state), view(state).index);
    this.#progress(state);
    for (const side of ['S', 'N']) this.#mark($(`.marks > [data-side="${side}"]`), state.marks[side]);
    this.#verdicts.forEach((node, k) => this.#ply(state, node, k));
    this.#better(state);
    $('#next-slip').disabled = !slipAfter(state);
  }

  #progress(state) {
    const [n, count] = [counted(state), state.plies.length];
    const words = state.link === 'closed' ? 'gone' : { looking: 'progress', waiting: 'waiting', done: 'done' }[state.phase];
    mark($('#progress'), 'hidden', state.phase === 'done' && state.link !== 'closed');
    write($('#progress p'), this.#say(words, { n, count }));
    $('#progress progress').value = n;
  }

  #mark(node, { accuracy, ...counts }) {
    write($('.marks__accuracy span', node), accuracy ?? '–');
    mark($('.marks__more', node), 'data-none', !counts.plies);
    for (const [name, n] of Object.entries(counts)) write($(`[data-mark="${name}"]`, node), n);
  }

  #ply(state, node, k) {
    const value = valueOf(state, k + 1);
    write(node, verdict(this.#say, state, k + 1));
    const lost = value?.lost[0] ?? 0;
    const slip = this.#slips[k];
    mark(slip, 'hidden', !lost);
    mark(slip, 'data-lost', lost < MUCH ? 'some' : 'much');
    write($('[aria-hidden]', slip), `−${lost}`);
    write($('.sr-only', slip), lost ? this.#say('slip', { n: lost }) : '');
    if (!value) return;
    const cells = [span(value.low, value.high), span(...value.lost), value.line];
    cells.forEach((text, at) => write(this.#rows[k].cells[at + 3], text));
  }

  #better(state) {
    const { branch, index, example } = state;
    const button = $('#better');
    for (const each of [button, $('#next-slip')]) mark(each, 'hidden', branch !== null);
    button.disabled = !valueOf(state, index)?.line || state.sought !== null;
    mark($('#way'), 'hidden', branch === null);
    if (!branch) return;
    const way = wayOf(state);
    const list = $('.better__line');
    while (list.children.length > way.length) list.lastElementChild.remove();
    while (list.children.length < way.length) list.append(document.getElementById('way-ply').content.cloneNode(true));
    way.forEach((sown, k) => {
      const ply = $('button', list.children[k]);
      ply.dataset.index = branch.nth + k;
      mark(ply, 'data-side', sown.side);
      write($('[aria-hidden]', ply), sown.transfers.length ? letterOf(sown.pit) : '⇄');
      write($('.sr-only', ply), sown.transfers.length ? wayLabel(this.#say, state, sown) : this.#say('way.swap'));
      mark(ply, 'aria-current', index === branch.nth + k ? 'step' : null);
    });
    const { outcome } = example.sown.at(-1);
    write($('.better__end'), outcome ? this.#say('way.end', { n: outcome.score[0], m: outcome.score[1] }) : '');
  }

  /** What is said aloud of the better way when the reader steps through it. */
  words(state) {
    const sown = state.index >= state.branch.nth && state.example.sown[state.index - 1];
    const where = view(state).bar;
    const parts = [this.#say(where.where, { n: where.index, count: where.count - 1 })];
    if (sown) parts.push(sown.transfers.length ? wayLabel(this.#say, state, sown) : this.#say('way.swap'));
    return parts.join('. ');
  }
}
