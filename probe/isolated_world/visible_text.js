// The visible text in an element, and the text beside elements without a name: in their row, around them, or before them.
import {
  attribute, closest, collapse, cut, cutLine, ELEMENT, elementsIn, firstElementOf, folded, isSpaceOnly, localNameOf, matches,
  nodeTypeOf, parentElementOf, previousElementOf, previousSiblingOf, queryIn, querySelector, TEXT, textContentOf,
} from './builtins.js';
import { flatNodes, MAX_DEPTH, rootOf } from './flat_tree.js';
import { INTERACTIVE_INSIDE, tagFacts } from './roles.js';
import { isExcluded } from './sight.js';
import { GONE, isClosed, isRendered, SEEN, sightOf, UNSEEN } from './visibility.js';

const ROWS = 'tr,li,[role=row],[role=listitem],[role=treeitem],[role=option]';
const MOST_ROWS = 200;
const LONGEST_LINE = 1000;

/** @param {Element} element */
const partOf = (element) =>
  collapse(textContentOf.call(element)).trim() + (attribute(element, 'aria-selected') === 'true' ? ' [selected]' : '');

/** @param {Element} row */
const lineOf = (row) => {
  const cells = [...queryIn(row, ':scope > *')].map(partOf);
  return cut(cells.length > 1 ? cells.join(' · ') : partOf(row), LONGEST_LINE);
};

/**
 * Return a line for each row inside a visible canvas.
 * @param {Element} canvas @returns {string[]}
 */
export const linesOfCanvas = (canvas) => {
  if (firstElementOf.call(canvas) === null || sightOf(canvas) !== SEEN || isExcluded(canvas)) return [];
  return [...queryIn(canvas, ROWS)].slice(0, MOST_ROWS).map(lineOf);
};

export const LONGEST_LABEL = 80;
export const IN_LINE = /^(inline|contents|ruby.*)$/;
export const LONGEST_TEXT = 20_000;
const MOST_OCCURRENCES = 50;

/** @param {any} read @param {boolean} [isApart] */
const addSpace = (read, isApart = true) => {
  if (isApart && !read.isSpaced) read.text += ' ';
  read.isSpaced ||= isApart;
};

/** @param {Element} element @param {any} read */
const addWordsIn = (element, read) => {
  const tag = localNameOf.call(element);
  const isApart = tag === 'br' || tag === 'button' || tagFacts(tag).block
    || (read.without !== undefined && !IN_LINE.test(getComputedStyle(element).display));
  addSpace(read, isApart);
  read.depth += 1;
  const isSkipped = read.ownTree === true && rootOf(element) !== null;
  for (const node of isSkipped ? [...element.childNodes] : flatNodes(element)) addWords(node, read);
  read.depth -= 1;
  addSpace(read, isApart);
};

/** @param {any} node @param {any} read */
const addWords = (node, read) => {
  if (read.text.length > read.most || read.depth > MAX_DEPTH) return;
  const type = nodeTypeOf.call(node);
  if (type === TEXT) {
    const text = read.unseen ? '' : node.data;
    if (isSpaceOnly(text)) addSpace(read, text !== '');
    else [read.text, read.isSpaced] = [read.text + text, false];
  } else if (type === ELEMENT && read.without !== undefined && (isExcluded(node) || matches.call(node, read.without))) {
    addSpace(read);
  } else if (type === ELEMENT && (tagFacts(localNameOf.call(node)).enter || node instanceof SVGElement)) {
    const { unseen } = read;
    if (read.shown && !(read.without !== undefined && node instanceof SVGElement)) {
      const sight = read.onlyAccessible && isExcluded(node) ? GONE : sightOf(node);
      if (sight === GONE) return;
      read.unseen = sight === UNSEEN || isClosed(node); // descendants of an invisible element may be visible
    }
    addWordsIn(node, read);
    read.unseen = unseen;
  }
};

/** @param {Element} element @param {number} limit @param {any} how */
const readWords = (element, limit, how) => {
  const read = { text: '', most: 20 * limit, depth: 0, unseen: false, ...how };
  addWordsIn(element, read);
  return cutLine(read.text, limit);
};

/**
 * Return the start of the text in an element, as one line in which cells and blocks are separated.
 * @param {Element} element @param {number} limit @param {number} [most] characters that are read, with white space
 * @param {string} [without] selects elements that are left out
 */
export const wordsOf = (element, limit, most = 20 * limit, without = undefined) => readWords(element, limit, { shown: false, most, without });

/**
 * Return the same without invisible text; text that is aria-hidden or inert is omitted if `onlyAccessible`, text in shadow
 * roots inside if `ownTree`.
 * @param {Element} element @param {number} limit @param {boolean} [onlyAccessible] @param {boolean} [ownTree]
 */
export const visibleWordsOf = (element, limit, onlyAccessible = true, ownTree = false) =>
  readWords(element, limit, { shown: true, onlyAccessible, ownTree, unseen: isClosed(element) });

/**
 * Return the start of the visible text of an element, as one line, without the controls that match.
 * @param {Element} element @param {string} without @param {number} [limit]
 */
export const shownWords = (element, without, limit = LONGEST_LABEL) => readWords(element, limit, { shown: true, without });

/**
 * Return whether a text contains another. With a `reach` of some characters, return the first occurrences instead,
 * each as [text before, occurrence, text after]: only the server knows the secrets that have to be masked.
 * @param {string} text @param {string} wanted @param {number} reach @param {string} [searched]
 */
