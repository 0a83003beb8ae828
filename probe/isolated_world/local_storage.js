// The localStorage of the document's origin, for a restart of the browser.
import { digestOf } from './builtins.js';

const MOST_STORED = 1_000_000; // characters; a larger storage is not kept

const storedItems = () => {
  const items = [];
  let size = 0;
  for (let at = 0; at < localStorage.length; at += 1) {
    const name = localStorage.key(at) ?? '';
    const value = localStorage.getItem(name) ?? '';
    size += name.length + value.length;
    if (size > MOST_STORED) return null;
    items.push([name, value]);
  }
  return items;
};

/**
 * Return {checksum, snapshot: origin and items}, where items are null if they are too large; '' if the checksum is
 * `known`.
 * @param {number} known
 */
export const stored = (known) => {
  try {
    const snapshot = JSON.stringify({ origin: location.origin, items: storedItems() });
    const checksum = digestOf(snapshot);
    return checksum === known ? '' : JSON.stringify({ checksum, snapshot });
  } catch {
    return ''; // a document with an opaque origin has no storage
  }
};
