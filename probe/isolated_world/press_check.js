// Checks that a press reaches its target: a page may move while the press is on its way. A press that would hit something
// else is withheld from the page and reported.
import {
  attribute, isConnectedOf, isScriptless, localNameOf, nextSiblingOf, parentElementOf, readyStateOf,
  scrollLeftOf, scrollTopOf, setOf,
} from './builtins.js';
import { later, now } from './clock.js';
import { elementAt, nearest, rootOf } from './flat_tree.js';
import { listenForKeys } from './focus_guard.js';
import { describeElement, surfaceOf } from './hit_test.js';
import { elementOf, nidOf } from './registry.js';
import { rectOf, rounded } from './visibility.js';

const PRESSES = [
  'pointerdown', 'touchstart', 'mousedown', 'pointerup', 'touchend', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu',
];
const TOLERANCE = 2; // px that events differ at most from the point they were sent to
const RIGHT_BUTTON = 2;
const PRESS_TIMEOUT = 5000; // ms after which a press belongs to someone else
/** @type {any} */
let expectedPress = null;
/** The last press or turn of the wheel, or key after it: {element, canvas, drawing, time, isCompared}. @type {any} */
export let lastPress = null;

const SAMPLED = 128; // px

/**
 * Return a hash of the drawing on a canvas; null if it cannot be read.
 * @param {any} canvas
 */
const canvasHash = (canvas) => {
  try {
    /** @type {any} */
    const copy = new OffscreenCanvas(SAMPLED, SAMPLED).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0, SAMPLED, SAMPLED);
    const { data } = copy.getImageData(0, 0, SAMPLED, SAMPLED);
    // the hash is rotated, because only the highest bits of pixels may differ
    return new Uint32Array(data.buffer).reduce((hash, pixel) => Math.imul(((hash << 13) | (hash >>> 19)) ^ pixel, 0x9e3779b1), 0);
  } catch {
    return null;
  }
};

/** @param {{ x: number, y: number }} point @param {Element | null} element */
export const noteLastPress = ({ x, y }, element) => {
  const hit = element instanceof HTMLCanvasElement ? element : elementAt(x, y);
  const canvas = hit instanceof HTMLCanvasElement ? hit : null;
  lastPress = { element, canvas, drawing: canvas === null ? null : canvasHash(canvas), time: now(), isCompared: false };
};

/**
 * Keep the drawing before the first key of an action: keys move shapes that were drawn or selected.
 * @param {Event} event
 */
const onKeyDown = ({ isTrusted }) => {
  const canvas = lastPress?.canvas ?? null;
  if (!isTrusted || canvas === null || !lastPress.isCompared || !isConnectedOf.call(canvas)) return;
  lastPress = { element: canvas, canvas, drawing: canvasHash(canvas), time: now(), isCompared: false };
};

/** Return whether the drawing on the canvas of the last press, turn or key has changed since. */
export const hasDrawn = () => {
  lastPress.isCompared = true;
  return lastPress.drawing !== null && canvasHash(lastPress.canvas) !== lastPress.drawing;
};

/** In a document that was loaded before, a listener of the page may come first and stop the event. */
const IS_FIRST_LISTENER = readyStateOf.call(document) === 'loading';
const EMBEDDERS = setOf('iframe frame object embed fencedframe audio video'); // players keep the events of their own controls

/** @param {any} subject */
const isExpected = ({ clientX, clientY }) =>
  Math.abs(clientX - expectedPress.point.x) <= TOLERANCE && Math.abs(clientY - expectedPress.point.y) <= TOLERANCE;

/** @param {any} subject */
const hitsTarget = ({ clientX, clientY }) => {
  const hit = elementAt(clientX, clientY);
  return hit !== null && expectedPress.answers(hit);
};

/**
 * Check the target of a press. Only the first press is withheld: a page may move before the second press of a double
 * click.
 * @param {any} event
 */
