// Hit tests: the element that a click at a point would reach.
import { labelsOf } from './accessible_names.js';
import { attribute, closest, contains, getBoundingClientRect, idOf, localNameOf, matches, queryIn } from './builtins.js';
import { listensItself } from './clickable.js';
import { elementAt, flatParent, holds, nearest } from './flat_tree.js';
import { proxyOf } from './names.js';
import { roleOf, WIDGETS } from './roles.js';
import { centre, isDrawn, ignoresPointer, visibleRects } from './visibility.js';
import { visibleWordsOf } from './visible_text.js';

/**
 * Return the innermost element around `element`, itself included, that handles the mouse; null for none.
 * @param {Element} element
 */
export const mouseTaker = (element) => nearest(element, (node) => {
  const tag = localNameOf.call(node);
  return WIDGETS.has(roleOf(node, tag)) || listensItself(node, tag);
});

const NATIVE = 'a[href],button,input,select,textarea,summary';
const CONTROLS = `${NATIVE},[role=button],[role=link],[role=checkbox],[role=switch]`;

const MAX_EXTRA_HEIGHT = 60; // px by which a widget may be higher than its control

/** @param {any} inner @param {any} outer */
const isWithin = (inner, outer) =>
  inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1
  && inner.bottom <= outer.bottom + 1;

/**
 * Return whether `hit` lies in the same small widget as a control.
 * @param {any} hit @param {Element} element
 */
const isOfSameWidget = (hit, element) => {
  const holder = nearest(hit, (node) => contains.call(node, element) || matches.call(node, CONTROLS));
  if (holder === null || !contains.call(holder, element)) return false;
  const own = getBoundingClientRect.call(element);
  const around = nearest(holder, (node) => isWithin(own, getBoundingClientRect.call(node)));
  if (around === null || around === document.body) return false;
  const outer = getBoundingClientRect.call(around);
  const highest = 2 * own.height + MAX_EXTRA_HEIGHT;
  return outer.height <= highest && isWithin(getBoundingClientRect.call(hit), outer);
};

/**
 * Return whether a control around `element` handles the mouse for it. A press on any part of a combobox without a text field
 * opens its list.
 * @param {any} hit @param {Element} element
 */
const isMouseTakenByControl = (hit, element) => {
  const onlyOpens = element.readOnly === true && roleOf(element, localNameOf.call(element)) === 'combobox';
  if (onlyOpens && isOfSameWidget(hit, element)) return true;
  const taker = ignoresPointer(element) ? mouseTaker(hit) : null;
  return taker !== null && holds(taker, element);
};

/** @param {any} node @param {Element} element */
export const isLabelOf = (node, element) => node instanceof HTMLLabelElement && node.control === element;

/**
 * Return whether a click on `hit` is a click on `element`: `hit` lies inside it, in its label or proxy, or in the control
 * that handles the mouse for it. A link in a label does not check a box.
 * @param {any} hit @param {Element} element
 */
export const answersFor = (hit, element) => {
  const proxy = proxyOf(element);
  const own = nearest(hit, (node) => node === element || node === proxy || isLabelOf(node, element));
  if (own === null) return isMouseTakenByControl(hit, element);
  const control = own === element ? null : closest.call(hit, NATIVE);
  return control === null || control === element || !contains.call(own, control);
};

const QUARTERS = [[0.25, 0.25], [0.75, 0.75], [0.25, 0.75], [0.75, 0.25]];

/**
 * Return the points to try: the centre, then halfway to the corners.
 * @param {Rect} rect
 */
export const pointsIn = (rect) => [
  centre(rect),
  ...QUARTERS.map(([right, down]) => ({ x: rect.x + right * rect.width, y: rect.y + down * rect.height })),
];

const GRID = [0.1, 0.3, 0.5, 0.7, 0.9];
const INSET = 2; // px from the edges; the corners may be round
const MOST_SHAPES = 20;
const PLAY_BUTTON = Object.freeze({ right: 27, up: 30 }); // px from the lower left corner of a player of the browser

/**
 * Return places from edge to edge, on whole px as those of a press.
 * @param {number} start @param {number} size
 */
const placesAlong = (start, size) => [Math.min(INSET, size / 2), ...GRID.map((part) => part * size), size - Math.min(INSET, size / 2)]
  .map((way) => Math.max(Math.ceil(start), Math.floor(start + way)));

/**
 * Return points all over an element: on the lines of its shapes, and from edge to edge of its rectangles.
 * @param {any} surface @param {Rect[]} rects
 */
export const pointsAllOver = (surface, rects) => [
  ...[surface, ...queryIn(surface, '*')].filter((one) => one instanceof SVGGeometryElement // others than those of no size
    && getBoundingClientRect.call(one).width + getBoundingClientRect.call(one).height > 0).slice(0, MOST_SHAPES).flatMap((shape) =>
    GRID.map((part) => shape.getPointAtLength(part * shape.getTotalLength()).matrixTransform(shape.getScreenCTM() ?? undefined)))
    .map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) })),
  ...rects.flatMap((rect) => placesAlong(rect.y, rect.height).flatMap((y) => placesAlong(rect.x, rect.width).map((x) => ({ x, y })))),
];

/**
 * Return the first point that reaches the element; else a point on a control `inside` of it, and the cover.
 * @param {Element} element @param {Point[]} points
 */
const tryPoints = (element, points) => {
  let cover = null;
  let inside = null;
  for (const point of points) {
    const hit = elementAt(point.x, point.y);
    const control = hit === null ? null : closest.call(hit, CONTROLS);
    if (hit === null || !answersFor(hit, element)) cover ??= { hit, point };
    else if (control !== null && control !== element && contains.call(element, control)) inside ??= point;
    else return { point };
  }
  return { cover, inside };
};

/**
 * Return a point in the largest visible part that reaches the element, if possible not a control inside it, else the
 * cover. A thorough search also finds points beside gaps, holes, and covers of most of the element.
 * @param {Element} element @param {any} surface
 */
export const findPoint = (element, surface, isThorough = false) => {
  const rects = visibleRects(surface);
  const isPlayer = roleOf(element, localNameOf.call(element)) === 'player';
  const buttons = isPlayer ? rects.map(({ x, y, height }) => ({ x: x + PLAY_BUTTON.right, y: y + height - PLAY_BUTTON.up })) : [];
  const found = tryPoints(element, [...buttons, ...rects.flatMap(pointsIn)]);
  if (found.point !== undefined || (found.inside === null && !isThorough)) return found;
  const { point = found.inside } = tryPoints(element, pointsAllOver(surface, rects));
  return point === null ? found : { point };
};

/**
 * Return the element to click: itself, or a visible label or proxy of a control that has no size or ignores the mouse.
 * @param {Element} element
 */
export const surfaceOf = (element) => {
  const surfaces = [element, ...labelsOf(element), proxyOf(element) ?? element].filter(isDrawn);
  const reached = surfaces.find((one) => !ignoresPointer(one) || mouseTaker(flatParent(one)) !== null);
  return reached ?? surfaces[0] ?? null;
};

/**
 * Describe an element by what it is, its id, and its name or text: `div#box "Text"`.
 * @param {Element} element @param {string} [what] @param {string} [name]
 */
export const describeElement = (element, what = localNameOf.call(element), name = attribute(element, 'aria-label') ?? '') => {
  const id = idOf.call(element);
  const text = name || visibleWordsOf(element, 40);
  return what + (id === '' ? '' : `#${id}`) + (text === '' ? '' : ` "${text}"`);
};
