/** The order of the live lists, and the parts of a ruleset's key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrange, parseControl, parseRuleset } from '../../static/js/lobby/order.js';

test('a list that nobody touches is as the server has it', () => {
  assert.deepEqual(arrange(['a', 'b'], ['c', 'a'], undefined), ['c', 'a']);
});

test('rows down to the one under the pointer keep their places, even when they have gone', () => {
  assert.deepEqual(arrange(['a', 'b', 'c'], ['c', 'b'], 'b'), ['a', 'b', 'c']);
});

test('rows below the pointer go at once, and newcomers come last', () => {
  assert.deepEqual(arrange(['a', 'b', 'c'], ['x', 'a', 'c'], 'a'), ['a', 'c', 'x']);
});

test('a held list does not grow for ever', () => {
  let shown = ['a'];
  for (let round = 0; round < 100; round += 1) shown = arrange(shown, [`new${round}`], 'a');
  assert.deepEqual(shown, ['a', 'new99']);
});

test('an anchor that is not in the list holds nothing', () => {
  assert.deepEqual(arrange(['a'], ['b'], 'z'), ['b']);
});

test('a ruleset’s key has a name, pits, stones and extra rules', () => {
  assert.deepEqual(parseRuleset('no-empty-capture-4x5'), { rules: 'no-empty-capture', pits: '4', stones: '5', extras: [] });
  assert.deepEqual(parseRuleset('both-stores-6x4+majority+pie'), {
    rules: 'both-stores', pits: '6', stones: '4', extras: ['majority', 'pie'],
  });
});

test('a key of a kind not known yet has no parts', () => {
  assert.deepEqual(parseRuleset('oware'), { extras: [] });
});

test('a clock for the game is written as players write it, with its numbers beside; one for a turn is seconds', () => {
  assert.deepEqual(parseControl('15+10'), {
    texts: { control: '15+10', minutes: '15', seconds: '10' }, kinds: ['clock', 'game'],
  });
  assert.deepEqual(parseControl('30s'), { texts: { seconds: '30' }, kinds: ['clock', 'turn'] });
  assert.deepEqual(parseControl(''), { texts: {}, kinds: [] });
});
