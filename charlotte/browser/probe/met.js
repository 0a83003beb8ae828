// A press that is aimed at an element has to meet it, but a page may move while the press is on its way. One that
// would meet something else is kept from the page, and told.
const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
const NEAR = 2; // px that events differ at most from the point they were sent to
const RIGHT = 2;
const ON_ITS_WAY = 5000; // ms after which a press is none of ours
let awaited = null;
let pressed = null; // the last press: {element, canvas, drawing, time}

const SAMPLED = 128; // px

/** A hash with one more pixel in it; turned each time, for the highest bits alone may differ. */
const withPixel = (hash, pixel) => Math.imul(((hash << 13) | (hash >>> 19)) ^ pixel, 0x9e3779b1);

/** What is drawn on a canvas, as a number; null where that cannot be read. */
const drawingOn = (canvas) => {
  try {
    const copy = new OffscreenCanvas(SAMPLED, SAMPLED).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0, SAMPLED, SAMPLED);
    const { data } = copy.getImageData(0, 0, SAMPLED, SAMPLED);
    return new Uint32Array(data.buffer).reduce(withPixel, 0);
  } catch {
    return null;
  }
};

const notePressed = ({ x, y }, element) => {
  const hit = element instanceof HTMLCanvasElement ? element : elementAt(x, y);
  const canvas = hit instanceof HTMLCanvasElement ? hit : null;
  pressed = { element, canvas, drawing: canvas === null ? null : drawingOn(canvas), time: now() };
};

/** In an older document, a listener of the page may come before those of the probe and stop the event. */
const IS_FIRST_LISTENER = readyStateOf.call(document) === 'loading';
const EMBEDDERS = setOf('iframe frame object embed fencedframe');

const listenForPresses = () => {
  for (const type of PRESSES) window.addEventListener(type, onPress, true);
  window.addEventListener('blur', onFocusLost, true);
  window.addEventListener('dragstart', onDragStart, true);
};

/** Whether a press at a point arrives in this document, where a listener of the probe gets it before the page. */
const arrivesHere = ({ x, y }) => {
  const hit = IS_FIRST_LISTENER && !isScriptless() ? elementAt(x, y) : null;
  return hit !== null && !EMBEDDERS.has(localNameOf.call(hit));
};

/** `answers(hit)` says whether what a press at that point meets is what it was meant for: `element`, if it is here. */
const awaitPress = (point, answers, element = null) => {
  const state = { met: null, strayed: false, release: 'met', isDown: false, isTold: false, outlivesFocus: false };
  const name = element === null ? '' : describeElement(element);
  const isLost = element !== null && arrivesHere(point); // until an event of it arrives
  awaited = { point, answers, element, name, ...state, isLost, end: now() + ON_ITS_WAY };
  drag = null;
  notePressed(point, element);
  if (!isScriptless()) listenForPresses(); // document.open() removes all listeners of a window
};

/** Expect a press at a point, whatever it meets. */
const awaitPressAt = (x, y) => {
  awaitPress({ x, y }, () => true, elementAt(x, y));
  return '{}';
};

const isAwaited = ({ clientX, clientY }) =>
  now() < awaited.end && Math.abs(clientX - awaited.point.x) <= NEAR && Math.abs(clientY - awaited.point.y) <= NEAR;

const meetsAt = ({ clientX, clientY }) => {
  const hit = elementAt(clientX, clientY);
  return hit !== null && awaited.answers(hit);
};

/**
 * Only the first press is kept from what it is not meant for: the second of a double click goes where the page
 * has it.
 */
const judge = (event) => {
  const meets = meetsAt(event);
  if (awaited.met === null) awaited.met = meets;
  else if (!meets) awaited.strayed = true;
};

/** Where an element is, '' for nowhere. */
const surfaceAt = (element) => {
  const surface = element !== null && isConnectedOf.call(element) ? surfaceOf(element) : null;
  return surface === null ? '' : rounded(rectOf(surface)).join();
};

const isExpanded = (element) => element !== null && attribute(element, 'aria-expanded') === 'true';

const dropPress = (press) => { if (awaited === press) awaited = null; };

const onDown = (event) => {
  if (awaited.isTold || !isAwaited(event)) {
    awaited = null;
    return;
  }
  awaited.isDown = true;
  awaited.place = surfaceAt(awaited.element);
  awaited.wasOpen = isExpanded(awaited.element);
  judge(event);
};

/** Whether what is met now was made anew in the place of what was pressed. */
const meetsItsLike = ({ clientX, clientY }) => {
  for (let node = elementAt(clientX, clientY); node !== null; node = flatParent(node)) {
    if (describeElement(node) === awaited.name) return true;
  }
  return false;
};

