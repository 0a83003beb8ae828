// Widgets whose value is set by keys or the mouse: sliders and splitters, the parts of a date, the boxes of a code.
import { accessibleName } from './accessible_names.js';
import {
  attribute, collapse, getBoundingClientRect, hasAttribute, innerTextOf, localNameOf, matches, queryIn, textContentOf,
} from './builtins.js';
import { frame, now } from './clock.js';
import { isSecret } from './control_values.js';
import { flatParent, rootOf } from './flat_tree.js';
import { elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { isInEditable, referredBy } from './roles.js';
import { isKeyCatcher, takesText, textControlOf } from './text_controls.js';
import { isDrawn } from './visibility.js';

const SCALES = '[role=slider],[role=spinbutton],[role=separator]';

/** @param {Element} element */
const isScale = (element) =>
  matches.call(element, SCALES) && hasAttribute.call(element, 'aria-valuenow') && !takesText(element);

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

/** @param {any} element */
const isNativeRange = (element) => element instanceof HTMLInputElement && element.type === 'range';

/** @param {Element} element @param {string} name */
const numberOf = (element, name) => {
  const text = attribute(element, name) ?? '';
  return text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text);
};

/**
 * Return the value of a widget and its limits; a native range without limits goes from 0 to 100.
 * @param {any} scale
 */
const numbersOf = (scale) => {
  if (isNativeRange(scale)) {
    return { now: Number(scale.value), min: numberOf(scale, 'min') ?? 0, max: numberOf(scale, 'max') ?? 100 };
  }
  const [value, min, max] = ['now', 'min', 'max'].map((name) => numberOf(scale, `aria-value${name}`));
  return { now: value ?? 0, min, max };
};

const LEAST_RATIO = 3; // of a track's length to the size of its handle

/**
 * Return whether the value changes from top to bottom. A separator between two panes side by side is tall.
 * @param {Element} scale @param {Rect} rect
 */
const isVertical = (scale, rect) => {
  if (matches.call(scale, '[role=separator]')) return rect.width > rect.height;
  const orientation = attribute(scale, 'aria-orientation');
  return orientation === null ? rect.height > LEAST_RATIO * rect.width : orientation === 'vertical';
};

/**
 * Return the length of the track: of the widget itself or of the nearest element around its handle that is long enough.
 * @param {Element} scale @param {'width' | 'height'} side
 */
const trackLength = (scale, side) => {
  const size = getBoundingClientRect.call(scale);
  const least = LEAST_RATIO * Math.max(size.width, size.height);
  let around = flatParent(scale);
  while (around !== null && getBoundingClientRect.call(around)[side] < least) around = flatParent(around);
  return around === null ? 0 : getBoundingClientRect.call(around)[side];
};

/** @param {Element} scale */
const describeScale = (scale) => {
  const rect = getBoundingClientRect.call(scale);
  const vertical = isVertical(scale, rect);
  const [length, across] = vertical ? [rect.height, rect.width] : [rect.width, rect.height];
  const isTrack = !matches.call(scale, '[role=separator]') && length >= LEAST_RATIO * across;
  const isReversed = !vertical && getComputedStyle(scale).direction === 'rtl';
  return {
    nid: nidOf(scale), ...numbersOf(scale), at: vertical ? rect.y + rect.height / 2 : rect.x + rect.width / 2,
    length: isTrack ? length : trackLength(scale, vertical ? 'height' : 'width'), track: isTrack, vertical,
    reversed: isReversed || (vertical && !matches.call(scale, '[role=separator]')),
  };
};

/**
 * Describe a native range or a widget with `aria-valuenow`, once its value differs from `before` or `wait` ms are over: {nid, now, min,
 * max, at, length, track, vertical, reversed}, or {error: gone|"no scale"}. `at` is the middle of the handle along the
 * track.
 * @param {number} nid @param {number | null} [before] @param {number} [wait]
 */
export const scale = async (nid, before = null, wait = 0) => {
  const end = now() + wait;
  for (;;) {
    const element = elementOf(nid);
    if (element === null) return GONE_ANSWER;
    const found = isNativeRange(element) ? element : scaleOf(element);
    if (found === null) return JSON.stringify({ error: 'no scale' });
    if (now() >= end || numbersOf(found).now !== before) return JSON.stringify(describeScale(found));
    await frame();
  }
};

