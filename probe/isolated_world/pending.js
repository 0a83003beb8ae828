// What the page has begun and what is not through yet; the page's own world knows (main_pending.js).
import { getAnimations, isScriptless, timelineOf } from './builtins.js';
import { frame, later, now } from './clock.js';

const LONGEST_PENDING = 500;
const LATEST_PENDING = 10000;
export const pending = { short: 0, long: 0, every: 0, frame: false };

EventTarget.prototype.addEventListener.call(document, 'charlotte:expected', (/** @type {any} */ event) => {
  pending.short = Math.min(event.screenX, LONGEST_PENDING);
  pending.long = Math.min(event.screenY, LATEST_PENDING);
  pending.every = Math.min(event.clientX, LATEST_PENDING);
  pending.frame = event.clientY > 0;
});

/**
 * Of what has begun within the last `age` ms:
 * {short: ms until it is through, long: ms of a timer, every: of a ticker,
 * frame: whether the page has asked for an animation frame}.
 * @param {number} age
 */
export const pendingOf = (age) => {
  pending.short = 0;
  pending.long = 0;
  pending.every = 0;
  pending.frame = false;
  document.dispatchEvent(new MouseEvent('charlotte:expects', { screenX: age }));
  return pending;
};

const MISCOUNTED = 1; // ms by which the clock of a page may be coarser

/**
 * Wait for what the page does after an event in timers of 0 ms and in frames, as editors do that choose a part of a
 * field after the focus. Frames are waited for if `always`, or if the page has asked for one since that time.
 * @param {number} since @param {boolean} [always]
 */
export const waitForHandlers = async (since, always = false) => {
  if (isScriptless()) return;
  await later(1); // fires after all timers that were due
  if (!always && !pendingOf(now() - since + MISCOUNTED).frame) return;
  await frame();
  await frame();
  await later(1);
};

/** Wait until the page has handled what was typed. */
export const waitForTyping = async () => {
  await waitForHandlers(now(), true);
  return '{}';
};

/** @param {any} animation */
const remainingOf = (animation) => {
  const { endTime } = animation.effect.getComputedTiming();
  return (endTime - animation.currentTime) / Math.abs(animation.playbackRate);
};

/**
 * Running, driven by time, and through within `cap` ms: a spinner or a long marquee is not waited for.
 * @param {any} animation @param {number} cap
 */
const endsSoon = (animation, cap) =>
  animation.playState === 'running' && animation.effect !== null && animation.playbackRate !== 0
  && animation.timeline === timelineOf.call(document) && remainingOf(animation) <= cap;

/**
 * Animations of the document do not include those in shadow roots.
 * @param {any} root
 */
const animationsIn = (root) => (root === document ? getAnimations.call(document) : root.getAnimations());

/** @param {any[]} roots @param {number} cap */
export const isAnimating = (roots, cap) =>
  roots.some((root) => animationsIn(root).some((/** @type {any} */ animation) => endsSoon(animation, cap)));

/**
 * Begun since then, or about to begin. A style that is to change in an hour's time is no answer to an action.
 * @param {any} animation @param {number} since
 */
const isBegunSince = (animation, since) =>
  endsSoon(animation, LATEST_PENDING) && (animation.startTime ?? since) >= since;

/**
 * The ms of the shortest animation begun since that goes on, 0 if none does.
 * @param {any[]} roots @param {number} since
 */
export const animatedSince = (roots, since) => {
  const begun = roots.flatMap(animationsIn).filter((animation) => isBegunSince(animation, since));
  const lengths = begun.map((animation) => Math.round(animation.effect.getComputedTiming().endTime));
  return lengths.length > 0 ? Math.min(...lengths) : 0;
};
