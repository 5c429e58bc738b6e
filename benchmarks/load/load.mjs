// The load generator: random legal games over real sockets against one server, in closed loop. Prints one JSON object.
// benchmarks/relay.py starts it; by hand: node load.mjs --adapter bare --port 8000 --games 20
import { parseArgs } from 'node:util';
import { adapters } from './adapters.mjs';
import { Game } from './game.mjs';
import { machine, usage } from './processes.mjs';
import { Tally } from './tally.mjs';

const { values: options } = parseArgs({
  options: {
    adapter: { type: 'string' },
    port: { type: 'string' },
    rooms: { type: 'string', default: '' }, // the file of prepared rooms, where the adapter needs one
    games: { type: 'string', default: '1' },
    spectators: { type: 'string', default: '2' }, // of each game
    warm: { type: 'string', default: '1' }, // seconds of play before counting
    seconds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '' }, // name:pid,name:pid whose CPU is measured
  },
});
const OPENING_AT_ONCE = 16; // games
const OPENING_MS = 10_000;
const LANDING_MS = 5_000; // what was sent may take so long to be shown before it counts as lost

const processes = options.processes.split(',').filter(Boolean).map((each) => each.split(':'));
const spectators = Number(options.spectators);
const tally = new Tally();
const adapter = adapters[options.adapter](Number(options.port), options.rooms);
const games = Array.from({ length: Number(options.games) }, newGame);

await openAll();
tally.playing = true;
for (const game of games) game.kick();
await pause(Number(options.warm) * 1000);
const { seconds, cpu, mib, others, generator } = await measure(Number(options.seconds) * 1000);
await pause(500); // the load stays the same while the last counted moves land
tally.playing = false;
const deadline = performance.now() + LANDING_MS;
while ((tally.inFlight || tally.opening) && performance.now() < deadline) await pause(20);
for (const game of games) game.close();
console.log(JSON.stringify({ games: games.length, seconds, ...tally.report(seconds), cpu, mib, others, generator }));
process.exit(0);

function newGame(_, index) {
  return new Game(adapter, tally, spectators, xorshift(Number(options.seed) * 1000 + index));
}

async function openAll() {
  const unopened = [...games];
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, async () => {
    for (let game = unopened.pop(); game; game = unopened.pop()) {
      await Promise.race([game.enter(), pause(OPENING_MS)]);
    }
  }));
}

async function measure(ms) {
  const before = { at: performance.now(), processes: usage(processes), machine: machine(), own: process.cpuUsage() };
  tally.counting = true;
  await pause(ms);
  tally.counting = false;
  const seconds = (performance.now() - before.at) / 1000;
  const after = usage(processes);
  const own = process.cpuUsage(before.own);
  const generator = (own.user + own.system) / 1e6;
  const cpu = Object.fromEntries(Object.keys(after).map((name) => [name, after[name].cpu - before.processes[name].cpu]));
  const known = Object.values(cpu).reduce((sum, each) => sum + each, generator);
  const mib = Object.fromEntries(Object.keys(after).map((name) => [name, after[name].mib]));
  // `generator` and `others` are in cores: how much of the machine we, and other people's programs, had
  return { seconds, cpu, mib, generator: generator / seconds, others: (machine() - before.machine - known) / seconds };
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

// The players' choices: the same for every server in a round
function xorshift(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}
