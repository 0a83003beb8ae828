// Visibility and geometry: boxes, and the parts of an element inside the viewport. Reads only.
import {
  attribute, checkVisibility, clientHeightOf, clientLeftOf, clientTopOf, clientWidthOf, closest, createRange, dispatchEventOf,
  firstElementOf, getBoundingClientRect, getClientRects, hasAttribute, querySelector, rootElementOf, scrollHeightOf,
} from './builtins.js';
import { flatParent, nearest, rootOf } from './flat_tree.js';
import { pass } from './pass.js';

/** @param {Element} element */
export const isDisclosure = (element) => {
  const details = element.parentNode;
  return details instanceof HTMLDetailsElement && querySelector.call(details, ':scope > summary') === element;
};

const VISIBLE = Object.freeze({ visibilityProperty: true });
export const GONE = 0;
export const UNSEEN = 1;
export const SEEN = 2;

/** @param {Element} element */
export const isRendered = (element) => checkVisibility.call(element) || getComputedStyle(element).display === 'contents';

/**
 * Return the image that shows an area of an image map, or null.
 * @param {Element} area
 */
const imageOf = (area) => {
  const map = closest.call(area, 'map');
  return map === null ? null : /** @type {any} */ (area.getRootNode()).querySelector(`img[usemap="#${CSS.escape(map.name)}" i]`);
};

/** @param {Element} element */
export const isClosed = (element) => element instanceof HTMLDetailsElement && !hasAttribute.call(element, 'open');

/**
 * Return whether the contents of a visible element are shown; the summary of closed details always is.
 * @param {Element} element
 */
export const showsInside = (element) => !isClosed(element) && getComputedStyle(element).contentVisibility !== 'hidden';

/**
 * Return SEEN; UNSEEN if the element is rendered but invisible, while its descendants may be visible; GONE if neither
 * is rendered.
 * @param {Element} element @returns {number}
 */
export const sightOf = (element) => {
  if (checkVisibility.call(element, VISIBLE)) return SEEN;
  const image = element instanceof HTMLAreaElement ? imageOf(element) : null;
  if (element instanceof HTMLAreaElement) return image === null ? GONE : sightOf(image);
  const { display, visibility } = getComputedStyle(element);
  if (display !== 'contents') return display === 'none' || visibility === 'visible' ? GONE : UNSEEN;
  const parent = flatParent(element); // it has no box of its own
  const isShown = parent === null || (sightOf(parent) !== GONE && (showsInside(parent) || isDisclosure(element)));
  return !isShown ? GONE : visibility === 'visible' ? SEEN : UNSEEN;
};

/** @param {Rect} rect */
export const hasArea = (rect) => rect.width > 0 && rect.height > 0;

/**
 * Return the rectangle around the shape of an area in an image map.
 * @param {Element} area
 */
const areaRect = (area) => {
  const image = imageOf(area);
  if (image === null) return null;
  const { x, y, width, height } = getBoundingClientRect.call(image);
  const numbers = (attribute(area, 'coords') ?? '').split(',').map(Number);
  if (numbers.length < 3 || numbers.some(Number.isNaN)) return new DOMRect(x, y, width, height);
  const [cx, cy, r] = numbers;
  const corners = numbers.length === 3 ? [cx - r, cy - r, cx + r, cy + r] : numbers;
  const [xs, ys] = [0, 1].map((odd) => corners.filter((_, index) => index % 2 === odd));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return new DOMRect(x + left, y + top, Math.max(...xs) - left, Math.max(...ys) - top);
};

/**
 * Return the rectangle of the first descendant that has one: a link around a float has none.
 * @param {Element} element
 */
const innerRect = (element) => {
  if (element instanceof HTMLAreaElement) return areaRect(element);
  for (let child = firstElementOf.call(element); child !== null; child = firstElementOf.call(child)) {
    const rect = getBoundingClientRect.call(child);
    if (hasArea(rect)) return rect;
  }
  if (getComputedStyle(element).display !== 'contents') return null;
  const range = createRange.call(document); // its text has a place
  range.selectNodeContents(rootOf(element) ?? element);
  return [...range.getClientRects()].find(hasArea) ?? null;
};

/**
 * Return the rectangle of an element; during a pass, the last one is cached, because nothing moves.
 * @param {Element} element
 */
export const ownRect = (element) => {
  if (pass === null) return getBoundingClientRect.call(element);
  if (pass.lastMeasured !== element) [pass.lastMeasured, pass.lastRect] = [element, getBoundingClientRect.call(element)];
  return pass.lastRect;
};

/** @param {Element} element */
export const rectOf = (element) => {
  const rect = ownRect(element);
  return hasArea(rect) ? rect : innerRect(element);
};

/** @param {Element} element */
export const isDrawn = (element) => sightOf(element) === SEEN && rectOf(element) !== null;

/** @param {Rect} rect @returns {[number, number, number, number]} */
export const rounded = (rect) => [Math.round(rect.x), Math.round(rect.y), Math.round(rect.width), Math.round(rect.height)];

