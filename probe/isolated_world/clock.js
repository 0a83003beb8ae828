// Waiting in a page: animation frames, and a timer where there are none (a tab that is not shown).
// `charlotteFrame` is a binding that only this world has: it asks for the page to be drawn.
import { isScriptless } from './builtins.js';

const FRAME_REQUEST_AFTER = 50; // ms without a frame after which that is asked for
export const NO_FRAME = 100; // ms without a frame after which we go on all the same
const FRAME = 16; // ms
const NEVER = 1e9; // ms

export const now = () => performance.now();

const missFrame = () => globalThis.charlotteFrame?.('');

/**
 * A pause for which the browser calls no function: it would call none in a document without scripts.
 * @param {number} ms
 */
const nap = (ms) => scheduler.postTask(() => {}, { delay: NEVER, signal: AbortSignal.timeout(ms) }).catch(() => {});

/** @param {number} late */
const drawnFrame = (late) => new Promise((resolve) => {
  const timers = [setTimeout(missFrame, FRAME_REQUEST_AFTER), setTimeout(resolve, late, false)];
  requestAnimationFrame(() => {
    for (const timer of timers) clearTimeout(timer);
    resolve(true);
  });
});

/**
 * Whether a frame came within `late` ms; where no scripts run, after the time of one, as far as we know.
 * @param {number} [late]
 */
export const frame = (late = NO_FRAME) => (isScriptless() ? nap(FRAME).then(() => false) : drawnFrame(late));

/**
 * Some ms later.
 * @param {number} ms
 */
export const later = (ms) => (isScriptless() ? nap(ms) : new Promise((resolve) => { setTimeout(resolve, ms); }));
