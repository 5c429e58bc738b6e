/** What is the second of a double click, worked out by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecond } from '../../static/js/lib/taps.js';

const FIRST = { detail: 1, at: 1000, x: 100, y: 100 };

test('a click soon after another and near it is its second, counted or not', () => {
  assert.equal(isSecond({ detail: 2, at: 1200, x: 100, y: 100 }, FIRST), true);
  assert.equal(isSecond({ detail: 1, at: 1200, x: 110, y: 92 }, FIRST), true); // a finger
});

test('a later one, one elsewhere and one by a key is none', () => {
  assert.equal(isSecond({ detail: 1, at: 1500, x: 100, y: 100 }, FIRST), false);
  assert.equal(isSecond({ detail: 1, at: 1200, x: 124, y: 100 }, FIRST), false);
  assert.equal(isSecond({ detail: 0, at: 1001, x: 100, y: 100 }, FIRST), false);
});

test('the first click of a page is the second of one on the page before if the browser says so', () => {
  assert.equal(isSecond({ detail: 2, at: 50, x: 100, y: 100 }, null), true);
  assert.equal(isSecond({ detail: 1, at: 50, x: 100, y: 100 }, null), false);
  assert.equal(isSecond({ detail: 3, at: 600, x: 100, y: 100 }, null), false); // somebody goes on clicking
});