export const occurrencesIn = (text, wanted, reach, searched = text) => {
  if (reach === 0 || wanted === '') return searched.includes(wanted);
  const found = [];
  for (let at = searched.indexOf(wanted); at >= 0 && found.length < MOST_OCCURRENCES; at = searched.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    found.push([text.slice(Math.max(0, at - reach), at), text.slice(at, end), text.slice(end, end + reach)]);
  }
  return found;
};

/** @param {string} text @param {string} wanted @param {number} reach */
export const occurrencesInAnyCase = (text, wanted, reach) => occurrencesIn(text, wanted, reach, folded(text));

/** @param {string[]} words */
export const longestOf = (words) => words.reduce((longest, word) => (word.length > longest.length ? word : longest));

/**
 * Search the whole text of an element with `occurrencesIn`, in any case.
 * @param {Element} element @param {string} text @param {number} reach
 */
export const occurrencesInElement = (element, text, reach) => {
  const wanted = folded(collapse(text));
  const all = textContentOf.call(element);
  if (!folded(all).includes(longestOf(wanted.split(' ')))) return false;
  return occurrencesInAnyCase(visibleWordsOf(element, all.length), wanted, reach);
};

export const ROW_LIKE = 'tr,li,dd,article,[role=row],[role=listitem],[role=option]';
const MAX_LEVELS = 3;
const MAX_LEVELS_ALONE = 9; // a field and its label lie deep in boxes of their own
const MAX_CONTROLS = 6; // controls; the text of a larger container belongs to none of them
const MOST_ELEMENTS = 200;
const MAX_NODES_BEFORE = 10;
const LONGEST_NEARBY = 60;

/**
 * Return whether the text in an ancestor, `level` levels above an element, is likely to describe it.
 * @param {any} node @param {Element} element @param {number} level
 */
const isRelatedText = (node, element, level) => {
  if (level < MAX_LEVELS && matches.call(node, ROW_LIKE)) return true;
  if (elementsIn.call(node, '*').length > MOST_ELEMENTS) return false;
  const controls = [...queryIn(node, INTERACTIVE_INSIDE)];
  return level < MAX_LEVELS ? controls.length <= MAX_CONTROLS : controls.every((one) => one === element);
};

/** @param {any} node */
const isShownNode = (node) =>
  nodeTypeOf.call(node) === TEXT || (nodeTypeOf.call(node) === ELEMENT && isRendered(node) && !isExcluded(node));

/**
 * Return the text directly before a node, without another control in between.
 * @param {any} node
 */
const wordsBefore = (node) => {
  let before = previousSiblingOf.call(node);
  for (let far = 0; far < MAX_NODES_BEFORE && before !== null; far += 1) {
    if (isShownNode(before)) {
      const isOther = before instanceof Element // another control, or the label of one
        && (matches.call(before, INTERACTIVE_INSIDE) || querySelector.call(before, INTERACTIVE_INSIDE) !== null
          || (before instanceof HTMLLabelElement && before.control !== null && !isExcluded(before.control)));
      if (isOther) return '';
      const isText = nodeTypeOf.call(before) === TEXT;
      const text = isText ? collapse(before.data) : visibleWordsOf(before, LONGEST_NEARBY);
      if (text !== '') return isText && text.length > LONGEST_NEARBY ? `…${text.slice(-LONGEST_NEARBY)}` : text;
    }
    before = previousSiblingOf.call(before);
  }
  return '';
};

/**
 * Return the text between the line breaks around an element; '' without a line break beside it.
 * @param {Element} element
 */
const wordsOfLine = (element) => {
  const nodes = flatNodes(parentElementOf.call(element));
  const breaks = [...nodes.keys()].filter((at) => nodes[at] instanceof HTMLBRElement);
  const own = nodes.indexOf(element);
  if (breaks.length === 0 || own < 0) return '';
  const read = { text: '', most: 20 * LONGEST_NEARBY, depth: 0, shown: true, onlyAccessible: true, unseen: false };
  const line = nodes.slice((breaks.findLast((at) => at < own) ?? -1) + 1, breaks.find((at) => at > own));
  for (const node of line) addWords(node, read);
  return cutLine(read.text, LONGEST_NEARBY);
};

const HEAD_CELLS = 'th,dt,[role=rowheader]';

/**
 * Return the header directly before a cell, in a row or list with several headers.
 * @param {Element} element
 */
const headOfCell = (element) => {
  const cell = closest.call(element, 'td,dd,[role=cell],[role=gridcell]');
  const head = cell === null ? null : previousElementOf.call(cell);
  if (head === null || !matches.call(head, HEAD_CELLS) || !isShownNode(head)) return '';
  const heads = [...parentElementOf.call(cell).children].filter((child) => matches.call(child, HEAD_CELLS));
  return heads.length > 1 ? visibleWordsOf(head, LONGEST_NEARBY) : '';
};

/** @param {Element} element */
export const nearbyText = (element) => {
  const head = headOfCell(element);
  if (head !== '') return head;
  const own = visibleWordsOf(element, LONGEST_NEARBY);
  let [inner, node] = [element, closest.call(element, ROW_LIKE) ?? parentElementOf.call(element)];
  for (let level = 0; level < MAX_LEVELS_ALONE && node !== null; level += 1) {
    if (node === document.body || !isRelatedText(node, element, level)) return wordsBefore(inner);
    const text = wordsOfLine(inner) || visibleWordsOf(node, LONGEST_NEARBY);
    if (text !== '' && text !== own) return text;
    [inner, node] = [node, parentElementOf.call(node)];
  }
  return '';
};
