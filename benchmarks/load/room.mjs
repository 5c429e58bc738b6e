// A room under load: two players who sow random legal pits as soon as they are shown that it is their turn, spectators,
// and one game after the other on the same sockets. What is shown to any of them is compared with the load's own rules.
import { legalPits, sow, start } from './rules.mjs';

const STANDSTILL_MS = 5_000;
const ENTERING_MS = 20_000;

// Whoever looks at a room through one socket. `seat` is 'S', 'N', or null for a spectator.
class Viewer {
  socket = null;
  #leaving = false;
  #opening; // resolves when there is a socket, or will be none
  #gone;
  #shown; // resolves the promise of `enter`

  constructor(room, number) {
    this.room = room;
    this.number = number; // the two players are 0 and 1
    this.seat = 'SN'[number] ?? null;
  }

  // Open a socket; resolves to whether a state was shown
  async enter() {
    this.game = 0;
    this.ply = -1; // how many sowings the board it was last shown holds
    this.isHere = false;
    this.#leaving = false;
    let late;
    const shown = new Promise((resolve) => {
      this.#shown = resolve;
      late = setTimeout(resolve, ENTERING_MS, false);
    });
    this.#opening = this.#open();
    return shown.finally(() => clearTimeout(late));
  }

  async #open() {
    try {
      this.socket = await this.room.adapter.open(this);
    } catch {
      this.#shown(false);
    }
  }

  // `state` is { game, ply, stones, turn, over }; of a state that was only glanced at `stones` is null
  see(state) {
    if (state.game < this.game || (state.game === this.game && state.ply <= this.ply)) return; // shown before
    const before = state.game === this.game ? this.ply : -1;
    this.game = state.game;
    this.ply = state.ply;
    this.room.seen(this, state, before);
    this.isHere = true;
    this.#shown(true);
  }

  refuse(code) {
    this.room.tally.refuse(code);
  }

  // `how` is a method of Socket: close, hangUp, kill. Resolves when the socket is gone
  async leave(how = 'close') {
    this.#leaving = true;
    await this.#opening;
    if (!this.socket) return;
    const gone = new Promise((resolve) => { this.#gone = resolve; });
    this.socket[how]();
    await gone;
  }

  closed() {
    this.socket = null;
    this.#shown(false);
    this.#gone?.();
    if (!this.#leaving && this.isHere) this.room.tally.dropped += 1;
  }
}

// Lets so many moves be under way at once; rooms that wait have their turn in order
export class Gate {
  #free;
  #waiting = [];

  constructor(places) {
    this.#free = places;
  }

  enter(act) {
    if (this.#free === 0) this.#waiting.push(act);
    else {
      this.#free -= 1;
      act();
    }
  }

  leave() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

export class Room {
  game = 1; // its number in the room
  #gate;
  #random;
  #position = start();
  #ply = 0;
  #sowings = new Map(); // ply -> the sowing that led to it, until everybody has been shown it
  #unaware = new Set(); // who has not been shown yet that another game has begun
  #due = 0;
  #stirredAt = 0;

  constructor(number, { adapter, tally, gate, spectators, random }) {
    Object.assign(this, { number, adapter, tally });
    this.#gate = gate;
    this.#random = random;
    this.viewers = Array.from({ length: 2 + spectators }, (_, each) => new Viewer(this, each));
    this.players = this.viewers.slice(0, 2);
  }

  // Whoever was not let in is not waited for
  begin() {
    this.viewers = this.viewers.filter(({ isHere }) => isHere);
    this.#stirredAt = performance.now();
    if (this.players.every(({ isHere }) => isHere)) this.#move();
  }

  // At another rate, rooms move each at a moment of its own, not all at once
  keepPace() {
    this.#due = 0;
  }

  seen(viewer, state, before) {
    const now = performance.now();
    this.watch(now);
    this.#stirredAt = now;
    if (!this.#compare(state)) return;
    if (this.#unaware.delete(viewer)) {
      if (!this.#unaware.size && state.ply === 0) this.#move();
      return;
    }
    for (let ply = before + 1; ply <= state.ply; ply += 1) this.#show(viewer, ply, now); // a fresh state skips some
    if (state.over) {
      if (!this.#sowings.size) this.#again();
    } else if (state.ply === this.#ply && viewer.seat === this.#position.turn && viewer.isHere) this.#move();
  }

  // A game that waits long for the server stands still
  watch(now) {
    const isWaiting = this.#sowings.size > 0 || this.#unaware.size > 0;
    if (this.tally.playing && isWaiting && now - this.#stirredAt > STANDSTILL_MS) {
      this.tally.stalled += 1;
      this.#stirredAt = now;
    }
  }

  async leave(how) {
    await Promise.all(this.viewers.map((viewer) => viewer.leave(how)));
  }

  // Whether it is a state that can be: of the current game, and as our own rules have it
  #compare(state) {
    const expected = state.ply === this.#ply ? this.#position : this.#sowings.get(state.ply)?.position;
    const fits = expected && (state.stones === null ? !expected.over : same(state, expected));
    const right = fits && state.game === this.game;
    if (!right) this.tally.mismatch(state, { game: this.game, ...expected });
    else if (state.over) this.tally.finals += 1;
    return right;
  }

  #show(viewer, ply, now) {
    const sowing = this.#sowings.get(ply);
    if (!sowing) return;
    sowing.unseen -= 1;
    this.tally.show(viewer.seat, sowing, now);
    if (sowing.unseen > 0) return;
    this.#sowings.delete(ply);
    if (!this.tally.rate) this.#gate.leave();
  }

  // As soon as the gate lets it, or, if the load has a pace, when the time has come
  #move() {
    if (!this.tally.playing) return;
    if (!this.tally.rate) {
      this.#gate.enter(() => this.#sow());
      return;
    }
    const now = performance.now();
    this.#due ||= now + this.#random(1000) / this.tally.rate;
    setTimeout(() => this.#sow(), Math.max(0, this.#due - now));
    this.#due = Math.max(this.#due, now) + 1000 / this.tally.rate;
  }

  #sow() {
    const viewer = this.players.find(({ seat }) => seat === this.#position.turn);
    if (!this.tally.playing || !viewer.socket) return; // it is over; or the viewer was dropped, and counted as such
    const pits = legalPits(this.#position);
    const pit = pits[this.#random(pits.length)];
    this.#position = sow(this.#position, pit);
    this.#ply += 1;
    this.#stirredAt = performance.now();
    this.#sowings.set(this.#ply, this.tally.send(viewer.seat, this.#position, this.viewers.length));
    this.adapter.play(viewer, this.game, this.#ply - 1, pit);
  }

  #again() {
    if (!this.tally.playing) return;
    this.tally.finished += 1;
    this.game += 1;
    this.#position = start();
    this.#ply = 0;
    this.#unaware = new Set(this.viewers);
    this.adapter.again(this);
  }
}

function same(state, position) {
  const turn = state.over ? position.turn : state.turn; // nobody's turn matters once it is over
  return state.over === position.over && turn === position.turn && state.stones.join() === position.stones.join();
}
