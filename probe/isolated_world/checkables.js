// Checkable elements: checkboxes, radio buttons and switches, and elements of other roles that have a checked state, such
// as tree items. These may contain a checkbox that is hidden from accessibility and is pressed in their place.
import { closest, localNameOf, matches, parentElementOf, queryIn } from './builtins.js';
import { checkedState, hasInternalState } from './control_states.js';
import { flatParent, nearest, rootOf } from './flat_tree.js';
import { ariaState } from './internals.js';
import { textPartOf } from './options.js';
import { byNumber, nidOf } from './registry.js';
import { CHECKABLE, EXCLUDED, roleOf } from './roles.js';
import { isDrawn } from './visibility.js';

const BOXES = 'input[type=checkbox],input[type=radio],[role=checkbox],[role=radio],[role=switch]';
const ITEMS = '[role=treeitem],[role=option],[role=row]';
const CHECKED_STATES = ['true', 'false', 'mixed'];

/** @param {Element} element @param {string} name */
const stateOf = (element, name) => CHECKED_STATES.find((state) => state === ariaState(element, name)) ?? null;

/**
 * Return the checkbox of an element, or the drawn part around it if the checkbox itself is not drawn; null for none.
 * @param {Element} element
 */
const boxIn = (element) => {
  const boxes = [element, rootOf(element)].flatMap((root) => (root === null ? [] : [...queryIn(root, BOXES)]));
  /** @type {any} */
  let part = boxes.find((one) => // no other item lies between
    nearest(flatParent(one), (node) => node === element || matches.call(node, ITEMS)) === element) ?? null;
  while (part !== null && part !== element && !isDrawn(part)) part = parentElementOf.call(part);
  return part === element ? null : part;
};

/**
 * Return the state of an element that can be checked, by its role or attributes; null for other elements.
 * @param {Element} element @param {string} [tag]
 */
export const checkedIn = (element, tag = localNameOf.call(element)) => {
  if (CHECKABLE.has(roleOf(element, tag))) return hasInternalState(element, tag) ? 'unknown' : checkedState(element, tag);
  const state = stateOf(element, 'aria-checked') ?? stateOf(element, 'aria-pressed');
  if (state !== null) return state;
  const selected = stateOf(element, 'aria-selected');
  const box = selected === null ? null : boxIn(element);
  return box !== null && closest.call(box, EXCLUDED) !== null ? selected : null;
};

/**
 * Return the checkbox of a label, also in the shadow root of what it belongs to or holds.
 * @param {any} label
 */
const boxOfLabel = (label) => [label.control, ...queryIn(label, '*')].filter(Boolean)
  .flatMap((one) => [one, ...(rootOf(one) === null ? [] : queryIn(rootOf(one), BOXES))]).find((one) => matches.call(one, BOXES));

const EXPANDING = '[role=treeitem],[role=row],tr';
const LEADING = 'a[href]:not([href="#"]),[role=link]';

/**
 * Return whether a row or item is expanded, and the numbers of its text without links and of a part with the state: {expanded,
 * text?, box?}; null for others.
 * @param {Element} element
 */
const expandedIn = (element) => {
  if (!matches.call(element, EXPANDING)) return null;
  const isOwn = (/** @type {any} */ one) => nearest(flatParent(one), (node) => matches.call(node, EXPANDING)) === element;
  const part = [...queryIn(element, '[aria-expanded]:not([aria-haspopup])')].find((one) => isOwn(one) && !matches.call(one, EXPANDING));
  const state = stateOf(element, 'aria-expanded') ?? (part === undefined ? null : stateOf(part, 'aria-expanded'));
  if (state === null) return null;
  const text = textPartOf(element);
  const leads = closest.call(text, LEADING) !== null || [...queryIn(text, LEADING)].some(isOwn);
  return { expanded: state, ...(leads ? {} : { text: nidOf(text) }), ...(part === undefined ? {} : { box: nidOf(part) }) };
};

/**
 * Return {checked: "true"|"false"|"mixed"|"unknown", box?: number of the checkbox inside an element of another role}, {expanded,
 * text?, box?} for a row or item that can only be expanded, or {error: "not checkable"}.
 */
export const checked = byNumber((element) => {
  const labelled = element instanceof HTMLLabelElement ? boxOfLabel(element) : undefined;
  const state = checkedIn(labelled ?? element);
  if (state === null) return expandedIn(element) ?? { error: 'not checkable' };
  const box = labelled ?? (CHECKABLE.has(roleOf(element, localNameOf.call(element))) ? null : boxIn(element));
  return { checked: state, ...(box === null ? {} : { box: nidOf(box) }) };
});
