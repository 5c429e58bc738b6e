// The load generator: real sockets against one server, which may be several processes. Prints one JSON object.
// benchmarks/relay.py starts it; by hand: node load.mjs --adapter bare --ports 8000 --games 20
import { parseArgs } from 'node:util';
import { machine, usage } from './processes.mjs';
import { Gate, Room } from './room.mjs';
import { Socket } from './socket.mjs';
import { Tally, spread } from './tally.mjs';

const { values: options } = parseArgs({
  options: {
    kind: { type: 'string', default: 'play' }, // one of `kinds`
    adapter: { type: 'string' }, // one of adapters/
    ports: { type: 'string' }, // of each process of the server; the viewers of a room are spread over them
    rooms: { type: 'string', default: '' }, // the file of prepared rooms, where the adapter needs one
    games: { type: 'string', default: '1' }, // rooms in which one game follows the other
    spectators: { type: 'string', default: '2' }, // of each game
    rate: { type: 'string', default: '0' }, // moves per second in each game; 0: each as soon as the last is shown
    'at-once': { type: 'string', default: '0' }, // so many moves at most are under way; 0: one in each game
    hot: { type: 'string', default: '0' }, // the rate while warming up
    warm: { type: 'string', default: '1.5' }, // seconds of play before counting
    seconds: { type: 'string', default: '4' },
    cycles: { type: 'string', default: '10000' }, // sockets opened and closed, for `cycles`
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: '' }, // name:pid,name:pid whose CPU and memory is measured
  },
});
const OPENING_AT_ONCE = 32;
const LANDING_MS = 5_000; // what was sent may take so long to be shown before it counts as lost
const SETTLING_MS = 2_000; // until the memory of a server that has nothing to do counts
const WARM_MOVES = 2_500; // compilers that work while a server runs need so many,
const WARM_MS = 8_000; // if they are to be had within this time

const processes = options.processes.split(',').filter(Boolean).map((each) => each.split(':'));
const random = xorshift(Number(options.seed));
const tally = new Tally();
const { adapter: speak } = await import(`./adapters/${options.adapter}.mjs`);
const adapter = speak(options.ports.split(',').map(Number), options.rooms);
const gate = new Gate(Number(options['at-once']) || Infinity);
const setting = { adapter, tally, gate, random, spectators: Number(options.spectators) };
const rooms = Array.from({ length: Number(options.games) }, (_, number) => new Room(number, setting));
const viewers = rooms.flatMap((room) => room.viewers);
const kinds = { play, idle, storm, cycles };

console.log(JSON.stringify(await kinds[options.kind]()));
process.exit(0);

// Games, one after the other in each room
async function play() {
  const unopened = viewers.length - await openAll();
  await pause(300);
  tally.rate = Number(options.hot) || Number(options.rate);
  tally.playing = true;
  for (const room of rooms) room.begin();
  await warm();
  const before = Socket.received;
  const measured = await measure(() => during(Number(options.seconds) * 1000));
  const received = Socket.received - before;
  await pause(500); // the load stays the same while the last counted moves land
  tally.playing = false;
  const deadline = performance.now() + LANDING_MS;
  while (tally.inFlight && performance.now() < deadline) await pause(20);
  const { wrong, ...report } = tally.report();
  const bytes = received / report.moves / rooms[0].viewers.length;
  return { ...measured, ...report, bytes, wrong: { 'not opened': unopened, ...wrong } };
}

async function warm() {
  await pause(Number(options.warm) * 1000);
  const deadline = performance.now() + WARM_MS;
  while (!Number(options.rate) && tally.sent < WARM_MOVES && performance.now() < deadline) await pause(100);
  if (tally.rate === Number(options.rate)) return;
  tally.rate = Number(options.rate);
  for (const room of rooms) room.keepPace();
  await pause(1500);
}

async function during(ms) {
  tally.counting = true;
  await pause(ms);
  tally.counting = false;
  for (const room of rooms) room.watch(performance.now());
}