/**
 * Return [x, y, width, height] in CSS px of this frame's viewport, or 0 without an area.
 * @param {Element} element @returns {Box}
 */
export const boxOf = (element) => {
  const { x, y, width, height } = ownRect(element);
  if (width > 0 && height > 0) return [Math.round(x), Math.round(y), Math.round(width), Math.round(height)];
  const inner = innerRect(element);
  return inner === null ? 0 : rounded(inner);
};

/** @param {Rect} rect @param {Rect} clip */
export const intersection = (rect, clip) => {
  const x = Math.max(rect.x, clip.x);
  const y = Math.max(rect.y, clip.y);
  const width = Math.min(rect.x + rect.width, clip.x + clip.width) - x;
  const height = Math.min(rect.y + rect.height, clip.y + clip.height) - y;
  return { x, y, width, height };
};

export const viewportRect = () => ({ x: 0, y: 0, width: innerWidth, height: innerHeight });

/**
 * Return the parts of the element inside the viewport, largest first: one per line box of an inline element.
 * @param {Element} element
 */
export const visibleRects = (element) => {
  const view = viewportRect();
  const own = [...getClientRects.call(element)].filter(hasArea);
  const rects = own.length > 0 ? own : [innerRect(element)].filter((rect) => rect !== null);
  const parts = rects.map((rect) => intersection(rect, view)).filter(hasArea);
  return parts.sort((a, b) => b.width * b.height - a.width * a.height);
};

/** @param {string} length */
export const px = (length) => Number.parseFloat(length) || 0;

/**
 * Return the content box in CSS px of this frame's viewport, scaled by transforms.
 * @param {any} frame
 */
export const contentBox = (frame) => {
  const rect = getBoundingClientRect.call(frame);
  const scaleX = rect.width / (frame.offsetWidth || 1);
  const scaleY = rect.height / (frame.offsetHeight || 1);
  const { left, top, width, height } = contentSize(frame);
  return {
    x: rect.x + (clientLeftOf.call(frame) + left) * scaleX,
    y: rect.y + (clientTopOf.call(frame) + top) * scaleY,
    width: width * scaleX,
    height: height * scaleY,
  };
};

/**
 * Return the size of the content box of a frame in its own px.
 * @param {any} frame
 */
export const contentSize = (frame) => {
  const style = getComputedStyle(frame);
  return {
    left: px(style.paddingLeft), top: px(style.paddingTop),
    width: clientWidthOf.call(frame) - px(style.paddingLeft) - px(style.paddingRight),
    height: clientHeightOf.call(frame) - px(style.paddingTop) - px(style.paddingBottom),
  };
};

/**
 * Convert a point of the window to px of the content box of a frame. Offsets of events include all transforms.
 * @param {any} frame @param {Point} point
 */
export const localPoint = (frame, { x, y }) => {
  const { left, top, width, height } = contentSize(frame);
  const box = contentBox(frame);
  let found = { x: ((x - box.x) * width) / (box.width || 1), y: ((y - box.y) * height) / (box.height || 1) };
  const turned = nearest(frame, (node) => {
    const { transform, rotate, perspective } = getComputedStyle(node);
    const { is2D, a, b, c, d } = new DOMMatrix(transform);
    return !is2D || a <= 0 || d <= 0 || b !== 0 || c !== 0 || rotate !== 'none' || perspective !== 'none';
  });
  if (turned === null) return found;
  const zoom = frame.currentCSSZoom ?? 1;
  frame.addEventListener('charlotte:at', (/** @type {any} */ { offsetX, offsetY }) => {
    found = { x: offsetX / zoom - left, y: offsetY / zoom - top };
  }, { once: true });
  dispatchEventOf.call(frame, new PointerEvent('charlotte:at', { clientX: x, clientY: y }));
  return found;
};

/** @param {Element} element */
export const ignoresPointer = (element) => getComputedStyle(element).pointerEvents === 'none';

/** @param {Rect} rect */
export const centre = (rect) => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });

/** @param {Element} element */
export const clips = (element) => {
  const { overflowX, overflowY } = getComputedStyle(element);
  return overflowX !== 'visible' || overflowY !== 'visible';
};

/**
 * Return whether a scrolling ancestor clips a point of an element.
 * @param {Element} element @param {Point} point
 */
export const isCutOff = (element, point) => {
  const root = rootElementOf.call(document);
  return nearest(flatParent(element), (node) => {
    const rect = getBoundingClientRect.call(node);
    const outside = point.x < rect.left || point.x > rect.right || point.y < rect.top || point.y > rect.bottom;
    return outside && node !== root && clips(node);
  }) !== null;
};

/** @param {Element} element */
export const isScrollable = (element) =>
  scrollHeightOf.call(element) > clientHeightOf.call(element) + 1
  && !['visible', 'clip'].includes(getComputedStyle(element).overflowY);

/** @param {Element} element */
export const scrollableAncestor = (element) => {
  const around = nearest(flatParent(element), (node) => node === document.body || isScrollable(node));
  return around === document.body ? null : around;
};
