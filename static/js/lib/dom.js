/** The few things done to the document again and again. */
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** A copy of what a <template> holds. */
export const stamp = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

/** Writes only what changed: an equal text or attribute costs no layout and is not read out again. */
export function write(node, text) {
  if (node.textContent !== String(text)) node.textContent = text;
}

export function mark(node, name, value) {
  if (value === null || value === false || value === undefined) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value === true ? '' : value);
}
