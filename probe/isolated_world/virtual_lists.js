// Virtual lists: ARIA lists for screen readers whose options have no size, with visible rows beside them, and lists that
// draw options only as they are scrolled.
import {
  attribute, clientHeightOf, collapse, contains, firstElementOf, getBoundingClientRect, nextElementOf, parentElementOf,
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

/** @param {DrawnOption[]} drawn @param {number} from @param {number} to */
const isCovered = (drawn, from, to) => drawn.some(({ rect }) => rect.top < to && rect.bottom > from);

/**
 * Return whether options are drawn at both ends of the visible part, so that none is skipped.
 * @param {DOMRect} view @param {DrawnOption[]} drawn
 */
const isFilled = ({ top, bottom, height }, drawn) => {
  const edge = height * (1 - PAGE);
  return isCovered(drawn, top, top + edge) && isCovered(drawn, bottom - edge, bottom);
};

/**
 * Return the end of the options that are drawn without a gap from the visible part on. Options with equal texts may be
 * placeholders.
 * @param {DOMRect} view @param {DrawnOption[]} drawn
 */
const endOfDrawn = ({ top, bottom }, drawn) => {
  const below = drawn.filter(({ rect }) => rect.bottom > top).sort((one, other) => one.rect.top - other.rect.top);
  let end = bottom;
  let before = '';
  for (const { rect, text } of below) {
    const isNext = rect.top - end < rect.height && text !== '' && text !== before;
    if (rect.top >= bottom && !isNext) break;
    end = Math.max(end, rect.bottom);
    before = text;
  }
  return end;
};

const DRAW_FRAMES = 20; // frames that a list may take to draw the options it was scrolled to
const IDLE_FRAMES = 12; // frames at the end of a list in which nothing is added to it

const placesOf = new WeakMap(); // scrollable element → where its options were, by text and value

/** @param {string} text */
const keyOf = (text) => collapse(text).toLowerCase();

/**
 * Note where options are in the contents of a scrollable element.
 * @param {any} scroller @param {DOMRect} view @param {DrawnOption[]} drawn
 */
const notePlaces = (scroller, view, drawn) => {
  const places = placesOf.get(scroller) ?? new Map();
  placesOf.set(scroller, places);
  const start = view.top - scrollTopOf.call(scroller);
  for (const { rect, text, value } of drawn) {
    for (const key of [keyOf(text), keyOf(value)]) {
      if (key !== '') places.set(key, rect.top - start);
    }
  }
};

/**
 * Create a function that scrolls through a virtual list: to where `wanted` was seen before, then to the top, unless it
 * `goesOn`, then past the options that are drawn; it returns false at the end. A list may grow after it was scrolled.
 * @param {boolean} goesOn @param {string} wanted
 */
const newPager = (goesOn, wanted) => {
  /** @type {any} */
  let scroller = null;
  let starts = !goesOn;
  let trying = 0;
  let resting = 0;
  let farthest = -1; // lists that estimate their height jump back at their end
  let waiting = 0;
  const scrollTo = (/** @type {number} */ place) => {
    scroller.scrollTop = place;
    return scrollTopOf.call(scroller);
  };
  const seek = () => { // returns whether the place where the option was is still tried
    const place = placesOf.get(scroller)?.get(keyOf(wanted));
    if (place === undefined || trying > DRAW_FRAMES) return false;
    if (trying === 0) scrollTo(place - clientHeightOf.call(scroller) / 2);
    trying += 1;
    return true;
  };
  const turn = (/** @type {Option[]} */ options) => {
    if (options.length === 0) return scroller !== null; // the options are being drawn
    scroller ??= scrollableAncestor(options[0].element);
    if (scroller === null) return false;
    if (starts && seek()) return true;
    const view = getBoundingClientRect.call(scroller);
    const drawn = options.map(({ element, text, value }) => ({ rect: getBoundingClientRect.call(element), text, value }))
      .filter(({ rect }) => rect.height > 0);
    notePlaces(scroller, view, drawn);
    if (starts) {
      starts = false;
      farthest = scrollTo(0);
      return true;
    }
    waiting = isFilled(view, drawn) ? 0 : waiting + 1;
    if (waiting % DRAW_FRAMES > 0) return true;
    const reached = scrollTo(scrollTopOf.call(scroller) + endOfDrawn(view, drawn) - view.top - (1 - PAGE) * view.height);
    resting = reached > farthest + 1 ? 0 : resting + 1;
    farthest = Math.max(farthest, reached);
    return resting < IDLE_FRAMES;
  };
  return { turn };
};

const pagers = new WeakMap(); // widget → pager

/**
 * Return the pager of a widget: a new one for "top", that of the search before for "on".
 * @param {any} element @param {string} paging @param {string} [wanted]
 */
export const pagerOf = (element, paging, wanted = '') => {
  const pages = (paging === 'on' ? pagers.get(element) : undefined) ?? newPager(paging === 'on', wanted);
  pagers.set(element, pages);
  return pages;
};
