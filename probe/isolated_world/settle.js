// settle(): waits until the page is quiet: two frames without a change of the DOM, without an animation that is about to
// end, and with no work queued; gives up at a cap.
import { listenForAnnouncements, updatedSince, vanishedSince } from './announcements.js';
import {
  addListener, CAPTURED, contains, elementsIn, isConnectedOf, isElement, isScriptless, localNameOf, rootElementOf,
} from './builtins.js';
import { takeCopied } from './clipboard.js';
import { frame, later, NO_FRAME, now } from './clock.js';
import { deepActive, openRoots } from './flat_tree.js';
import { describeElement } from './hit_test.js';
import { changedSince, digest, observe } from './mutations.js';
import { animatedSince, isAnimating, pending, pendingOf } from './pending.js';
import { hasDrawn, lastPress } from './press_check.js';
import { isTick, noteRest } from './tickers.js';
import { SEEN, sightOf } from './visibility.js';

const SLICE = 1000; // ms after which settle answers in any case; `more` if another call may help
const IS_TOP = window === window.top; // frames out of sight are never drawn

/**
 * Return the work since then that is not waited for.
 * @param {any[]} roots @param {number} since
 */
const leftSince = (roots, since) =>
  ({ later: pending.long, every: pending.every, animation: animatedSince(roots, since) });

/**
 * Wait for animations only: without scripts, only styles can answer an action.
 * @param {number} cap @param {number} since
 */
const untilDrawn = async (cap, since) => {
  const [end, roots] = [now() + cap, openRoots()];
  do await frame();
  while (isAnimating(roots, cap) && now() < end);
  return { settled: true, waited: [], ...leftSince(roots, since) };
};

/** @param {number} since */
const newWatch = (since) => {
  digest();
  /** @type {any} */
  const watch = { mutates: false, scrolls: false, observer: null, roots: [], note: null, count: null };
  watch.count = (/** @type {MutationRecord[]} */ records) => {
    watch.mutates ||= records.some((record) => !isTick(record, since));
    if (watch.mutates) watch.observer.disconnect(); // until the next look: one change is enough
  };
  watch.observer = new MutationObserver(watch.count);
  watch.note = (/** @type {Event} */ event) => { watch.scrolls = event.type === 'scroll'; };
  watch.roots = observe(watch.observer);
  for (const type of ['scroll', 'scrollend']) document.addEventListener(type, watch.note, CAPTURED);
  return watch;
};

/**
 * Return the activity since the last check: "mutations", "scrolling", "animations", or '' for none.
 * @param {any} watch @param {number} cap
 */
const activitySince = (watch, cap) => {
  watch.count(watch.observer.takeRecords());
  if (watch.scrolls) return 'scrolling';
  if (!watch.mutates) return isAnimating(watch.roots, cap) ? 'animations' : '';
  watch.mutates = false;
  watch.roots = observe(watch.observer);
  return 'mutations';
};

const MAX_TRANSIT = 1000; // ms; a browser elsewhere may have another clock
const USUAL_TRANSIT = 20; // ms to there

/**
 * Return the ms that a request took to arrive; a request from the future was timed by another clock.
 * @param {number} sent
 */
const transitTime = (sent) => {
  const transit = Date.now() - sent;
  return transit < -1 ? USUAL_TRANSIT : Math.min(Math.max(transit, 0), MAX_TRANSIT);
};

const STEP = 50; // ms

/**
 * Return whether all queued scripts, messages and responses ran within `ms`. A slice of time in which one of them ran
 * counts as one step at most.
 * @param {number} ms
 */
const allQueuedRan = async (ms) => {
  let ran = false;
  const task = scheduler.postTask(() => { ran = true; }, { priority: 'background' });
  for (let left = ms; left > 0 && !ran; left -= STEP) await Promise.race([task, later(STEP)]);
  return ran;
};

const MAX_VISUAL_CHANGES = 3;

/**
 * Describe a change that may be visible although no text, state or name differs; '' for none.
 * @param {any} subject
 */
const visualChange = ({ type, attributeName: name, addedNodes, removedNodes }) => {
  if (type === 'attributes') return name.startsWith('aria-') || name.startsWith('data-') ? '' : name;
  const [added, removed] = [addedNodes, removedNodes].map((nodes) => [...nodes].find(isElement));
  if (added !== undefined) return `<${localNameOf.call(added)}> added in`;
  return removed === undefined ? '' : `<${localNameOf.call(removed)}> removed from`;
};

/**
 * Describe up to `MAX_VISUAL_CHANGES` visual changes since then ("class of div#a"), first those around or inside the
 * target of the action; undefined for none.
 * @param {number} since
 */
