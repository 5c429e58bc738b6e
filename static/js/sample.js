/** A whole game: the sample, or one that was pasted. */
import * as replay from './how/replay.js';
import { run } from './how/run.js';
import { Stepping } from './how/stepping.js';

run(replay, Stepping);
