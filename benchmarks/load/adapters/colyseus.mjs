// Colyseus: a seat by HTTP, then its binary protocol, whose state its own decoder reads.
import http from 'node:http';
import { createRequire } from 'node:module';
import { Socket } from '../socket.mjs';

const { Reflection } = createRequire(new URL('../../peers/colyseus/', import.meta.url))('@colyseus/schema');
const JOINED = 10; // the first byte of a message says what it is
const SAID = 13;
const STATE = 14;
const PATCH = 15;
const AGAIN = Buffer.from([SAID, 0xa5, ...Buffer.from('again')]);

export function adapter([port]) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

  function seat({ room, seat: wanted }) {
    const body = JSON.stringify({ code: `room-${room.number}`, seat: wanted });
    const options = { agent, host: '127.0.0.1', port, method: 'POST', path: '/matchmake/joinOrCreate/kalah' };
    return new Promise((resolve, reject) => {
      const request = http.request({ ...options, headers: { 'Content-Type': 'application/json' } }, async (answer) => {
        const { roomId, processId, sessionId } = JSON.parse(Buffer.concat(await answer.toArray()));
        if (sessionId) resolve(`/${processId}/${roomId}?sessionId=${sessionId}`);
        else reject(new Error(`no seat: HTTP ${answer.statusCode}`));
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  function hear(viewer, bytes) {
    const at = { offset: 1 };
    if (bytes[0] === JOINED) {
      for (let skipped = 0; skipped < 2; skipped += 1) at.offset += 1 + bytes[at.offset]; // token, serializer
      viewer.decoder = Reflection.decode(bytes, at);
      viewer.socket.send(Buffer.from([JOINED]));
    } else if (bytes[0] === SAID) viewer.refuse('move');
    else if (bytes[0] === STATE || bytes[0] === PATCH) {
      viewer.decoder.decode(bytes, at);
      const { game, ply, stones, turn, over } = viewer.decoder.state;
      const isGlance = viewer.seat === null && viewer.isHere && !over;
      viewer.see({ game, ply, stones: isGlance ? null : [...stones], turn, over });
    }
  }

  return {
    async open(viewer) {
      const path = await seat(viewer);
      return new Socket({ port, path, hear: (bytes) => hear(viewer, bytes), closed: () => viewer.closed() });
    },
    play({ socket }, game, ply, pit) {
      socket.send(Buffer.from([
        ...[SAID, 0xa4, ...Buffer.from('play'), 0x82],
        ...[0xa3, ...Buffer.from('ply'), 0xcd, ply >> 8, ply & 255],
        ...[0xa3, ...Buffer.from('pit'), pit],
      ]));
    },
    again: ({ players: [{ socket }] }) => socket.send(AGAIN),
  };
}
