// The game on Colyseus: a room with a state in its schema, whose changes are sent right after each move.
// node server.mjs PORT
import { Room, Server } from '@colyseus/core';
import { schema } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { sow, start } from '../kalah.mjs';

const State = schema({ game: 'uint16', ply: 'uint16', stones: ['uint8'], turn: 'string', over: 'boolean' });

class KalahRoom extends Room {
  maxClients = 10_000;
  patchRate = null; // its default of 50 ms would be the latency of every move

  messages = {
    play: (client, { ply, pit }) => {
      const { state } = this;
      if (state.over || ply !== state.ply || client.userData !== state.turn) return client.send('refused');
      const stones = [...state.stones];
      const after = sow(stones, state.turn, pit);
      if (!after) return client.send('refused');
      this.show(state.game, ply + 1, stones, after);
    },
    again: () => {
      if (this.state.over) this.show(this.state.game + 1, 0, start(), { turn: 'S', over: false });
    },
  };

  onCreate() {
    this.state = new State();
    for (const stones of start()) this.state.stones.push(stones);
    this.show(1, 0, start(), { turn: 'S', over: false });
  }

  onJoin(client, { seat }) {
    client.userData = seat;
  }

  show(game, ply, stones, { turn, over }) {
    const { state } = this;
    Object.assign(state, { game, ply, turn, over });
    stones.forEach((count, hole) => { if (state.stones[hole] !== count) state.stones[hole] = count; });
    this.broadcastPatch(); // while nobody is here it drops what is pending: who joins is sent all
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport({ backlog: 4096 }) });
server.define('kalah', KalahRoom).filterBy(['code']);
await server.listen(Number(process.argv[2]), '127.0.0.1', 4096);