const SEGMENT = '[role=spinbutton][aria-valuemax]';

/**
 * Return the innermost element around the first part of a date that contains others; null for none.
 * @param {Element} element
 */
const segmentsHolder = (element) => {
  let around = element;
  while (around !== null && queryIn(around, SEGMENT).length < 2) around = flatParent(around);
  return around === document.documentElement || around === document.body ? null : around;
};

/** @param {Element} element */
const segmentsOf = (element) => {
  const first = matches.call(element, SEGMENT) ? element : [...queryIn(element, SEGMENT)][0];
  if (first === undefined) return [];
  const holder = segmentsHolder(first);
  if (holder === null) return [];
  return [...queryIn(holder, SEGMENT)].filter((one) => isInEditable(one) || !takesText(one));
};

/** @param {Element} segment */
const describeSegment = (segment) => ({
  nid: nidOf(segment), now: numberOf(segment, 'aria-valuenow'), min: numberOf(segment, 'aria-valuemin') ?? 0,
  max: numberOf(segment, 'aria-valuemax') ?? 0,
});

/**
 * Return the parts of a date or time that is entered in several spinbuttons: {segments: [{nid, now, min, max}, …]}.
 * @param {number} nid
 */
export const segments = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  return JSON.stringify({ segments: segmentsOf(element).map(describeSegment) });
};

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

/**
 * Return {boxes: numbers of the inputs, shown: their text}, once that is the wanted one or `wait` ms are over.
 * @param {number} nid @param {string} wanted @param {number} wait
 */
export const boxes = async (nid, wanted, wait) => {
  const end = now() + wait;
  for (;;) {
    const element = elementOf(nid);
    if (element === null) return GONE_ANSWER;
    const found = boxesFrom(textControlOf(element) ?? element);
    const shown = found.map(({ value }) => value).join('');
    if (shown === wanted || now() >= end) return JSON.stringify({ boxes: found.map(nidOf), shown });
    await frame();
  }
};

/**
 * Return the texts that may show the format of a field: {hints: […]}.
 * @param {number} nid
 */
export const formatHints = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const control = textControlOf(element) ?? element;
  const named = ['placeholder', 'aria-placeholder', 'data-placeholder', 'title'].map((name) => attribute(control, name) ?? '');
  const name = collapse(accessibleName(control));
  return JSON.stringify({ hints: [...named, ...referredBy(control, 'aria-describedby').map((one) => collapse(textContentOf.call(one))), name].filter((text) => text !== '') });
};

/**
 * Return the text of a date in several spinbuttons; null for other fields.
 * @param {Element} element
 */
const segmentsText = (element) => {
  const [first] = segmentsOf(element);
  const holder = first === undefined ? null : segmentsHolder(first);
  return holder === null ? null : collapse(innerTextOf.call(holder));
};

/**
 * Return what a field shows now that was set to a date (`isDate`) or a text of this length: {shown}, {number} or
 * {selected: [value or text, …]}; {} if that cannot be compared with a given value.
 * @param {number} nid @param {boolean} isDate @param {number} length
 */
export const shownValue = (nid, isDate, length) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  if (element instanceof HTMLSelectElement) {
    return JSON.stringify({ selected: [...element.selectedOptions].flatMap(({ value, label }) => [value, collapse(label)]) });
  }
  const found = scaleOf(element);
  if (found !== null) return JSON.stringify({ number: numberOf(found, 'aria-valuenow') });
  const date = isDate ? segmentsText(element) : null;
  if (date !== null) return JSON.stringify({ shown: date });
  const control = textControlOf(element);
  const part = control !== null && isInEditable(control) && matches.call(control, SEGMENT) ? numberOf(control, 'aria-valuenow') : null;
  if (part !== null) return JSON.stringify({ number: part });
  if (isInEditable(control)) return JSON.stringify(collapse(innerTextOf.call(control)) === '' ? { shown: '' } : {});
  if (control === null || typeof control.value !== 'string' || isSecret(control) || isKeyCatcher(control)) return '{}';
  const all = boxesFrom(control);
  return JSON.stringify({ shown: all.length === length ? all.map(({ value }) => value).join('') : control.value });
};
