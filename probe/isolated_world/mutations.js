// What has changed in the document since the last capture, and what of it a capture can take from memory.
import { noteRegionUpdates, recordAnnouncements } from './announcements.js';
import {
  adoptedOf, attribute, closest, isScriptless, isText, localNameOf, matches, parentNodeOf, querySelector,
  setOf, shadowRootOf, styleSheetsOf,
} from './builtins.js';
import { forgetAround, forgetNames, forgetNamesIn } from './caches.js';
import { now } from './clock.js';
import { openRoots } from './flat_tree.js';
import { walked } from './pass.js';
import { rulesOf } from './text_lines.js';
import { beginBlindness, endBlindness, isTick, noteTicks } from './tickers.js';

const WHOLE_TEXT = setOf('style script option textarea slot');
const CONTROLS_BESIDE = ':scope > :is(input,button,select,textarea)';
const NAMING_OTHERS = 'label,[aria-owns]';
const REFERRING = setOf('id for aria-owns');
// Attributes that decide nothing the walk decides; what CSS makes of them is read again in any case.
const HARMLESS = setOf('style disabled value checked selected required readonly min max step src width height '
  + 'aria-expanded aria-pressed aria-selected aria-checked aria-disabled aria-invalid aria-required aria-readonly '
  + 'aria-valuenow aria-valuetext aria-busy aria-current');

// The browser makes each record while a script of the page runs, and then watches each node that was removed until the
// script ends: both take longer than many a change itself. So observing has a budget. A page that has used it up is not
// observed until the next look or for a while, and then read as a whole.
const RECORD = 4; // times the cost of an added or a removed node
const BUDGET = 20000; // of nodes at once, and of those that records keep alive until the next look
const REFILL = 20; // of nodes per ms
const MOST_SAMPLED = 1000; // records in which to look for what changes all the time
const DIGEST_AFTER = 40; // ms after which changes are gone through; those that follow one another share it

let observedRoots = new WeakSet();
/** @type {{ time: number, records: MutationRecord[] }[]} */
let batches = []; // {time, records} to be gone through
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
 * Spend the budget; the ms until there is some again, 0 if some is left.
 * @param {number} cost @param {number} time
 */
const spend = (cost, time) => {
  budget = Math.min(BUDGET, budget + (time - refilled) * REFILL) - cost;
  refilled = time;
  return budget < 0 ? -budget / REFILL : 0;
};

/**
 * Keep no more changes until the next look, but a few of these to go through.
 * @param {MutationRecord[]} more @param {number} time
 */
const flood = (more, time) => {
  flooded = true;
  records = [];
  recorded = 0;
  batches.push({ time, records: more.slice(0, MOST_SAMPLED) });
};

/** Go through the changes that have been taken in. */
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
 * Take changes in. This runs at the end of the page's own task, so it leaves the work for later.
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
    flooded = true; // for we would not be told
    return;
  }
  endBlindness();
  observedRoots.add(root);
  changesObserver.observe(root, EVERYTHING);
};

/**
 * Stop observing for so many ms, at most until the next look: a whole walk observes every root again.
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
 * What has changed since the last capture, without what changes all the time; the records are left for that.
 * @param {number} since
 */
export const changedSince = (since) => {
  digest();
  return records.filter((record) => !isTick(record, since));
};

/** The records since the last time; null when there were too many. A whole walk observes every root again. */
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
 * Text decides how the walk goes only beside a control, in what may be left out, and where it is a node like
 * others.
 * @param {any} parent
 */
const isHarmlessText = (parent) =>
  parent instanceof Element && !WHOLE_TEXT.has(localNameOf.call(parent)) && shadowRootOf.call(parent) === null
  && closest.call(parent, '[aria-hidden],[inert]') === null && querySelector.call(parent, CONTROLS_BESIDE) === null;

/** @param {any} parent */
const textChanged = (parent) => {
  if (parent instanceof Element) forgetAround(parent);
  return isHarmlessText(parent);
};

/** @param {any} node */
const namesOthers = (node) =>
  node instanceof Element && (matches.call(node, NAMING_OTHERS) || querySelector.call(node, NAMING_OTHERS) !== null);

/** @param {any} subject */
const childrenChanged = ({ target: parent, addedNodes, removedNodes }) => {
  const nodes = [...addedNodes, ...removedNodes];
  if (nodes.every(isText)) return textChanged(parent);
  if (nodes.some(namesOthers)) forgetNames();
  for (const node of addedNodes) if (node instanceof Element) forgetNamesIn(node);
  if (parent instanceof Element) forgetAround(parent);
  return false;
};

/** @param {Element} element @param {string} name */
const attributeChanged = (element, name) => {
  if (REFERRING.has(name)) forgetNames();
  forgetNamesIn(element);
  forgetAround(element);
  if (name === 'style') return !attribute(element, 'style')?.includes('cursor');
  return HARMLESS.has(name) || name.startsWith('data-');
};

/**
 * Forget the names that may have changed with it; whether the walk would go on as it did.
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
 * One record of each text and each attribute that changed: a page may move a thing in a hundred steps.
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
 * Whether the walk would go on as it did; where one change is not harmless, all names are to be asked for again.
 * @param {MutationRecord[]} changes
 */
export const areHarmless = (changes) => withoutRepeats(changes).filter((each) => !isHarmless(each)).length === 0;

/** @param {any} root */
const sheetsOf = (root) =>
  (root === document
    ? [...styleSheetsOf.call(root), ...adoptedOf.call(root)]
    : [...root.styleSheets, ...root.adoptedStyleSheets]);

/** @param {any} sheet */
const sheetFacts = (sheet) => {
  const rules = rulesOf(sheet);
  return [sheet, sheet.disabled, rules.length, rules[0], rules[rules.length - 1]];
};

/**
 * What tells whether other rules hold: the document, its sheets with their first and last rules, the window's size.
 * @param {any[]} roots
 */
export const rulesNow = (roots) =>
  [document, innerWidth, innerHeight, ...roots.flatMap(sheetsOf).flatMap(sheetFacts)];

/**
 * Returns the document and its shadow roots, all of which are observed.
 * @param {MutationObserver} observer @param {any[]} [roots]
 */
export const observe = (observer, roots = openRoots()) => {
  for (const root of roots) observer.observe(root, EVERYTHING);
  return roots;
};
