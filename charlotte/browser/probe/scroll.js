// Scrolling, at once whatever the page's style says about smoothness, and scroll positions.
const SCROLLING = new Set(['auto', 'scroll', 'overlay']);

const rangeAlong = (element, axis) => scrollRange(element)[axis === 'x' ? 0 : 1];

const canScroll = (element, axis) => {
  if (rangeAlong(element, axis) === 0) return false;
  const { overflowX, overflowY } = getComputedStyle(element);
  return element === scrollingElementOf.call(document) || SCROLLING.has(axis === 'x' ? overflowX : overflowY);
};

const seenArea = (element) => {
  const { width, height } = intersection(getBoundingClientRect.call(element), viewportRect());
  return Math.max(0, width) * Math.max(0, height);
};

/** The page's own scroller, or in a page that does not scroll itself the one that takes up most of the window. */
const pageScroller = (axis) => {
  const page = scrollingElementOf.call(document);
  if (page === null || canScroll(page, axis)) return page;
  const others = openRoots().flatMap((root) => [...queryAll(root, '*')]).filter((one) => canScroll(one, axis));
  return others.reduce((best, one) => (best === page || seenArea(one) > seenArea(best) ? one : best), page);
};

/** The element, or the first thing in it that scrolls that way. */
const scrollerIn = (element, axis) =>
  (canScroll(element, axis) ? element : [...element.querySelectorAll('*')].find((one) => canScroll(one, axis)) ?? null);

/** What the style of `body` says of scrolling goes for the window. */
const isLent = (element) => element === document.body && element !== scrollingElementOf.call(document);

/** The nearest thing around an element that scrolls that way. */
const scrollerAround = (element, axis) => {
  let node = flatParent(element);
  while (node !== null && (isLent(node) || !canScroll(node, axis))) node = flatParent(node);
  return node;
};

const describedScroller = (scroller) =>
  (scroller === scrollingElementOf.call(document) ? 'the page' : describeElement(scroller));

const positionAnswer = ([x, y, maxX, maxY]) => ({ x, y, max_x: maxX, max_y: maxY });

const scrollAnswer = (position) => JSON.stringify(positionAnswer(position));

const positionOf = (element) => {
  if (element === scrollingElementOf.call(document)) return pageScroll();
  return [Math.round(scrollLeftOf.call(element)), Math.round(scrollTopOf.call(element)), ...scrollRange(element)];
};

const extentOf = (scroller, axis) => {
  if (scroller === scrollingElementOf.call(document)) return axis === 'x' ? innerWidth : innerHeight;
  return axis === 'x' ? clientWidthOf.call(scroller) : clientHeightOf.call(scroller);
};

/**
 * Scroll what `nid` names, 0 for the page, along an axis by `pages` of its extent and `px` more: its new position
 * {x, y, max_x, max_y, scroller, around?}, where `scroller` is the number of what was scrolled, and `around` describes
 * it if it only holds the element; or {error: gone|"not scrollable"}.
 */
const scrollBy = (nid, axis, { pages = 0, px = 0 }) => {
  const element = nid === 0 ? null : elementOf(nid);
  if (nid !== 0 && element === null) return GONE_ANSWER;
  const own = element === null ? pageScroller(axis) : scrollerIn(element, axis);
  const scroller = own ?? scrollerAround(element, axis);
  if (scroller === null) return JSON.stringify({ error: 'not scrollable' });
  const distance = pages * extentOf(scroller, axis) + px;
  scroller.scrollBy({ [axis === 'x' ? 'left' : 'top']: distance, behavior: 'instant' });
  const around = own === null ? { around: describedScroller(scroller) } : {};
  return JSON.stringify({ ...positionAnswer(positionOf(scroller)), scroller: nidOf(scroller), ...around });
};

/** Bring an element into view: {moved: whether that moved it}, or {error: "gone"}. */
const reveal = (nid, block, inline) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const { x, y } = getBoundingClientRect.call(element);
  scrollIntoView.call(element, { block, inline, behavior: 'instant' });
  const now = getBoundingClientRect.call(element);
  return JSON.stringify({ moved: now.x !== x || now.y !== y });
};

/** Scroll position and range in CSS px, of the page or of an element. */
const scroll = (nid = 0) => {
  if (nid === 0) return scrollAnswer(pageScroll());
  const element = elementOf(nid);
  return element === null ? GONE_ANSWER : scrollAnswer(positionOf(element));
};
