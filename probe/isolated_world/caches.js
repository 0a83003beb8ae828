// Names are what costs most in a capture, so they are kept until something has changed that may change them:
// the element or what lies in it, its size, or the text beside it. Names that depend on what cannot be seen to
// change (the values of controls inside, elements referred to) are asked for every time.
import { queryIn } from './builtins.js';
import { flatParent, rootOf } from './flat_tree.js';
import { pass } from './pass.js';

export let names = new WeakMap();
export let readNumber = 0; // a name that was asked for in the present look at the page holds for all of it: this is its number

export let labels = new WeakMap(); // of what has no name (labels.js)

export const beginRead = () => {
  readNumber += 1;
};

export const forgetNames = () => {
  names = new WeakMap();
  labels = new WeakMap();
};

/** @param {Element} element */
const forgetNameOf = (element) => {
  names.delete(element);
  labels.delete(element);
};

/** @param {any} known */
const isEarlier = (known) => known !== undefined && known.looks !== readNumber;

/**
 * A change that was found only after the name had been taken from memory: everything is to be read again.
 * @param {Element} element
 */
export const forgetName = (element) => {
  if (!isEarlier(names.get(element)) && !isEarlier(labels.get(element))) return;
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

export let placeTexts = new WeakMap(); // what was read of places in which nothing has changed since the last walk

export let recordsRead = new WeakMap(); // {keys, cells} by element, until something changes in the element
export let recordsKnown = new WeakMap(); // what `newRecord` makes, by element, until the document is walked again

/**
 * Forget what was read of a record, for something has changed in it.
 * @param {Element} element
 */
const forgetRecord = (element) => {
  recordsRead.delete(element);
  recordsKnown.delete(element);
};

/**
 * Forget the names of an element and of all it lies in, and what was read there.
 * @param {Element} element
 */
export const forgetAround = (element) => {
  for (let node = element; node !== null; node = flatParent(node)) {
    forgetNameOf(node);
    placeTexts.delete(node);
    forgetRecord(node);
  }
};

const textsRead = new WeakMap();

/**
 * Text that reads otherwise than the last time has changed the names of what it lies in and what lies in it.
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

export const forgetPlaces = () => { placeTexts = new WeakMap(); };

export let recordByElement = new WeakMap(); // the same by what lies in it; valid while it is the known one

export const forgetRecords = () => { recordsRead = new WeakMap(); };

/** Forget which elements lie in which records. */
export const forgetMembers = () => {
  recordsKnown = new WeakMap();
  recordByElement = new WeakMap();
};
