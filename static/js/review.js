/** The review of a finished game: a game to step through, whose values come over a socket as they are proved. */
import { Connection, socketUrl } from './lib/connection.js';
import { Findings } from './how/findings.js';
import * as review from './how/review.js';
import { run } from './how/run.js';

const AGAIN_MS = 10_000; // until it is asked once more whether there is time for this game

run(review, undefined, ({ page, say, announcer, dispatch }) => {
  const findings = new Findings(say);
  let state = null;
  let again = null; // a timer
  const connection = new Connection({
    url: () => socketUrl(page.socket),
    onText: (text) => dispatch({ type: 'heard', message: JSON.parse(text) }),
    onDown: ({ final }) => dispatch({ type: 'linked', link: final ? 'closed' : 'offline' }),
    ping: () => JSON.stringify({ type: 'ping', game: 0, version: review.version(state), sent_at: Date.now() }),
    closing: { 4404: null, 4405: null, 4406: null, 4412: [0, 2_000], 4429: [10_000, 10_000] },
  });

  return {
    start() {
      findings.start(dispatch);
      if (page.review.state !== 'done') connection.open();
    },
    render(next) {
      if (state && state.phase !== 'done' && next.phase === 'done') announcer.say(say('done'));
      state = next;
      findings.render(state);
      if (state.phase !== 'waiting' || again) return;
      again = setTimeout(() => {
        again = null;
        connection.send(JSON.stringify({ type: 'sync' }));
      }, AGAIN_MS);
    },
    async fetch({ nth, plies }) {
      const answer = await fetch(page.branches.replace('PLIES', plies)).catch(() => null);
      dispatch({ type: 'branched', nth, sown: answer?.ok ? (await answer.json()).sown : null });
    },
    tell({ what }) {
      announcer.say(what === 'way' ? findings.words(state) : say(what), { alone: true });
    },
  };
});
