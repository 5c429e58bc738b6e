/** The page with the link for another device: it can be copied and handed on. Wiring only. */
import { Announcer } from './lib/announcer.js';
import { $ } from './lib/dom.js';
import { listenToLinks } from './lib/share.js';
import { phraseBook, phrasesOf } from './lib/words.js';

listenToLinks(phraseBook(phrasesOf($('#words')), document.documentElement.lang), new Announcer($('#announcer')));
