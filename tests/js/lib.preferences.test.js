/** What a reader chose: the cookie after a change, and which speed holds. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { changed, speed } from '../../static/js/lib/preferences.js';

function page({ chosen, prefersLess }) {
  globalThis.document = { documentElement: { dataset: { speed: chosen } } };
  globalThis.matchMedia = () => ({ matches: prefersLess });
}
afterEach(() => {
  delete globalThis.document;
  delete globalThis.matchMedia;
});

test('the first choice makes the cookie', () => {
  assert.equal(changed('', 'theme', 'dark'), 'settings=theme=dark');
});

test('a choice leaves the others, and the other cookies, as they were', () => {
  const cookies = 'csrftoken=abc; settings=theme=dark&sound=0; sessionid=x';
  assert.equal(changed(cookies, 'theme', 'light'), 'settings=theme=light&sound=0');
  assert.equal(changed(cookies, 'speed', 'calm'), 'settings=theme=dark&sound=0&speed=calm');
});

test('a cookie with a longer name is another one', () => {
  assert.equal(changed('mysettings=theme=dark', 'sound', '0'), 'settings=sound=0');
});

test('without a choice the system says whether anything moves', () => {
  page({ chosen: 'auto', prefersLess: false });
  assert.equal(speed(), 'normal');
  page({ chosen: 'auto', prefersLess: true });
  assert.equal(speed(), 'instant');
});

test('a choice goes before the system, both ways', () => {
  page({ chosen: 'calm', prefersLess: true });
  assert.equal(speed(), 'calm');
  page({ chosen: 'instant', prefersLess: false });
  assert.equal(speed(), 'instant');
});
