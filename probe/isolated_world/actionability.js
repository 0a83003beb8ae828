// Waiting until a click reaches an element: it has to be visible, enabled, still and uncovered. `target` returns a point in
// this document; `framePoint` converts a point in the document of a frame to a point in this document.
import { labelsOf } from './accessible_names.js';
import {
  getAnimations, getBoundingClientRect, localNameOf, queryAll, queryIn, scrollIntoView, scrollLeftOf, scrollTopOf, timelineOf, timelineTimeOf,
} from './builtins.js';
import { frame, now } from './clock.js';
import { isDisabled } from './control_states.js';
import { elementAt, flatParent, holds, nearest } from './flat_tree.js';
import { answersFor, describeElement, findPoint, isLabelOf, mouseTaker, surfaceOf } from './hit_test.js';
import { isToggle } from './names.js';
import { expectPress } from './press_check.js';
import { elementOf, nidOf, numbers } from './registry.js';
import { isFileInput } from './text_controls.js';
import {
  centre, clips, contentSize, isCutOff, isDrawn, ignoresPointer, localPoint, rectOf, rounded, SEEN, sightOf, viewportRect,
  visibleRects,
} from './visibility.js';

const SCROLLBAR = 20; // px

/** @param {any} node */
export const coversView = (node) => {
  const { left, top, right, bottom } = getBoundingClientRect.call(node);
  const { width, height } = viewportRect();
  return left <= 0 && top <= 0 && right >= width - SCROLLBAR && bottom >= height - SCROLLBAR;
};

/**
 * Return whether scrolling may help: the element is out of view, cut off, or under something smaller than the window.
 * @param {any} surface @param {any} cover
 */
const scrollHelps = (surface, cover) => {
  if (cover === null || isCutOff(surface, cover.point)) return true;
  const last = nearest(cover.hit, (node) => holds(node, surface) || coversView(node));
  return cover.hit !== null && last !== cover.hit && (last === null || holds(last, surface));
};

/** @param {Element} element @param {ScrollLogicalPosition} [block] @param {ScrollLogicalPosition} [inline] */
export const scrollToMiddle = (element, block = 'center', inline = 'nearest') =>
  scrollIntoView.call(element, { block, inline, behavior: 'instant' });

/** @param {any} surface @param {any} cover */
const missReason = (surface, cover) => {
  if (cover === null) return { error: 'out of reach' };
  if (ignoresPointer(surface) && mouseTaker(flatParent(surface)) === null) return { error: 'transparent' };
  if (cover.hit !== null && holds(cover.hit, surface)) return { error: 'not painted' };
  return cover.hit === null ? { error: 'covered' } : { error: 'covered', by: describeElement(cover.hit) };
};

const MOST_IN_COVER = 50;

/**
 * Return the numbers of the listed elements in the outermost element around `hit` that does not hold `covered`.
 * @param {any} hit @param {any} covered
 */
export const listedOver = (hit, covered) => {
  const isOutermost = (/** @type {any} */ node) => flatParent(node) === null || holds(flatParent(node), covered);
  const cover = nearest(hit, isOutermost);
  const listed = [cover, ...queryIn(cover, '*')].filter((element) => numbers.has(element));
  return listed.slice(0, MOST_IN_COVER).map(nidOf);
};

/** Bars, boxes, sticky rows and columns cover different parts of the view. @type {ScrollLogicalPosition[]} */
const ACROSS = ['nearest', 'center', 'end', 'start'];
/** @type {ScrollLogicalPosition[]} */
const DOWN = ['center', 'end', 'start', 'nearest'];
const ALIGNMENTS = DOWN.flatMap((block) => ACROSS.map((inline) => ({ block, inline })));

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
  const isAimed = state.scrolled || found.point !== undefined;
  const ways = isAimed ? [] : [heldAround(surface), []].flatMap((held) => ALIGNMENTS.map((way) => ({ ...way, held })));
  for (const { block, inline, held } of ways) {
    if (found.point !== undefined || !scrollHelps(surface, found.cover)) break;
    state.scrolled = true;
    scrollToMiddle(surface, block, inline);
    for (const [node, position] of held) node.scrollTo(position);
    found = findPoint(element, surface);
  }
  return found.point === undefined ? findPoint(element, surface, true) : found;
};

