// The numbers of elements: assigned once, kept while the element lives, resolved in constant time.
import { isConnectedOf } from './builtins.js';

export const numbers = new WeakMap();
const numbered = new Map();
const forget = new FinalizationRegistry((nid) => numbered.delete(nid));
let lastNumber = 0;

/** @param {Element} element */
const assignNumber = (element) => {
  lastNumber += 1;
  numbers.set(element, lastNumber);
  numbered.set(lastNumber, new WeakRef(element));
  forget.register(element, lastNumber);
  return lastNumber;
};

/** @param {Element} element */
export const nidOf = (element) => numbers.get(element) ?? assignNumber(element);

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

/** @param {Row} row */
export const elementOfRow = (row) => numbered.get(row[0])?.deref();
