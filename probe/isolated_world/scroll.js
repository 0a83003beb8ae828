// Scrolling, always without smooth animation, scroll positions, and bringing an element into view for a screenshot.
import { coversView, scrollToMiddle } from './actionability.js';
import {
  clientHeightOf, clientWidthOf, getBoundingClientRect, localNameOf, matches, scrollingElementOf, scrollIntoView,
} from './builtins.js';
import { allMatching, elementAt, flatParent, holds, nearest } from './flat_tree.js';
import { answersFor, describeElement, pointsAllOver, pointsIn } from './hit_test.js';
import { pageScroll, scrollOffset, scrollRange } from './page_facts.js';
import { noteLastPress } from './press_check.js';
import { byNumber, elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { isFrame } from './roles.js';
import { centre, contentSize, intersection, isCutOff, localPoint, viewportRect, visibleRects } from './visibility.js';

/**
 * Return {hit, point} of another element that covers a part of the element, or null.
 * @param {Element} element
 */
const findCover = (element) => {
  if (getComputedStyle(element).pointerEvents === 'none') return null; // the hit lies behind it
  for (const point of pointsAllOver(element, visibleRects(element))) { // a bar at an edge need not reach the middle
    const hit = elementAt(point.x, point.y);
    const isOwn = hit === null || answersFor(hit, element) || answersFor(element, hit);
    if (!isOwn && !isCutOff(element, point)) return { hit, point };
  }
  return null;
};

/** Bring an element into view: {by?: description of a remaining cover}. */
export const revealForScreenshot = byNumber((element) => {
  scrollIntoView.call(element, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
  let cover = findCover(element);
  if (cover !== null && !coversView(cover.hit)) {
    scrollToMiddle(element);
    cover = findCover(element);
  }
  return cover === null ? {} : { by: describeElement(cover.hit) };
});

const SCROLLING = new Set(['auto', 'scroll', 'overlay']);

/** @param {Element} element @param {'x' | 'y'} axis */
const canScroll = (element, axis) => {
  if (scrollRange(element)[axis === 'x' ? 0 : 1] === 0) return false;
  const isPage = element === scrollingElementOf.call(document);
  const overflows = [element, ...(isPage && document.body !== null ? [document.body] : [])]
    .map((node) => getComputedStyle(node)[axis === 'x' ? 'overflowX' : 'overflowY']);
  const used = overflows.find((one) => one !== 'visible');
  return used === undefined ? isPage : SCROLLING.has(used);
};

/** @param {Element} element */
const seenArea = (element) => {
  const { width, height } = intersection(getBoundingClientRect.call(element), viewportRect());
  return Math.max(0, width) * Math.max(0, height);
};

const LEAST_RANGE = 40; // px; margins alone may make a page longer than the window

/**
 * Return the largest scroller of the layer in front, else the page's own scroller, else the largest in the window. A page that
 * is hardly longer than the window leaves it to a scroller that fills most of that.
 * @param {'x' | 'y'} axis
 */
const pageScroller = (axis) => {
  const page = scrollingElementOf.call(document);
  const { x, y } = centre(viewportRect()); // where a layer in front of the page is, such as a dialog
  const layer = nearest(elementAt(x, y), (node) => matches.call(node, ':modal') || getComputedStyle(node).position === 'fixed');
  const isOwn = page === null || canScroll(page, axis);
  const isShort = isOwn && page !== null && scrollRange(page)[axis === 'x' ? 0 : 1] < LEAST_RANGE;
  if (layer === null && isOwn && !isShort) return page;
  const all = allMatching('*').filter((one) => canScroll(one, axis));
  const front = all.filter((one) => layer !== null && holds(layer, one));
  const others = isOwn ? all.filter((one) => isShort && 2 * seenArea(one) > innerWidth * innerHeight) : all;
  return (front.length > 0 ? front : others).reduce((best, one) => (best === page || seenArea(one) > seenArea(best) ? one : best), page);
};

/**
 * Return whether the overflow of an element applies to the window, as that of `body` does.
 * @param {Element} element
 */
const isViewportScroller = (element) => element === document.body && element !== scrollingElementOf.call(document);

/**
 * Return the scroll position and range of an element, or of the page.
 * @param {Element | null} element
 */
const positionOf = (element) => {
  const isPage = element === null || element === scrollingElementOf.call(document);
  const [x, y, maxX, maxY] = isPage ? pageScroll() : [...scrollOffset(element), ...scrollRange(element)];
  return { x, y, max_x: maxX, max_y: maxY };
};

/**
 * Return whether a turn of the wheel over an element moves it.
 * @param {any} node @param {'x' | 'y'} axis @param {number} distance
 */
const canMove = (node, axis, distance) => {
  if (isViewportScroller(node) || !canScroll(node, axis)) return false;
  const at = axis === 'x' ? 0 : 1;
  return distance < 0 ? scrollOffset(node)[at] > 0 : scrollOffset(node)[at] < scrollRange(node)[at];
};

const OWN_GESTURES = /none|pan/; // of maps and drawings, which the wheel would zoom

/**
 * Scroll an element, or the page for 0, along an axis by `pages` of its extent and `px` more. Return {scroller, around?}, where
 * `around` describes a scroller that only contains the element; with {x, y, turn} if the `wheel` scrolls it at a point, and
 * `held` if no hand scrolls the page: then only the page's listeners may. Else it was scrolled. Or return {error: gone|"not
 * scrollable"}.
 * @param {number} nid @param {'x' | 'y'} axis @param {any} subject2
 */
export const scrollBy = (nid, axis, { pages = 0, px = 0, wheel = true }) => {
  const element = nid === 0 ? null : elementOf(nid);
  if (nid !== 0 && element === null) return GONE_ANSWER;
  const own = element === null ? pageScroller(axis)
    : [element, ...element.querySelectorAll('*')].find((one) => canScroll(one, axis)) ?? null;
  const hides = element !== null && scrollRange(element)[axis === 'x' ? 0 : 1] > 0; // a script may move what overflows
  const scroller = own ?? nearest(flatParent(element), (node) => !isViewportScroller(node) && canScroll(node, axis))
    ?? (hides ? scrollingElementOf.call(document) : null);
  if (scroller === null) return JSON.stringify({ error: 'not scrollable' });
  const isPage = scroller === scrollingElementOf.call(document);
  const { width, height } = isPage ? viewportRect() : { width: clientWidthOf.call(scroller), height: clientHeightOf.call(scroller) };
  const turn = Math.round(pages * (axis === 'x' ? width : height) + px);
  const isHeld = !canScroll(scroller, axis);
  const stops = (/** @type {any} */ node) => isFrame(node, localNameOf.call(node)) || canMove(node, axis, turn)
    || OWN_GESTURES.test(getComputedStyle(node).touchAction);
  const points = (own === null && hides ? visibleRects(element) : isPage ? [viewportRect()] : visibleRects(scroller)).flatMap(pointsIn);
  const point = points.find(({ x, y }) => wheel && (isHeld || nearest(elementAt(x, y), stops) === scroller));
  if (point === undefined) scroller.scrollBy({ [axis === 'x' ? 'left' : 'top']: turn, behavior: 'instant' });
  const around = isPage ? 'the page' : describeElement(scroller);
  return JSON.stringify({
    scroller: nidOf(scroller), ...(own === null ? { around } : {}), ...(point && { ...point, turn }), ...(isHeld ? { held: 1 } : {}),
  });
};

/** Bring an element into view, aligned as `scrollIntoView` takes it: {moved}. */
export const reveal = byNumber((element, block, inline) => {
  const { x, y } = getBoundingClientRect.call(element);
  scrollIntoView.call(element, { block, inline, behavior: 'instant' });
  const now = getBoundingClientRect.call(element);
  return { moved: now.x !== x || now.y !== y };
});

/**
 * Return the scroll position and range in CSS px, of the page or of an element.
 * @param {number} [nid]
 */
export const scroll = (nid = 0) => (nid === 0 ? JSON.stringify(positionOf(null)) : byNumber(positionOf)(nid));

/**
 * Return {around: numbers of the scrollers at a point, frame?: {nid, at: the point as parts of its size} of the frame there}.
 * The wheel or a press will be at this point.
 * @param {number} x @param {number} y
 */
export const scrollersAt = (x, y) => {
  const hit = elementAt(x, y);
  noteLastPress({ x, y }, hit);
  const found = [];
  for (let node = hit; node !== null && node !== scrollingElementOf.call(document); node = flatParent(node)) {
    if (!isViewportScroller(node) && (canScroll(node, 'x') || canScroll(node, 'y'))) found.push(nidOf(node));
  }
  /** @type {Extra} */
  const answer = { around: found };
  if (hit !== null && isFrame(hit, localNameOf.call(hit))) {
    const [at, { width, height }] = [localPoint(hit, { x, y }), contentSize(hit)];
    answer.frame = { nid: nidOf(hit), at: [at.x / (width || 1), at.y / (height || 1)] };
  }
  return JSON.stringify(answer);
};
