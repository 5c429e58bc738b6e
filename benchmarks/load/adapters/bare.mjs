// The bare relays of ../../peers: a state to everybody after each sowing, and no more.
import { number } from '../glance.mjs';
import { Socket } from '../socket.mjs';

export function adapter([port]) {
  function hear(viewer, text) {
    if (text === '{"refused":true}') viewer.refuse('move');
    else if (viewer.seat === null && viewer.isHere && text.endsWith('false}')) {
      viewer.see({ game: number(text, '"game":'), ply: number(text, '"ply":'), stones: null, over: false });
    } else viewer.see(JSON.parse(text));
  }

  return {
    open: (viewer) => new Socket({
      port,
      path: `/ws/room-${viewer.room.number}/${viewer.seat ?? 'spectator'}/`,
      hear: (bytes) => hear(viewer, bytes.toString()),
      closed: () => viewer.closed(),
    }),
    play: ({ socket }, game, ply, pit) => socket.send(`{"ply":${ply},"pit":${pit}}`),
    again: ({ players: [{ socket }] }) => socket.send('{"again":true}'),
  };
}
