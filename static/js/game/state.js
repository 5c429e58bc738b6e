/**
 * What the page knows of the room, and how every message and intent changes it. Pure: never the document, a clock or a
 * socket.
 *
 *   const { state, effects } = reduce(before, { type: 'pick', pit: 2 });
 *
 * Messages come from the server (messages.js). Intents come from the page:
 *   pick { pit } · swap · resign · offer { kind } · answer { accept } · claim { win } · ask · react { kind } ·
 *   switch_talk { on } · say { text } · flip · follow { on } · settled · slow · gone { side } · offline { code, final }
 * Effects are what the page must do now:
 *   send { message } · sow { sown, stones } · show · watch { side, missing } · tell { what, … } · hear { what }
 */
import {
  advise, answer as reply, claim as demand, line, offer as proposal, play, reaction, resign as resignation, swap as swapping,
  switchTalk, sync,
} from './messages.js';

const LETTERS = 'abcdefghijklmnopqrst';
const NO_CLAIMS = { S: null, N: null };

/** The state a page begins with: the welcome that the server wrote into it, and what the `sides` are called. */
export function begin({ you, player, snapshot, sides }) {
  return adopt({
    you, // the side of who has one seat; who holds both looks from neither
    player,
    sides,
    view: 'S', // the side at the bottom for whoever has no side
    follows: false, // on one device: the board turns with the turn
    presence: null, // sockets and who watches: { S, N, spectators, names }
    talk: { version: 0, you: false, other: false, lines: [] }, // what the two players write to each other
    attendance: { S: 'unknown', N: 'unknown' }, // unknown | here | gone, where a short absence does not count
    asked: null, // the ply for which a hint is being looked for
    advice: null, // the hint that came: { ply, pit, wins, saves, prepares }
    pending: null, // { game, ply, pit, slow }: a play sent and not yet answered
    unheard: null, // { message, version }: what else was sent to change the game, and the version that it was to change
    busy: false, // the board is still showing a sowing
    syncing: false, // a snapshot was asked for
    link: 'connecting', // connecting | online | offline | closed
    closed: null, // the close code after which nothing comes
  }, snapshot);
}

export function reduce(state, action) {
  return Object.hasOwn(HANDLERS, action.type) ? HANDLERS[action.type](state, action) : unchanged(state);
}

/* What a reader asks of a state ---------------------------------------------------------------- */

export const widthOf = ({ stones }) => stones.length / 2 - 1;
export const storeOf = (state, side) => (side === 'S' ? widthOf(state) : state.stones.length - 1);
export const sideOf = (state, hole) => (hole <= widthOf(state) ? 'S' : 'N');
export const letterOf = (hole) => LETTERS[hole];
export const holeOf = (letter) => LETTERS.indexOf(letter);
/** Whether one player holds both seats: two people play on one device. */
export const isShared = ({ seats: { S, N } }) => Boolean(S?.id) && S.id === N?.id;
/** Whether that player is this viewer. */
export const holdsBoth = (state) => isShared(state) && state.seats.S.id === state.player;
export const isSeated = (state) => state.you !== null || holdsBoth(state);
/** The side for which this viewer may act now: the own one; of both the one to move. */
export const handOf = (state) => (holdsBoth(state) ? state.turn : state.you);
export const nameOf = (state, side) => (isShared(state) ? state.sides[side] : state.seats[side]?.name ?? null);
export const nearOf = ({ you, view }) => you ?? view;
/** Whether who sits on a side is here: unknown | here | gone. A computer always is. */
export const attendanceOf = ({ seats, attendance }, side) => (seats[side]?.level ? 'here' : attendance[side]);
export const opponentOf = (side) => (side === 'S' ? 'N' : 'S');

/** The legal pits that this viewer can sow now: [pit, last hole, extra turn, captured]. */
export function playable(state) {
  return state.turn !== null && hindrance(state, null) === null ? state.legal : [];
}

/** Whether this viewer may take the other side now. */
export const canSwap = ({ may_swap, turn, you }) => may_swap && turn === you;

