/**
 * One websocket that comes back by itself. Knows nothing about what is said over it.
 *
 *   const connection = new Connection({
 *     url: () => socketUrl('/ws/v1/lobby/'),
 *     onText: (text) => …,          // every text frame
 *     onDown: ({ code, final }) => …, // the socket closed; `final`: it will not be opened again
 *     ping: () => text,             // optional: a frame the server always answers
 *     probe: async () => answer,    // optional: asks the server by other means, once no socket has come through
 *     onBlocked: (answer) => …,     // it answered, so something on the way holds up sockets; they are tried on
 *     closing: { 4404: null, 4412: [0, 2000] },
 *   });
 *   connection.open();
 *
 * Listeners on the page are bound once, in open(). A socket that was replaced is deaf: whatever it still says is ignored.
 */
const BACKOFF_MS = { first: 600, most: 15_000, least: 300 };
const GREETING_LIMIT_MS = 10_000; // the server speaks first
const HEARTBEAT_MS = 15_000;
const ANSWER_LIMIT_MS = 10_000;
const WAKING_LIMIT_MS = 3_000;
const STALL_MS = 1_000;
const UNHEARD = 3; // sockets of a page that did not say a word, until the server is asked by other means
const OPEN = 1; // readyState of a WebSocket: 0 connecting, 1 open, 2 closing, 3 closed
const CLOSED = 3;

/** ws: or wss:, as the page itself was fetched. */
export function socketUrl(path, place = location) {
  return `${place.protocol === 'https:' ? 'wss' : 'ws'}://${place.host}${path}`;
}

/** How long to wait before attempt number `attempt` (from 0): doubling, and no two clients alike. */
export function backoff(attempt, random = Math.random) {
  const ceiling = Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** attempt);
  return Math.max(BACKOFF_MS.least, ceiling * (0.5 + 0.5 * random()));
}

export class Connection {
  #options;
  #socket = null;
  #again = ''; // said of a socket that follows another, for the server's figures
  #attempts = 0;
  #unheard = 0; // sockets so far, until one says something
  #heardAt = 0;
  #retry = null; // timer of the next attempt
  #beat = null; // timer of the next ping
  #limit = null; // timer of an answer that is waited for
  #finished = false;

  /**
   * `closing` says what a close code means: null for the end, [from, to] in ms for a wait of that length. Any other code
   * waits by back-off. The rest is for tests: `WebSocket`, `clock` ({ now, set, clear }), `random`, `page` and `view`
   * (the document and the window, of which only events and `hidden` are used).
   */
  constructor({
    url, onText, onDown = () => {}, ping = null, closing = {}, probe = null, onBlocked = () => {},
    WebSocket = globalThis.WebSocket, random = Math.random,
    clock = {
      now: () => performance.now(),
      set: (work, ms) => setTimeout(work, ms),
      clear: (timer) => clearTimeout(timer),
    },
    page = globalThis.document, view = globalThis.window,
  }) {
    this.#options = { url, onText, onDown, ping, closing, probe, onBlocked, WebSocket, random, clock, page, view };
  }

  open() {
    const { page, view } = this.#options;
    page.addEventListener('visibilitychange', () => { if (!page.hidden) this.wake(); });
    for (const network of ['online', 'offline']) view.addEventListener(network, () => this.wake());
    view.addEventListener('pageshow', ({ persisted }) => { if (persisted) this.wake(); });
    this.#connect();
  }

  /** Sends now, or not at all: says which. */
  send(text) {
    if (this.#socket?.readyState !== OPEN) return false;
    this.#socket.send(text);
    return true;
  }

  /** The page is looked at again, or the network comes or goes: trust nothing, wait for nothing. */
  wake() {
    if (this.#finished) return;
    this.#attempts = 0;
    const { readyState } = this.#socket ?? { readyState: CLOSED };
    if (readyState === OPEN) this.#probe(WAKING_LIMIT_MS);
    else if (readyState > OPEN) this.#connect(); // waiting for its turn, or closed while the page slept
    else this.#expect(WAKING_LIMIT_MS); // still opening: its greeting gets as long as an answer would
  }

  #connect() {
    const { url, WebSocket, clock } = this.#options;
    this.#forget();
    const socket = new WebSocket(url() + this.#again);
    this.#socket = socket;
    socket.onmessage = ({ data }) => { if (socket === this.#socket) this.#heard(data); };
    socket.onclose = ({ code }) => { if (socket === this.#socket) this.#down(code); };
    this.#heardAt = clock.now();
    this.#expect(GREETING_LIMIT_MS);
    if (!this.#again && this.#unheard >= UNHEARD) this.#ask();
    this.#unheard += 1;
  }

  /** Does the page's way lead to the server, and only that of sockets not? */
  async #ask() {
    const { probe, onBlocked } = this.#options;
    const answer = await probe?.().catch(() => null);
    if (answer && !this.#again) onBlocked(answer);
  }

  #heard(text) {
    this.#attempts = 0;
    this.#again = '?again';
    this.#listen();
    this.#options.onText(text);
  }

  /** The other side is alive: nothing is owed, the next ping is due in a while. */
  #listen() {
    const { clock } = this.#options;
    clock.clear(this.#limit);
    this.#limit = null;
    this.#heardAt = clock.now();
    if (this.#beat === null) this.#beat = clock.set(() => this.#probe(ANSWER_LIMIT_MS), HEARTBEAT_MS);
  }

  #probe(limitMs) {
    const { clock, ping } = this.#options;
    clock.clear(this.#beat);
    this.#beat = null;
    if (!ping) {
      // Nobody answers here, so a long silence is all there is to go by.
      if (limitMs === WAKING_LIMIT_MS && clock.now() - this.#heardAt > HEARTBEAT_MS) this.#replace();
      return;
    }
    this.send(ping());
    this.#expect(limitMs);
  }

  /** Replaces the socket unless something is heard within the limit. */
  #expect(limitMs) {
    const { clock } = this.#options;
    const due = clock.now() + limitMs;
    clock.clear(this.#limit);
    this.#limit = clock.set(() => {
      // A limit that comes late tells of this page, which stood still, not of the socket: its answer may be waiting.
      if (clock.now() - due > STALL_MS) this.#expect(limitMs);
      else this.#replace();
    }, limitMs);
  }

  #replace() {
    this.#options.onDown({ code: null, final: false });
    this.#connect();
  }

  #down(code) {
    const { closing, clock, random, onDown } = this.#options;
    this.#forget();
    const wait = closing[code];
    this.#finished = wait === null;
    onDown({ code, final: this.#finished });
    if (this.#finished) return;
    const ms = wait ? wait[0] + random() * (wait[1] - wait[0]) : backoff(this.#attempts, random);
    this.#attempts += 1;
    this.#retry = clock.set(() => this.#connect(), ms);
  }

  /** Lets go of the socket and of everything that was to happen to it. */
  #forget() {
    const { clock } = this.#options;
    for (const timer of [this.#retry, this.#beat, this.#limit]) clock.clear(timer);
    this.#retry = null;
    this.#beat = null;
    this.#limit = null;
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}
