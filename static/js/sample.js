/** The sample game. */
import * as replay from './how/replay.js';
import { run } from './how/run.js';

run(replay);
