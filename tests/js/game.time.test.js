/** Clocks as a browser shows them: from the server's moments, whatever this device's own clock says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { face, hurry, left, ServerTime, steady } from '../../static/js/game/time.js';

const running = { clock: { S: 60_000, N: 45_000, running: 'S', since: 1_000_000 } };

test('a clock that runs has lost what has gone by since its turn began (B45)', () => {
  assert.equal(left(running, 'S', 1_012_500), 47_500);
  assert.equal(left(running, 'S', 1_000_000 + 5 * 60_000), 0); // five minutes in the background: at zero, never below (B47)
});

test('the other clock stands, and so do both while the first turn has its grace', () => {
  assert.equal(left(running, 'N', 1_012_500), 45_000);
  assert.equal(left(running, 'S', 970_000), 60_000);
});

test('as long as the server’s clock is not known what the turn began with is shown', () => {
  assert.equal(left(running, 'S', null), 60_000);
});

test('a face has minutes and seconds, and tenths once there is hurry, never more than there is', () => {
  assert.equal(face(300_000), '5:00');
  assert.equal(face(299_999), '4:59');
  assert.equal(face(1_800_000), '30:00');
  assert.equal(face(20_000), '0:20');
  assert.equal(face(19_999), '0:19.9');
  assert.equal(face(3_040), '0:03.0');
  assert.equal(face(0), '0:00.0');
});

test('a clock is red when it runs out, and not because every turn is short', () => {
  assert.equal(hurry('5+3'), 20_000);
  assert.equal(hurry('15s'), 3_750);
  assert.equal(hurry('60s'), 15_000);
});

test('the server’s clock is told from the middle of a ping’s way', () => {
  const server = new ServerTime();
  assert.equal(server.at(100), null);
  server.sample({ sentAt: 1000, now: 5_000_020, heardAt: 1040 }); // half way, at 1020, it was 5,000,020
  assert.equal(server.at(1020), 5_000_020);
  assert.equal(server.at(2020), 5_001_020);
});

test('an answer that was long on its way is not trusted (B46)', () => {
  const server = new ServerTime();
  server.sample({ sentAt: 0, now: 10_010, heardAt: 20 });
  server.sample({ sentAt: 100, now: 10_110, heardAt: 4100 }); // four seconds late: its middle would be two seconds off
  assert.equal(server.at(0), 10_000);
});

test('old answers are forgotten (B46)', () => {
  const server = new ServerTime();
  server.sample({ sentAt: 0, now: 10_001, heardAt: 2 }); // the quickest, but long ago
  for (let k = 1; k <= 8; k += 1) server.sample({ sentAt: 100 * k, now: 10_055 + 100 * k, heardAt: 100 * k + 10 });
  assert.equal(server.at(0), 10_050);
});

test('when the server’s clock was set what it said before is forgotten, however quick the answer was', () => {
  const server = new ServerTime();
  server.sample({ sentAt: 0, now: 10_001, heardAt: 2 });
  server.sample({ sentAt: 100, now: 70_150, heardAt: 200 }); // a minute ahead, and slower
  assert.equal(server.at(150), 70_150);
});

test('when the page is looked at again what was known holds until there is news', () => {
  const server = new ServerTime();
  server.sample({ sentAt: 0, now: 10_001, heardAt: 2 });
  server.doubt();
  server.doubt(); // looked at twice before the answer
  assert.equal(server.isKnown, false);
  assert.equal(server.at(500), 10_500);
  server.sample({ sentAt: 600, now: 40_700, heardAt: 800 }); // it slept for thirty seconds; slow as the answer is, it is news
  assert.equal(server.at(700), 40_700);
});

test('the page itself says something of the server’s clock, and any answer is worth more', () => {
  const server = new ServerTime({ sentAt: 10, now: 10_020, heardAt: 30 });
  assert.equal(server.isKnown, false);
  assert.equal(server.at(100), 10_100);
  server.sample({ sentAt: 200, now: 10_310, heardAt: 400 });
  assert.equal(server.at(300), 10_310);
});

test('a clock that is told a little better stands rather than run backwards', () => {
  assert.equal(steady(41_000, 41_020), 41_000);
  assert.equal(steady(41_000, 40_980), 40_980);
  assert.equal(steady(41_000, 43_000), 43_000); // what was shown was wrong
});
