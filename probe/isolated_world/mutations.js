// Changes of the document since the last capture, and their effect on the caches. Chromium creates each record while a script
// of the page runs, and then tracks each removed node until the script ends: both take longer than many a change itself. So
// observing has a budget. A page that exceeds it is not observed until the next reading or for a while, and is then read as
// a whole.
import { noteRegionUpdates, recordAnnouncements } from './announcements.js';
import {
  attribute, closest, isScriptless, isText, localNameOf, matches, parentNodeOf, querySelector, setOf, shadowRootOf,
} from './builtins.js';
import { forgetWithAncestors, forgetNames, forgetNamesIn } from './caches.js';
import { VEILING } from './clickable.js';
import { now } from './clock.js';
import { openRoots } from './flat_tree.js';
import { walked } from './pass.js';
import { beginBlindness, endBlindness, isTick, noteTicks } from './tickers.js';

const WHOLE_TEXT = setOf('style script option textarea slot');
const SIBLING_CONTROLS = ':scope > :is(input,button,select,textarea)';
const NAMING_OTHERS = 'label,[aria-owns]';
const REFERRING = setOf('id for aria-owns');
// Attributes that decide nothing the walk decides; what CSS makes of them is read again in any case.
const HARMLESS = setOf('style disabled value checked selected required readonly min max step src width height '
  + 'aria-expanded aria-pressed aria-selected aria-checked aria-disabled aria-invalid aria-required aria-readonly '
  + 'aria-valuenow aria-valuetext aria-busy aria-current');

const RECORD = 4; // times the cost of an added or a removed node
const BUDGET = 20000; // of nodes at once, and of those that records keep alive until the next look
const REFILL = 20; // of nodes per ms
const MOST_SAMPLED = 1000; // records in which tickers are looked for
const DIGEST_AFTER = 40; // ms after which changes are processed together

let observedRoots = new WeakSet();
/** @type {{ time: number, records: MutationRecord[] }[]} */
let batches = []; // {time, records} to be processed
/** @type {MutationRecord[]} */
let records = [];
export let recorded = 0; // cost of the batches and records
export let flooded = false;
let budget = BUDGET;
let refilled = 0;
let resuming = 0; // the timer that ends a pause
let isDigestDue = false;

/** @param {MutationRecord[]} changes */
const costOf = (changes) => {
  let cost = changes.length * RECORD;
  if (cost > 2 * BUDGET) return cost;
  for (const change of changes) {
    if (change.type === 'childList') cost += change.addedNodes.length + change.removedNodes.length;
  }
  return cost;
};

/**
 * Spend the budget; return the ms until some is available again, 0 if some is left.
 * @param {number} cost @param {number} time
 */
const spend = (cost, time) => {
  budget = Math.min(BUDGET, budget + (time - refilled) * REFILL) - cost;
  refilled = time;
  return budget < 0 ? -budget / REFILL : 0;
};

/**
 * Drop further changes until the next reading, except a sample.
 * @param {MutationRecord[]} more @param {number} time
 */
const flood = (more, time) => {
  flooded = true;
  records = [];
  recorded = 0;
  batches.push({ time, records: more.slice(0, MOST_SAMPLED) });
};

/** Process the changes that have been collected. */
export const digest = () => {
  const taken = batches;
  batches = [];
  for (const { time, records: changes } of taken) {
    noteTicks(changes, time);
    noteRegionUpdates(changes, time);
    if (!flooded) for (const each of changes) records.push(each);
  }
};

const digestSoon = () => {
  if (isDigestDue) return;
  isDigestDue = true;
  setTimeout(() => {
    isDigestDue = false;
    digest();
    recordAnnouncements();
  }, DIGEST_AFTER);
};

/**
 * Collect changes. This runs at the end of the page's own task, so the processing is deferred.
 * @param {MutationRecord[]} more
 */
export const noteChanges = (more) => {
  if (more.length === 0) return;
  const time = now();
  const cost = costOf(more);
  const pause = spend(cost, time);
  if (flooded || pause > 0 || recorded + cost > BUDGET) flood(more, time);
  else {
    batches.push({ time, records: more });
    recorded += cost;
  }
  if (pause > 0) pauseObserving(pause);
  digestSoon();
};

