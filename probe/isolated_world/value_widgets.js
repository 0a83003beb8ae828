// Widgets whose value is set by keys or the mouse: sliders and splitters, the parts of a date, the boxes of a code.
import { accessibleName } from './accessible_names.js';
import {
  attribute, collapse, getBoundingClientRect, hasAttribute, innerTextOf, localNameOf, matches, queryIn, setOf, textContentOf,
} from './builtins.js';
import { frame, now } from './clock.js';
import { checkedIn } from './checkables.js';
import { isAriaTrue, isInvalid } from './control_states.js';
import { isSecret } from './control_values.js';
import { deepActive, flatParent, nearest, rootOf } from './flat_tree.js';
import { guardKeys } from './focus_guard.js';
import { ariaState } from './internals.js';
import { markedChoices, optionFor } from './options.js';
import { byNumber, elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { isInEditable, referredBy, roleOf } from './roles.js';
import { isKeyCatcher, takesText, textControlOf } from './text_controls.js';
import { isDrawn } from './visibility.js';

const SCALES = '[role=slider],[role=spinbutton],[role=separator]';
const SCALE_ROLES = setOf('slider spinbutton');

/** @param {Element} element */
const isScale = (element) =>
  (matches.call(element, SCALES) || SCALE_ROLES.has(roleOf(element, localNameOf.call(element))))
  && ariaState(element, 'aria-valuenow') !== null && !takesText(element);

/**
 * Return the widget with `aria-valuenow`: the element, or the only one inside it; null for none or several.
 * @param {Element} element @returns {Element | null}
 */
export const scaleOf = (element) => {
  if (isScale(element)) return element;
  if (textControlOf(element) !== null) return null;
  const found = [...queryIn(rootOf(element) ?? element, SCALES)].filter(isScale);
  return found.length === 1 ? found[0] : null;
};

/** @param {Element} element @param {string} name */
const numberOf = (element, name) => {
  const text = ariaState(element, name) ?? '';
  return text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text);
};

/**
 * Return the present, the least and the greatest value.
 * @param {Element} widget
 */
const valuesOf = (widget) => ['now', 'min', 'max'].map((name) => numberOf(widget, `aria-value${name}`));

/**
 * Return whether ArrowUp and ArrowDown change the value. A separator between two panes side by side is tall.
 * @param {Element} scale
 */
const isVertical = (scale) => {
  const { width, height } = getBoundingClientRect.call(scale);
  if (matches.call(scale, '[role=spinbutton]')) return true;
  if (matches.call(scale, '[role=separator]')) return width > height;
  const orientation = attribute(scale, 'aria-orientation');
  return orientation === null ? height > 3 * width : orientation === 'vertical';
};

const STEADY = 4; // frames: a widget that draws later than it handles keys shows values that have passed

/**
 * Describe a widget with `aria-valuenow`, once its value is `expected`, or differs from `before` and has stayed the same for
 * some frames, or `wait` ms are over: {nid, now, min, max, vertical}, or {error: gone|"no scale"}.
 * @param {number} nid @param {number | null} [before] @param {number} [wait] @param {number | null} [expected]
 */
export const scale = async (nid, before = null, wait = 0, expected = null) => {
  const end = now() + wait;
  for (let [last, steady] = [before, 0]; ; await frame()) {
    const element = elementOf(nid);
    if (element === null) return GONE_ANSWER;
    const found = scaleOf(element);
    if (found === null) return JSON.stringify({ error: 'no scale' });
    const [value, min, max] = valuesOf(found);
    const shown = value ?? 0;
    [last, steady] = [shown, shown === last ? steady + 1 : 0];
    if (now() >= end || shown === expected || (shown !== before && steady >= STEADY)) {
      return JSON.stringify({ nid: nidOf(found), now: shown, min, max, vertical: isVertical(found) });
    }
  }
};

const SEGMENT = '[role=spinbutton][aria-valuemax]';

/**
 * Return the parts of a date in the innermost element around the first that contains others.
 * @param {Element} element
 */
const segmentsOf = (element) => {
  const first = matches.call(element, SEGMENT) ? element : queryIn(element, SEGMENT)[0] ?? null;
  const holder = nearest(first, (node) => queryIn(node, SEGMENT).length > 1);
  if (holder === null || holder === document.documentElement || holder === document.body) return [];
  return [...queryIn(holder, SEGMENT)].filter((one) => isInEditable(one) || !takesText(one));
};

/** Return the parts of a date or time that is entered in several spinbuttons: {segments: [{nid, now, min, max}, …]}. */
export const segments = byNumber((element) => ({
  segments: segmentsOf(element).map((one) => {
    const [value, min, max] = valuesOf(one);
    return { nid: nidOf(one), now: value, min: min ?? 0, max: max ?? 0 };
  }),
}));

const LEAST_BOXES = 3;
const TEXT_BOXES = 'input:not([type=hidden])';