/** The ply with which the players swapped sides: the letter of North's store stands for it. -1 if they did not. */
export const swapOf = ({ transcript, stones }) => transcript.indexOf(letterOf(stones.length - 1));

/** The state with everybody on the side where they sat at ply `ply`. */
export function seatedAt(state, ply) {
  if (ply > swapOf(state)) return state;
  const { you, seats } = state;
  return { ...state, you: you && opponentOf(you), seats: { S: seats.N, N: seats.S } };
}

/** The games won by who sits South and North, and those drawn, this one too once it is played: { S, N, draws }. */
export function standing({ series, outcome }) {
  if (!outcome || outcome.ending === 'abandoned') return series;
  const won = outcome.winner ?? 'draws';
  return { ...series, [won]: series[won] + 1 };
}

/** Whether this viewer can offer `kind` now. */
export function canOffer(state, kind) {
  if (!isSeated(state) || (state.offer && (state.offer.kind !== kind || state.offer.side === state.you))) return false;
  if (kind === 'rematch') return state.status === 'over';
  const since = state.transcript.slice(swapOf(state) + 1);
  const hasSown = [...since].some((letter) => !state.you || sideOf(state, holeOf(letter)) === state.you);
  return state.status === 'playing' && (kind === 'draw' || hasSown);
}

/** Whether this viewer can ask for a hint now: against a computer, or on one device. */
export function canAsk(state) {
  const isAlone = holdsBoth(state) || Boolean(state.you && state.seats[opponentOf(state.you)]?.level);
  return isAlone && state.asked !== state.ply && playable(state).length > 0;
}

/** The hint for the ply that comes next, if there is one. */
export const adviceOf = ({ advice, ply }) => (advice?.ply === ply ? advice : null);

/** The transcript as turns: { side, plies: [{ ply, pit, isSwap, extra, captured }] }. */
export function turnsOf(state) {
  const turns = [];
  const swap = swapOf(state);
  const captured = new Map(state.captures);
  [...state.transcript].forEach((letter, ply) => {
    const pit = holeOf(letter);
    const side = sideOf(state, pit);
    const move = { ply, pit, isSwap: ply === swap, extra: false, captured: captured.get(ply) ?? 0 };
    const turn = turns.at(-1);
    if (turn?.side === side) {
      turn.plies.at(-1).extra = !turn.plies.at(-1).isSwap; // whoever moves twice in a row had an extra turn
      turn.plies.push(move);
    } else turns.push({ side, plies: [move] });
  });
  if (turns.length && state.last) turns.at(-1).plies.at(-1).extra = state.last.extra_turn;
  return turns;
}

/* Messages ------------------------------------------------------------------------------------- */

/** Messages with a version: a smaller one is ignored, the next one applied, a larger one means that some were lost. */
function versioned(apply) {
  return (state, message) => {
    if (!isNewer(state, message)) return unchanged(state);
    if (message.game === state.game && message.version === state.version + 1) return apply(state, message);
    if (state.syncing) return unchanged(state);
    return { state: { ...state, syncing: true }, effects: [send(sync())] };
  };
}

function isNewer(state, { game, version }) {
  return game > state.game || (game === state.game && version > state.version);
}

function welcome(state, { you, player, snapshot: shape }) {
  const isOlder = isNewer(shape, state);
  const known = isOlder ? { ...state, syncing: false } : adopt(state, shape);
  const effects = isOlder ? [] : [{ do: 'show' }];
  if (state.link === 'offline') effects.push({ do: 'tell', what: 'reconnected' });
  if (!isOlder) effects.push(...meanwhile(state, { ...known, you }));
  // Sent, and not recorded: it was lost on the way. Sending it again is safe.
  if (known.pending) effects.push(send(play(known.pending)));
  if (state.link === 'offline' && isUnheard(known)) effects.push(send(known.unheard.message));
  return { state: { ...known, you, player, link: 'online' }, effects };
}

/** Whether what was sent last to change the game has changed nothing, nor has anybody else. */
export function isUnheard({ game, version, unheard }) {
  return unheard?.message.game === game && unheard.version === version;
}

