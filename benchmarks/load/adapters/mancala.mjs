// Our own protocol, v1, as docs/protocol.md has it. `rooms` is the file written by prepare.py.
import { readFileSync } from 'node:fs';
import { number } from '../glance.mjs';
import { Socket } from '../socket.mjs';

export function adapter(ports, file) {
  const { rooms, spectators } = JSON.parse(readFileSync(file));

  const told = {
    welcome(viewer, { player, snapshot }) {
      viewer.player = player;
      told.snapshot(viewer, snapshot);
    },
    snapshot(viewer, { game, ply, stones, turn, status, seats }) {
      if (viewer.seat) viewer.seat = seats.S.id === viewer.player ? 'S' : 'N'; // with another game they change sides
      viewer.see({ game, ply, stones, turn, over: status === 'over' });
    },
    sown: (viewer, { game, ply, stones, turn, outcome = null }) => (
      viewer.see({ game, ply: ply + 1, stones, turn, over: outcome !== null })),
    refused: (viewer, { code }) => viewer.refuse(code),
  };

  function hear(viewer, text) {
    if (viewer.seat === null && text.startsWith('{"type":"sown"') && !text.includes('"outcome":')) {
      viewer.see({ game: number(text, '"game":'), ply: number(text, '"ply":') + 1, stones: null, over: false });
      return;
    }
    const message = JSON.parse(text);
    told[message.type]?.(viewer, message);
  }

  return {
    open(viewer) {
      const room = rooms[viewer.room.number];
      const port = ports[viewer.number % ports.length];
      const cookie = viewer.number < 2 ? room['SN'[viewer.number]] : spectators[viewer.number - 2];
      const path = `/ws/v1/rooms/${room.code}/`;
      const hearing = { hear: (bytes) => hear(viewer, bytes.toString()), closed: () => viewer.closed() };
      return new Socket({ port, path, cookie, ...hearing });
    },
    play: ({ socket }, game, ply, pit) => socket.send(`{"type":"play","game":${game},"ply":${ply},"pit":${pit}}`),
    again(room) {
      for (const { socket } of room.players) socket.send(`{"type":"offer","game":${room.game - 1},"kind":"rematch"}`);
    },
  };
}
