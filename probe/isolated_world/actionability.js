// Waiting until a click reaches an element: it has to be visible, enabled, still and uncovered. `target` returns a point in
// this document; `framePoint` converts a point in the document of a frame to a point in this document.
import { labelsOf } from './accessible_names.js';
import {
  getAnimations, getBoundingClientRect, localNameOf, queryIn, scrollIntoView, scrollLeftOf, scrollTopOf, timelineOf, timelineTimeOf,
} from './builtins.js';
import { frame, now } from './clock.js';
import { isDisabled } from './control_states.js';
import { elementAt, flatParent } from './flat_tree.js';
import { answersFor, describeElement, findPoint, mouseTaker, surfaceOf } from './hit_test.js';
import { isToggle } from './names.js';
import { expectPress } from './press_check.js';
import { elementOf, nidOf, numbers } from './registry.js';
import { isFileInput } from './text_controls.js';
import {
  centre, clips, contentBox, isCutOff, isDrawn, ignoresPointer, rectOf, rounded, SEEN, sightOf, viewportRect, visibleRects,
} from './visibility.js';

/**
 * Return the reason why an element cannot be used, before its position is checked; '' for none.
 * @param {Element} element @param {any} surface @param {string} need
 */
const obstacleOf = (element, surface, need) => {
  if (surface === null && sightOf(element) === SEEN) return 'no box';
  if (surface === null) return isFileInput(element, localNameOf.call(element)) ? 'unseen file input' : 'hidden';
  return need === 'enabled' && isDisabled(element) ? 'disabled' : '';
};

/** @param {any} hit */
export const coversMiddle = (hit) => {
  const rect = getBoundingClientRect.call(hit);
  const middle = centre(viewportRect());
  return rect.left <= middle.x && middle.x <= rect.right && rect.top <= middle.y && middle.y <= rect.bottom;
};

/**
 * Return whether scrolling to the middle helps: the element is out of view, cut off, or under a bar at an edge.
 * @param {any} surface @param {any} cover
 */
const scrollHelps = (surface, cover) =>
  cover === null || isCutOff(surface, cover.point) || (cover.hit !== null && !coversMiddle(cover.hit));

/** @param {Element} element @param {ScrollLogicalPosition} [block] @param {ScrollLogicalPosition} [inline] */
export const scrollToMiddle = (element, block = 'center', inline = 'nearest') =>
  scrollIntoView.call(element, { block, inline, behavior: 'instant' });

/** @param {any} surface @param {any} cover */
const missReason = (surface, cover) => {
  if (cover === null) return { error: 'out of reach' };
  if (ignoresPointer(surface) && mouseTaker(flatParent(surface)) === null) return { error: 'transparent' };
  return cover.hit === null ? { error: 'covered' } : { error: 'covered', by: describeElement(cover.hit) };
};

const MOST_IN_COVER = 50;

/**
 * Return the numbers of the listed elements in the outermost element around `hit` that does not hold `covered`.
 * @param {any} hit @param {any} covered
 */
export const listedOver = (hit, covered) => {
  const holders = new Set();
  for (let node = covered; node !== null; node = flatParent(node)) holders.add(node);
  let cover = hit;
  for (let node = hit; node !== null && !holders.has(node); node = flatParent(node)) cover = node;
  const listed = [cover, ...queryIn(cover, '*')].filter((element) => numbers.has(element));
  return listed.slice(0, MOST_IN_COVER).map(nidOf);
};

/**
 * Describe the covering element and list the elements in it that can be clicked.
 * @param {any} surface @param {any} cover
 */
const describeCover = (surface, cover) => {
  const answer = missReason(surface, cover);
  const over = answer.by === undefined ? [] : listedOver(cover.hit, surface);
  return over.length === 0 ? answer : { ...answer, over };
};

/** Sticky rows and columns cover different parts of the view. @type {[ScrollLogicalPosition, ScrollLogicalPosition][]} */
const ALIGNMENTS = [
  ['center', 'nearest'], ['center', 'center'], ['center', 'end'], ['center', 'start'], ['end', 'center'], ['start', 'center'],
];

/**
 * Return [element, its position] of those around an element that clip it and that no hand can scroll.
 * @param {Element} element @returns {[Element, ScrollToOptions][]}
 */
const heldAround = (element) => {
  const around = [];
  for (let node = flatParent(element); node !== null; node = flatParent(node)) around.push(node);
  return around.filter(clips).map((node) => {
    const { overflowX, overflowY } = getComputedStyle(node);
    const left = overflowX === 'hidden' ? scrollLeftOf.call(node) : undefined;
    return [node, { left, top: overflowY === 'hidden' ? scrollTopOf.call(node) : undefined, behavior: 'instant' }];
  });
};

