/** What of the lines is new, and what is shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBack, news, shown } from '../../static/js/game/talk.js';

const LINES = [
  { id: 3, own: false, text: 'Hi' },
  { id: 4, own: true, text: 'Hello' },
  { id: 6, own: false, text: 'Ready?' },
];

test('new is what the other wrote after the last line seen', () => {
  assert.deepEqual(news(LINES, 0).map(({ id }) => id), [3, 6]);
  assert.deepEqual(news(LINES, 3).map(({ id }) => id), [6]);
  assert.deepEqual(news(LINES, 6), []);
});

test('whoever hides what the other writes still sees the own lines', () => {
  assert.deepEqual(shown(LINES, true).map(({ id }) => id), [4]);
  assert.equal(shown(LINES, false).length, 3);
});

test('the own line is back when it is among the own new ones, as the server has cleaned it', () => {
  const lines = [{ id: 7, own: true, text: 'Nice one ❤' }, { id: 8, own: false, text: 'Thanks' }];
  assert.equal(isBack(lines, 6, '  Nice   one ❤\ufe0f\u200b '), true);
  assert.equal(isBack(lines, 7, 'Nice one ❤'), false); // said before
  assert.equal(isBack(lines, 6, 'Thanks'), false); // the other's
  assert.equal(isBack(lines, 6, 'Again?'), false); // written in another tab meanwhile
});
