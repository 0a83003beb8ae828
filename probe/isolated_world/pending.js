// Pending work of the page: timers and requests, which the main world reports (pending_work.js), and animations.
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
 * Return the work that began within the last `age` ms: {short: ms until it ends, long: ms of a timer, every: ms of an
 * interval, frame: whether a frame was requested}. With `once`, intervals are left out.
 * @param {number} age @param {boolean} [once]
 */
export const pendingOf = (age, once = false) => {
  Object.assign(pending, { short: 0, long: 0, every: 0, frame: false });
  document.dispatchEvent(new MouseEvent('charlotte:expects', { screenX: age, screenY: once ? 1 : 0 }));
  return pending;
};

const CLOCK_ERROR = 1; // ms by which the clock of a page may be coarser

/**
 * Wait for handlers in timers of 0 ms and in frames, as editors use after a focus. Frames are waited for if `always`,
 * or if the page has requested a frame since then.
 * @param {number} since @param {boolean} [always]
 */
export const waitForHandlers = async (since, always = false) => {
  if (isScriptless()) return;
  await later(1); // fires after all timers that were due
  if (!always && !pendingOf(now() - since + CLOCK_ERROR).frame) return;
  await frame();
  await frame();
  await later(1);
};

/**
 * Wait until the page has handled typed text. With `age`, wait also for timers that were set within the last `age` ms,
 * such as that of a search after a pause: up to `LONGEST_PENDING`.
 * @param {number} [age]
 */
export const waitForTyping = async (age = 0) => {
  const start = now();
  await waitForHandlers(start, true);
  const remaining = () => Math.min(pendingOf(now() - start + age, true).short, start + LONGEST_PENDING - now());
  while (age > 0 && !isScriptless() && remaining() > 0) {
    await later(remaining());
    await frame();
  }
  return '{}';
};

/**
 * Return whether an animation is running, driven by time, and ends within `cap` ms: spinners are ignored.
 * @param {any} animation @param {number} cap
 */
const endsSoon = (animation, cap) =>
  animation.playState === 'running' && animation.effect !== null && animation.playbackRate !== 0
  && animation.timeline === timelineOf.call(document)
  && (animation.effect.getComputedTiming().endTime - animation.currentTime) / Math.abs(animation.playbackRate) <= cap;

/**
 * Return the animations of a root: those of the document do not include shadow roots.
 * @param {any} root
 */
const animationsIn = (root) => (root === document ? getAnimations.call(document) : root.getAnimations());

/** @param {any[]} roots @param {number} cap */
export const isAnimating = (roots, cap) =>
  roots.some((root) => animationsIn(root).some((/** @type {any} */ animation) => endsSoon(animation, cap)));

/**
 * Return the ms of the shortest animation that began since then or is about to begin, and ends within `LATEST_PENDING`; 0
 * for none.
 * @param {any[]} roots @param {number} since
 */
export const animatedSince = (roots, since) => {
  const animations = roots.flatMap(animationsIn).filter((animation) =>
    endsSoon(animation, LATEST_PENDING) && (animation.startTime ?? since) >= since);
  const lengths = animations.map((animation) => Math.round(animation.effect.getComputedTiming().endTime));
  return lengths.length > 0 ? Math.min(...lengths) : 0;
};
