// A press that is aimed at an element has to meet it, but a page may move while the press is on its way. One that
// would meet something else is kept from the page, and told.
const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
const NEAR = 2; // px that events differ at most from the point they were sent to
const RIGHT = 2;
const ON_ITS_WAY = 5000; // ms after which a press is none of ours
let awaited = null;

/** `answers(hit)` says whether what a press at that point meets is what it was meant for: `element`, if it is here. */
const awaitPress = (point, answers, element = null) => {
  const state = { met: null, strayed: false, release: 'met', isDown: false, isTold: false, outlivesFocus: false };
  const name = element === null ? '' : describeElement(element);
  awaited = { point, answers, element, name, ...state, end: now() + ON_ITS_WAY };
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
  if (event.type === 'pointerdown') onDown(event);
  else if (event.type === 'pointerup') onUp(event);
  if (awaited?.met !== false) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

const onFocusLost = () => {
  if (awaited?.isDown && awaited.met) awaited.outlivesFocus ||= surfaceAt(awaited.element) !== '';
};

if (!isScriptless()) {
  for (const type of PRESSES) window.addEventListener(type, onPress, true);
  window.addEventListener('blur', onFocusLost, true);
}

const outcomeOf = ({ met: first, strayed, release }) => {
  if (first === false) return 'missed';
  if (release !== 'met') return release;
  return strayed ? 'strayed' : 'met';
};

/**
 * {outcome: "met"|"missed"|"slipped"|"hidden"|"strayed"}: of a press whose release met something else, or that had its
 * own target hidden before, and of a second press that met something else; "met" too when none has come.
 */
const met = () => {
  const outcome = awaited === null ? 'met' : outcomeOf(awaited);
  if (outcome === 'missed' && awaited.isDown) awaited.isTold = true; // its release is none for the page either
  else awaited = null;
  return JSON.stringify({ outcome });
};
