/** Changing one's name in passing: what is sent, and when. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { keepName } from '../../static/js/lobby/name.js';

let field, form, status, sent, answer;

beforeEach(() => {
  field = Object.assign(new EventTarget(), {
    value: 'Maya', defaultValue: 'Maya', getAttribute: () => null, select() {}, blur() {},
  });
  status = { textContent: '', dataset: { kept: 'Kept', lost: 'Not kept' } };
  form = Object.assign(new EventTarget(), {
    action: '/name/', elements: { name: field }, querySelector: () => status, submitted: 0, submit() { this.submitted += 1; },
  });
  sent = [];
  answer = Promise.resolve({ type: 'opaqueredirect' });
  globalThis.FormData = class { constructor({ elements }) { this.name = elements.name.value; } };
  globalThis.fetch = (url, { body }) => { sent.push([url, body.name]); return answer; };
});

const settled = () => new Promise(setImmediate);

test('leaving the field keeps the name, without its outer blanks', async () => {
  keepName(form);
  field.value = ' Leo ';
  field.dispatchEvent(new Event('change'));
  await settled();
  assert.deepEqual(sent, [['/name/', 'Leo']]);
  assert.equal(status.textContent, 'Kept');
});

test('Enter, which both changes and submits, sends once and does not leave the page', async () => {
  keepName(form);
  field.value = 'Leo';
  const enter = new Event('submit', { cancelable: true });
  field.dispatchEvent(new Event('change'));
  form.dispatchEvent(enter);
  await settled();
  assert.equal(sent.length, 1);
  assert.ok(enter.defaultPrevented);
});

test('an empty field, and Escape, bring the old name back', () => {
  keepName(form);
  field.value = '  ';
  field.dispatchEvent(new Event('change'));
  assert.equal(field.value, 'Maya');
  field.value = 'Le';
  field.dispatchEvent(Object.assign(new Event('keydown'), { key: 'Escape' }));
  assert.equal(field.value, 'Maya');
  assert.deepEqual(sent, []);
});

test('why a name is refused is told by the page that comes', async () => {
  answer = Promise.resolve({ type: 'basic', status: 400 });
  keepName(form);
  field.value = 'Leo';
  field.dispatchEvent(new Event('change'));
  await settled();
  assert.equal(form.submitted, 1);
  assert.equal(status.textContent, '');
});

test('without a network the new name stays in the field, and can be sent again', async () => {
  answer = Promise.reject(new TypeError('Failed to fetch'));
  keepName(form);
  field.value = 'Leo';
  field.dispatchEvent(new Event('change'));
  await settled();
  assert.deepEqual([field.value, status.textContent, form.submitted], ['Leo', 'Not kept', 0]);
  form.dispatchEvent(new Event('submit', { cancelable: true }));
  assert.equal(sent.length, 2);
});

test('a form in which the server explains something stays an ordinary form', () => {
  field.getAttribute = () => 'true';
  keepName(form);
  const enter = new Event('submit', { cancelable: true });
  form.dispatchEvent(enter);
  assert.ok(!enter.defaultPrevented);
});
