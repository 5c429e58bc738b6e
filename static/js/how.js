/** The lesson, and the examples of each ruleset. They are sown calmly, unless the reader has chosen otherwise. */
import { preference, speed } from './lib/preferences.js';
import { PACES } from './game/plan.js';
import * as lesson from './how/lesson.js';
import { run } from './how/run.js';
import { Tour } from './how/tour.js';

run(lesson, Tour, () => PACES[preference('speed') === 'auto' && speed() === 'normal' ? 'calm' : speed()]);
