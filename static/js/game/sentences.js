/** What is said about a state or an event, from the page's phrase book `say`. Pure: the same words for eye and ear. */
import {
  attendanceOf, canSwap, holdsBoth, isShared, letterOf, nameOf, opponentOf, playable, seatedAt, sideOf, standing, storeOf, swapOf,
  turnsOf, widthOf,
} from './state.js';

/** The form of a phrase that fits who sits on `side`: the reader, somebody with a name, or nobody. */
function form(state, side) {
  if (side === state.you) return 'you';
  return state.seats[side] ? 'name' : 'free';
}

const isStore = (state, hole) => hole === widthOf(state) || hole === state.stones.length - 1;
const stonesOf = (say, n) => say('stones', { n });

/* The board ------------------------------------------------------------------------------------ */

export function rankLabel(say, state, side) {
  return say(`rank.${form(state, side)}`, { name: nameOf(state, side) });
}

/** The name of a pit or store with its stones; with hints, a pit that is offered also tells where its sowing ends. */
export function holeLabel(say, state, hole, isHinted = true) {
  const side = sideOf(state, hole);
  const values = { name: nameOf(state, side), letter: letterOf(hole), stones: stonesOf(say, state.stones[hole]) };
  if (isStore(state, hole)) return say(`store.${form(state, side)}`, values);
  const offer = playable(state).find(([pit]) => pit === hole);
  if (offer && isHinted) return say('pit.you.ending', { ...values, ending: ending(say, state, offer) });
  return say(`pit.${form(state, side)}`, values);
}

function ending(say, state, [, last, extraTurn, captured]) {
  if (extraTurn) return say('ending.extra');
  if (captured) return say('ending.capture', { stones: stonesOf(say, captured) });
  return isStore(state, last) ? say('ending.store') : say('ending.pit', { letter: letterOf(last) });
}

/** The flag beside a preview: { kind, text }; null when there is nothing special. */
export function flag(say, [, , extraTurn, captured]) {
  if (captured) return { kind: 'capture', text: say('flag.capture', { n: captured }) };
  return extraTurn ? { kind: 'extra', text: say('flag.extra') } : null;
}

/* Plates and title ----------------------------------------------------------------------------- */

/** What the pill of the side to move says. */
export function turnWord(say, state, side) {
  if (state.link === 'offline' || state.link === 'closed') return say('turn.hold');
  if (state.busy) return say('turn.sowing');
  if (side === state.turn && state.pending?.slow) return say('turn.sending');
  if (side === state.you) return say('turn.you');
  if (attendanceOf(state, side) === 'gone') return say('turn.gone');
  return say(state.you || state.seats[side]?.level ? 'turn.name' : 'turn.watching');
}

export function presenceWord(say, state, side) {
  if (state.seats[side]?.level) return say('presence.computer');
  if (state.seats[side]) return say(`presence.${state.attendance[side]}`);
  return state.you ? say('seat.waiting') : '';
}

export function seatName(say, state, side) {
  return nameOf(state, side) ?? say(state.you ? 'seat.friend' : 'seat.free');
}

export function plateLabel(say, state, side) {
  const label = say(`plate.${side}`, { name: seatName(say, state, side) });
  const level = state.seats[side]?.level;
  return level ? `${label}, ${say('plate.computer', { level })}` : label;
}

export function title(say, state) {
  if (state.status !== 'open') return say('title.playing', { south: nameOf(state, 'S'), north: nameOf(state, 'N') });
  const name = nameOf(state, 'S') ?? nameOf(state, 'N');
  if (state.you) return say('title.open.you');
  return name ? say('title.open.name', { name }) : say('title.open.free');
}

/** The title of the tab: whose turn it is matters most. */
export function tabTitle(say, state) {
  const isMine = state.status === 'playing' && state.turn === state.you;
  const text = isMine ? say('title.turn', { name: nameOf(state, opponentOf(state.you)) }) : title(say, state);
  return say('title.page', { title: text });
}

/* The move list -------------------------------------------------------------------------------- */

export function moveLabel(say, state, side, { ply, pit, isSwap, extra, captured }) {
  const name = nameOf(seatedAt(state, ply), side);
  const parts = [say(isSwap ? 'move.swap' : 'move', { nth: ply + 1, name, letter: letterOf(pit) })];
  if (extra) parts.push(say('move.extra'));
  if (captured) parts.push(say('move.captured', { stones: stonesOf(say, captured) }));
  return parts.join(', ');
}

/* Aloud ---------------------------------------------------------------------------------------- */

