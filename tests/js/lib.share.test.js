/** Handing on a link. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byHand, copy, share } from '../../static/js/lib/share.js';

const LINK = 'http://192.168.1.2:8000/r/abcdefgh/';
const refuses = { clipboard: { writeText: () => Promise.reject(new Error('NotAllowedError')) } };

function field() {
  const done = [];
  return { value: LINK, done, focus: () => done.push('focus'), select: () => done.push('select') };
}

/** A page whose command to copy answers so. */
const page = (isCopied) => ({ execCommand: (command) => command === 'copy' && isCopied });

test('the link goes to the clipboard and nothing is selected', async () => {
  const written = [];
  const link = field();
  assert.equal(await copy(link, { clipboard: { writeText: async (text) => written.push(text) } }, page(false)), true);
  assert.deepEqual(written, [LINK]);
  assert.deepEqual(link.done, []);
});

test('without a clipboard, as on plain http, the selected link is copied by command', async () => {
  const link = field();
  assert.equal(await copy(link, {}, page(true)), true);
  assert.deepEqual(link.done, ['focus', 'select']);
});

test('where neither is allowed the link stays selected and nobody says it was copied', async () => {
  const link = field();
  assert.equal(await copy(link, refuses, page(false)), false);
  assert.deepEqual(link.done, ['focus', 'select']);
});

test('by hand: a finger holds, a keyboard has keys of its own', () => {
  assert.equal(byHand(true, 'MacIntel'), 'touch');
  assert.equal(byHand(false, 'MacIntel'), 'mac');
  assert.equal(byHand(false, 'Win32'), 'keys');
  assert.equal(byHand(false, undefined), 'keys');
});

test('the device is handed words and link', async () => {
  const handed = [];
  await share('Come!', LINK, { share: async (data) => handed.push(data) });
  assert.deepEqual(handed, [{ text: 'Come!', url: LINK }]);
});

test('who closes the sheet again is not told of an error', async () => {
  await share('Come!', LINK, { share: () => Promise.reject(new Error('AbortError')) });
});