// Sockets that only wait
async function idle() {
  await enter(rooms[0].viewers); // what a server loads with its first socket is no socket's
  await rooms[0].leave();
  await pause(SETTLING_MS);
  const before = usage(processes);
  let opened;
  const opening = await measure(async () => { opened = await openAll(); });
  await pause(SETTLING_MS);
  const after = usage(processes);
  const waiting = await measure(() => pause(3_000));
  return {
    ...waiting,
    kibPerSocket: perName((name) => (after[name].mib - before[name].mib) * 1024 / opened),
    openingMs: perName((name) => opening.cpu[name] * 1000 / opened),
    openedPerSecond: opened / opening.seconds,
    wrong: { 'not opened': viewers.length - opened, dropped: tally.dropped },
  };
}

// All sockets are gone, and want back at the same moment
async function storm() {
  const unopened = viewers.length - await openAll();
  await pause(500);
  await Promise.all(rooms.map((room) => room.leave('hangUp')));
  await pause(1_000);
  let back;
  const measured = await measure(async () => {
    const begun = performance.now();
    const times = viewers.map(async (viewer) => (await viewer.enter() ? performance.now() - begun : null));
    back = (await Promise.all(times)).filter((ms) => ms !== null);
  });
  const wrong = { 'not opened': unopened, 'not back': viewers.length - back.length };
  return { ...measured, sockets: viewers.length, back: back.length, backMs: spread(back), wrong };
}

// Sockets come and go in every way there is; what a server has kept of them shows in its memory
async function cycles() {
  const [parts, atOnce] = [5, 20];
  const marks = [];
  let begun = 0;
  let unshown = 0;
  const until = async (count, number) => {
    for (; begun < count; number += atOnce) {
      begun += 1;
      const { viewers: those } = rooms[number % rooms.length];
      if (!await comeAndGo(those[begun % those.length], begun % 4)) unshown += 1;
    }
  };
  const measured = await measure(async () => {
    for (let part = 1; part <= parts; part += 1) {
      const count = Number(options.cycles) * part / parts;
      await Promise.all(Array.from({ length: atOnce }, (_, worker) => until(count, worker)));
      await pause(SETTLING_MS);
      marks.push(usage(processes));
    }
  });
  const mib = perName((name) => marks.map((mark) => mark[name].mib));
  return { ...measured, cycles: begun, marks: mib, wrong: { 'not opened': unshown } };
}

// Resolves to whether all went well
async function comeAndGo(viewer, way) {
  if (way === 3) { // killed while it is being let in
    viewer.enter();
    await pause(random(8));
    await viewer.leave('kill');
    return true;
  }
  const shown = await viewer.enter();
  await viewer.leave(['close', 'hangUp', 'kill'][way]);
  return shown;
}

// A room's first comes before its others: with some servers that makes the room. Resolves to how many are shown something
async function openAll() {
  const [first, others] = [true, false].map((isFirst) => viewers.filter(({ number }) => (number === 0) === isFirst));
  return await enter(first) + await enter(others);
}

async function enter(those) {
  const unopened = [...those];
  let opened = 0;
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, async () => {
    for (let viewer = unopened.shift(); viewer; viewer = unopened.shift()) {
      if (await viewer.enter()) opened += 1;
    }
  }));
  return opened;
}

// CPU seconds and memory of the processes while something is done. `generator` and `others` are in cores: how much of
// the machine we, and other people's programs, had
async function measure(act) {
  const before = { at: performance.now(), processes: usage(processes), machine: machine(), own: process.cpuUsage() };
  await act();
  const seconds = (performance.now() - before.at) / 1000;
  const after = usage(processes);
  const own = process.cpuUsage(before.own);
  const generator = (own.user + own.system) / 1e6;
  const cpu = perName((name) => after[name].cpu - before.processes[name].cpu);
  const known = Object.values(cpu).reduce((sum, each) => sum + each, generator);
  const others = (machine() - before.machine - known) / seconds;
  return { seconds, cpu, mib: perName((name) => after[name].mib), generator: generator / seconds, others };
}

function perName(value) {
  return Object.fromEntries([...new Set(processes.map(([name]) => name))].map((name) => [name, value(name)]));
}

function pause(ms) {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
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
