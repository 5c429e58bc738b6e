/** The review of a finished game. */
import * as review from './how/review.js';
import { Reviewing } from './how/reviewing.js';
import { run } from './how/run.js';

run(review, Reviewing);
