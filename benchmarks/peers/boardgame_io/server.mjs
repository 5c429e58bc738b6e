// The game on boardgame.io as its documentation has it: the whole state with every move. node server.mjs PORT [FOLDER]
// In FOLDER every move is kept by its FlatFile store; without one they are in memory.
import { createRequire } from 'node:module';
import { sow, start } from '../kalah.mjs';

const require = createRequire(import.meta.url); // it has no modules for Node
const { Server, FlatFile } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');

const [, , port, folder] = process.argv;
const SEATS = ['S', 'N'];

const kalah = {
  name: 'kalah',
  setup: () => ({ stones: start(), over: false }),
  disableUndo: true,
  minPlayers: 2,
  maxPlayers: 2,
  moves: {
    sow: {
      client: false,
      move({ G, playerID, events }, pit) {
        const side = SEATS[Number(playerID)];
        const after = sow(G.stones, side, pit);
        if (!after) return INVALID_MOVE;
        G.over = after.over;
        if (after.turn !== side && !after.over) events.endTurn();
      },
    },
  },
  endIf: ({ G }) => (G.over ? { score: [G.stones[6], G.stones[13]] } : undefined),
};

const store = folder ? { db: new FlatFile({ dir: folder }) } : {};
const server = Server({ games: [kalah], origins: [/127\.0\.0\.1/], ...store });
const listen = server.app.listen.bind(server.app);
// It has no option for a host
server.app.listen = (_, ready) => listen({ port: Number(port), host: '127.0.0.1', backlog: 4096 }, ready);
server.run({ port: Number(port) });
