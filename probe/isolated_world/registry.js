// The numbers of elements: assigned once, kept while the element lives, resolved in constant time.
import { isConnectedOf, remembered } from './builtins.js';

export let hasNewReports = false; // since the last walk
export let reportCount = 0;

export const noteReport = () => { reportCount += 1; };

export const clearNewReports = () => { hasNewReports = false; };

/** Ask the main world to report the elements that got listeners since the last time. */
export const requestReports = () => EventTarget.prototype.dispatchEvent.call(document, new Event('charlotte:listeners'));

/**
 * Collect the elements that events of a name report, as target or related target.
 * @param {string} name
 */
export const reportedBy = (name) => {
  const reported = new WeakSet();
  EventTarget.prototype.addEventListener.call(document, name, (/** @type {any} */ event) => {
    event.stopImmediatePropagation();
    event.preventDefault();
    noteReport();
    const element = event.relatedTarget ?? event.composedPath()[0];
    if (!(element instanceof Element) || reported.has(element)) return;
    reported.add(element);
    hasNewReports = true;
  }, true);
  return reported;
};

export const numbers = new WeakMap();
const numbered = new Map();
const forget = new FinalizationRegistry((nid) => numbered.delete(nid));
let lastNumber = 0;

/** @param {Element} element */
export const nidOf = (element) => remembered(numbers, element, () => {
  lastNumber += 1;
  numbered.set(lastNumber, new WeakRef(element));
  forget.register(element, lastNumber);
  return lastNumber;
});

/**
 * Return the element with this number, or null once it is out of the document.
 * @param {number} nid @returns {any}
 */
export const elementOf = (nid) => {
  const element = numbered.get(nid)?.deref();
  return element !== undefined && isConnectedOf.call(element) ? element : null;
};

/** The answer for a number whose element is not in the document. */
export const GONE_ANSWER = JSON.stringify({ error: 'gone' });

/**
 * Let a function of an element take its number and answer in JSON: `GONE_ANSWER` without the element.
 * @param {(element: any, ...given: any[]) => unknown} run
 */
export const byNumber = (run) => (/** @type {number} */ nid, /** @type {any[]} */ ...given) => {
  const element = elementOf(nid);
  return element === null ? GONE_ANSWER : JSON.stringify(run(element, ...given));
};

/** @param {Row} row */
export const elementOfRow = (row) => numbered.get(row[0])?.deref();
