// Messages of invalid fields: what ARIA refers to, else the text in the group of the field, which holds no other field.
import { accessibleName } from './accessible_names.js';
import {
  attribute, closest, collapse, contains, cut, localNameOf, matches, nodeTypeOf, parentElementOf, queryIn, querySelector, setOf, TEXT,
} from './builtins.js';
import { flatNodes } from './flat_tree.js';
import { INTERACTIVE_INSIDE, HEADINGS, referredBy } from './roles.js';
import { isExcluded } from './sight.js';
import { SEEN, sightOf } from './visibility.js';
import { visibleWordsOf } from './visible_text.js';

const MAX_LEVELS = 5;
const LONGEST_MESSAGE = 200;
const FIELDS = 'input:not([type=hidden],[type=submit],[type=button],[type=reset],[type=image]),select,textarea,'
  + '[contenteditable],[role=textbox],[role=combobox],[role=listbox],[role=checkbox],[role=radio],[role=switch],[role=slider],'
  + '[role=spinbutton]';
const NO_MESSAGES = `label,legend,${HEADINGS},option,script,style`;
const LIVE = '[role=alert],[aria-live=assertive],[aria-live=polite]';
const LIMITS = setOf('form body html dialog');

/** @param {any} node @param {Element} field */
const isLabelText = (node, field) => {
  const text = collapse(node.textContent).toLowerCase().replace(/[\s*:]+$/, '');
  const names = [accessibleName(field), ...['aria-label', 'placeholder', 'name'].map((name) => attribute(field, name) ?? '')];
  return names.some((name) => collapse(name).toLowerCase().replace(/[\s*:]+$/, '') === text) || referredBy(field, 'aria-labelledby').includes(node);
};

/** @param {any} node @param {Element} field */
const isMessage = (node, field) => {
  if (nodeTypeOf.call(node) === TEXT) return node.data.trim() !== '' && !isLabelText(node, field);
  return node instanceof Element && !isExcluded(node) && !matches.call(node, NO_MESSAGES)
    && !matches.call(node, INTERACTIVE_INSIDE) && querySelector.call(node, FIELDS) === null && !isLabelText(node, field);
};

/**
 * Return the text in the innermost element around a field that has any beside the label and holds no other field.
 * @param {Element} field
 */
const groupMessage = (field) => {
  let inner = field;
  const isOther = (/** @type {Element} */ other) =>
    !contains.call(other, field) && !contains.call(field, other) && sightOf(other) === SEEN;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const around = parentElementOf.call(inner);
    if (around === null || LIMITS.has(localNameOf.call(around)) || [...queryIn(around, FIELDS)].some(isOther)) return '';
    const nodes = /** @type {any[]} */ (around instanceof HTMLLabelElement ? [] : flatNodes(around));
    const texts = nodes.filter((node) => node !== inner && isMessage(node, field)).map((node) =>
      (nodeTypeOf.call(node) === TEXT ? collapse(node.data).trim() : visibleWordsOf(node, LONGEST_MESSAGE)));
    const message = texts.filter((/** @type {string} */ text) => text !== '').join(' ');
    if (message !== '') return cut(message, LONGEST_MESSAGE);
    inner = around;
  }
  return '';
};

/** @param {Element[]} elements */
const wordsOfAll = (elements) => {
  const seen = elements.filter((element) => sightOf(element) === SEEN);
  const live = seen.filter((element) => closest.call(element, LIVE) !== null || querySelector.call(element, LIVE) !== null);
  const texts = (live.length > 0 ? live : seen).map((element) => visibleWordsOf(element, LONGEST_MESSAGE));
  return cut(texts.filter((text) => text !== '').join(' '), LONGEST_MESSAGE);
};

/**
 * Return the visible message that the page shows for an invalid field; '' for none. `widget` is what shows the field.
 * @param {Element} field @param {Element} [widget]
 */
export const messageOf = (field, widget = field) =>
  wordsOfAll(referredBy(field, 'aria-errormessage')) || wordsOfAll(referredBy(field, 'aria-describedby'))
  || groupMessage(widget);
