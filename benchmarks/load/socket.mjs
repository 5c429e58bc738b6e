// A small WebSocket client for load: a zero key for a mask, bytes counted, nothing checked that only a browser must.
import net from 'node:net';

const KEY = Buffer.from('mancala-bench-16').toString('base64');
const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export class Socket {
  static received = 0; // bytes, by all sockets together

  #tcp;
  #rest = Buffer.alloc(0); // received, but not yet a whole frame
  #message = []; // the frames of a message that has not ended
  #upgraded = false;
  #hear;

  // `hear` is called with the bytes of every message, `closed` once, whoever ended it
  constructor({ port, path, cookie, hear, closed }) {
    this.#hear = hear;
    this.#tcp = net.connect({ host: '127.0.0.1', port, noDelay: true });
    const headers = [
      `GET ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Origin: http://127.0.0.1:${port}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${KEY}`,
      'Sec-WebSocket-Version: 13',
      ...(cookie ? [`Cookie: ${cookie}`] : []),
    ];
    this.#tcp.on('connect', () => this.#tcp.write(`${headers.join('\r\n')}\r\n\r\n`));
    this.#tcp.on('data', (bytes) => this.#take(bytes));
    this.#tcp.on('error', () => {}); // `close` follows
    this.#tcp.on('close', closed);
  }

  // A text, or bytes
  send(message) {
    if (typeof message === 'string') this.#write(TEXT, Buffer.from(message));
    else this.#write(BINARY, message);
  }

  close() {
    this.#write(CLOSE, Buffer.from([1000 >> 8, 1000 & 255]));
    this.#tcp.end();
  }

  // Without a word of farewell, as when a tab or a network is gone
  hangUp() {
    this.#tcp.destroy();
  }

  // By a reset, as when a machine is gone
  kill() {
    this.#tcp.resetAndDestroy();
  }

  #write(kind, body) {
    if (!this.#tcp.writable) return;
    const long = body.length > 125;
    const frame = Buffer.alloc((long ? 8 : 6) + body.length);
    frame[0] = 0x80 | kind;
    frame[1] = 0x80 | (long ? 126 : body.length);
    if (long) frame.writeUInt16BE(body.length, 2);
    body.copy(frame, long ? 8 : 6);
    this.#tcp.write(frame);
  }

  #take(bytes) {
    Socket.received += bytes.length;
    let held = this.#rest.length ? Buffer.concat([this.#rest, bytes]) : bytes;
    if (!this.#upgraded) {
      const end = held.indexOf('\r\n\r\n');
      if (end >= 0 && !held.toString('latin1', 0, end).startsWith('HTTP/1.1 101')) this.#tcp.destroy();
      this.#upgraded = end >= 0;
      if (this.#upgraded) held = held.subarray(end + 4);
    }
    while (this.#upgraded) {
      const frame = firstFrame(held);
      if (!frame) break;
      held = held.subarray(frame.end);
      this.#act(frame);
    }
    this.#rest = held;
  }

  #act({ kind, last, body }) {
    if (kind === PING) this.#write(PONG, body);
    else if (kind === CLOSE) this.#tcp.end();
    else if ([CONTINUATION, TEXT, BINARY].includes(kind)) {
      if (last && !this.#message.length) return this.#hear(body);
      this.#message.push(body);
      if (last) this.#hear(Buffer.concat(this.#message.splice(0)));
    }
  }
}

function firstFrame(bytes) {
  if (bytes.length < 2) return null;
  let length = bytes[1] & 127;
  let from = 2;
  if (length === 126) {
    if (bytes.length < 4) return null;
    length = bytes.readUInt16BE(2);
    from = 4;
  } else if (length === 127) {
    if (bytes.length < 10) return null;
    length = Number(bytes.readBigUInt64BE(2));
    from = 10;
  }
  const end = from + length;
  if (bytes.length < end) return null;
  return { kind: bytes[0] & 15, last: bytes[0] >= 128, body: bytes.subarray(from, end), end };
}