const checkTarget = (event) => {
  const [target] = event.composedPath(); // the host of a closed root
  const hits = hitsTarget(event) && (rootOf(target) !== null || expectedPress.answers(target));
  if (expectedPress.isHit === null) expectedPress.isHit = hits;
  else if (!hits) expectedPress.strayed = true;
};

/**
 * Return the position of an element; '' for none.
 * @param {Element} element
 */
const surfaceBox = (element) => {
  const surface = element !== null && isConnectedOf.call(element) ? surfaceOf(element) : null;
  return surface === null ? '' : rounded(rectOf(surface)).join();
};

/** @param {Element} element */
const isExpanded = (element) => element !== null && attribute(element, 'aria-expanded') === 'true';

/** @param {any} event */
const onDown = (event) => {
  if (expectedPress.isReported || now() >= expectedPress.end) expectedPress = null;
  if (expectedPress === null || !isExpected(event)) return;
  expectedPress.isLost = false;
  expectedPress.isDown = true;
  expectedPress.place = surfaceBox(expectedPress.element);
  expectedPress.wasOpen = isExpanded(expectedPress.element);
  checkTarget(event);
};

/**
 * Classify a release. An element that disappeared at the press has handled it, as an option does; but not if it
 * disappeared after a loss of focus, as a list of suggestions does. A context menu opens at the press of the right
 * button, so its release hits the menu.
 * @param {any} event
 */
const releaseOf = (event) => {
  if (expectedPress.strayed || hitsTarget(event)) return 'hit';
  if (isExpanded(expectedPress.element) && !expectedPress.wasOpen) return 'hit';
  const place = surfaceBox(expectedPress.element);
  if (event.button === RIGHT_BUTTON) return place === '' || place === expectedPress.place ? 'hit' : 'slipped';
  if (place !== '') return 'slipped';
  const hit = elementAt(event.clientX, event.clientY);
  const replacement = nearest(hit, (node) => describeElement(node) === expectedPress.name); // after a re-render
  if (replacement !== null) return 'slipped';
  return expectedPress.outlivesFocus ? 'hidden' : 'hit';
};

/** @param {any} event */
const onUp = (event) => {
  expectedPress.isDown = false;
  if (expectedPress.isHit && expectedPress.release === 'hit') expectedPress.release = releaseOf(event);
  const press = expectedPress;
  if (press.isReported) setTimeout(() => { if (expectedPress === press) expectedPress = null; }, 0);
};