/**
 * Find a point, and scroll once, in several ways, as long as that may help; first as a hand could.
 * @param {Element} element @param {any} surface @param {any} state
 */
const aimScrolling = (element, surface, state) => {
  let found = findPoint(element, surface);
  if (state.scrolled || found.point !== undefined) return found;
  let held = heldAround(surface);
  for (const [block, inline] of ALIGNMENTS) {
    if (found.point !== undefined || !scrollHelps(surface, found.cover)) break;
    state.scrolled = true;
    scrollToMiddle(surface, block, inline);
    for (const [node, position] of held) node.scrollTo(position);
    held = [];
    found = findPoint(element, surface);
  }
  return found;
};

/**
 * Return a point of an element that does not take the mouse there: to hover over it, because its parent may handle the
 * event, or as the end of a drag, which is a place and may also be covered.
 * @param {any} surface @param {any} cover @param {string} need
 */
const placeOf = (surface, cover, need) => {
  const isEnough = need === 'place' || (need === 'hover' && ignoresPointer(surface));
  return isEnough && cover !== null ? cover.point : undefined;
};

/**
 * Return other labels to click for a covered checkbox or radio button.
 * @param {Element} element @param {any} surface
 */
const otherSurfaces = (element, surface) =>
  (isToggle(element, localNameOf.call(element)) ? labelsOf(element) : [])
    .filter((label) => label !== surface && isDrawn(label));

/** @param {Element} element @param {any} surface @param {any} state @param {string} need @returns {any} */
const checkSurface = (element, surface, state, need) => {
  const { point: freePoint, cover } = aimScrolling(element, surface, state);
  const point = freePoint ?? placeOf(surface, cover, need);
  return point === undefined ? describeCover(surface, cover) : { point, place: rounded(rectOf(surface)).join() };
};

/**
 * Check an element once: {point, place} if a click would reach it, else {error, by?}.
 * @param {Element} element @param {any} state @param {string} need
 */
const checkOnce = (element, state, need) => {
  const surface = surfaceOf(element);
  const obstacle = obstacleOf(element, surface, need);
  if (obstacle !== '') return { error: obstacle };
  const seen = checkSurface(element, surface, state, need);
  if (seen.point !== undefined) return seen;
  const others = otherSurfaces(element, surface).map((label) => checkSurface(element, label, state, need));
  return others.find((one) => one.point !== undefined) ?? seen;
};

/** @param {number} value */
const hundredths = (value) => Math.round(value * 100) / 100;

/** @param {Point} point @param {any} [state] */
const pointAnswer = ({ x, y }, { scrolled } = {}) =>
  ({ x: hundredths(x), y: hundredths(y), ...(scrolled ? { scrolled: 1 } : {}) });

/** Return the time of animations: two frames of a busy machine may show the same moment. */
const animationTime = () => timelineTimeOf.call(timelineOf.call(document));

/** Checks before an element counts as moving: a page that is blocked draws no frames. */
const LEAST_LOOKS = 10;

/**
 * Check in every frame until the element was found at the same place for the required number of frames.
 * @param {number} nid @param {(element: any, state: any) => any} lookAt @param {number} wait
 */
const waitUntilStill = async (nid, lookAt, wait) => {
  const end = now() + wait;
  const rest = getAnimations.call(document).length === 0 ? 1 : 2; // frames: an animation may be about to start
  const state = { scrolled: false };
  let before = null;
  let alike = 0;
  let shown = null;
  let isDrawn = true;
  for (let looks = 1; ; looks += 1) {
    const element = elementOf(nid);
    if (element === null) return { error: 'gone' };
    const seen = lookAt(element, state);
    if (seen.place === undefined || seen.place !== before) alike = 0;
    else if (rest === 1 || !isDrawn || animationTime() !== shown) alike += 1;
    if (alike === rest) return pointAnswer(seen.point, state);
    before = seen.place ?? null;
    shown = animationTime();
    if (now() >= end && seen.error !== undefined) return { ...seen, waited: wait / 1000 };
    if (now() >= end && looks >= LEAST_LOOKS) return { error: 'moving' };
    isDrawn = await frame();
  }
};

const HOVERED = ':hover:not(html, body)';

