// Keys that a verb sends reach the element that they are meant for, or a field to which its own text moved the focus.
// While anything else has the focus, they are withheld from the page and counted.
import { isConnectedOf, isScriptless, queryAll } from './builtins.js';
import { now } from './clock.js';
import { isSecret } from './control_values.js';
import { deepActive, nearest } from './flat_tree.js';
import { describeElement } from './hit_test.js';
import { takesText } from './text_controls.js';
import { visibleRects } from './visibility.js';

const FIELDS = 'input, textarea, [contenteditable]';
const LONGEST = 10000; // ms after the last key, when keys belong to someone else
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/** {element, seen: fields that were visible, isKeys, typed, hasInput, by, isDown, isLast, until} @type {any} */
let guard = null;

/** Fields that get a secret by keys, and those in which it may go on. @type {WeakMap<Element, Element[]>} */
const secretFields = new WeakMap();
/** @param {Element[]} fields the only ones that get a secret: a field, or the boxes of a code */
export const bindSecret = (fields) => fields.forEach((field) => secretFields.set(field, fields));

/**
 * Return whether the text goes on in another field: the focus moved there while a key was handled or from a full field, or
 * the field was not visible before and has the text already or gets all of it.
 * @param {Element} field @param {boolean} isDuring
 */
const hasMovedOn = (field, isDuring) => {
  const { element, seen, typed } = guard;
  if (!(secretFields.get(element)?.includes(field) ?? (isSecret(element) || !isSecret(field)))) return false;
  if (isDuring || !isConnectedOf.call(element)) return true;
  if (element.maxLength > 0 && element.value.length >= element.maxLength) return true;
  return !seen.has(field) && (typed === 0 || (field.value ?? field.textContent) !== '');
};

/**
 * Return whether keys may reach the element that has the focus, and follow the focus there.
 * @param {boolean} isDuring
 */
const isMeant = (isDuring) => {
  const active = deepActive();
  if (active === null) return false;
  if (nearest(active, (one) => one === guard.element) !== null) return true;
  if (!(guard.isKeys ? isDuring : takesText(active) && hasMovedOn(active, isDuring))) return false;
  guard.element = active;
  return true;
};

const describeFocus = (active = deepActive()) => (active === null ? 'the page' : describeElement(active));

/** @param {any} event */
const onKey = (event) => {
  const { type, key, isTrusted } = event;
  if (guard === null || !isTrusted || now() > guard.until || MODIFIERS.has(key)) return;
  const isDuring = guard.isDown && type !== 'keydown';
  const isText = type === 'beforeinput' ? !guard.isDown : type === 'keydown';
  guard.hasInput ||= type === 'beforeinput';
  guard.isDown = type === 'keydown' || (guard.isDown && type !== 'keyup');
  if (isMeant(isDuring) && guard.by === null) {
    guard.until = now() + LONGEST;
    if (isText) guard.typed += 1;
  } else if (type !== 'keyup') {
    event.preventDefault();
    event.stopImmediatePropagation();
    guard.by ??= describeFocus();
    if (!isText) guard.typed -= 1;
  }
  if (guard.isLast && type === 'keydown') guard = null;
};

export const listenForKeys = () => {
  for (const type of ['keydown', 'keypress', 'beforeinput', 'keyup']) window.addEventListener(type, onKey, true);
};

/**
 * Guard the keys that follow: only an element gets them, or what its own keys move the focus to.
 * @param {any} element @param {boolean} [isKeys] whether they need not be text @param {boolean} [isLast] whether it is one
 */
export const guardKeys = (element, isKeys = false, isLast = false) => {
  if (isScriptless() || element === null) return;
  listenForKeys();
  const fields = isKeys ? [] : [...queryAll(document, FIELDS)].filter((field) => visibleRects(field).length > 0);
  guard = { element, seen: new Set(fields), isKeys, typed: 0, hasInput: false, by: null, isDown: false, isLast, until: now() + LONGEST };
};

/** End the guard of an earlier action. */
export const endGuard = () => { guard = null; };

/** Guard the keys that follow for the element that has the focus. */
export const guardFocus = () => {
  guardKeys(deepActive());
  return '{}';
};

/** Return whether a text may be inserted at the focus. */
export const mayInsert = () => {
  if (guard === null || now() > guard.until) return true;
  if (!isMeant(false)) guard.by ??= describeFocus();
  return guard.by === null;
};

/** Return whether the element has moved the focus to a field for the text. */
export const leadsOn = () => guard !== null && isMeant(false);

/** Return whether the element handles its keys itself: none of them was input for the browser. */
export const handlesKeys = () => guard !== null && guard.typed > 0 && !guard.hasInput;

/** @param {string} text */
export const noteInserted = (text) => {
  if (guard !== null) guard.typed += [...text].length;
};

/**
 * Return {typed: number of keys or characters that have arrived, by: what had the focus as others were withheld, or has it
 * now}; {} without a guard. Then the guard is over, unless "more" keys follow, or one "last" key.
 * @param {string} then
 */
export const guarded = (then) => {
  if (guard === null) return '{}';
  if (!isMeant(false)) guard.by ??= describeFocus();
  const { typed, by } = guard;
  guard.isLast = then === 'last';
  if (then === '') guard = null;
  return JSON.stringify(by === null ? { typed } : { typed, by });
};