function snapshot(state, shape) {
  if (isNewer(shape, state)) return { state: { ...state, syncing: false }, effects: [] };
  const now = { ...adopt(state, shape), you: seatOf(shape.seats, state.player) }; // sides may be swapped
  return { state: now, effects: [{ do: 'show' }, ...meanwhile(state, now)] };
}

/** What has happened of which there was no message, or which none but a whole state tells; what is asked last. */
function meanwhile(before, now) {
  const { offer, you } = now;
  const isAsked = offer !== null && offer.side !== you && (now.game !== before.game || offer.id !== before.offer?.id);
  return [...happened(before, now), ...(isAsked ? [{ do: 'tell', what: 'offered', offer }] : [])];
}

function happened(before, now) {
  const isSame = now.game === before.game;
  const since = isSame ? common(before.transcript, now.transcript) : 0;
  const isOver = now.status === 'over' && !(isSame && before.status === 'over');
  const call = now.turn !== null && now.turn === now.you ? [{ do: 'hear', what: 'turn' }] : [];
  const first = isSame ? (since < before.ply ? 'back_again' : null) : 'begun';
  const isSwap = isSame && swapOf(now) > swapOf(before) && swapOf(now) === now.ply - 1;
  if (isSwap && !isOver) return [{ do: 'tell', what: 'swapped' }, ...call];
  if (now.ply > since || isOver) {
    return [{ do: 'tell', what: 'caught_up', since, first }, ...(now.outcome ? [hearEnd(now)] : call)];
  }
  if (first) return [{ do: 'tell', what: first }];
  const side = ['S', 'N'].find((seat) => now.seats[seat] && !before.seats[seat]);
  if (side) return [{ do: 'tell', what: 'seated', side }];
  return wasStopped(before, now) ? [{ do: 'tell', what: 'stopped' }] : [];
}

/** How many letters two transcripts begin with alike. */
function common(one, other) {
  const differs = [...one].findIndex((letter, k) => letter !== other[k]);
  return differs === -1 ? one.length : differs;
}

/** The one side on which a player sits. */
function seatOf(seats, player) {
  const sides = ['S', 'N'].filter((side) => player && seats[side]?.id === player);
  return sides.length === 1 ? sides[0] : null;
}

/** Whether the clock of the running turn was put back: no server was there, and nobody is charged for that. */
function wasStopped(before, { game, ply, status, turn, clock }) {
  const isSameTurn = game === before.game && ply === before.ply && status === before.status;
  return isSameTurn && turn !== null && clock?.since > before.clock?.since;
}

function adopt(state, shape) {
  const {
    room, game, version, status, ply, ruleset, stones, turn, legal, last, seats, outcome, transcript, captures, offer, series,
    control, clock, claims, may_swap,
  } = shape;
  const open = state.pending?.game === game && state.pending.ply === ply && status === 'playing';
  return {
    ...state,
    room, game, version, status, ply, ruleset, stones, turn, legal, last, seats, outcome, transcript, captures, offer, series,
    control, clock, claims, may_swap,
    pending: open ? state.pending : null,
    asked: null,
    advice: state.transcript === transcript && state.game === game ? state.advice : null,
    busy: false,
    syncing: false,
  };
}

function sown(state, message) {
  const {
    version, ply, pit, side, stones, turn, legal, last, extra_turn, captured, transfers,
    outcome = null, offer = null, clock = null, may_swap = false,
  } = message;
  return {
    state: {
      ...state,
      version, stones, turn, legal, outcome, may_swap,
      ply: ply + 1,
      status: outcome ? 'over' : 'playing',
      last: transfers.length ? { ply, pit, side, last, extra_turn, captured } : state.last, // a swap moves nothing
      transcript: state.transcript + letterOf(pit),
      captures: captured ? [...state.captures, [ply, captured]] : state.captures,
      pending: state.pending && state.pending.ply > ply ? state.pending : null,
      offer,
      clock,
      claims: outcome || !clock ? NO_CLAIMS : state.claims, // without clocks the turn that lay is over
      busy: true,
    },
    effects: [{ do: 'sow', sown: message, stones: state.stones }, { do: 'tell', what: 'sown', sown: message }],
  };
}

