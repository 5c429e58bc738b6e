/** The socket that comes back by itself: with a clock, a page and sockets made for the purpose. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection, backoff, socketUrl } from '../../static/js/lib/connection.js';

class Clock {
  #time = 0;
  #timers = new Map();
  #next = 1;

  now = () => this.#time;

  set = (work, ms) => {
    this.#timers.set(this.#next, { work, at: this.#time + ms });
    this.#next += 1;
    return this.#next - 1;
  };

  clear = (timer) => this.#timers.delete(timer);

  /** Lets time pass, running what is due in its order. */
  pass(ms) {
    const until = this.#time + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      const [timer, { work, at }] = due;
      this.#timers.delete(timer);
      this.#time = Math.max(this.#time, at);
      work();
    }
    this.#time = until;
  }

  /** The page stands still: time passes and nothing runs. */
  stall(ms) {
    this.#time += ms;
  }
}

/** A connection and all it touches. `sockets` are the ones it opened, newest last. */
function setUp(options = {}) {
  const clock = new Clock();
  const page = Object.assign(new EventTarget(), { hidden: false });
  const view = new EventTarget();
  const sockets = [];
  const texts = [];
  const downs = [];
  class FakeSocket {
    readyState = 0;
    sent = [];

    constructor(url) {
      this.url = url;
      sockets.push(this);
    }

    send(text) { this.sent.push(text); }
    close() { this.readyState = 2; }
    accept() { this.readyState = 1; }
    say(text) { this.onmessage({ data: text }); }
    end(code) { this.readyState = 3; this.onclose({ code }); }
  }
  const connection = new Connection({
    url: () => 'ws://here/', onText: (text) => texts.push(text), onDown: (down) => downs.push(down), ping: () => 'ping',
    closing: { 4404: null, 4412: [0, 2_000], 4429: [10_000, 10_000] },
    WebSocket: FakeSocket, clock, random: () => 0.5, page, view, ...options,
  });
  connection.open();
  const socket = () => sockets.at(-1);
  const show = () => page.dispatchEvent(new Event('visibilitychange'));
  return { connection, clock, page, view, sockets, texts, downs, socket, show };
}

/** As setUp, with the first socket accepted and greeted. */
function online(options) {
  const world = setUp(options);
  world.socket().accept();
  world.socket().say('welcome');
  return world;
}

test('the socket is as safe as the page (B120)', () => {
  assert.equal(socketUrl('/ws/', { protocol: 'https:', host: 'play.example' }), 'wss://play.example/ws/');
  assert.equal(socketUrl('/ws/', { protocol: 'http:', host: '10.0.0.2:8000' }), 'ws://10.0.0.2:8000/ws/');
});

test('waits double from a third of a second to a quarter of a minute, and differ from client to client', () => {
  assert.equal(backoff(0, () => 0), 300);
  assert.equal(backoff(0, () => 1), 600);
  assert.equal(backoff(3, () => 0), 2_400);
  assert.equal(backoff(50, () => 1), 15_000);
  assert.notEqual(backoff(4, () => 0.2), backoff(4, () => 0.9));
});

test('a lost socket is opened again after a wait that grows with every failure', () => {
  const { clock, sockets, socket } = online();
  socket().end(1006);
  clock.pass(449);
  assert.equal(sockets.length, 1);
  clock.pass(1);
  assert.equal(sockets.length, 2);
  socket().end(1006);
  clock.pass(899);
  assert.equal(sockets.length, 2);
  clock.pass(1);
  assert.equal(sockets.length, 3);
});

test('a socket that follows one that spoke says so', () => {
  const { clock, sockets, socket } = setUp();
  socket().end(1006);
  clock.pass(450);
  socket().accept();
  socket().say('welcome');
  socket().end(1006);
  clock.pass(450);
  assert.deepEqual(sockets.map(({ url }) => url), ['ws://here/', 'ws://here/', 'ws://here/?again']);
});

test('only a socket that speaks makes the next wait short again', () => {
  const { clock, sockets, socket } = online();
  for (const wait of [450, 900, 1_800]) {
    socket().end(1006);
    clock.pass(wait);
    socket().accept();
  }
  socket().end(1006); // accepted three times and never a word: the wait is 600 * 2³ * 0.75
  clock.pass(3_599);
  assert.equal(sockets.length, 4);
  clock.pass(1);
  socket().accept();
  socket().say('welcome');
  socket().end(1006);
  clock.pass(450);
  assert.equal(sockets.length, 6);
});

test('a page that is looked at again, or back in the network, does not wait', () => {
  for (const wake of [({ show }) => show(), ({ view }) => view.dispatchEvent(new Event('online'))]) {
    const world = online();
    for (let round = 0; round < 4; round += 1) {
      world.socket().end(1006);
      world.clock.pass(15_000);
    }
    world.socket().end(1006);
    const before = world.sockets.length;
    wake(world);
    assert.equal(world.sockets.length, before + 1);
    world.socket().end(1006);
    world.clock.pass(450); // and the waits begin anew
    assert.equal(world.sockets.length, before + 2);
  }
});

test('a network that goes is asked whether it took the socket along', () => {
  const world = online();
  world.view.dispatchEvent(new Event('offline'));
  world.clock.pass(3_000);
  assert.equal(world.sockets.length, 2);
});

