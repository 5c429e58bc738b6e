/** The phrase book. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { phraseBook } from '../../static/js/lib/words.js';

const say = phraseBook([['hello', 'Hello {name}'], ['stones.one', '{n} stone'], ['stones.other', '{n} stones']], 'en');

test('names are filled in, and what a name holds is left alone', () => {
  assert.equal(say('hello', { name: '$& {name}' }), 'Hello $& {name}');
});

test('the plural form follows the number', () => {
  assert.equal(say('stones', { n: 1 }), '1 stone');
  assert.equal(say('stones', { n: 0 }), '0 stones');
});

test('a language without a form of its own for a number takes the general one', () => {
  const polish = phraseBook([['stones.one', 'jeden'], ['stones.other', 'kamieni']], 'pl');
  assert.equal(polish('stones', { n: 3 }), 'kamieni');
});

test('a missing phrase does not stop the game', () => {
  assert.equal(say('nothing.here'), 'nothing.here');
});
