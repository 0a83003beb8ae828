// Virtual lists: ARIA lists for screen readers whose options have no size, with visible rows beside them, and lists that
// draw options only as they are scrolled.
import {
  attribute, clientHeightOf, contains, firstElementOf, getBoundingClientRect, nextElementOf, parentElementOf,
  queryIn, scrollHeightOf, scrollTopOf, textOf,
} from './builtins.js';
import { flatParent } from './flat_tree.js';
import { isDrawn } from './visibility.js';

const MAX_DISTANCE = 3; // ancestors between a list and its visible rows

/** @param {any} parent */
const childrenOf = (parent) => {
  const children = [];
  for (let child = firstElementOf.call(parent); child !== null; child = nextElementOf.call(child)) children.push(child);
  return children;
};

/**
 * Return the first visible element in `holder` outside the list with one of the texts.
 * @param {any} holder @param {any} list @param {Set<string>} texts
 */
const findDrawnRow = (holder, list, texts) =>
  [...queryIn(holder, '*')].find((one) =>
    !contains.call(list, one) && !contains.call(one, list) && texts.has(textOf(one, 200)) && isDrawn(one));

const rowParents = new WeakMap(); // list → parent of its visible rows, which may show other options later

/**
 * @param {any} list @param {any[]} options
 */
const findRows = (list, options) => {
  const readable = options.flatMap((one) => [attribute(one, 'aria-label') ?? '', textOf(one, 200)]);
  const texts = new Set(readable.filter((text) => text !== ''));
  let holder = flatParent(list);
  for (let far = 0; far < MAX_DISTANCE && holder !== null && holder !== document.body; far += 1) {
    const row = findDrawnRow(holder, list, texts);
    if (row !== undefined) {
      rowParents.set(list, parentElementOf.call(row));
      return childrenOf(parentElementOf.call(row)).filter(isDrawn);
    }
    holder = flatParent(holder);
  }
  return [];
};

/**
 * Return the visible rows that represent a list of options: the row of one option with its siblings, [] for none.
 * @param {any} list @param {any[]} options
 */
export const drawnRows = (list, options) => {
  const known = rowParents.get(list);
  const rows = known === undefined ? [] : childrenOf(known).filter(isDrawn);
  return rows.length > 0 ? rows : findRows(list, options);
};

export const LONGEST_PAGING = 1500; // ms
const PAGE = 0.8; // of the visible part of a list

/** @param {Element} element */
export const isScrollable = (element) =>
  scrollHeightOf.call(element) > clientHeightOf.call(element) + 1
  && !['visible', 'clip'].includes(getComputedStyle(element).overflowY);

/** @param {Element} element */
export const scrollableAncestor = (element) => {
  for (let around = flatParent(element); around !== null && around !== document.body; around = flatParent(around)) {
    if (isScrollable(around)) return around;
  }
  return null;
};

/**
 * Return whether options are drawn at both ends of the visible part, so that none is skipped.
 * @param {any} scroller @param {Option[]} options
 */
const isFilled = (scroller, options) => {
  const { top, bottom, height } = getBoundingClientRect.call(scroller);
  const edge = height * (1 - PAGE);
  const rects = options.map(({ element }) => getBoundingClientRect.call(element));
  const isCovered = (/** @type {number} */ from, /** @type {number} */ to) => rects.some((rect) => rect.top < to && rect.bottom > from);
  return isCovered(top, top + edge) && isCovered(bottom - edge, bottom);
};

const DRAW_FRAMES = 20; // frames that a list may take to draw the options it was scrolled to
const IDLE_FRAMES = 12; // frames at the end of a list in which nothing is added to it

/**
 * Create a function that scrolls through a virtual list: to the top unless it `goesOn`, then one page at a time; it
 * returns false at the end. A list may grow after it was scrolled.
 * @param {boolean} goesOn
 */
const newPager = (goesOn) => {
  /** @type {any} */
  let scroller = null;
  let resting = 0;
  let farthest = -1; // lists that estimate their height jump back at their end
  let waiting = 0;
  const turn = (/** @type {Option[]} */ options) => {
    const isFirst = scroller === null && !goesOn;
    if (options.length === 0) return scroller !== null; // the options are being drawn
    scroller ??= scrollableAncestor(options[0].element);
    if (scroller === null) return false;
    waiting = isFirst || isFilled(scroller, options) ? 0 : waiting + 1;
    if (waiting % DRAW_FRAMES > 0) return true;
    scroller.scrollTop = isFirst ? 0 : scrollTopOf.call(scroller) + PAGE * clientHeightOf.call(scroller);
    const reached = scrollTopOf.call(scroller);
    resting = isFirst || reached > farthest + 1 ? 0 : resting + 1;
    farthest = isFirst ? reached : Math.max(farthest, reached);
    return resting < IDLE_FRAMES;
  };
  return { turn };
};

const pagers = new WeakMap(); // widget → pager

/**
 * Return the pager of a widget: a new one for "top", that of the search before for "on".
 * @param {any} element @param {string} paging
 */
export const pagerOf = (element, paging) => {
  const pages = (paging === 'on' ? pagers.get(element) : undefined) ?? newPager(paging === 'on');
  pagers.set(element, pages);
  return pages;
};
