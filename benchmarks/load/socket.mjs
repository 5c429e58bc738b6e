// A small WebSocket client for load: text frames only, a zero key for a mask, nothing checked that only a browser must check.
import net from 'node:net';

const KEY = Buffer.from('mancala-bench-16').toString('base64');
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export class Socket {
  #tcp;
  #rest = Buffer.alloc(0); // received, but not yet a whole frame
  #upgraded = false;
  #hear;

  // `hear` is called with the text of every message, `closed` once, whoever ended it
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

  send(text) {
    this.#write(TEXT, Buffer.from(text));
  }

  close() {
    this.#write(CLOSE, Buffer.from([1000 >> 8, 1000 & 255]));
    this.#tcp.end();
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
      if (frame.kind === TEXT) this.#hear(frame.body.toString());
      else if (frame.kind === PING) this.#write(PONG, frame.body);
      else if (frame.kind === CLOSE) this.#tcp.end();
    }
    this.#rest = held;
  }
}

function firstFrame(bytes) {
  if (bytes.length < 4) return null;
  let length = bytes[1] & 127;
  let from = 2;
  if (length === 126) {
    length = bytes.readUInt16BE(2);
    from = 4;
  } else if (length === 127) {
    if (bytes.length < 10) return null;
    length = Number(bytes.readBigUInt64BE(2));
    from = 10;
  }
  const end = from + length;
  return bytes.length < end ? null : { kind: bytes[0] & 15, body: bytes.subarray(from, end), end };
}
