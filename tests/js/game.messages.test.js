/** What is read from a frame, and what is written into one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ping, play, read, resign, sync } from '../../static/js/game/messages.js';

test('a known message is read as it is', () => {
  const message = { type: 'presence', south: 1, north: 2, spectators: 3, tomorrow: 'more' };
  assert.deepEqual(read(JSON.stringify(message)), message);
});

test('what is no message of ours is nothing', () => {
  const frames = [
    '', 'hello', 'null', '1', '"x"', '[]', '{}', '{"type":null}', '{"type":"tomorrow"}', '{"type":"toString"}',
    '{"type":"presence","south":"1","north":1,"spectators":0}',
    '{"type":"sown","game":1}', '{"type":"welcome"}', '{"type":"welcome","snapshot":{"game":1}}',
  ];
  for (const frame of frames) assert.equal(read(frame), null, frame);
});

test('intents of the page cannot come from outside', () => {
  for (const type of ['pick', 'settled', 'gone', 'offline']) assert.equal(read(JSON.stringify({ type, pit: 1 })), null);
});

test('messages to the server hold what the protocol says and no more', () => {
  const state = { game: 3, version: 7, ply: 5, pit: 2, stones: [] };
  assert.deepEqual(play(state), { type: 'play', game: 3, ply: 5, pit: 2 });
  assert.deepEqual(resign(state), { type: 'resign', game: 3 });
  assert.deepEqual(sync(), { type: 'sync' });
  assert.deepEqual(ping(state, 12.5), { type: 'ping', game: 3, version: 7, sent_at: 12.5 });
});
