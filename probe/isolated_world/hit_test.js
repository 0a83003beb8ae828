// What a click at a point would reach.
import {
  attribute, closest, contains, getBoundingClientRect, idOf, localNameOf, matches, textOf,
} from './builtins.js';
import { listensItself } from './clickable.js';
import { elementAt, flatParent } from './flat_tree.js';
import { labelsOf } from './names.js';
import { roleOf, WIDGETS } from './roles.js';
import { centre, isDrawn, letsThrough, visibleRects } from './visibility.js';

/** @param {Element} element @param {string} tag */
const takesMouse = (element, tag) => WIDGETS.has(roleOf(element, tag)) || listensItself(element, tag);

/**
 * The innermost of `element` and what is around it that takes the mouse; null if there is none.
 * @param {Element} element
 */
export const mouseTaker = (element) => {
  let node = element;
  while (node !== null && !takesMouse(node, localNameOf.call(node))) node = flatParent(node);
  return node;
};

/**
 * Whether nothing is typed into a control that opens a list: a press on any part of its widget opens that too.
 * @param {Element} element
 */
const onlyOpens = (element) => element.readOnly === true && roleOf(element, localNameOf.call(element)) === 'combobox';

const CONTROLS = 'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=switch]';

const MOST_AROUND_CONTROL = 60; // px by which a widget is higher than the control in it

/** @param {any} inner @param {any} outer */
const isWithin = (inner, outer) =>
  inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1
  && inner.bottom <= outer.bottom + 1;

/**
 * Whether `hit` lies beside such a control in a small widget around both.
 * @param {any} hit @param {Element} element
 */
const isOfSameWidget = (hit, element) => {
  let around = hit;
  while (around !== null && !contains.call(around, element)) {
    if (matches.call(around, CONTROLS)) return false;
    around = flatParent(around);
  }
  if (around === null || around === document.body) return false;
  const outer = getBoundingClientRect.call(around);
  const highest = 2 * getBoundingClientRect.call(element).height + MOST_AROUND_CONTROL;
  return outer.height <= highest && isWithin(getBoundingClientRect.call(hit), outer);
};

/**
 * Whether a control is met that lets its part `element` be shown, and takes the mouse itself.
 * @param {any} hit @param {Element} element
 */
const takesInstead = (hit, element) => {
  if (onlyOpens(element) && isOfSameWidget(hit, element)) return true;
  const taker = letsThrough(element) ? mouseTaker(hit) : null;
  return taker !== null && contains.call(taker, element);
};

/**
 * Whether a click on `hit` is a click on `element`: it lies inside, or in a label of it, or takes the mouse for it.
 * @param {any} hit @param {Element} element
 */
export const answersFor = (hit, element) => {
  for (let node = hit; node !== null; node = flatParent(node)) {
    if (node === element || (node instanceof HTMLLabelElement && node.control === element)) return true;
  }
  return takesInstead(hit, element);
};

/**
 * Whether a click on `hit` would be one on another control that lies inside of `element`.
 * @param {any} hit @param {Element} element
 */
const isInnerControl = (hit, element) => {
  const control = closest.call(hit, CONTROLS);
  return control !== null && control !== element && contains.call(element, control);
};

const QUARTERS = [[0.25, 0.25], [0.75, 0.75], [0.25, 0.75], [0.75, 0.25]];

/**
 * Where to try: the centre, then halfway to the corners.
 * @param {Rect} rect
 */
export const pointsIn = (rect) => [
  centre(rect),
  ...QUARTERS.map(([right, down]) => ({ x: rect.x + right * rect.width, y: rect.y + down * rect.height })),
];

const EDGE = 3;

/**
 * Where an element may still be met whose controls lie everywhere else: all along its edges.
 * @param {Rect} rect
 */
const edgePoints = (rect) => {
  const { x, y } = centre(rect);
  const across = Math.min(EDGE, rect.width / 2);
  const down = Math.min(EDGE, rect.height / 2);
  const [left, right] = [rect.x + across, rect.x + rect.width - across];
  const [top, bottom] = [rect.y + down, rect.y + rect.height - down];
  return [[left, y], [right, y], [x, top], [x, bottom], [left, top], [right, top], [left, bottom], [right, bottom]]
    .map(([at, height]) => ({ x: at, y: height }));
};

/**
 * The first point that answers for the element; else one that does for a control `inside` of it, and what
 * covers it.
 * @param {Element} element @param {Point[]} points
 */
const tryPoints = (element, points) => {
  let cover = null;
  let inside = null;
  for (const point of points) {
    const hit = elementAt(point.x, point.y);
    if (hit === null || !answersFor(hit, element)) cover ??= { hit, point };
    else if (isInnerControl(hit, element)) inside ??= point;
    else return { point };
  }
  return { cover, inside };
};

/**
 * A point in the largest visible part that answers for the element, if it can be not for a control in it, else
 * what covers it.
 * @param {Element} element @param {any} surface
 */
export const findPoint = (element, surface) => {
  const rects = visibleRects(surface);
  const found = tryPoints(element, rects.flatMap(pointsIn));
  if (found.point !== undefined || found.inside === null) return found;
  const { point = found.inside } = tryPoints(element, rects.flatMap(edgePoints));
  return { point };
};

/**
 * What to click for an element: itself, or a visible label of a control that takes no room or no mouse of its own.
 * @param {Element} element
 */
export const surfaceOf = (element) => {
  const surfaces = [element, ...labelsOf(element)].filter(isDrawn);
  const reached = surfaces.find((one) => !letsThrough(one) || mouseTaker(flatParent(one)) !== null);
  return reached ?? surfaces[0] ?? null;
};

/** @param {Element} element */
export const describeElement = (element) => {
  const id = idOf.call(element);
  const text = attribute(element, 'aria-label') || textOf(element, 40);
  return localNameOf.call(element) + (id === '' ? '' : `#${id}`) + (text === '' ? '' : ` "${text}"`);
};