/**
 * Check what stands for an element. To hover over it, it need not take the mouse, because its parent may handle the event;
 * nor as the end of a drag, which is a place and may also be covered.
 * @param {Element} element @param {any} surface @param {any} state @param {string} need @returns {any}
 */
const checkSurface = (element, surface, state, need) => {
  const { point: freePoint, cover } = aimScrolling(element, surface, state);
  const isPlace = need === 'place' || (need === 'hover' && ignoresPointer(surface));
  const point = freePoint ?? (isPlace ? cover?.point : undefined);
  if (point !== undefined) return { point, place: rounded(rectOf(surface)).join() };
  const isByKey = sightOf(element) === SEEN && nearest(cover?.hit ?? null, (node) => isLabelOf(node, element)) !== null;
  const reason = missReason(surface, cover);
  const over = reason.by === undefined ? [] : listedOver(cover?.hit, surface);
  return { ...reason, ...(over.length === 0 ? {} : { over }), ...(isByKey ? { key: 1 } : {}) };
};

/**
 * Check an element once: {point, place} if a click would reach it, else {error, by?}.
 * @param {Element} element @param {any} state @param {string} need
 */
const checkOnce = (element, state, need) => {
  const surface = surfaceOf(element);
  if (surface === null && sightOf(element) === SEEN) return { error: 'no box' };
  if (surface === null) return { error: isFileInput(element) ? 'unseen file input' : 'hidden' };
  if (need === 'enabled' && isDisabled(element)) return { error: 'disabled' };
  const seen = checkSurface(element, surface, state, need);
  if (seen.point !== undefined) return seen;
  const labels = isToggle(element, localNameOf.call(element)) ? labelsOf(element).filter((label) => label !== surface && isDrawn(label)) : [];
  const others = labels.map((label) => checkSurface(element, label, state, need));
  return others.find((one) => one.point !== undefined || one.key === 1) ?? seen;
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
    if (seen.key === 1) return seen;
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
 * away from a menu that covers it while the mouse rests there, or from what shows a tooltip over it; null otherwise.
 * @param {number} nid @param {string} need
 */
const restingPoint = (nid, need) => {
  const element = elementOf(nid);
  const surface = element === null ? null : surfaceOf(element);
  if (element === null || surface === null) return null;
  if (!ignoresPointer(surface)) {
    const { point, cover } = findPoint(element, surface);
    if (point !== undefined || !cover?.hit) return null;
    const shows = isCutOff(surface, cover.point) ? null : [...queryAll(document, HOVERED)].at(-1);
    const held = cover.hit.closest(HOVERED) ?? shows;
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

const MOST_STEPS = 20;

/**
 * Convert a point of a document that is `size` px large to a point in the window of its frame, whatever transforms the
 * frame. The browser only converts back, so the point is approached.
 * @param {any} frame @param {Point} inner @param {any} size
 */
const toOuterPoint = (frame, inner, size) => {
  const content = contentSize(frame);
  let point = centre(getBoundingClientRect.call(frame));
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const [here, right, down] = [[0, 0], [1, 0], [0, 1]].map(([x, y]) => localPoint(frame, { x: point.x + x, y: point.y + y }));
    const [x, y] = [(inner.x * content.width) / size.width - here.x, (inner.y * content.height) / size.height - here.y];
    const [a, b, c, d] = [right.x - here.x, down.x - here.x, right.y - here.y, down.y - here.y];
    const area = a * d - b * c;
    if (area === 0 || Math.hypot(x, y) < 0.1) break;
    point = { x: point.x + (d * x - b * y) / area, y: point.y + (a * y - c * x) / area };
  }
  return point;
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
  const pointNow = () => toOuterPoint(frame, inner, size);
  const coverNow = () => {
    const point = pointNow();
    return { point, hit: elementAt(point.x, point.y) };
  };
  let cover = coverNow();
  if (!state.scrolled && (cover.hit === null || (!answersFor(cover.hit, frame) && scrollHelps(frame, cover)))) {
    state.scrolled = true;
    scrollToPoint(frame, pointNow);
    cover = coverNow();
  }
  if (cover.hit === null) return { error: 'out of reach' };
  return answersFor(cover.hit, frame) ? { point: cover.point, place: rounded(rectOf(frame)).join() } : missReason(frame, cover);
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
