/** The rules that benchmarks have of their own, beside the golden games: the load's, and those of the peers on Node. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as load from '../../benchmarks/load/rules.mjs';
import * as peers from '../../benchmarks/peers/kalah.mjs';

const file = new URL('../golden/games-classic.jsonl', import.meta.url);
const golden = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));

test('the load knows every golden game of the classic rules, ply by ply', () => {
  for (const { transcript, plies } of golden) {
    let position = load.start();
    for (const [number, { pit, side, stones, turn }] of plies.entries()) {
      assert.equal(position.turn, side);
      assert.ok(load.legalPits(position).includes(pit));
      position = load.sow(position, pit);
      assert.deepEqual(position.stones, stones, `${transcript}, ply ${number}`);
      assert.equal(position.over ? null : position.turn, turn);
    }
    assert.ok(position.over);
    assert.deepEqual(load.legalPits(position), []);
  }
});

test('the peers know them too', () => {
  for (const { transcript, plies } of golden) {
    const stones = peers.start();
    for (const [number, ply] of plies.entries()) {
      const after = peers.sow(stones, ply.side, ply.pit);
      assert.deepEqual(stones, ply.stones, `${transcript}, ply ${number}`);
      assert.equal(after.over ? null : after.turn, ply.turn);
    }
  }
});

test('the peers sow nothing from an empty pit, a store, or the opponent’s side', () => {
  for (const pit of [2, 6, 7, -1, 1.5]) {
    const stones = peers.start();
    stones[2] = 0;
    assert.equal(peers.sow(stones, 'S', pit), null);
  }
});
