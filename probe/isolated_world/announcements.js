// Announcements of live regions. A toast may disappear before the page is quiet, so regions are read after changes of the
// DOM, for some time after a capture, which precedes every action.
import {
  addListener, closest, isConnectedOf, isSpaceOnly, matches, parentElementOf, queryAll, queryIn, rootElementOf, textContentOf,
} from './builtins.js';
import { now } from './clock.js';
import { rootOf } from './flat_tree.js';
import { isTick } from './tickers.js';
import { SEEN, sightOf } from './visibility.js';
import { visibleWordsOf } from './visible_text.js';

const LIVE = '[role=alert],[role=status],[aria-live=assertive],[aria-live=polite]';
const MOST_LIVE = 5;
const LONGEST_LIVE = 200;

/** @param {Element} element */
const liveText = (element) => {
  const isAnnounced = sightOf(element) === SEEN && parentElementOf.call(element)?.closest(LIVE) === null;
  return isAnnounced ? visibleWordsOf(element, LONGEST_LIVE) : '';
};

/** @param {(region: Element) => boolean} [isWanted] */
export const liveTexts = (isWanted = () => true) =>
  [...queryAll(document, LIVE)].filter(isWanted).map(liveText).filter((text) => text !== '').slice(0, MOST_LIVE);

const LISTENING_TIME = 5000; // ms
const MOST_ANNOUNCED = 20;
const announced = new Map(); // text → time of its last appearance
const ASSERTIVE = '[role=alert],[aria-live=assertive]';
const regionUpdates = new WeakMap(); // live region → time of its last text
let lastUpdate = 0;
let listensUntil = 0;
const READ_AFTER = 40; // ms
const PAUSE_FACTOR = 20; // times the duration of a check
let pausedUntil = 0;

/** Elements that came or changed since the last capture, with their texts as long as they are shown. @type {Map<Element, string>} */
const arrivals = new Map();
const MOST_ARRIVALS = 40;
const MOST_PARTS = 20;
const large = new WeakSet(); // elements with more parts, which are not counted again
const WIDGETS = 'input,select,textarea,[role=listbox],[role=menu],[role=tree],[role=textbox],[contenteditable]'; // no messages
const SENTENCE = /\S\s+\S.*[^.\u2026]$/; // not one word, and no progress such as "Please wait\u2026"

/** @param {boolean} isCapture */
export const listenForAnnouncements = (isCapture) => {
  listensUntil = now() + LISTENING_TIME;
  if (isCapture) arrivals.clear();
};

/**
 * Note an element that may show a message now: one with few parts and a short text.
 * @param {any} node
 */
const noteArrival = (node) => {
  if (!(node instanceof Element) || arrivals.size >= MOST_ARRIVALS || arrivals.has(node) || large.has(node)) return;
  if (closest.call(node, WIDGETS) ?? queryIn(node, WIDGETS)[0]) return;
  if (queryIn(node, '*').length > MOST_PARTS) large.add(node);
  const { length } = large.has(node) ? '' : textContentOf.call(rootOf(node) ?? node);
  if (length > 0 && length <= LONGEST_LIVE) arrivals.set(node, '');
};

/** @param {string} a @param {string} b */
const sharesWord = (a, b) => a.toLowerCase().split(' ').some((word) => b.toLowerCase().split(' ').includes(word));

/** Read the texts of elements that came, and return those that are gone again or replaced, as a toast without a role. */
const goneTexts = () => {
  const gone = [];
  for (const [element, text] of arrivals) {
    const isShown = isConnectedOf.call(element) && sightOf(element) === SEEN;
    const shown = isShown ? visibleWordsOf(element, LONGEST_LIVE) : '';
    if (text !== '' && SENTENCE.test(text) && !sharesWord(text, shown)) gone.push(text);
    if (shown !== '') arrivals.set(element, shown);
    else if (text !== '') arrivals.delete(element);
  }
  return gone;
};

/**
 * Record the messages that are shown and gone: seldom if that takes long, but `always` for an answer.
 * @param {boolean} always
 */
export const recordAnnouncements = (always = false) => {
  const time = now();
  if (time > listensUntil || (time < pausedUntil && !always)) return;
  for (const text of [...liveTexts(), ...goneTexts()]) {
    announced.delete(text);
    announced.set(text, time);
  }
  for (const text of announced.keys()) {
    if (announced.size <= MOST_ANNOUNCED) break;
    announced.delete(text);
  }
  pausedUntil = now() + PAUSE_FACTOR * (now() - time);
};

addListener.call(document, 'beforetoggle', (/** @type {any} */ { newState, target }) => {
  if (newState !== 'open' || now() > listensUntil) return;
  noteArrival(target); // no change of the DOM shows a popover
  setTimeout(recordAnnouncements, READ_AFTER);
}, true);

/**
 * Return the live regions that a change has put text into: the region around it, and assertive regions that were
 * added.
 * @param {any} subject
 */
const changedRegions = ({ target, addedNodes }) => {
  const holder = target instanceof Element ? target : parentElementOf.call(target);
  const region = holder === null ? null : closest.call(holder, LIVE);
  const added = [...addedNodes].filter((node) => node instanceof Element);
  const assertive = added.flatMap((node) => [node, ...queryIn(node, ASSERTIVE)]).filter((node) => matches.call(node, ASSERTIVE));
  return region === null ? assertive : [region, ...assertive];
};

/**
 * Note which live regions received text, also if it is the same text; tickers are ignored.
 * @param {MutationRecord[]} changes @param {number} time
 */
export const noteRegionUpdates = (changes, time) => {
  if (time > listensUntil) return;
  for (const change of changes) {
    const isTicking = isTick(change, time);
    const { target, type } = change;
    for (const node of isTicking ? [] : change.addedNodes) noteArrival(node instanceof Element ? node : target);
    if (type !== 'childList' && !isTicking) noteArrival(type === 'attributes' ? target : parentElementOf.call(target));
    const regions = type === 'attributes' || isTicking ? [] : changedRegions(change);
    const addsText = () => [...change.addedNodes].some((node) => !isSpaceOnly(textContentOf.call(node) ?? ''));
    if (regions.length === 0 || !(type === 'characterData' || addsText())) continue;
    for (const region of regions) regionUpdates.set(region, time);
    lastUpdate = time;
  }
};

/**
 * Return the texts of live regions that were updated since then; undefined for none.
 * @param {number} since
 */
export const updatedSince = (since) => {
  const texts = lastUpdate < since ? [] : liveTexts((region) => regionUpdates.get(region) >= since);
  return texts.length > 0 ? texts : undefined;
};

/**
 * Return the announcements since then that are not shown any more; undefined for none.
 * @param {number} since
 */
export const vanishedSince = (since) => {
  recordAnnouncements(true);
  const texts = [...announced].filter(([, when]) => when >= since).map(([text]) => text);
  const root = rootElementOf.call(document);
  const present = texts.length > 0 && root !== null ? [...liveTexts(), visibleWordsOf(root, Infinity)] : [];
  const gone = texts.filter((text) => !present.some((shown) => shown.includes(text)));
  return gone.length > 0 ? gone : undefined;
};