function seated(state, { version, side, player, status, turn, legal, clock }) {
  const seats = { ...state.seats, [side]: player };
  return {
    state: {
      ...state,
      version, status, turn, legal, clock, seats,
      you: seatOf(seats, state.player),
      attendance: { ...state.attendance, [side]: 'unknown' },
    },
    effects: [{ do: 'tell', what: player ? 'seated' : 'left', side }],
  };
}

function ended(state, { version, outcome, clock }) {
  return {
    state: {
      ...state, version, outcome, clock,
      status: 'over', turn: null, legal: [], pending: null, offer: null, claims: NO_CLAIMS, may_swap: false,
    },
    effects: [{ do: 'tell', what: 'ended' }, hearEnd({ ...state, outcome })],
  };
}

function tabled(state, { version, offer, declined }) {
  const told = offer ? { what: 'offered', offer } : { what: declined ? 'declined' : 'withdrawn', offer: state.offer };
  return { state: { ...state, version, offer }, effects: [{ do: 'tell', ...told }] };
}

function claimable(state, { version, claims }) {
  return { state: { ...state, version, claims }, effects: [] };
}

function advice(state, { game, ply, pit, wins = null, saves = 0, prepares = false }) {
  const next = { ...state, asked: state.asked === ply ? null : state.asked };
  if (game !== state.game || ply !== state.ply || !playable(state).some(([legal]) => legal === pit)) return unchanged(next);
  return { state: { ...next, advice: { ply, pit, wins, saves, prepares } }, effects: [{ do: 'tell', what: 'advised' }] };
}

function renamed(state, { player }) {
  const seats = { ...state.seats };
  for (const side of ['S', 'N']) if (seats[side]?.id === player.id) seats[side] = player;
  return { state: { ...state, seats }, effects: [] };
}

function reacted(state, { side, kind }) {
  return { state, effects: [{ do: 'tell', what: 'reacted', side, kind }] };
}

function talk(state, { version, you, other, lines }) {
  const isNews = version > state.talk.version;
  return { state: isNews ? { ...state, talk: { version, you, other, lines } } : state, effects: [] };
}

function presence(state, { south, north, spectators, names = [] }) {
  const counts = { S: south, N: north, spectators, names };
  const attendance = { ...state.attendance };
  const effects = [];
  for (const side of ['S', 'N']) {
    if (counts[side] && attendance[side] === 'gone') effects.push({ do: 'tell', what: 'back', side });
    if (counts[side]) attendance[side] = 'here';
    effects.push({ do: 'watch', side, missing: counts[side] === 0 && state.seats[side] !== null });
  }
  return { state: { ...state, presence: counts, attendance }, effects };
}

function refused(state, { re, code }) {
  // A stale ply is a second tap or a second tab: the snapshot that follows says all.
  const effects = code === 'stale_ply' ? [] : [{ do: 'tell', what: 'refused', re, code }];
  // Too many messages at once are refused unread: any of these may have been among them.
  const pending = ['play', 'swap', ''].includes(re) ? null : state.pending;
  const asked = ['advise', ''].includes(re) ? null : state.asked;
  const unheard = [state.unheard?.message.type, ''].includes(re) ? null : state.unheard;
  return { state: { ...state, pending, asked, unheard }, effects };
}

/* Intents -------------------------------------------------------------------------------------- */

function pick(state, { pit }) {
  const why = hindrance(state, pit);
  if (why === 'busy') return unchanged(state); // a second click, or one at a picture that is on the move
  if (why) return { state, effects: [{ do: 'tell', what: 'hint', why, pit }] };
  const pending = { game: state.game, ply: state.ply, pit, slow: false };
  return { state: { ...state, pending }, effects: [send(play(pending))] };
}

/** Why `pit` cannot be sown now; null if it can. With null for a pit: why no pit can. */
function hindrance(state, pit) {
  const hand = handOf(state);
  if (state.status === 'over') return 'over';
  if (!hand) return 'watching';
  if (state.status === 'open') return 'open';
  if (state.pending || state.busy) return 'busy';
  if (state.link !== 'online') return 'offline';
  if (state.turn !== hand) return 'turn';
  if (pit === null || state.legal.some(([legal]) => legal === pit)) return null;
  return sideOf(state, pit) === hand ? 'empty' : 'theirs';
}

