/**
 * What the two players of a private room write to each other: the switch, the lines, and the dot that says there are new
 * ones. Loaded when it is needed. What is hidden is hidden on this device only, and the other is not told.
 */
import { $, $$, mark, stamp, write } from '../lib/dom.js';
import { keep, recall } from '../lib/memory.js';
import { prefers } from '../lib/preferences.js';
import { nameOf, opponentOf } from './state.js';

/** The lines of the other player after the line with this id. Pure. */
export const news = (lines, id) => lines.filter((line) => !line.own && line.id > id);

/** The lines that are shown to a reader who may have hidden those of the other. Pure. */
export const shown = (lines, isMuted) => lines.filter((line) => line.own || !isMuted);

/** A text as the server would clean it, and less: by what of it is sure to be kept. */
const bare = (text) => text.normalize('NFC').replace(/[\s\p{C}\p{M}]/gu, '');

/** Whether among the own lines after that with this id is `text`. Pure. */
export const isBack = (lines, id, text) => lines.some((line) => line.own && line.id > id && bare(line.text) === bare(text));

const NOTHING = { text: '', after: Infinity };

export class Letters {
  #say;
  #panel;
  #act;
  #state = null;
  #key;
  #kept = { muted: false, seen: 0, asked: false, looked: false }; // what this browser remembers of the room
  #sent = NOTHING; // the last line that was sent: { text, after }
  #isOut = false; // it is on its way
  #wish = null; // the switch as it was set, until the server has said so

  constructor({ say, panel, room, act }) {
    this.#say = say;
    this.#panel = panel;
    this.#act = act;
    this.#key = `talk.${room}`;
    this.#kept = { ...this.#kept, ...recall(this.#key) };
    this.#listen();
  }

  render(state) {
    const before = this.#state;
    this.#state = state;
    const isThere = state.you !== null && state.status !== 'open';
    $('#letters').hidden = !isThere;
    if (state.link !== 'online') this.#isOut = false; // what was on its way may be lost: the field still holds it
    const isSame = ['talk', 'seats', 'you'].every((name) => before?.[name] === state[name]);
    if (!isThere || isSame) return;
    this.#receive(state.talk);
    this.#write();
    this.#count();
    this.#invite(state.talk);
    if (before?.talk.version) this.#tell(before.talk, state.talk);
  }

  /** What was asked for by a message of type `re` was not done; if that is empty it may have been any. */
  deny(re, text) {
    if (!['say', 'switch_talk', ''].includes(re)) return;
    if (re !== 'switch_talk') this.#isOut = false;
    if (re !== 'say') {
      this.#wish = null;
      $('#letters-on').checked = this.#state.talk.you;
    }
    if ($('#talk').open) write($('#letters-note'), text);
  }

