// A bare relay: games in memory, one text to every socket of a room for each sowing, and no more. node server.mjs PORT
import { WebSocketServer } from 'ws';
import { sow, start } from '../kalah.mjs';

const rooms = new Map();
const place = { host: '127.0.0.1', port: Number(process.argv[2]), backlog: 4096 };
const server = new WebSocketServer({ ...place, perMessageDeflate: false });

server.on('connection', (socket, request) => {
  const [, , code, seat] = request.url.split('/'); // /ws/<room>/<seat>/
  if (!rooms.has(code)) rooms.set(code, { game: 1, sockets: new Set(), ...begin() });
  const room = rooms.get(code);
  room.sockets.add(socket);
  socket.on('message', (text) => {
    if (!act(room, seat, JSON.parse(text))) return socket.send('{"refused":true}');
    const state = encode(room);
    for (const each of room.sockets) each.send(state, { binary: false });
  });
  socket.on('close', () => room.sockets.delete(socket));
  socket.on('error', () => {}); // `close` follows
  socket.send(encode(room), { binary: false });
});

function begin() {
  return { ply: 0, stones: start(), turn: 'S', over: false };
}

function act(room, seat, { again, ply, pit }) {
  if (again) {
    if (!room.over) return false;
    Object.assign(room, begin(), { game: room.game + 1 });
    return true;
  }
  if (room.over || ply !== room.ply || seat !== room.turn) return false;
  const after = sow(room.stones, seat, pit);
  if (!after) return false;
  Object.assign(room, after, { ply: ply + 1 });
  return true;
}

function encode({ game, ply, stones, turn, over }) {
  return Buffer.from(`{"game":${game},"ply":${ply},"stones":[${stones}],"turn":"${turn}","over":${over}}`);
}