/**
 * What became of a release. What went away at the press has answered it, as an option does that is chosen so; but not
 * if it went only after something lost the focus: then the press has hidden it, as it hides a list of suggestions.
 * A context menu opens at the press of the right button, and its release meets that; other lists at any press.
 */
const releaseOf = (event) => {
  if (awaited.strayed || meetsAt(event)) return 'met';
  if (isExpanded(awaited.element) && !awaited.wasOpen) return 'met';
  const place = surfaceAt(awaited.element);
  if (event.button === RIGHT) return place === '' || place === awaited.place ? 'met' : 'slipped';
  if (place !== '' || meetsItsLike(event)) return 'slipped';
  return awaited.outlivesFocus ? 'hidden' : 'met';
};

const onUp = (event) => {
  awaited.isDown = false;
  if (awaited.met && awaited.release === 'met') awaited.release = releaseOf(event);
  if (awaited.isTold) setTimeout(dropPress, 0, awaited);
};

/** A key makes clicks too, but is aimed at nothing. */
const isByKey = ({ type, detail }) => type === 'click' && detail === 0;

const onPress = (event) => {
  if (awaited === null || !event.isTrusted || isByKey(event)) return;
  awaited.isLost = false;
  if (event.type === 'pointerdown') onDown(event);
  else if (event.type === 'pointerup') onUp(event);
  if (awaited?.met !== false) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

const onFocusLost = () => {
  if (awaited?.isDown && awaited.met) awaited.outlivesFocus ||= surfaceAt(awaited.element) !== '';
};

/** The HTML5 drag that began since the last press was awaited: {event, source, place, effect}. */
let drag = null;

/** Where a node lies in its parent, whatever scrolls. */
const placeInParent = (node) => {
  const parent = parentElementOf.call(node);
  if (parent === null) return [null, null, ''];
  const [inner, outer] = [node instanceof Element ? rectOf(node) : null, rectOf(parent)];
  const left = inner && outer ? inner.x - outer.x + scrollLeftOf.call(parent) : 0;
  const top = inner && outer ? inner.y - outer.y + scrollTopOf.call(parent) : 0;
  return [parent, nextSiblingOf.call(node), `${Math.round(left)},${Math.round(top)}`];
};

const onDragStart = (event) => {
  const [source] = event.composedPath();
  if (!event.isTrusted || !(source instanceof Node)) return;
  drag = { event, source, place: placeInParent(source), effect: null };
  const begun = drag;
  drag.effect = new Promise((resolve) => {
    const onEnd = ({ dataTransfer }) => resolve(dataTransfer?.dropEffect ?? '');
    begun.source.addEventListener('dragend', onEnd, { capture: true, once: true }); // also when it is detached
  });
};

/**
 * {began, draggable}: whether the page has begun an HTML5 drag since the press, and whether the browser would let it
 * drag the element.
 */
const dragged = (nid) => {
  let element = elementOf(nid);
  while (element !== null && element.draggable !== true) element = flatParent(element);
  const began = drag !== null && !drag.event.defaultPrevented;
  return JSON.stringify({ began, draggable: element !== null });
};

const DRAG_ENDS_WITHIN = 500; // ms

/**
 * A promise of {dropped}: whether the drag that has just ended was dropped, or the page has meanwhile put what was
 * dragged in another place, as lists do that sort on dragover.
 */
const dropped = async () => {
  if (drag === null) return '{"dropped": true}';
  const { source, place, effect } = drag;
  const reached = await Promise.race([effect, later(DRAG_ENDS_WITHIN).then(() => '')]);
  await later(0); // until the page has handled dragend
  const present = placeInParent(source);
  const isElsewhere = present.some((part, index) => part !== place[index]);
  return JSON.stringify({ dropped: reached !== 'none' || isElsewhere });
};

if (!isScriptless()) listenForPresses();

const outcomeOf = ({ met: first, isLost, strayed, release }) => {
  if (isLost) return 'lost';
  if (first === false) return 'missed';
  if (release !== 'met') return release;
  return strayed ? 'strayed' : 'met';
};

/**
 * {outcome: "met"|"missed"|"lost"|"slipped"|"hidden"|"strayed"}: of a press that did not arrive ("lost"), whose release
 * met something else, or that had its own target hidden before, and of a second press that met something else.
 */
const met = () => {
  const outcome = awaited === null ? 'met' : outcomeOf(awaited);
  if (outcome === 'missed' && awaited.isDown) awaited.isTold = true; // its release is none for the page either
  else awaited = null;
  return JSON.stringify({ outcome });
};
