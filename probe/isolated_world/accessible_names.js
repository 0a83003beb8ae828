// The accessible names of elements, from Chromium's accessibility engine. A browser that was started with
// ComputedAccessibilityInfo has properties for them; any other provides functions of its console. Both return nothing for
// elements without a box (`display: contents`), whose names are computed here as far as rows need them.
import {
  attribute, closest, collapse, ELEMENT, getRootNode, idOf, localNameOf, nodeTypeOf, queryAll, querySelector,
  remembered, TEXT, textContentOf, withoutBreaks,
} from './builtins.js';
import { flatNodes } from './flat_tree.js';
import { pass } from './pass.js';
import { engineGetter, NAMED_BY_CONTENT, NATIVE_CONTROLS, referredBy, roleOf } from './roles.js';
import { isExcluded } from './sight.js';
import { shownWords } from './visible_text.js';

const engineName = engineGetter('computedName', 'getAccessibleName');

/**
 * Return the name without icons; the title of an element that has only an icon.
 * @param {Element} element
 */
export const accessibleName = (element) => {
  const name = namedByEngine(element);
  const read = withoutBreaks(name);
  return read === name ? name : read.trim() || attribute(element, 'title') || '';
};

const INLINE_DISPLAY = /^(inline|contents|ruby)/;

/**
 * Return the part of an element in the name of its parent; a block is separated by spaces.
 * @param {Element} element
 */
const spokenElement = (element) => {
  const { display } = getComputedStyle(element);
  if (display === 'none' || isExcluded(element)) return '';
  const text = accessibleName(element) || spokenInside(element);
  return INLINE_DISPLAY.test(display) ? text : ` ${text} `;
};

/** @param {any} node */
const spokenNode = (node) => {
  const type = nodeTypeOf.call(node);
  if (type === TEXT) return node.data;
  if (type !== ELEMENT) return '';
  return localNameOf.call(node) === 'br' ? ' ' : spokenElement(node);
};

/** @param {Element} element */
const spokenInside = (element) => flatNodes(element).map(spokenNode).join('');

/** @param {Element} element */
export const nameByOthers = (element) =>
  referredBy(element, 'aria-labelledby').map((one) => attribute(one, 'aria-label') || spokenInside(one)).join(' ');

/** @param {Element} element */
const nameInside = (element) => {
  if (NAMED_BY_CONTENT.has(roleOf(element, localNameOf.call(element)))) return spokenInside(element);
  const caption = querySelector.call(element, ':scope > :is(legend,caption)');
  return caption === null ? '' : spokenInside(caption);
};

/**
 * Return the title unless it only repeats the text.
 * @param {Element} element
 */
const tooltip = (element) => {
  const title = attribute(element, 'title');
  return title === null || title.trim() === textContentOf.call(element).trim() ? '' : title;
};

/**
 * Return the ids that labels of the same tree refer to.
 * @param {Element} element @returns {Set<string>}
 */
const idsWithLabel = (element) => {
  const root = getRootNode.call(element);
  return remembered(pass.labelled, root, () =>
    new Set(Array.from(queryAll(root, 'label[for]'), (label) => attribute(label, 'for') ?? '')));
};

/** @param {Element} control */
export const mayBeLabelled = (control) =>
  closest.call(control, 'label') !== null
  || (idOf.call(control) !== '' && idsWithLabel(control).has(idOf.call(control)));

/**
 * Return the labels of a control; `labels` searches the whole document, so a pass asks only controls that may have some.
 * @param {Element} element
 */
export const labelsOf = (element) =>
  (NATIVE_CONTROLS.has(localNameOf.call(element)) && (pass === null || mayBeLabelled(element)) ? Array.from(element.labels ?? []) : []);

const CONTROLS = [...NATIVE_CONTROLS].join();

/** @type {((element: Element) => string)[]} */
const NAME_SOURCES = [
  nameByOthers,
  (element) => attribute(element, 'aria-label') ?? '',
  (element) => (localNameOf.call(element) === 'area' ? attribute(element, 'alt') ?? '' : ''), // which never has a box
  (element) => labelsOf(element).map((label) => shownWords(label, CONTROLS)).join(' '),
  nameInside,
  tooltip,
];

/** @param {Element} element */
export const boxlessName = (element) =>
  NAME_SOURCES.values().map((source) => collapse(source(element))).find((name) => name !== '') ?? '';

// Chromium leaves elements with the attribute, even with "false", out of names from content and labels.
const LEFT_OUT = '[draggable]:not(img)';

/** @param {Element} element */
const hasPartLeftOut = (element) => [element, ...labelsOf(element)].some((one) => querySelector.call(one, LEFT_OUT) !== null);

/**
 * Return the name of the engine, or the name with the parts that the engine leaves out. The engine has no name for the
 * areas of an image that is missing, although they can be clicked.
 * @param {Element} element
 */
const namedByEngine = (element) => {
  const name = engineName(element);
  if (name === undefined || (name === '' && element instanceof HTMLAreaElement)) return boxlessName(element);
  const whole = hasPartLeftOut(element) ? boxlessName(element) : '';
  return whole.length > name.length ? whole : name;
};