/** One sowing in one message; `state` is the state after it. */
export function sowing(say, state, sown) {
  const name = nameOf(state, sown.side);
  const who = form(state, sown.side);
  const [, , carried] = sown.transfers[0];
  const parts = [say(`say.sown.${who}`, { name, letter: letterOf(sown.pit), stones: stonesOf(say, carried.length) })];
  const more = sown.transfers.filter(([kind]) => kind === 'sow').length - 1; // laps of a relay
  if (more) parts.push(say('say.relay', { n: more }));
  if (!sown.extra_turn) parts.push(end(say, state, sown.last)); // an extra turn says where
  if (sown.captured) parts.push(say('say.captured', { stones: stonesOf(say, sown.captured) }));
  if (!state.outcome) parts.push(score(say, state));
  if (sown.extra_turn) parts.push(say(`say.extra.${who}`, { name }));
  else if (state.turn) parts.push(turn(say, state));
  if (canSwap(state)) parts.push(say('swap.may'));
  parts.push(...sweeps(say, state, sown), ...(state.outcome ? [over(say, state)] : []));
  return parts.join(' ');
}

/** A ply that was looked up, `past`: which it is and what it did; or that the reader is back where the game stands. */
export function stepped(say, state, past) {
  if (past === state) return [say('say.live'), ...(state.turn ? [turn(say, state)] : [])].join(' ');
  const where = say('where', { n: past.ply, count: state.ply });
  const then = seatedAt(past, past.ply - 1);
  const isSwap = past.ply > 0 && past.ply - 1 === swapOf(past);
  if (isSwap) return `${where}. ${say('say.swap', { name: nameOf(then, 'N') })}`;
  return `${where}. ${past.last ? sowing(say, then, past.last) : say('say.start')}`;
}

function end(say, state, hole) {
  return isStore(state, hole) ? say('say.end.store') : say('say.end.pit', { letter: letterOf(hole) });
}

function score(say, state) {
  const stones = (side) => state.stones[storeOf(state, side)];
  if (!state.you) {
    const names = { south: nameOf(state, 'S'), north: nameOf(state, 'N') };
    return say('say.score.name', { ...names, n: stones('S'), m: stones('N') });
  }
  const other = opponentOf(state.you);
  return say('say.score.you', { name: nameOf(state, other), n: stones(state.you), m: stones(other) });
}

function turn(say, state) {
  if (state.turn === state.you) return say('say.turn.you', { pits: say('pits', { n: state.legal.length }) });
  return say('say.turn.name', { name: nameOf(state, state.turn) });
}

function sweeps(say, state, { transfers }) {
  const swept = { S: 0, N: 0 };
  for (const [kind, , to] of transfers) if (kind === 'sweep') swept[sideOf(state, to[0])] += to.length;
  return ['S', 'N'].filter((side) => swept[side]).map((side) => (
    say(`say.sweep.${form(state, side)}`, { name: nameOf(state, side), stones: stonesOf(say, swept[side]) })));
}

const UNPLAYED = new Set(['agreed', 'abandoned', 'claimed']); // endings without a winner that the stones did not decide
const LOST = new Set(['resigned', 'timed_out', 'claimed']); // endings that the loser's doing explains

/** The end in one sentence or two. */
export function over(say, state) {
  const { winner, score: [south, north], ending: code } = state.outcome;
  if (winner === null && UNPLAYED.has(code)) return say(`say.over.${code}`);
  if (winner === null) return say('say.over.draw', { n: south });
  const name = nameOf(state, winner);
  if (LOST.has(code)) return `${lost(say, state)} ${say(`result.${form(state, winner)}`, { name })}`;
  const [n, m] = winner === 'S' ? [south, north] : [north, south];
  return say(`say.over.${form(state, winner)}`, { name, n, m });
}

export function resultTitle(say, state) {
  const { winner, ending: code } = state.outcome;
  if (code === 'abandoned') return say('result.abandoned');
  return winner === null ? say('result.draw') : say(`result.${form(state, winner)}`, { name: nameOf(state, winner) });
}

/** Why the game ended, and a kind word for whoever lost or drew. */
export function resultReason(say, state) {
  const { winner, ending: code } = state.outcome;
  const parts = [LOST.has(code) ? lost(say, state) : say(`why.${code}`)];
  if (code === 'abandoned') return parts[0];
  if (winner === null && !UNPLAYED.has(code)) parts.push(say('kind.draw'));
  else if (state.you && winner !== state.you) parts.push(say('kind.lost'));
  return parts.join(' ');
}

