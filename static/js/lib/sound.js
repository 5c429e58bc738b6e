/**
 * Sounds, synthesised: a wooden tap for a stone in a pit, a glassy one for a store, a low knock for a capture. No files.
 *
 * Browsers allow no sound before a first gesture, and building an AudioContext takes tens of milliseconds: it is built
 * after that gesture, outside its handler. Whoever asks for a sound before is told so by `onSilent`, once.
 */
import { prefers } from './preferences.js';

const VOLUME = 0.36;
const TAP_GAP_MS = 40; // in a long, fast sowing not every stone needs a tap of its own
const GESTURES = ['pointerdown', 'keydown'];

/* A struck body is a few decaying sines, [Hz, level, seconds], and a click of noise. */
const glass = (hz) => ({ modes: [[hz, 0.4, 0.16], [hz * 2.76, 0.2, 0.09], [hz * 5.4, 0.06, 0.05]], noise: 0.35, cutoff: 4200, gain: 0.4 });
const wood = (hz) => ({ modes: [[hz, 0.55, 0.07], [hz * 2.42, 0.22, 0.04], [hz * 4.1, 0.08, 0.025]], noise: 0.55, gain: 0.45 });
const note = (hz, decay, gain, at = 0) => ({ modes: [[hz, 0.4, decay], [hz * 2, 0.12, decay / 2]], noise: 0.12, gain, at });
const near = (hz) => hz * (0.97 + Math.random() * 0.06); // no two stones are twins

/** What is struck for each sound; `nth` counts the stones of a hand, each a third of a semitone higher. */
const STRIKES = {
  lift: () => [{ modes: [[near(320), 0.35, 0.06]], noise: 0.5, cutoff: 1400, gain: 0.3 }],
  tap: (nth) => [wood(near(620 * 2 ** (Math.min(nth, 12) / 36)))],
  store: () => [glass(near(880))],
  capture: () => [{ modes: [[196, 0.7, 0.2], [392, 0.3, 0.12]], noise: 0.6, cutoff: 900, gain: 0.55 }],
  extra: () => [note(784, 0.22, 0.35), note(1047, 0.3, 0.35, 0.11)],
  turn: () => [note(523, 0.25, 0.3)],
  won: () => [523, 659, 784, 1047].map((hz, k) => note(hz, 0.4, 0.35, k * 0.12)),
  lost: () => [392, 330].map((hz, k) => note(hz, 0.35, 0.3, k * 0.18)),
  refused: () => [{ modes: [[150, 0.6, 0.09]], noise: 0.4, cutoff: 500, gain: 0.35 }],
};
const TAPS = new Set(['tap', 'store']);

export class Sound {
  #audio = null;
  #master;
  #tappedAt = -TAP_GAP_MS;
  #onSilent;

  /** `onSilent(isSilent)`: sounds are wanted and the browser waits for a gesture; later, that it has come. */
  constructor({ onSilent }) {
    this.#onSilent = onSilent;
    const build = () => requestAnimationFrame(() => setTimeout(() => this.#build()));
    for (const type of GESTURES) addEventListener(type, build, { once: true, capture: true });
  }

  /** Strikes one of lift, tap, store, capture, extra, turn, won, lost, refused. Nothing while muted or out of sight. */
  play(name, nth = 0) {
    if (!prefers('sound') || document.hidden) return;
    if (!this.#audio) {
      this.#onSilent(true);
      return;
    }
    const now = performance.now();
    if (TAPS.has(name)) {
      if (now - this.#tappedAt < TAP_GAP_MS) return;
      this.#tappedAt = now;
    }
    if (this.#audio.state === 'suspended') this.#audio.resume();
    for (const struck of STRIKES[name](nth)) this.#strike(struck);
  }

  #build() {
    if (this.#audio || !('AudioContext' in globalThis)) return;
    this.#audio = new AudioContext({ latencyHint: 'interactive' });
    this.#master = this.#audio.createGain();
    this.#master.gain.value = VOLUME;
    this.#master.connect(this.#audio.createDynamicsCompressor()).connect(this.#audio.destination);
    this.#onSilent(false);
  }

  #strike({ modes, noise, cutoff = 2600, gain, at = 0 }) {
    const audio = this.#audio;
    const start = audio.currentTime + at;
    for (const [hz, level, decay] of modes) {
      const tone = audio.createOscillator();
      const shape = audio.createGain();
      tone.frequency.setValueAtTime(hz * 1.04, start);
      tone.frequency.exponentialRampToValueAtTime(hz, start + 0.02);
      shape.gain.setValueAtTime(0, start);
      shape.gain.linearRampToValueAtTime(level * gain, start + 0.002);
      shape.gain.exponentialRampToValueAtTime(0.0001, start + decay);
      tone.connect(shape).connect(this.#master);
      tone.start(start);
      tone.stop(start + decay + 0.02);
    }
    const click = audio.createBufferSource();
    const filter = audio.createBiquadFilter();
    const level = audio.createGain();
    click.buffer = this.#noise();
    filter.type = 'bandpass';
    filter.frequency.value = cutoff;
    filter.Q.value = 0.8;
    level.gain.value = noise * gain;
    click.connect(filter).connect(level).connect(this.#master);
    click.start(start);
  }

  /** 30 ms of noise that dies away. */
  #noise() {
    const length = Math.floor(this.#audio.sampleRate * 0.03);
    const buffer = this.#audio.createBuffer(1, length, this.#audio.sampleRate);
    buffer.getChannelData(0).forEach((_, k, samples) => {
      samples[k] = (Math.random() * 2 - 1) * (1 - k / length) ** 6;
    });
    return buffer;
  }
}
