/**
 * A position that is set up and asked about. Pure: never the document, the network or a clock.
 *
 * Intents: ask · count { hole, n } · add { hole, by } · choose { hole } · rules { rules } · turn { turn } · board { do, stones }
 *          · sow { pit } · visit { rules, position } · longer · answered { question, answer } · refused { question, fault, retry }
 * Effects: address { push } · ask { seconds, wait } (ms) · tell
 */
const SECONDS = 2;
const WAIT_MS = 350; // somebody who sets up a position changes one hole after the other
const MOST = 162;

/** The state of a page: an answer within bounds is asked for anew. */
export function begin({ rules, position, answer, fault, most }) {
  return { rules, ...parse(position), hole: 0, answer, fault, asking: false, most };
}

/** A position as the server writes it, which is what it reads. */
export function text({ stones, turn }) {
  const half = stones.length / 2;
  return `${stones.slice(0, half)}/${stones.slice(half)} ${turn}`;
}

export function parse(position) {
  const [rows, turn] = position.split(' ');
  return { stones: rows.split(/[,/]/).map(Number), turn };
}

/** The query of the page that asks about a position. */
export const addressOf = (rules, position) => `?rules=${rules}&position=${encodeURIComponent(position).replaceAll('%2C', ',').replaceAll('%2F', '/')}`;

/** The whole question, by which its answer is known. */
export const question = (state) => `${state.rules} ${text(state)}`;

export function reduce(state, action) {
  return Object.hasOwn(HANDLERS, action.type) ? HANDLERS[action.type](state, action) : unchanged(state);
}

function change(state, parts, { push = false, wait = WAIT_MS } = {}) {
  const next = { ...state, ...parts };
  if (question(next) === question(state)) return unchanged(next);
  return asked({ ...next, answer: null }, SECONDS, wait, [{ do: 'address', push }]);
}

function asked(state, seconds, wait, before = []) {
  return { state: { ...state, fault: null, asking: true }, effects: [...before, { do: 'ask', seconds, wait }] };
}

function count(state, { hole, n }) {
  const number = Math.max(0, Math.min(MOST, Math.trunc(n) || 0));
  return change(state, { hole, stones: state.stones.with(hole, number) });
}

function board(state, { do: what, stones: n }) {
  const { stones } = state;
  const half = stones.length / 2;
  const other = state.turn === 'S' ? 'N' : 'S';
  if (what === 'clear') return change(state, { stones: stones.map(() => 0) }, { push: true });
  if (what === 'start') return change(state, { stones: stones.map((_, hole) => (hole % half === half - 1 ? 0 : n)) }, { push: true });
  return change(state, { stones: [...stones.slice(half), ...stones.slice(0, half)], turn: other }, { push: true });
}

function sow(state, { pit }) {
  const chosen = state.answer?.pits.find((known) => known.pit === pit);
  return chosen ? change(state, { ...parse(chosen.after), hole: pit }, { push: true, wait: 0 }) : unchanged(state);
}

function visit(state, { rules, position }) {
  const next = { ...state, rules, ...parse(position), answer: null };
  return asked(next, SECONDS, 0);
}

const isOld = (state, action) => action.question !== question(state);

function answered(state, action) {
  if (isOld(state, action)) return unchanged(state);
  return { state: { ...state, answer: action.answer, fault: null, asking: false }, effects: [{ do: 'tell' }] };
}

/** Whoever is told when to come back does so, with the words there meanwhile. */
function refused(state, action) {
  if (isOld(state, action)) return unchanged(state);
  const next = { ...state, fault: action.fault, asking: false };
  const again = action.retry ? [{ do: 'ask', seconds: SECONDS, wait: action.retry * 1000 }] : [];
  return { state: next, effects: [{ do: 'tell' }, ...again] };
}

const HANDLERS = {
  ask: (state) => asked(state, SECONDS, 0),
  count,
  add: (state, { hole, by }) => count(state, { hole, n: state.stones[hole] + by }),
  choose: (state, { hole }) => unchanged({ ...state, hole }),
  rules: (state, { rules }) => change(state, { rules }, { wait: 0 }),
  turn: (state, { turn }) => change(state, { turn }, { wait: 0 }),
  board,
  sow,
  visit,
  longer: (state) => asked(state, state.most, 0),
  answered,
  refused,
};

const unchanged = (state) => ({ state, effects: [] });