/** @param {any} event */
const onPress = (event) => {
  const isByKey = event.type === 'click' && event.detail === 0; // it has no point
  if (expectedPress === null || !event.isTrusted || isByKey) return;
  if (event.type === 'pointerdown') onDown(event);
  else if (event.type === 'pointerup') onUp(event);
  if (expectedPress?.isHit !== false) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

const onFocusLost = () => {
  if (expectedPress?.isDown && expectedPress.isHit) expectedPress.outlivesFocus ||= surfaceBox(expectedPress.element) !== '';
};

/** The HTML5 drag that began since the last expected press: {event, source, place, effect}. @type {any} */
let drag = null;

/**
 * Return the position of a node in its parent, independent of scrolling.
 * @param {any} node
 */
const placeInParent = (node) => {
  const parent = parentElementOf.call(node);
  if (parent === null) return [null, null, ''];
  const [inner, outer] = [node instanceof Element ? rectOf(node) : null, rectOf(parent)];
  const left = inner && outer ? inner.x - outer.x + scrollLeftOf.call(parent) : 0;
  const top = inner && outer ? inner.y - outer.y + scrollTopOf.call(parent) : 0;
  return [parent, nextSiblingOf.call(node), `${Math.round(left)},${Math.round(top)}`];
};

/** @param {any} event */
const onDragStart = (event) => {
  const [source] = event.composedPath();
  if (!event.isTrusted || !(source instanceof Node)) return;
  drag = { event, source, place: placeInParent(source), effect: null };
  const startedDrag = drag;
  drag.effect = new Promise((resolve) => {
    const onEnd = (/** @type {any} */ { dataTransfer }) => resolve(dataTransfer?.dropEffect ?? '');
    startedDrag.source.addEventListener('dragend', onEnd, { capture: true, once: true }); // also when it is detached
  });
};

const listenForPresses = () => {
  for (const type of PRESSES) window.addEventListener(type, onPress, { capture: true, passive: false });
  window.addEventListener('keydown', onKeyDown, true);
  listenForKeys();
  window.addEventListener('blur', onFocusLost, true);
  window.addEventListener('dragstart', onDragStart, true);
};

/**
 * Expect a press at a point. `answers(hit)` returns whether it reaches its target, which is `element` if it is in
 * this document.
 * @param {Point} point @param {(hit: any) => boolean} answers @param {Element | null} [element]
 */
export const expectPress = (point, answers, element = null) => {
  const state = { isHit: null, strayed: false, release: 'hit', isDown: false, isReported: false, outlivesFocus: false };
  const name = element === null ? '' : describeElement(element);
  const hit = element !== null && IS_FIRST_LISTENER && !isScriptless() ? elementAt(point.x, point.y) : null;
  const isLost = hit !== null && !EMBEDDERS.has(localNameOf.call(hit)); // until an event of it arrives
  expectedPress = { point, answers, element, name, ...state, isLost, end: now() + PRESS_TIMEOUT };
  drag = null;
  noteLastPress(point, element);
  if (!isScriptless()) listenForPresses(); // document.open() removes all listeners of a window
};

/**
 * Expect a press at a point, with any target; return the number of the element there, 0 for none.
 * @param {number} x @param {number} y
 */
export const expectPressAt = (x, y) => {
  const element = elementAt(x, y);
  expectPress({ x, y }, () => true, element);
  return JSON.stringify({ nid: element === null ? 0 : nidOf(element) });
};

/**
 * Return {began, draggable}: whether the page has started an HTML5 drag since the press, and whether the element is
 * draggable.
 * @param {number} nid
 */
export const dragged = (nid) => {
  const element = nearest(elementOf(nid), (node) => node.draggable === true);
  const began = drag !== null && !drag.event.defaultPrevented;
  return JSON.stringify({ began, draggable: element !== null });
};

const DRAG_ENDS_WITHIN = 500; // ms

/**
 * Return a promise of {dropped}: whether the last drag ended with a drop, or the page has moved the dragged element,
 * as sortable lists do on dragover.
 */
export const dropped = async () => {
  if (drag === null) return '{"dropped": true}';
  const { source, place, effect } = drag;
  const reached = await Promise.race([effect, later(DRAG_ENDS_WITHIN).then(() => '')]);
  await later(0); // until the page has handled dragend
  const present = placeInParent(source);
  const isElsewhere = present.some((part, index) => part !== place[index]);
  return JSON.stringify({ dropped: reached !== 'none' || isElsewhere });
};

if (!isScriptless()) listenForPresses();

/** @param {any} subject */
const outcomeOf = ({ isHit, isLost, strayed, release }) => {
  if (isLost) return 'lost';
  if (isHit === false) return 'missed';
  if (release !== 'hit') return release;
  return strayed ? 'strayed' : 'hit';
};

/**
 * Return {outcome: "hit"|"missed"|"lost"|"slipped"|"hidden"|"strayed"}: "lost" if the press did not arrive, "slipped"
 * if its release hit something else, "hidden" if the press hid its target, "strayed" if a second press hit something
 * else.
 */
export const pressOutcome = () => {
  const outcome = expectedPress === null ? 'hit' : outcomeOf(expectedPress);
  if (outcome === 'missed' && expectedPress.isDown) expectedPress.isReported = true; // its release is withheld from the page too
  else expectedPress = null;
  return JSON.stringify({ outcome });
};