/** Sends `message` if there is a line, or says that there is none. */
function ask(state, message) {
  return { state, effects: [state.link === 'online' ? send(message) : { do: 'tell', what: 'hint', why: 'offline', re: message.type }] };
}

/** The same for what changes the game: if the line is lost with it, it is sent again over the next. */
function change(state, message) {
  const { effects } = ask(state, message);
  return { state: state.link === 'online' ? { ...state, unheard: { message, version: state.version } } : state, effects };
}

function swap(state) {
  return canSwap(state) ? change(state, swapping(state)) : unchanged(state);
}

function resign(state) {
  if (!isSeated(state) || state.status !== 'playing') return unchanged(state);
  return change(state, resignation(state));
}

function offer(state, { kind }) {
  if (!canOffer(state, kind)) return unchanged(state);
  return change(state, proposal(state, kind));
}

function answer(state, { accept }) {
  if (!state.you || !state.offer) return unchanged(state);
  return change(state, reply(state, accept));
}

function claim(state, { win }) {
  return change(state, demand(state, win));
}

function askAdvice(state) {
  if (!canAsk(state)) return unchanged(state);
  return { state: { ...state, asked: state.ply }, effects: [send(advise(state))] };
}

function react(state, { kind }) {
  return ask(state, reaction(kind));
}

function switch_talk(state, { on }) {
  return ask(state, switchTalk(on));
}

function say(state, { text }) {
  return ask(state, line(text));
}

/** Whoever watches may sit on either side of the board. */
function flip(state) {
  return state.you ? unchanged(state) : { state: { ...state, view: opponentOf(state.view) }, effects: [] };
}

/** Two on one device may have the board turn with the turn. */
function follow(state, { on }) {
  return { state: facing({ ...state, follows: on }), effects: [] };
}

function facing(state) {
  if (!holdsBoth(state) || state.busy) return state; // never under stones on the move
  return { ...state, view: state.follows ? state.turn ?? state.view : 'S' };
}

/** The board shows what the state says. After a sowing that may be heard; after a reload nothing is. */
function settled(state) {
  const isMine = state.turn !== null && state.turn === state.you && state.last?.side !== state.you;
  const effects = state.outcome ? [hearEnd(state)] : isMine ? [{ do: 'hear', what: 'turn' }] : [];
  return { state: facing({ ...state, busy: false }), effects: state.busy ? effects : [] };
}

function hearEnd({ outcome, you }) {
  return { do: 'hear', what: you && outcome.winner && outcome.winner !== you ? 'lost' : 'won' };
}

/** The echo takes its time. */
function slow(state) {
  return state.pending ? { state: { ...state, pending: { ...state.pending, slow: true } }, effects: [] } : unchanged(state);
}

/** A player has been missing for a while. */
function gone(state, { side }) {
  const isKnown = state.attendance[side] === 'gone';
  if (isKnown || state.presence?.[side] !== 0 || !state.seats[side]) return unchanged(state);
  return {
    state: { ...state, attendance: { ...state.attendance, [side]: 'gone' } },
    effects: [{ do: 'tell', what: 'gone', side }],
  };
}

function offline(state, { code, final }) {
  return { state: { ...state, link: final ? 'closed' : 'offline', closed: final ? code : null }, effects: [] };
}

const HANDLERS = {
  welcome,
  snapshot,
  sown: versioned(sown),
  seated: versioned(seated),
  ended: versioned(ended),
  offered: versioned(tabled),
  claimable: versioned(claimable),
  advice,
  renamed,
  reacted,
  talk,
  presence,
  refused,
  pick,
  swap,
  resign,
  offer,
  answer,
  claim,
  ask: askAdvice,
  react,
  switch_talk,
  say,
  flip,
  follow,
  settled,
  slow,
  gone,
  offline,
};

const unchanged = (state) => ({ state, effects: [] });
const send = (message) => ({ do: 'send', message });
