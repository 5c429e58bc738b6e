/** What is said, with the page's own words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  advised, arrival, caughtUp, hint, holeLabel, moveLabel, over, plateLabel, presenceWord, refusal, resultReason, resultTitle, sowing, stepped,
  swapped, tabTitle, title, turnWord,
} from '../../static/js/game/sentences.js';
import { phraseBook } from '../../static/js/lib/words.js';

const templates = ['_board_words', '_words']
  .map((name) => readFileSync(new URL(`../../templates/games/${name}.html`, import.meta.url), 'utf8'));
const phrase = /<data value="([^"]+)">(?:\{% translate "([^"]*)"[^}]*%\})?<\/data>/g;
const entries = [...templates.join('').matchAll(phrase)].map(([, key, text = '']) => [key, text]);
const say = phraseBook(entries, 'en');

const STATE = {
  you: 'S', status: 'playing', turn: 'S', stones: [1, 4, 2, 0, 2, 2, 2, 0], link: 'online', busy: false, pending: null,
  legal: [[0, 1, false, 3], [1, 5, false, 0], [2, 3, true, 0]], seats: { S: { name: 'Maya' }, N: { name: 'Leo' } },
  attendance: { S: 'here', N: 'here' }, presence: null, outcome: null, transcript: '',
};
const SOWN = { side: 'S', pit: 1, transfers: [['sow', 1, [2, 3, 4, 5]]], last: 5, extra_turn: false, captured: 0 };
const outcome = (winner, score, ending) => ({ ...STATE, status: 'over', turn: null, legal: [], outcome: { winner, score, ending } });

test('pits on offer tell where they end, other holes whose they are', () => {
  assert.equal(holeLabel(say, STATE, 0), 'Pit a, 1 stone, captures 3 stones');
  assert.equal(holeLabel(say, STATE, 1), 'Pit b, 4 stones, ends in pit f');
  assert.equal(holeLabel(say, STATE, 2), 'Pit c, 2 stones, ends in your store: extra turn');
  assert.equal(holeLabel(say, STATE, 4), 'Leo’s pit e, 2 stones');
  assert.equal(holeLabel(say, STATE, 3), 'Your store, 0 stones');
  assert.equal(holeLabel(say, { ...STATE, seats: { ...STATE.seats, N: null } }, 7), 'Store of the free seat, 0 stones');
});

test('one message per sowing, with everything that came of it', () => {
  assert.equal(sowing(say, { ...STATE, turn: 'N' }, SOWN), 
    'You sowed 4 stones from pit b. The last one falls in pit f. You have 0, Leo has 0. Leo’s turn.',
  );
  assert.equal(
    sowing(say, STATE, { ...SOWN, extra_turn: true }),
    'You sowed 4 stones from pit b. You have 0, Leo has 0. Extra turn for you.',
  );
  assert.equal(
    sowing(say, STATE, { ...SOWN, side: 'N', pit: 4, transfers: [['sow', 4, [5]], ['capture', 5, [7]], ['capture', 1, [7, 7]]], captured: 3 }),
    'Leo sowed 1 stone from pit e. The last one falls in pit f. Captured 3 stones. You have 0, Leo has 0. '
      + 'Your turn, 3 pits to choose from.',
  );
  assert.equal(
    sowing(say, { ...STATE, turn: 'N' }, { ...SOWN, transfers: [['sow', 1, [2]], ['sow', 2, [4]], ['sow', 4, [5]]] }),
    'You sowed 1 stone from pit b. It went on 2 more times. The last one falls in pit f. You have 0, Leo has 0. Leo’s turn.',
  );
  assert.equal(
    sowing(say, outcome('S', [9, 4], 'played_out'), { ...SOWN, last: 3, transfers: [['sow', 2, [3]], ['sweep', 4, [7]], ['sweep', 5, [7, 7]]] }),
    'You sowed 1 stone from pit b. The last one falls in a store. Leo keeps the last 3 stones. Game over. You won, 9 to 4.',
  );
});

test('an earlier move is told as it was, with its number and its score, and the way back with the turn', () => {
  const now = { ...STATE, ply: 9 };
  const past = { ...now, ply: 1, stones: [2, 0, 3, 1, 2, 2, 2, 0], turn: null, last: SOWN };
  assert.equal(
    stepped(say, now, past),
    'Move 1 of 9. You sowed 4 stones from pit b. The last one falls in pit f. You have 1, Leo has 0.',
  );
  assert.equal(stepped(say, now, { ...past, ply: 0, last: null }), 'Move 0 of 9. The board before the first move.');
  assert.equal(stepped(say, now, now), 'Back in the game. Your turn, 3 pits to choose from.');
  assert.equal(hint(say, now, 'lookback'), 'This is an earlier move. Go back to the game to sow.');
});

test('what was missed is told by the last moves, and how it stands; of a game that is over, how it ended', () => {
  const now = {
    ...STATE, stones: [0, 1, 4, 1, 2, 2, 2, 0], transcript: 'bafe', captures: [[3, 2]], last: { extra_turn: false },
    legal: [[1, 2, false, 0], [2, 6, false, 0]],
  };
  const last = 'Move 3: Leo, pit f, extra turn. Move 4: Leo, pit e, captured 2 stones.';
  assert.equal(caughtUp(say, now, { since: 2, first: null }), `${last} You have 1, Leo has 0. Your turn, 2 pits to choose from.`);
  assert.equal(caughtUp(say, now, { since: 0, first: 'begun' }), `A new game. You are Sun and begin. Move 2: Maya, pit a. ${last} You have 1, Leo has 0. Your turn, 2 pits to choose from.`);
  assert.equal(caughtUp(say, { ...outcome('S', [9, 4], 'played_out'), transcript: '', captures: [], last: null }, { since: 0, first: null }), 'Game over. You won, 9 to 4.');
});

test('a swap of sides is offered to whoever may, told to all, and who sowed before it stays named', () => {
  const may = sowing(say, { ...STATE, may_swap: true }, { ...SOWN, side: 'N', pit: 4, transfers: [['sow', 4, [5]]] });
  assert.match(may, /Your turn, 3 pits to choose from\. You may take Sun’s side\.$/);
  assert.doesNotMatch(sowing(say, { ...STATE, turn: 'N', may_swap: true }, SOWN), /You may/);

  // Maya, as Sun, sowed b; Leo took her side.
  const now = { ...STATE, you: 'N', ply: 3, transcript: 'bhe', seats: { S: { name: 'Leo' }, N: { name: 'Maya' } } };
  assert.equal(swapped(say, now), 'Leo takes Sun’s side. You are Moon now, and it is your turn.');
  assert.equal(swapped(say, { ...now, you: 'S' }), 'You take Sun’s side. Maya is to move.');
  assert.equal(swapped(say, { ...now, you: null }), 'Leo takes Sun’s side. Maya is to move.');
  assert.equal(moveLabel(say, now, 'S', { ply: 0, pit: 1 }), 'Move 1: Maya, pit b');
  assert.equal(moveLabel(say, now, 'N', { ply: 1, pit: 7, isSwap: true }), 'Move 2: Leo takes Sun’s side');
  assert.equal(moveLabel(say, now, 'N', { ply: 2, pit: 4 }), 'Move 3: Maya, pit e');
  const past = { ...now, turn: null, last: SOWN };
  assert.match(stepped(say, now, { ...past, ply: 1 }), /^Move 1 of 3\. You sowed 4 stones from pit b\./);
  assert.equal(stepped(say, now, { ...past, ply: 2 }), 'Move 2 of 3. Leo takes Sun’s side.');
  const third = { ...past, ply: 3, last: { ...SOWN, side: 'N', pit: 4 } };
  assert.match(stepped(say, { ...now, ply: 4 }, third), /^Move 3 of 4\. You sowed 4 stones from pit e\./);
});

test('spectators hear names, never “you”', () => {
  const watching = { ...STATE, you: null };
  assert.equal(sowing(say, watching, SOWN), 
    'Maya sowed 4 stones from pit b. The last one falls in pit f. Maya has 0, Leo has 0. Maya’s turn.',
  );
  assert.equal(turnWord(say, watching, 'S'), 'To move');
  assert.equal(resultTitle(say, { ...outcome('N', [4, 9], 'played_out'), you: null }), 'Leo won');
  assert.equal(resultReason(say, { ...outcome('N', [4, 9], 'played_out'), you: null }), 'All stones are home.');
});

test('a computer is called one, is always here, and thinks for whoever watches too', () => {
  const finn = { ...STATE, turn: 'N', seats: { S: { name: 'Maya' }, N: { name: 'Finn', level: 3 } }, attendance: { S: 'here', N: 'gone' } };
  assert.equal(plateLabel(say, finn, 'N'), 'Finn, moon, computer, level 3 of 5');
  assert.equal(plateLabel(say, finn, 'S'), 'Maya, sun');
  assert.equal(presenceWord(say, finn, 'N'), 'Computer');
  assert.equal(presenceWord(say, finn, 'S'), 'Here');
  assert.equal(turnWord(say, finn, 'N'), 'Thinking…');
  assert.equal(turnWord(say, { ...finn, you: null }, 'N'), 'Thinking…');
  assert.equal(turnWord(say, { ...finn, link: 'offline' }, 'N'), 'On hold');
});

test('the end is told from the reader’s seat', () => {
  assert.equal(resultTitle(say, outcome('S', [9, 4], 'played_out')), 'You won!');
  assert.equal(resultReason(say, outcome('N', [4, 9], 'played_out')), 'All stones are home. Good game. One more?');
  assert.equal(resultTitle(say, outcome(null, [8, 8], 'played_out')), 'A draw');
  assert.equal(over(say, outcome(null, [8, 8], 'played_out')), 'Game over. A draw, 8 each.');
  assert.equal(over(say, outcome('S', [3, 1], 'resigned')), 'Leo resigned. You won!');
  assert.equal(resultTitle(say, outcome(null, [8, 5], 'abandoned')), 'Nobody won');
  assert.equal(resultReason(say, outcome(null, [8, 5], 'abandoned')), 'Nobody had moved for a long time.');
  assert.equal(over(say, outcome(null, [8, 5], 'abandoned')), 'Game over. Nobody had moved for a long time.');
});

test('the tab says whose turn it is', () => {
  assert.equal(tabTitle(say, STATE), 'Your turn · Leo · Mancala');
  assert.equal(tabTitle(say, { ...STATE, turn: 'N' }), 'Maya against Leo · Mancala');
  assert.equal(title(say, { ...STATE, status: 'open', seats: { S: { name: 'Maya' }, N: null } }), 'Waiting for your friend');
  assert.equal(title(say, { ...STATE, you: null, status: 'open', seats: { S: { name: 'Maya' }, N: null } }), 'Maya is waiting');
});

test('every hint, refusal and arrival has words', () => {
  const known = new Map(entries);
  for (const why of ['watching', 'over', 'open', 'turn', 'theirs', 'empty', 'offline']) {
    assert.ok(known.has(`hint.${why}`));
    assert.doesNotMatch(hint(say, STATE, why, 2), /undefined|\{|hint\./);
  }
  for (const code of ['malformed', 'not_seated', 'not_your_turn', 'illegal_pit', 'game_over', 'not_started', 'too_fast', 'unavailable']) {
    assert.doesNotMatch(refusal(say, { re: 'play', code }), /refused/);
  }
  assert.equal(arrival(say, STATE, 'seated', 'N'), 'Leo sits down. Your turn, 3 pits to choose from.');
  for (const what of ['seated', 'left', 'gone', 'back']) assert.doesNotMatch(arrival(say, STATE, what, 'N'), /say\./);
});

test('a hint says what speaks for a pit', () => {
  const told = (advice) => advised(say, { ...STATE, advice: { wins: null, saves: 0, ...advice } });
  assert.equal(told({ pit: 2 }), 'Try pit c. It ends in your store: extra turn.');
  assert.equal(told({ pit: 0, wins: 1 }), 'Try pit a. It captures 3 stones. You can win by 1 stone.');
  assert.equal(told({ pit: 1, saves: 5 }), 'Try pit b. It keeps 5 stones safe.');
  assert.equal(told({ pit: 1 }), 'Try pit b. It brings the most stones in the end.');
  assert.equal(told({ pit: 1, prepares: true }), 'Try pit b. It prepares an extra turn.');
});