test('a page that is being hidden does nothing', () => {
  const { page, show, socket } = online();
  page.hidden = true;
  show();
  assert.deepEqual(socket().sent, []);
});

test('a heartbeat every 15 seconds, and none is owed while it is answered', () => {
  const { clock, socket, sockets } = online();
  for (let beat = 1; beat <= 8; beat += 1) {
    clock.pass(15_000);
    assert.equal(socket().sent.length, beat);
    socket().say('pong');
  }
  assert.equal(sockets.length, 1);
});

test('a socket that does not answer in 10 seconds is replaced at once, and what it says later is not heard', () => {
  const { clock, sockets, texts, downs } = online();
  clock.pass(15_000);
  clock.pass(9_999);
  assert.equal(sockets.length, 1);
  clock.pass(1);
  assert.equal(sockets.length, 2);
  assert.deepEqual(downs, [{ code: null, final: false }]);
  sockets[0].say('late');
  sockets[0].end(1006);
  assert.deepEqual(texts, ['welcome']);
  assert.equal(downs.length, 1);
});

// B36: after sleep the socket looks open and is dead.
test('after waking the answer may take 3 seconds', () => {
  const { clock, sockets, show } = online();
  show();
  assert.deepEqual(sockets[0].sent, ['ping']);
  clock.pass(2_999);
  assert.equal(sockets.length, 1);
  clock.pass(1);
  assert.equal(sockets.length, 2);
});

// B39: two heartbeats made healthy players reconnect.
test('a jitter of 1.2 seconds is no reason to reconnect', () => {
  const { clock, sockets, socket, show } = online();
  for (let round = 0; round < 5; round += 1) {
    show();
    clock.pass(1_200);
    socket().say('pong');
  }
  assert.equal(sockets.length, 1);
});

test('a page that stood still itself asks once more before it blames the socket', () => {
  const { clock, sockets, socket, show } = online();
  show();
  clock.stall(5_000);
  clock.pass(0); // the limit is long over, and the answer is still in the queue behind it
  assert.equal(sockets.length, 1);
  socket().say('pong');
  clock.pass(5_000);
  assert.equal(sockets.length, 1);
});

test('a page back from the cache of the browser finds its socket closed and opens one', () => {
  const { sockets, view } = online();
  sockets[0].readyState = 3; // without a word
  view.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  assert.equal(sockets.length, 2);
});

test('a socket that never opens, or never greets, is given up after 10 seconds', () => {
  const { clock, sockets, socket } = setUp();
  clock.pass(10_000);
  assert.equal(sockets.length, 2);
  socket().accept();
  clock.pass(10_000);
  assert.equal(sockets.length, 3);
});

// B35: handlers are bound again on each reconnect.
test('after five reconnects every message is still heard once', () => {
  const { clock, sockets, socket, texts, show } = online();
  for (let round = 0; round < 5; round += 1) {
    socket().end(1006);
    clock.pass(15_000);
    socket().accept();
    socket().say(`welcome ${round}`);
  }
  texts.length = 0;
  for (const each of sockets) each.say('move');
  assert.deepEqual(texts, ['move']);
  const { sent } = socket();
  sent.length = 0;
  show();
  assert.deepEqual(sent, ['ping']);
});

test('close codes: the end, a short wait of any length (B41), a long one', () => {
  const gone = online();
  gone.socket().end(4404);
  gone.clock.pass(60_000);
  gone.show();
  assert.equal(gone.sockets.length, 1);
  assert.deepEqual(gone.downs, [{ code: 4404, final: true }]);

  const restarting = online();
  restarting.socket().end(4412);
  restarting.clock.pass(1_000);
  assert.equal(restarting.sockets.length, 2);

  const flooding = online();
  flooding.socket().end(4429);
  flooding.clock.pass(9_999);
  assert.equal(flooding.sockets.length, 1);
  flooding.clock.pass(1);
  assert.equal(flooding.sockets.length, 2);
});

test('where sockets do not come through the server is asked by other means, and sockets are tried on (B42)', async () => {
  const answers = [async () => { throw new Error('no line either'); }, async () => 'state'];
  const heard = [];
  let asked = 0;
  const { clock, sockets, socket } = setUp({ probe: () => answers[asked++](), onBlocked: (answer) => heard.push(answer) });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    socket().end(1006);
    clock.pass(4_000);
  }
  assert.equal(asked, 0);
  for (const told of [[], ['state']]) {
    socket().end(1006);
    clock.pass(4_000);
    await new Promise(setImmediate);
    assert.deepEqual(heard, told);
  }
  assert.equal(sockets.length, 5);
});

test('a page whose socket spoke once does not suspect the way', () => {
  const { clock, socket } = online({ probe: () => assert.fail('asked') });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    socket().end(1006);
    clock.pass(4_000);
  }
});

test('what cannot be sent now is not kept', () => {
  const { connection, socket } = setUp();
  assert.equal(connection.send('early'), false);
  socket().accept();
  assert.equal(connection.send('now'), true);
  assert.deepEqual(socket().sent, ['now']);
});

test('where nobody answers pings, only a long silence before waking counts', () => {
  const { clock, sockets, show } = online({ ping: null });
  clock.pass(14_000);
  show();
  assert.equal(sockets.length, 1);
  clock.pass(2_000);
  show();
  assert.equal(sockets.length, 2);
});