/** Return a corner of the viewport that is in nothing under the mouse but the page. */
const cornerBesideMouse = () => {
  const { width, height } = viewportRect();
  const corners = [[1, 1], [width - 2, 1], [width - 2, height - 2], [1, height - 2]].map(([x, y]) => ({ x, y }));
  return corners.find(({ x, y }) => !elementAt(x, y)?.matches(HOVERED)) ?? null;
};

/**
 * Return where the mouse has to be before a click that would miss an element: in its middle if it lets the mouse through,
 * away from a menu that covers it while the mouse rests there; null otherwise.
 * @param {number} nid @param {string} need
 */
const restingPoint = (nid, need) => {
  const element = elementOf(nid);
  const surface = element === null ? null : surfaceOf(element);
  if (element === null || surface === null) return null;
  if (!ignoresPointer(surface)) {
    const { point, cover } = findPoint(element, surface);
    const held = point === undefined ? cover?.hit?.closest(HOVERED) : null;
    return held && !held.contains(surface) ? cornerBesideMouse() : null;
  }
  const { error } = checkOnce(element, { scrolled: false }, need);
  const [rect] = error === 'transparent' || error === 'covered' ? visibleRects(surface) : [];
  return rect === undefined ? null : centre(rect);
};

/**
 * Return a promise of {x, y, scrolled?} or {error: gone|hidden|disabled|no box|out of
 * reach|transparent|covered|moving, by?, over?, waited?: s}. With `press`, the press that follows is checked. With `wake`, return
 * {x, y, asleep} at once for an element that may take the mouse only once the mouse is there.
 * @param {number} nid @param {any} [options1]
 */
export const target = async (nid, { need = 'enabled', wait = 2000, press = false, wake = false } = {}) => {
  const resting = wake ? restingPoint(nid, need) : null;
  if (resting !== null) return JSON.stringify({ ...pointAnswer(resting), asleep: 1 });
  const answer = await waitUntilStill(nid, (element, state) => checkOnce(element, state, need), wait);
  if (press && answer.error === undefined) {
    const element = elementOf(nid);
    expectPress(answer, (hit) => answersFor(hit, element), element);
  }
  return JSON.stringify(answer);
};

/**
 * Convert a point of a document that is `size` px large to a point in the window of its frame.
 * @param {Rect} box @param {Point} point @param {any} size
 */
const toOuterPoint = (box, point, size) => ({
  x: box.x + (point.x * box.width) / size.width,
  y: box.y + (point.y * box.height) / size.height,
});

/**
 * Return the element over the frame at that point; null if the point is out of view.
 * @param {Point} point
 */
const coverAt = (point) => {
  const hit = elementAt(point.x, point.y);
  return hit === null ? null : { hit, point };
};

/**
 * Bring the frame into view, then the point in it: a frame may be larger than the window.
 * @param {any} frame @param {() => Point} pointNow
 */
const scrollToPoint = (frame, pointNow) => {
  scrollToMiddle(frame);
  const point = pointNow();
  if (elementAt(point.x, point.y) !== null) return;
  const middle = centre(viewportRect());
  window.scrollBy({ left: point.x - middle.x, top: point.y - middle.y, behavior: 'instant' });
};

/**
 * Check a frame once: {point, place} if a click there reaches the document inside, else {error, by?}.
 * @param {any} frame @param {any} state @param {Point} inner @param {any} size
 */
const checkFramePoint = (frame, state, inner, size) => {
  if (sightOf(frame) !== SEEN) return { error: 'hidden' };
  const pointNow = () => toOuterPoint(contentBox(frame), inner, size);
  const isHit = (/** @type {any} */ cover) => cover !== null && answersFor(cover.hit, frame);
  let cover = coverAt(pointNow());
  if (!isHit(cover) && !state.scrolled && scrollHelps(frame, cover)) {
    state.scrolled = true;
    scrollToPoint(frame, pointNow);
    cover = coverAt(pointNow());
  }
  return cover !== null && isHit(cover) ? { point: cover.point, place: rounded(contentBox(frame)).join() } : missReason(frame, cover);
};

/**
 * Return a promise of {x, y, scrolled?} in px of this viewport for a point in the document of a frame, whose viewport
 * is width × height, or {error: gone|hidden|no box|covered|moving, by?}.
 * @param {number} nid @param {any} subject1
 */
export const framePoint = async (nid, { x, y, width, height, wait = 2000, press = false }) => {
  const lookAt = (/** @type {any} */ frame, /** @type {any} */ state) => checkFramePoint(frame, state, { x, y }, { width, height });
  const answer = await waitUntilStill(nid, lookAt, wait);
  if (press && answer.error === undefined) expectPress(answer, () => false); // the target is inside the frame
  return JSON.stringify(answer);
};
