// Caches of names, texts and records. Names are the most expensive part of a capture. They are kept until a change may
// affect them: in the element, its contents, its size, or the text beside it. Names that depend on invisible changes (the
// values of inner controls, referenced elements) are not cached.
import { queryIn } from './builtins.js';
import { flatParent, rootOf } from './flat_tree.js';
import { pass } from './pass.js';

/**
 * Return what a cache holds for an element, or what is read now; only a pass that may uses the cache.
 * @template V
 * @param {WeakMap<any, V>} cache @param {Element} element @param {() => V} read
 */
export const throughCache = (cache, element, read) => {
  const found = (pass?.readsCaches ? cache.get(element) : undefined) ?? read();
  if (pass?.fillsCaches) cache.set(element, found);
  return found;
};

export let names = new WeakMap();
export let readNumber = 0; // number of the present reading, within which names are constant

export let labels = new WeakMap(); // of elements without an accessible name

export const beginRead = () => { readNumber += 1; };

export const forgetNames = () => {
  names = new WeakMap();
  labels = new WeakMap();
};

/** @param {Element} element */
const forgetNameOf = (element) => {
  names.delete(element);
  labels.delete(element);
};

/**
 * Mark the reading as stale if the name was taken from the cache before the change was found.
 * @param {Element} element
 */
export const forgetName = (element) => {
  const isFromEarlierRead = [names, labels].some((cache) => (cache.get(element)?.looks ?? readNumber) !== readNumber);
  if (!isFromEarlierRead) return;
  forgetNameOf(element);
  pass.stale = true;
};

/** @param {any} root */
export const forgetNamesIn = (root) => {
  forgetNameOf(root);
  for (const element of queryIn(root, '*')) {
    forgetNameOf(element);
    const inner = rootOf(element);
    if (inner !== null) forgetNamesIn(inner);
  }
};

export let placeTexts = new WeakMap(); // texts of places without a change since the last walk

export let recordsRead = new WeakMap(); // {keys, cells} by element, until something changes in the element
export let placements = new WeakMap(); // places of controls in lines, by block, until something changes in the block
export let recordsKnown = new WeakMap(); // results of `newRecord`, by element, until the next walk

/**
 * Forget the names and records of an element and of all its ancestors.
 * @param {Element} element
 */
export const forgetWithAncestors = (element) => {
  for (let node = element; node !== null; node = flatParent(node)) {
    forgetNameOf(node);
    placeTexts.delete(node);
    placements.delete(node);
    recordsRead.delete(node);
    recordsKnown.delete(node);
  }
};

const textsRead = new WeakMap();

/**
 * Forget the names around and inside an element whose text differs from the previous reading.
 * @param {Element} element @param {number} from
 */
export const noteTextOf = (element, from) => {
  const text = pass.texts.slice(from).map(({ row }) => row[1]).join('\n');
  const before = textsRead.get(element);
  if (before === text || (before === undefined && text === '')) return;
  textsRead.set(element, text);
  if (before === undefined) return;
  for (let node = element; node !== null; node = flatParent(node)) forgetName(node);
  for (const inner of queryIn(element, '*')) forgetName(inner);
};

export let recordByElement = new WeakMap(); // the record of an element; valid while the record is the cached one

export const forgetRecords = () => {
  placements = new WeakMap();
  recordsRead = new WeakMap();
};

/** Forget the texts of places, and which elements lie in which records: a walk finds other ones. */
export const forgetMembers = () => {
  placeTexts = new WeakMap();
  recordsKnown = new WeakMap();
  recordByElement = new WeakMap();
};