const visualChangesSince = (since) => {
  const press = lastPress !== null && lastPress.time >= since ? lastPress : null;
  const element = press?.element ?? deepActive() ?? document.body;
  /** @type {string[][]} */
  const changes = [[], []];
  if (press !== null && hasDrawn()) changes[0].push(`drawing on ${describeElement(press.canvas)}`);
  for (const record of changedSince(since)) {
    const { target, type } = /** @type {any} */ (record);
    const look = visualChange(record);
    if (look === '' || !isElement(target) || !isConnectedOf.call(target) || sightOf(target) !== SEEN) continue;
    const words = `${look}${type === 'attributes' ? ' of' : ''} ${describeElement(target)}`;
    const isRelated = element !== null && (contains.call(target, element) || contains.call(element, target));
    const list = changes[isRelated ? 0 : 1];
    if (!list.includes(words)) list.push(words);
    if (changes[0].length >= MAX_VISUAL_CHANGES) break;
  }
  const all = changes.flat().slice(0, MAX_VISUAL_CHANGES);
  return all.length > 0 ? all : undefined;
};

let prints = false; // since the last answer
addListener.call(document, 'charlotte:prints', () => { prints = true; }, true);

/**
 * Wait for `frames` frames without activity and without pending work that began since then. Activity is given up
 * `cap` ms after the present pending work. Late frames do not count against the page.
 * @param {any} watch @param {number} frames @param {number} cap @param {number} since
 */
const untilQuiet = async (watch, frames, cap, since) => {
  const isPending = () => pendingOf(now() - since).short > 0;
  const last = now() + SLICE;
  let end = now() + cap + pendingOf(now() - since).short;
  const waited = new Set();
  let quiet = 0;
  let expects = isPending();
  let reason = '';
  let [drawn, ran, busy] = [false, false, false];
  const isQuiet = () => quiet >= frames && !expects;
  const isOver = () => busy || now() >= (drawn && (quiet === 0 || expects) ? end : last);
  while (!(ran && isQuiet()) && !isOver()) {
    if (isQuiet()) busy = !(ran = await allQueuedRan(cap));
    else {
      if (quiet >= frames) waited.add('timers');
      drawn = await frame(IS_TOP ? last - now() : NO_FRAME) || !IS_TOP || drawn;
      if (expects && !isPending()) await later(1); // fires after all timers that are due
    }
    expects = isPending();
    reason = activitySince(watch, cap);
    quiet = reason === '' ? quiet + 1 : 0;
    if (reason === '') continue;
    ran = false;
    waited.add(reason);
    if (reason === 'scrolling') end = Math.min(now() + cap, last);
  }
  const settled = ran && isQuiet();
  const isLate = quiet > 0 || !drawn || reason === 'scrolling';
  const more = !settled && !busy && !expects && isLate ? true : undefined;
  const why = busy ? 'scripts of the page kept running' : drawn || settled ? undefined : 'the browser draws no frames';
  digest();
  if (settled) noteRest(since);
  const [isPrinting, shown] = [prints || undefined, document.fullscreenElement];
  prints = false;
  return {
    settled, waited: [...waited], ...leftSince(watch.roots, since), more, why,
    vanished: vanishedSince(since), updated: updatedSince(since), visual: visualChangesSince(since),
    copied: takeCopied(), prints: isPrinting, full: shown === null ? undefined : describeElement(shown),
  };
};

const LONGEST_STEP = 500; // ms between two steps of a script that draws a page piece by piece
const MAX_WATCH_TIME = 250; // ms
const NEW_DOCUMENT_TIME = 10000; // ms

const sizeNow = () => elementsIn.call(rootElementOf.call(document), '*').length;

/** Return whether a timer of a new document adds elements and another timer will follow. */
const isStillBuilding = async () => {
  const { short, every } = pendingOf(now());
  const next = Math.min(short, every) || Math.max(short, every);
  if (next === 0 || next > LONGEST_STEP || now() > NEW_DOCUMENT_TIME || rootElementOf.call(document) === null) return false;
  const before = sizeNow();
  await later(Math.min(next, MAX_WATCH_TIME) + STEP);
  const rest = pendingOf(now());
  return sizeNow() > before && (rest.short > 0 || rest.every > 0);
};

/**
 * Wait until the page is quiet. Return a promise of {settled, waited: ["mutations"|"animations"|"scrolling"|"timers",
 * …], later, every, animation, more?, why?, vanished?, updated?, visual?, building?}. `cap` is in ms; `age` is the ms
 * since the action at the time `sent` (ms since the epoch). `later` is the ms of a longer timer, `every` of an
 * interval that goes on, `animation` of an animation that goes on, 0 for none. `more`: a longer wait may help.
 * `vanished`: announcements that are no longer shown, `updated`: announcements that are shown, `visual`: visual
 * changes, `copied`: what the page has copied, `prints`: it asked to print, `full`: what fills the screen,
 * `building`: a script still adds to a new document.
 * @param {any} [options]
 */
export const settle = async ({ frames = 2, cap = 500, age = 0, sent = Date.now(), arrival = false } = {}) => {
  const since = now() - (age > 0 ? age + transitTime(sent) : 0);
  if (isScriptless()) return JSON.stringify(await untilDrawn(cap, since));
  listenForAnnouncements(false);
  const watch = newWatch(since);
  try {
    /** @type {Extra} */
    const quiet = await untilQuiet(watch, frames, cap, since);
    if (arrival && quiet.settled && await isStillBuilding()) quiet.building = true;
    return JSON.stringify(quiet);
  } finally {
    watch.observer.disconnect();
    for (const type of ['scroll', 'scrollend']) document.removeEventListener(type, watch.note, CAPTURED);
  }
};
