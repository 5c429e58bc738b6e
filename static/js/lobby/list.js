/** A live list of the lobby: its rows follow what the server sends. Knows no socket; words and markup are the page's. */
import { mark, write } from '../lib/dom.js';
import { arrange } from './order.js';

export class LiveList {
  #list;
  #template;
  #describe;
  #items = null; // by code; null until the server has spoken: what the page came with stands

  /**
   * `describe` makes of an item { texts, facts, turn }: texts go into the elements named by data-fill; of a new row's
   * data-is elements only those named in facts stay; a turn becomes the row's data-turn.
   */
  constructor(list, template, describe) {
    this.#list = list;
    this.#template = template;
    this.#describe = describe;
    // The order held for the pointer or the focus is put right once it has left.
    const settle = () => setTimeout(() => { if (this.#items) this.#render(); });
    list.addEventListener('pointerleave', settle);
    list.addEventListener('focusout', settle);
  }

  /** Shows these items, each with a `code` of its own, in this order. */
  show(items) {
    this.#items = new Map(items.map((item) => [item.code, item]));
    this.#render();
  }

  #render() {
    const rows = new Map([...this.#list.children].map((row) => [row.dataset.code, row]));
    const order = arrange([...rows.keys()], [...this.#items.keys()], this.#anchor());
    for (const [code, row] of rows) if (!order.includes(code)) row.remove();
    order.forEach((code, place) => {
      const item = this.#items.get(code);
      const row = rows.get(code) ?? this.#newRow(item);
      mark(row, 'data-gone', !item);
      if (item) this.#fill(row, item);
      const there = this.#list.children[place] ?? null;
      if (there !== row) this.#list.insertBefore(row, there);
    });
  }

  /** The code of the lowest row under the pointer or with the focus. */
  #anchor() {
    return [...this.#list.children].findLast((row) => row.matches(':hover, :focus-within'))?.dataset.code;
  }

  #newRow(item) {
    const row = this.#template.content.firstElementChild.cloneNode(true);
    const { facts } = this.#describe(item);
    for (const choice of row.querySelectorAll('[data-is]')) if (!facts.includes(choice.dataset.is)) choice.remove();
    for (const [selector, name] of [['a', 'href'], ['form', 'action']]) {
      for (const node of row.querySelectorAll(selector)) {
        mark(node, name, node.getAttribute(name).replace(this.#template.dataset.code, item.code));
      }
    }
    mark(row, 'data-code', item.code);
    mark(row, 'data-new', true);
    return row;
  }

  #fill(row, item) {
    const { texts, turn } = this.#describe(item);
    for (const node of row.querySelectorAll('[data-fill]')) write(node, texts[node.dataset.fill]);
    if (turn) mark(row, 'data-turn', turn);
  }
}
