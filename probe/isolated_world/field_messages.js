// Messages of invalid fields: what ARIA refers to, else the text in the group of the field, which holds no other field.
import {
  attribute, closest, collapse, contains, localNameOf, matches, nodeTypeOf, parentElementOf, querySelector, setOf,
  TEXT,
} from './builtins.js';
import { flatNodes, isExcluded } from './flat_tree.js';
import { INTERACTIVE_INSIDE, HEADINGS, referredBy } from './roles.js';
import { SEEN, sightOf } from './visibility.js';
import { visibleWordsOf } from './visible_text.js';

const MAX_LEVELS = 5;
const MAX_FOLLOWING = 4; // nodes after a field that has no element of its own around it
const LONGEST_MESSAGE = 200;
const FIELDS = 'input:not([type=hidden],[type=submit],[type=button],[type=reset],[type=image]),select,textarea,'
  + '[contenteditable],[role=textbox],[role=combobox],[role=listbox],[role=checkbox],[role=radio],[role=switch],[role=slider],'
  + '[role=spinbutton]';
const NO_MESSAGES = `label,legend,${HEADINGS},option,script,style`;
const ALERTS = '[role=alert],[aria-live=assertive]';
const LIVE = `${ALERTS},[aria-live=polite]`;
const LIMITS = setOf('form body html dialog');

/**
 * How a text belongs to a field: it alerts, is red or green, lies in the group of the field, or only follows it.
 * @typedef {{ text: string, kind: 'alert' | 'red' | 'green' | 'own' | 'after' }} Message
 */

/** @param {Element} element @param {any} other */
const isSameChoice = (element, other) =>
  other === element || (element.name !== undefined && element.name !== '' && other.name === element.name);

/**
 * Return whether an element contains a field other than this one and its twins in a group of choices.
 * @param {any} node @param {Element} field
 */
const holdsOtherField = (node, field) =>
  [...node.querySelectorAll(FIELDS)].some((other) => !isSameChoice(field, other) && !contains.call(other, field)
    && !contains.call(field, other) && sightOf(other) === SEEN);

/** @param {any} node @param {Element} field */
const isLabelText = (node, field) => {
  const text = collapse(node.textContent).toLowerCase().replace(/[\s*:]+$/, '');
  const names = [attribute(field, 'aria-label'), attribute(field, 'placeholder'), attribute(field, 'name')];
  return names.some((name) => name?.toLowerCase() === text) || referredBy(field, 'aria-labelledby').includes(node);
};

/** @param {any} node @param {Element} field */
const isMessage = (node, field) => {
  if (nodeTypeOf.call(node) === TEXT) return node.data.trim() !== '' && !isLabelText(node, field);
  return node instanceof Element && !isExcluded(node) && !matches.call(node, NO_MESSAGES)
    && !matches.call(node, INTERACTIVE_INSIDE) && querySelector.call(node, FIELDS) === null && !isLabelText(node, field);
};

/** @param {any} node @param {string} css */
const isIn = (node, css) => node instanceof Element && (matches.call(node, css) || querySelector.call(node, css) !== null);

const STRONG = 60; // by how much one part of a colour has to exceed the others

/**
 * Return "red" or "green" for the colour of a text in which one part is strong; '' for any other.
 * @param {any} node
 */
const colourOf = (node) => {
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(node).color.match(/[\d.]+/g) ?? []).map(Number);
  if (red - Math.max(green, blue) >= STRONG) return 'red';
  return green - Math.max(red, blue) >= STRONG / 2 ? 'green' : '';
};

/** @param {any} node @param {'own' | 'after'} kind @returns {Message} */
const messageIn = (node, kind) => {
  const element = nodeTypeOf.call(node) === TEXT ? parentElementOf.call(node) : node;
  const text = element === node ? visibleWordsOf(node, LONGEST_MESSAGE) : collapse(node.data).slice(0, LONGEST_MESSAGE);
  if (element === node && isIn(node, ALERTS)) return { text, kind: 'alert' };
  const inner = element === node && node.firstElementChild !== null ? node.firstElementChild : element;
  return { text, kind: colourOf(element) || colourOf(inner) || kind };
};

/** @param {any[]} nodes @param {Element} field @param {'own' | 'after'} kind */
const messagesIn = (nodes, field, kind) =>
  nodes.filter((node) => isMessage(node, field)).map((node) => messageIn(node, kind)).filter(({ text }) => text !== '');

/**
 * Return the nodes after a part of a form up to the next field, label or control.
 * @param {any[]} nodes
 */
const following = (nodes) => {
  const end = nodes.findIndex((node) => isIn(node, `${FIELDS},label,button,${HEADINGS}`));
  return (end < 0 ? nodes : nodes.slice(0, end)).filter((node) => isIn(node, '*') || node.data?.trim()).slice(0, MAX_FOLLOWING);
};

/**
 * Return the messages in the innermost element around a field that has any and holds no other field, else those between
 * the field and the next.
 * @param {Element} field @returns {Message[]}
 */
export const groupMessages = (field) => {
  let inner = field;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const around = parentElementOf.call(inner);
    if (around === null) return [];
    const nodes = flatNodes(around);
    const place = nodes.indexOf(inner);
    if (LIMITS.has(localNameOf.call(around)) || holdsOtherField(around, field)) {
      return messagesIn(following(nodes.slice(place + 1)), field, 'after');
    }
    const after = messagesIn(nodes.slice(place + 1), field, 'own');
    if (after.length > 0) return after;
    const before = around instanceof HTMLLabelElement ? [] : messagesIn(nodes.slice(0, place), field, 'own');
    if (before.length > 0) return before;
    inner = around;
  }
  return [];
};

const KINDS = ['alert', 'red', 'own', 'after'];

/**
 * Return the messages that are most likely those of an error, as one text.
 * @param {Message[]} messages
 */
export const joined = (messages) => {
  const kind = KINDS.find((one) => messages.some((message) => message.kind === one));
  return messages.filter((message) => message.kind === kind).map(({ text }) => text).join(' ').slice(0, LONGEST_MESSAGE);
};

/** @param {Element[]} elements */
const wordsOfAll = (elements) => {
  const seen = elements.filter((element) => sightOf(element) === SEEN);
  const live = seen.filter((element) => isIn(element, LIVE) || closest.call(element, LIVE) !== null);
  return (live.length > 0 ? live : seen).map((element) => visibleWordsOf(element, LONGEST_MESSAGE)).filter((text) => text !== '')
    .join(' ').slice(0, LONGEST_MESSAGE);
};

/**
 * Return the visible message that the page shows for an invalid field; '' for none. `widget` is what shows the field.
 * @param {Element} field @param {Element} [widget]
 */
export const messageOf = (field, widget = field) =>
  wordsOfAll(referredBy(field, 'aria-errormessage')) || wordsOfAll(referredBy(field, 'aria-describedby'))
  || joined(groupMessages(widget));