export const changesObserver = new MutationObserver(noteChanges);

export const EVERYTHING = Object.freeze({ subtree: true, childList: true, attributes: true, characterData: true });

/** @param {any} root */
export const watchRoot = (root) => {
  if (observedRoots.has(root)) return;
  if (isScriptless()) {
    flooded = true; // changes are not reported
    return;
  }
  endBlindness();
  observedRoots.add(root);
  changesObserver.observe(root, EVERYTHING);
};

/**
 * Stop observing for some ms, at most until the next reading, which observes every root again.
 * @param {number} ms
 */
const pauseObserving = (ms) => {
  changesObserver.disconnect();
  observedRoots = new WeakSet();
  beginBlindness();
  clearTimeout(resuming);
  resuming = setTimeout(() => { for (const root of walked?.roots ?? [document]) watchRoot(root); }, ms);
};

/**
 * Return the changes since the last capture without tickers; the records are kept for the next capture.
 * @param {number} since
 */
export const changedSince = (since) => {
  digest();
  return records.filter((record) => !isTick(record, since));
};

/** Return the records since the last call; null if there were too many. */
export const takeRecords = () => {
  noteChanges(changesObserver.takeRecords());
  digest();
  const taken = flooded ? null : records;
  records = [];
  recorded = 0;
  flooded = false;
  budget = BUDGET;
  return taken;
};

/**
 * Forget the names that a text change alters. Return whether it cannot alter the walk: it can next to controls, in excluded
 * parts, and in slots.
 * @param {any} parent
 */
const textChanged = (parent) => {
  if (!(parent instanceof Element)) return false;
  forgetWithAncestors(parent);
  return !WHOLE_TEXT.has(localNameOf.call(parent)) && shadowRootOf.call(parent) === null
    && closest.call(parent, '[aria-hidden],[inert]') === null && querySelector.call(parent, SIBLING_CONTROLS) === null;
};

/** @param {any} subject */
const childrenChanged = ({ target: parent, addedNodes, removedNodes }) => {
  const nodes = [...addedNodes, ...removedNodes];
  if (nodes.every(isText)) return textChanged(parent);
  const elements = nodes.filter((node) => node instanceof Element);
  if (elements.some((one) => matches.call(one, NAMING_OTHERS) || querySelector.call(one, NAMING_OTHERS) !== null)) forgetNames();
  for (const node of addedNodes) if (node instanceof Element) forgetNamesIn(node);
  if (parent instanceof Element) forgetWithAncestors(parent);
  return false;
};

/** @param {Element} element @param {string} name */
const attributeChanged = (element, name) => {
  if (REFERRING.has(name)) forgetNames();
  forgetNamesIn(element);
  forgetWithAncestors(element);
  if (name === 'style') return !VEILING.test(attribute(element, 'style') ?? '') && walked?.tinted.has(element) !== true;
  return HARMLESS.has(name) || name.startsWith('data-');
};

/**
 * Forget the names that a change may affect; return whether the walk would take the same course.
 * @param {any} record
 */
const isHarmless = (record) => {
  switch (record.type) {
    case 'characterData': return textChanged(parentNodeOf.call(record.target));
    case 'childList': return childrenChanged(record);
    default: return attributeChanged(record.target, record.attributeName);
  }
};

/**
 * Keep one record of each text and attribute: a page may move an element in a hundred steps.
 * @param {MutationRecord[]} changes
 */
const withoutRepeats = (changes) => {
  const seen = new Map();
  return changes.filter(({ type, target, attributeName }) => {
    if (type === 'childList') return true;
    const names = seen.get(target) ?? seen.set(target, new Set()).get(target);
    return !names.has(attributeName) && names.add(attributeName);
  });
};

/**
 * Return whether the walk would take the same course after all changes.
 * @param {MutationRecord[]} changes
 */
export const areHarmless = (changes) => withoutRepeats(changes).filter((each) => !isHarmless(each)).length === 0;

/**
 * Observe the document and its shadow roots, and return them.
 * @param {MutationObserver} observer @param {any[]} [roots]
 */
export const observe = (observer, roots = openRoots()) => {
  for (const root of roots) observer.observe(root, EVERYTHING);
  return roots;
};