/** @param {any} input */
const isBox = (input) => {
  const { width, height } = getBoundingClientRect.call(input);
  return takesText(input) && input.maxLength < 2 && width > 0 && width <= 2 * height;
};

/**
 * Return the boxes of a code, from this one on: inputs of the same size side by side; [] for a single input.
 * @param {any} control @returns {any[]}
 */
export const boxesFrom = (control) => {
  if (localNameOf.call(control) !== 'input' || !isBox(control)) return [];
  const own = getBoundingClientRect.call(control);
  const isLike = (/** @type {any} */ one) => {
    const { top, width, height } = getBoundingClientRect.call(one);
    return Math.abs(top - own.top) < 2 && Math.abs(width - own.width) < 2 && Math.abs(height - own.height) < 2;
  };
  let around = flatParent(control);
  for (; around !== null && around !== document.body; around = flatParent(around)) {
    const inside = [...queryIn(around, TEXT_BOXES)].filter((one) => isDrawn(one) && takesText(one));
    if (inside.some((one) => !isBox(one) || !isLike(one))) return [];
    if (inside.length >= LEAST_BOXES) return inside.slice(inside.indexOf(control));
  }
  return [];
};

let marked = /** @type {any} */ (null); // the field that was marked as invalid before a date was typed
const CALENDARS = setOf('dialog grid');

/** Return the texts that may show the format of a field: {hints: […]}. */
export const formatHints = byNumber((element) => {
  const control = textControlOf(element) ?? element;
  marked = isAriaTrue(control, 'aria-invalid') ? control : null;
  const named = ['placeholder', 'aria-placeholder', 'data-placeholder', 'title'].map((name) => attribute(control, name) ?? '');
  const described = referredBy(control, 'aria-describedby').map((one) => collapse(textContentOf.call(one)));
  return { hints: [...named, ...described, collapse(accessibleName(control))].filter((text) => text !== '') };
});

const LANGUAGE = /^[a-z]{2,3}(-[a-z]{2})?(?![a-z])/i;

/**
 * Return the format of dates in the language of an element, such as "M/D/YYYY".
 * @param {Element} element
 */
const localFormat = (element) => {
  const holder = nearest(element, (node) => hasAttribute.call(node, 'lang'));
  const [language] = LANGUAGE.exec(holder?.lang ?? '') ?? [navigator.language];
  return new Intl.DateTimeFormat(language).formatToParts(new Date(2033, 0, 2))
    .map(({ type, value }) => (type === 'literal' ? value : type[0].toUpperCase().repeat(value.length))).join('');
};

/**
 * Return {shown, open?, enters?, invalid?, local} of a field that a date was typed into, `local` being the format of its language;
 * {} for what takes no text. If its calendar is open and it has the focus, it `enters`: one key may follow; else it `leaves`.
 */
export const typedDate = byNumber((element, enters = false, leaves = false) => {
  const control = textControlOf(element);
  if (control === null || typeof control.value !== 'string' || isSecret(control)) return {};
  const open = isAriaTrue(control, 'aria-expanded') && CALENDARS.has(attribute(control, 'aria-haspopup') ?? '');
  const isEntered = enters && open && deepActive() === control;
  if (isEntered) guardKeys(control, true, true);
  else if (leaves) control.blur();
  const invalid = [control, element].some((one) => one !== marked && isInvalid(one, localNameOf.call(one), ''));
  return { shown: control.value, ...(open && { open: 1 }), ...(isEntered && { enters: 1 }), ...(invalid && { invalid: 1 }), local: localFormat(control) };
});

/**
 * Return what a field shows now that was set to a value: {shown}, {number}, {checked} or {chosen: [text, …]} without the option;
 * {} if that cannot be compared. If the value is one of its options (`picks`), only these count.
 */
export const shownValue = byNumber((element, wanted, picks = false) => {
  const checked = picks ? null : checkedIn(element);
  if (checked !== null && /^(?:true|false)$/.test(wanted)) return checked === 'unknown' ? {} : { checked };
  const options = markedChoices(element);
  const option = optionFor(options, wanted);
  if (picks || options.length > 0) {
    return option?.chosen === false ? { chosen: options.filter(({ chosen }) => chosen).map(({ text }) => text) } : {};
  }
  const found = scaleOf(element);
  if (found !== null) return { number: numberOf(found, 'aria-valuenow') };
  const control = textControlOf(element);
  const part = control !== null && isInEditable(control) && matches.call(control, SEGMENT) ? numberOf(control, 'aria-valuenow') : null;
  if (part !== null) return { number: part };
  if (isInEditable(control)) return collapse(innerTextOf.call(control)) === '' ? { shown: '' } : {};
  if (control === null || typeof control.value !== 'string' || isSecret(control) || isKeyCatcher(control)) return {};
  const all = boxesFrom(control);
  return { shown: all.length === wanted.length ? all.map(({ value }) => value).join('') : control.value };
});