  #listen() {
    $('#letters-on').addEventListener('change', ({ target }) => {
      this.#wish = target.checked;
      this.#act({ type: 'switch_talk', on: target.checked });
    });
    $('#letters form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send($('#letters .input').value);
    });
    $('#letters-mute').addEventListener('click', () => {
      this.#keep({ muted: !this.#kept.muted });
      $('#lines').replaceChildren();
      this.#write();
      this.#count();
    });
    for (const opener of $$('[data-open="talk"]')) opener.addEventListener('click', () => setTimeout(() => this.#open()));
    if ($('#talk').open) setTimeout(() => this.#open());
  }

  #send(text) {
    if (this.#isOut || !text.trim()) return;
    this.#sent = { text, after: this.#state.talk.version };
    this.#isOut = true;
    write($('#letters-note'), '');
    this.#act({ type: 'say', text });
  }

  /** The own line is back: the field is free for the next. */
  #receive({ lines }) {
    this.#wish = null;
    const { text, after } = this.#sent;
    if (lines.some(({ id, own }) => own && id > after)) this.#isOut = false;
    const field = $('#letters .input');
    if (field.value !== text || !isBack(lines, after, text)) return;
    field.value = '';
    this.#sent = NOTHING;
  }

  #write() {
    const say = this.#say;
    const { you, talk } = this.#state;
    const name = nameOf(this.#state, opponentOf(you));
    const isOn = talk.you && talk.other;
    $('#letters-on').checked = this.#wish ?? talk.you;
    write($('#letters-state'), talk.you === talk.other ? '' : say(talk.you ? 'talk.wait' : 'talk.asked', { name }));
    write($('#letters-note'), '');
    if (!isOn && $('#letters-both').contains(document.activeElement)) $('#letters-on').focus();
    $('#letters-both').hidden = !isOn;
    mark($('#letters-mute'), 'aria-pressed', String(this.#kept.muted));
    write($('#letters-mute'), say('talk.mute', { name }));
    const lines = shown(talk.lines, this.#kept.muted);
    const log = $('#lines');
    for (const node of [...log.children]) if (!lines.some(({ id }) => String(id) === node.dataset.id)) node.remove();
    const last = Number(log.lastElementChild?.dataset.id ?? 0);
    log.append(...lines.filter(({ id }) => id > last).map((line) => this.#line(line, name)));
    if (lines.at(-1)?.id !== last) log.scrollTop = log.scrollHeight;
  }

  #line({ id, own, text, at }, name) {
    const { you } = this.#state;
    const node = stamp('line');
    node.dataset.id = id;
    node.dataset.side = own ? you : opponentOf(you);
    mark(node, 'data-own', own);
    write($('b', node), own ? this.#say('talk.you') : name);
    write($('span', node), text);
    const time = new Date(at);
    mark($('time', node), 'datetime', time.toISOString());
    write($('time', node), time.toLocaleTimeString(document.documentElement.lang, { hour: 'numeric', minute: '2-digit' }));
    return node;
  }

  /** The dot on the buttons that lead here, and its words: there are new lines, or the other asks to write. */
  #count() {
    const { you, talk } = this.#state;
    const isOpen = $('#talk').open;
    const { seen, looked, muted } = this.#kept;
    this.#keep({
      seen: isOpen ? talk.lines.at(-1)?.id ?? seen : seen,
      looked: talk.other && (isOpen || looked), // asked again is asked anew
    });
    const isNew = !muted && news(talk.lines, this.#kept.seen).length > 0;
    const isAsked = talk.other && !talk.you && !this.#kept.looked && prefers('talk');
    const words = isNew ? 'talk.unread' : isAsked ? 'talk.asked' : null;
    for (const opener of $$('[data-open="talk"]')) {
      mark(opener, 'data-unread', words !== null);
      mark(opener, 'aria-describedby', words && 'unread');
    }
    write($('#unread'), words ? this.#say(words, { name: nameOf(this.#state, opponentOf(you)) }) : '');
  }

  /** The other would like to write: said once, and then only beside the switch. */
  #invite({ you, other }) {
    if (!other || this.#kept.asked) return;
    this.#keep({ asked: true });
    if (you || !prefers('talk') || $('#talk').open) return;
    this.#panel.toast(this.#say('talk.asked', { name: nameOf(this.#state, opponentOf(this.#state.you)) }));
  }

  /** What has changed while the page was open, for whoever looks at the board. */
  #tell(before, now) {
    const { you } = this.#state;
    const side = opponentOf(you);
    const name = nameOf(this.#state, side);
    if (!prefers('talk') || $('#talk').open) return; // there the log speaks
    if (before.you && before.other && !now.other) this.#panel.toast(this.#say('talk.ended', { name }));
    const line = news(now.lines, before.lines.at(-1)?.id ?? before.version).at(-1);
    if (line && !this.#kept.muted) {
      this.#panel.speak(side, line.text, this.#say('react.said', { name, words: line.text }));
    }
  }

  #open() {
    this.#count();
    const log = $('#lines');
    log.scrollTop = log.scrollHeight;
    if (!$('#letters-both').hidden) $('#letters').scrollIntoView({ block: 'end' });
  }

  #keep(change) {
    this.#kept = { ...this.#kept, ...change };
    keep(this.#key, this.#kept);
  }
}
