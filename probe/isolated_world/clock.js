// Animation frames and timers. `charlotteFrame` is a binding of this world that requests a frame.
import { isScriptless, setOf } from './builtins.js';

const FRAME_REQUEST_AFTER = 50; // ms without a frame after which a frame is requested
export const NO_FRAME = 100; // ms without a frame after which the wait ends
const FRAME = 16; // ms

export const now = () => performance.now();

/**
 * Pause without a callback: Chromium runs no callbacks in a document without scripts.
 * @param {number} ms
 */
const nap = (ms) => scheduler.postTask(() => {}, { delay: 1e9, signal: AbortSignal.timeout(ms) }).catch(() => {});

/** @param {number} late */
const drawnFrame = (late) => new Promise((resolve) => {
  const request = () => globalThis.charlotteFrame?.('');
  const timers = [setTimeout(request, FRAME_REQUEST_AFTER), setTimeout(resolve, late, false)];
  requestAnimationFrame(() => {
    for (const timer of timers) clearTimeout(timer);
    resolve(true);
  });
});

/**
 * Wait for a frame up to `late` ms; return whether it was drawn. Without scripts, wait for the usual time of a frame.
 * @param {number} [late]
 */
export const frame = (late = NO_FRAME) => (isScriptless() ? nap(FRAME).then(() => false) : drawnFrame(late));

/** @param {number} ms */
export const later = (ms) => (isScriptless() ? nap(ms) : new Promise((resolve) => { setTimeout(resolve, ms); }));

const PATIENCE = 1000; // ms
const PASSING = setOf('disabled readonly hidden covered');

/**
 * Let a function with an answer in JSON try again for a second, as long as its error may pass: {error, waited: s}.
 * @param {(...given: any[]) => any} run @param {Set<string>} [passing]
 */
export const patient = (run, passing = PASSING) => async (/** @type {any[]} */ ...given) => {
  for (const end = now() + PATIENCE; ; await frame()) {
    const text = await run(...given);
    const answer = JSON.parse(text);
    if (!passing.has(answer.error)) return text;
    if (now() >= end) return JSON.stringify({ ...answer, waited: PATIENCE / 1000 });
  }
};
