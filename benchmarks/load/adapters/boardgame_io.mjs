// boardgame.io over socket.io (Engine.IO 4, websocket only), saying what its own client says.
import { number } from '../glance.mjs';
import { Socket } from '../socket.mjs';

const OPEN = '0'; // of Engine.IO, as are PING and MESSAGE
const PING = '2';
const MESSAGE = '4';
const CONNECTED = '40/kalah,';
const SAID = '42/kalah,';

export function adapter([port]) {
  const match = (room) => `room-${room.number}-${room.game}`;
  const id = ({ seat }) => (seat === null ? null : String('SN'.indexOf(seat)));
  const say = ({ socket }, ...words) => socket.send(SAID + JSON.stringify(words));
  const sync = (viewer) => say(viewer, 'sync', match(viewer.room), id(viewer), null, 2);

  function hear(viewer, text) {
    if (text[0] === OPEN) viewer.socket.send(CONNECTED);
    else if (text[0] === PING) viewer.socket.send('3');
    else if (text.startsWith(CONNECTED)) sync(viewer);
    else if (text[0] === MESSAGE && text.startsWith(`["update","${match(viewer.room)}"`, SAID.length)) {
      if (viewer.seat === null && !text.includes('"gameover"')) {
        viewer.see({ game: viewer.room.game, ply: number(text, '"_stateID":'), stones: null, over: false });
      } else show(viewer, JSON.parse(text.slice(SAID.length))[2]);
    } else if (text.startsWith(`["sync","${match(viewer.room)}"`, SAID.length)) {
      show(viewer, JSON.parse(text.slice(SAID.length))[2].state);
    }
  }

  function show(viewer, { _stateID, G, ctx }) {
    const turn = 'SN'[Number(ctx.currentPlayer)];
    viewer.see({ game: viewer.room.game, ply: _stateID, stones: G.stones, turn, over: ctx.gameover !== undefined });
  }

  return {
    open: (viewer) => new Socket({
      port,
      path: '/socket.io/?EIO=4&transport=websocket',
      hear: (bytes) => hear(viewer, bytes.toString()),
      closed: () => viewer.closed(),
    }),
    play(viewer, game, ply, pit) {
      const payload = { type: 'sow', args: [pit], playerID: id(viewer), credentials: null };
      say(viewer, 'update', { type: 'MAKE_MOVE', payload }, ply, match(viewer.room), id(viewer));
    },
    again(room) {
      for (const viewer of room.viewers) sync(viewer);
    },
  };
}