function lost(say, state) {
  const { winner, ending: code } = state.outcome;
  if (winner === null) return say(`why.${code}.draw`);
  const loser = opponentOf(winner);
  return say(`why.${code}.${form(state, loser)}`, { name: nameOf(state, loser) });
}

/** Why nothing happens when `pit` is picked. */
export function hint(say, state, why, pit) {
  if (why === 'theirs' && holdsBoth(state)) return turn(say, state);
  return say(`hint.${why}`, {
    letter: pit === undefined ? '' : letterOf(pit),
    name: state.you ? nameOf(state, opponentOf(state.you)) : '',
  });
}

/** The hint that came, and why: what the pit brings at once, what it saves, and what it leads to. */
export function advised(say, state) {
  const { pit, wins, saves, prepares } = state.advice;
  const offer = playable(state).find(([legal]) => legal === pit);
  const [, , extraTurn, captured] = offer;
  const parts = [say('advice', { letter: letterOf(pit) })];
  if (extraTurn || captured) parts.push(say('advice.at_once', { ending: ending(say, state, offer) }));
  if (saves) parts.push(say('advice.saves', { stones: stonesOf(say, saves) }));
  if (prepares) parts.push(say('advice.prepares'));
  if (wins) parts.push(say('advice.wins', { stones: stonesOf(say, wins) }));
  else if (parts.length === 1) parts.push(say('advice.best'));
  return parts.join(' ');
}

const SORRY = new Set([
  'offer_open', 'game_over', 'not_your_turn', 'no_claim', 'no_advice', 'talk_off', 'too_fast', 'unavailable',
]);

export function refusal(say, { re, code }) {
  if (SORRY.has(code)) return say(`refused.${code}`);
  return say(re === 'play' ? 'refused' : 'refused.resign');
}

/* Offers --------------------------------------------------------------------------------------- */

/** Who offers what. */
export function offering(say, state, { kind, side }) {
  return say(`offer.${kind}.${form(state, side)}`, { name: nameOf(state, side) });
}

/** What became of an offer. `what` is declined or withdrawn. */
export function unoffered(say, state, what, { kind, side }) {
  if (what === 'withdrawn') return say('say.withdrawn');
  const other = opponentOf(side);
  return say(`say.declined.${kind}.${form(state, other)}`, { name: nameOf(state, other) });
}

/** What somebody said, for those who hear it; the words alone are in `words`. */
export function reaction(say, state, { side, kind }) {
  const words = say(`react.${kind}`);
  const name = side ? nameOf(state, side) : say('react.watcher');
  return { words, sentence: say('react.said', { name, words }) };
}

/** A game begins in the same room, or a turn was taken back. */
export function turned(say, state, what) {
  const first = opening(say, state, what);
  return state.turn && what !== 'begun' ? `${first} ${turn(say, state)}` : first;
}

function opening(say, state, what) {
  if (what === 'back_again') return say('say.back_again');
  return say(`say.begun.${isShared(state) ? 'shared' : form(state, 'S')}`, { name: nameOf(state, 'S') });
}

const RECOUNTED = 3; // moves; whoever was away for longer finds the others in the list

/** What was played since ply number `since`, and how the game stands; `first` a game has begun, or a turn was taken back. */
export function caughtUp(say, state, { since, first }) {
  const moves = turnsOf(state).flatMap(({ side, plies }) => plies.map((move) => ({ side, ...move })));
  const missed = moves.slice(Math.max(since, moves.length - RECOUNTED));
  const parts = first ? [opening(say, state, first)] : [];
  parts.push(...missed.map((move) => `${moveLabel(say, state, move.side, move)}.`));
  parts.push(...(state.outcome ? [over(say, state)] : [score(say, state), turn(say, state)]));
  return parts.join(' ');
}

/** Who sat North sits South now. */
export function swapped(say, state) {
  const [name, other] = [nameOf(state, 'S'), nameOf(state, 'N')];
  return say(`say.swapped.${state.you === 'N' ? 'other' : form(state, 'S')}`, { name, other });
}

/** The score of the series, in the order in which the title names the players; empty before its first game is over. */
export function seriesScore(say, state) {
  const { S, N, draws } = standing(state);
  if (S + N + draws === 0) return '';
  return [say('series', { n: S, m: N }), ...(draws ? [say('series.draws', { n: draws })] : [])].join(' · ');
}

/** Who came or went. `what` is seated, left, gone or back. */
export function arrival(say, state, what, side) {
  const name = nameOf(state, side);
  if (what !== 'seated') return say(`say.${what}`, { name });
  const sat = say(`say.seated.${form(state, side)}`, { name });
  return state.turn ? `${sat} ${turn(say, state)}` : sat; // the second to sit begins the game
}
