// One game under load: two players who sow random legal pits as soon as they are shown that it is their turn, and
// spectators. Every state that any of them is shown is compared with our own rules.
import { legalPits, sow, start } from './rules.mjs';

class Viewer {
  constructor(game, seat) {
    this.game = game;
    this.seat = seat; // 'S', 'N', or null for a spectator
    this.socket = null;
    this.ply = -1; // how many sowings the board it was last shown holds
  }

  see(state) {
    if (state.ply <= this.ply) return; // shown before
    this.ply = state.ply;
    this.game.seen(this, state);
  }

  refused(code) {
    this.game.tally.refuse(code);
  }

  closed() {
    this.game.left(this);
  }
}

export class Game {
  #adapter;
  #random;
  #spectators;
  #viewers = [];
  #position;
  #ply;
  #pending; // ply -> the sowing that led to it, until everybody has been shown it
  #begun; // called when all are shown the board of a new room

  constructor(adapter, tally, spectators, random) {
    this.tally = tally;
    this.#adapter = adapter;
    this.#spectators = spectators;
    this.#random = random;
  }

  // Go to a fresh room, with new sockets; the game begins when all of them are shown the board
  enter() {
    const room = this.#adapter.nextRoom();
    this.tally.opening += 1;
    if (room === null) throw new Error('no room is left: prepare more (--rooms)');
    this.#position = start();
    this.#ply = 0;
    this.#pending = new Map([[0, { position: this.#position, unseen: 2 + this.#spectators }]]);
    this.#viewers = ['S', 'N', ...Array(this.#spectators).fill(null)].map((seat) => new Viewer(this, seat));
    for (const viewer of this.#viewers) viewer.socket = this.#adapter.open(viewer, room);
    return new Promise((resolve) => { this.#begun = resolve; });
  }

  seen(viewer, state) {
    const now = performance.now();
    const sowing = this.#pending.get(state.ply);
    if (!sowing || !same(state, sowing.position)) this.tally.mismatch(state, sowing?.position);
    if (!sowing) return;
    sowing.unseen -= 1;
    if (sowing.sentAt) this.tally.show(viewer.seat, sowing, now);
    if (sowing.unseen === 0) this.#pending.delete(state.ply);
    if (state.ply === 0) {
      if (sowing.unseen === 0) this.#begin();
    } else if (sowing.unseen === 0 && state.over) this.#again();
    else if (state.ply === this.#ply && viewer.seat === this.#position.turn && !state.over) this.#sow(viewer);
  }

  left(viewer) {
    if (this.#viewers.includes(viewer)) this.tally.dropped += 1;
  }

  close() {
    const viewers = this.#viewers;
    this.#viewers = [];
    for (const { socket } of viewers) socket.close();
  }

  #begin() {
    this.tally.opening -= 1;
    this.#begun();
    if (this.tally.playing) this.#sow(this.#viewers[0]);
  }

  // After the connections of all games stand
  kick() {
    if (this.#ply === 0 && this.#pending.size === 0) this.#sow(this.#viewers[0]);
  }

  #again() {
    this.tally.finished += 1;
    this.close();
    if (this.tally.playing) this.enter();
  }

  #sow(viewer) {
    if (!this.tally.playing) return;
    const pits = legalPits(this.#position);
    const pit = pits[this.#random(pits.length)];
    this.#position = sow(this.#position, pit);
    this.#ply += 1;
    this.#pending.set(this.#ply, this.tally.send(viewer.seat, this.#position, this.#viewers.length));
    this.#adapter.play(viewer, this.#ply - 1, pit);
  }
}

function same(state, position) {
  const turn = state.over ? position.turn : state.turn; // nobody's turn matters once it is over
  return state.over === position.over && turn === position.turn && state.stones.join() === position.stones.join();
}
