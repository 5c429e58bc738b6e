/** A puzzle. */
import * as puzzle from './how/puzzle.js';
import { run } from './how/run.js';
import { Solving } from './how/solving.js';

run(puzzle, Solving);
