// What live regions say only for a moment: a toast may be gone before the page stands still. Looked for after changes
// of the DOM, for some time after a capture, as that comes before an action.
import {
  closest, isSpaceOnly, matches, parentElementOf, queryAll, queryIn, textContentOf,
} from './builtins.js';
import { now } from './clock.js';
import { isTick } from './tickers.js';
import { SEEN, sightOf } from './visibility.js';
import { visibleWordsOf } from './visible_text.js';

const LIVE = '[role=alert],[role=status],[aria-live=assertive],[aria-live=polite]';
const MOST_LIVE = 5;
const LONGEST_LIVE = 200;

/** @param {Element} element */
const liveText = (element) => {
  const isHeard = sightOf(element) === SEEN && parentElementOf.call(element)?.closest(LIVE) === null;
  return isHeard ? visibleWordsOf(element, LONGEST_LIVE) : '';
};

/** What the live regions say now: a page tells in them what its user has to hear. */
export const liveTexts = () =>
  [...queryAll(document, LIVE)].map(liveText).filter((text) => text !== '').slice(0, MOST_LIVE);

const LISTENING_TIME = 5000; // ms
const MOST_ANNOUNCED = 20;
const announced = new Map(); // text → when it was last there
const ASSERTIVE = '[role=alert],[aria-live=assertive]';
const regionUpdates = new WeakMap(); // live region → when a text was last put into it
let lastUpdate = 0;
let listensUntil = 0;
const PAUSE_FACTOR = 20; // times as long as a look takes
let pausedUntil = 0;

export const listenForAnnouncements = () => { listensUntil = now() + LISTENING_TIME; };

export const recordAnnouncements = () => {
  const time = now();
  if (time > listensUntil || time < pausedUntil) return;
  for (const text of liveTexts()) {
    announced.delete(text);
    announced.set(text, time);
  }
  for (const text of announced.keys()) {
    if (announced.size <= MOST_ANNOUNCED) break;
    announced.delete(text);
  }
  pausedUntil = now() + PAUSE_FACTOR * (now() - time);
};

/** @param {any} node */
const hasText = (node) => !isSpaceOnly(textContentOf.call(node) ?? '');

/** @param {any} subject */
const addsText = ({ type, addedNodes }) => type === 'characterData' || [...addedNodes].some(hasText);

/**
 * The live regions that a change has put a text into: the one around it, and those that came with it to interrupt.
 * @param {any} subject
 */
const changedRegions = ({ target, addedNodes }) => {
  const holder = target instanceof Element ? target : parentElementOf.call(target);
  const around = holder === null ? null : closest.call(holder, LIVE);
  const added = [...addedNodes].filter((node) => node instanceof Element);
  const came = added.flatMap((node) => [node, ...queryIn(node, ASSERTIVE)]).filter((node) => matches.call(node, ASSERTIVE));
  return around === null ? came : [around, ...came];
};

/**
 * Remember which live regions were given a text, be it the one they had; not of those that are all the time.
 * @param {MutationRecord[]} changes @param {number} time
 */
export const noteRegionUpdates = (changes, time) => {
  if (time > listensUntil) return;
  for (const change of changes) {
    const regions = change.type === 'attributes' || isTick(change, time) ? [] : changedRegions(change);
    if (regions.length === 0 || !addsText(change)) continue;
    for (const region of regions) regionUpdates.set(region, time);
    lastUpdate = time;
  }
};

/**
 * What live regions say that have been given a text since then, if any were.
 * @param {number} since
 */
export const updatedSince = (since) => {
  const given = lastUpdate < since ? [] : [...queryAll(document, LIVE)].filter((each) => regionUpdates.get(each) >= since);
  const texts = given.map(liveText).filter((text) => text !== '').slice(0, MOST_LIVE);
  return texts.length > 0 ? texts : undefined;
};

/**
 * What was said since then and is not there any more, if anything was.
 * @param {number} since
 */
export const vanishedSince = (since) => {
  const texts = [...announced].filter(([, when]) => when >= since).map(([text]) => text);
  const present = texts.length > 0 ? liveTexts() : [];
  const gone = texts.filter((text) => !present.includes(text));
  return gone.length > 0 ? gone : undefined;
};
