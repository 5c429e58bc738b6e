// How to speak with each kind of server. An adapter opens viewers' sockets, tells each viewer every state it is shown, as
// { ply, stones, turn, over }, and sends what a viewer wants. `nextRoom` names a room where nothing has been sown yet.
import { readFileSync } from 'node:fs';
import { Socket } from './socket.mjs';

// Our own protocol, v1. `rooms` is the file written by prepare.py: a room is { code, S: cookie, N: cookie }.
function mancala(port, rooms) {
  const unused = JSON.parse(readFileSync(rooms)).reverse();
  const shown = {
    welcome: ({ snapshot }) => shown.snapshot(snapshot),
    snapshot: ({ ply, stones, turn, status }) => ({ ply, stones, turn, over: status === 'over' }),
    sown: ({ ply, stones, turn, outcome }) => ({ ply: ply + 1, stones, turn, over: outcome !== null }),
  };
  return {
    nextRoom: () => unused.pop() ?? null,
    open: (viewer, room) => new Socket({
      port,
      path: `/ws/v1/rooms/${room.code}/`,
      cookie: room[viewer.seat],
      hear(text) {
        const message = JSON.parse(text);
        if (message.type in shown) viewer.see(shown[message.type](message));
        else if (message.type === 'refused') viewer.refused(message.code);
      },
      closed: () => viewer.closed(),
    }),
    play: (viewer, ply, pit) => viewer.socket.send(`{"type":"play","game":1,"ply":${ply},"pit":${pit}}`),
  };
}

// The bare relays of ../peers: a state to everybody after each sowing, and no more.
function bare(port) {
  let opened = 0;
  return {
    nextRoom: () => `room-${process.pid}-${opened++}`,
    open: (viewer, room) => new Socket({
      port,
      path: `/ws/${room}/${viewer.seat ?? 'spectator'}/`,
      hear(text) {
        const message = JSON.parse(text);
        if (message.refused) viewer.refused('move');
        else viewer.see(message);
      },
      closed: () => viewer.closed(),
    }),
    play: (viewer, ply, pit) => viewer.socket.send(`{"ply":${ply},"pit":${pit}}`),
  };
}

export const adapters = { mancala, bare };
