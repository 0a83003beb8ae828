// Names of elements. Elements without semantics have no accessible name, so their visible text is used. A label represents
// a checkbox or radio button that is not drawn itself.
import { accessibleName, labelsOf, mayBeLabelled, nameByOthers } from './accessible_names.js';
import {
  attribute, clientHeightOf, clientWidthOf, closest, collapse, cut, firstChildOf, firstElementOf, getBoundingClientRect,
  getRootNode, hasAttribute, hasNameAttribute, idOf, innerTextOf, localNameOf, matches, nextElementOf, nextSiblingOf,
  nodeTypeOf, queryAll, queryIn, querySelector, setOf, TEXT, textContentOf,
} from './builtins.js';
import { forgetName, labels, names, readNumber } from './caches.js';
import { answersClick } from './clickable.js';
import { isTitleAnchor, nearest } from './flat_tree.js';
import { pass } from './pass.js';
import { BUTTONS, EXCLUDED, INTERACTIVE_INSIDE, NAMED_BY_CONTENT, NATIVE_CONTROLS } from './roles.js';
import { isDrawn, SEEN, sightOf } from './visibility.js';
import { LONGEST_LABEL, ROW_LIKE, shownWords, visibleWordsOf } from './visible_text.js';

const LONGEST_NAME = 80; // characters of a name that is not the accessible name
const MANY_ROWS = 10_000; // computing a name takes as long as the rest of a row

const EMBEDDED = 'input,select,textarea,[role],[contenteditable],[aria-labelledby]';

/**
 * Return whether the name is composed of more than the text in the element.
 * @param {Element} element @param {string} tag
 */
const isComposed = (element, tag) =>
  tag.includes('-') || hasAttribute.call(element, 'aria-labelledby')
  || (NATIVE_CONTROLS.has(tag) ? mayBeLabelled(element) : querySelector.call(element, EMBEDDED) !== null);

/**
 * Return the accessible name; a pass that reads the caches takes it from the cache.
 * @param {Element} element @param {string} tag
 */
const knownName = (element, tag) => {
  const known = pass.readsCaches ? names.get(element) : undefined;
  if (known !== undefined) return known.name;
  const name = accessibleName(element);
  if (!pass.fillsCaches) return name;
  const own = (attribute(element, 'aria-label') ?? '').trim() !== '' && !hasAttribute.call(element, 'aria-labelledby');
  if (own || !isComposed(element, tag)) names.set(element, { name, own, looks: readNumber, width: -1, height: -1 });
  return name;
};

/** @param {Element} element @param {string} tag */
export const computedName = (element, tag) => {
  const name = knownName(element, tag);
  const isFileName = tag === 'input' && element.type === 'file'; // the browser adds ": No file chosen"
  return collapse(isFileName ? name.slice(0, Math.max(0, name.lastIndexOf(': '))) : name);
};

const PICTURES = 'img,svg,[role=img]';
const MOST_PICTURES = 5;

/**
 * Return a name for an element without an accessible name: its title, its text, its images, last text that is only
 * drawn, as icon ligatures are.
 * @param {Element} element
 */
const plainName = (element) =>
  collapse(attribute(element, 'title') ?? '') || visibleWordsOf(element, LONGEST_NAME)
  || cut([...queryIn(element, PICTURES)].slice(0, MOST_PICTURES).filter((picture) => sightOf(picture) === SEEN)
    .map((picture) => computedName(picture, localNameOf.call(picture))).filter(Boolean).join(' '), LONGEST_NAME)
  || visibleWordsOf(element, LONGEST_NAME, false);

/**
 * Return the text of an element that contains nothing else and has no other name; '' otherwise.
 * @param {Element} element
 */
const bareText = (element) => {
  const node = firstChildOf.call(element);
  const bare = node !== null && nodeTypeOf.call(node) === TEXT && nextSiblingOf.call(node) === null;
  return bare && !hasNameAttribute(element) ? collapse(node.data) : '';
};

const BUTTONS_OR_EXCLUDED = `${BUTTONS},${EXCLUDED}`;

/**
 * Return whether innerText joins two adjacent elements without a space: they may be boxes of a line.
 * @param {Element} element @param {string} text
 */
const joinsWords = (element, text) => {
  for (let child = firstElementOf.call(element); child !== null; child = nextElementOf.call(child)) {
    const next = nextSiblingOf.call(child);
    if (!(next instanceof Element)) continue;
    const joint = textContentOf.call(child).slice(-2) + textContentOf.call(next).slice(0, 2);
    if (joint.trim() !== '' && text.includes(joint)) return true;
  }
  return false;
};

/**
 * Return innerText, which costs a fraction of `shownWords`; '' if it is not the label.
 * @param {Element} element
 */
const quickWords = (element) => {
  if (!(element instanceof HTMLElement) || querySelector.call(element, BUTTONS_OR_EXCLUDED) !== null) return '';
  const text = innerTextOf.call(element);
  return joinsWords(element, text) ? '' : cut(collapse(text), LONGEST_LABEL);
};

/**
 * Return the name of an element without a role: its label, its name as an image, its title, or its text without the buttons
 * in it.
 * @param {Element} element
 */
const labelOf = (element) =>
  attribute(element, 'aria-label')
  || (matches.call(element, PICTURES) ? computedName(element, localNameOf.call(element)) : '')
  || collapse(attribute(element, 'title') ?? '')
  || quickWords(element) || shownWords(element, BUTTONS) || plainName(element);

const TOGGLES = setOf('checkbox radio');

/** @param {any} element @param {string} tag */
export const isToggle = (element, tag) => tag === 'input' && TOGGLES.has(element.type);

const CONTROLS_INSIDE = `a[href],${INTERACTIVE_INSIDE}`;
const HIGHEST_WIDGET = 60; // px

/**
 * Return the visible part of a small widget whose control has no size: one that handles clicks, or the first; null for none.
 * @param {Element} element
 */
const visiblePart = (element) => {
  const around = nearest(element, isDrawn);
  if (around === null || querySelector.call(around, CONTROLS_INSIDE) !== element || queryIn(around, CONTROLS_INSIDE).length > 1) return null;
  const parts = getBoundingClientRect.call(around).height > HIGHEST_WIDGET ? [] : [...queryIn(around, '*'), around].filter(isDrawn);
  return parts.find((part) => answersClick(part, localNameOf.call(part), null)) ?? parts[0] ?? null;
};

/**
 * Return the label, or the visible part, that is clicked for a checkbox or radio button that is not drawn; null otherwise.
 * @param {Element} element @param {string} [tag]
 */
export const proxyOf = (element, tag = localNameOf.call(element)) => {
  if (!isToggle(element, tag) || isDrawn(element)) return null;
  return labelsOf(element).find(isDrawn) ?? (sightOf(element) === SEEN ? visiblePart(element) : null);
};

/**
 * Return the name of a control that is represented by its label: hidden controls have no accessible name.
 * @param {Element} element @param {string} tag
 */
const proxyName = (element, tag) => {
  const proxy = proxyOf(element, tag);
  if (proxy === null || sightOf(element) === SEEN) return '';
  return collapse(nameByOthers(element)) || collapse(attribute(element, 'aria-label') ?? '') || labelOf(proxy);
};

/**
 * Return the name of a heading without the signs that link to it.
 * @param {Element} heading @param {string} name
 */
const withoutAnchors = (heading, name) => {
  let rest = name;
  for (const link of queryIn(heading, 'a[href^="#"]')) {
    const sign = isTitleAnchor(link) ? computedName(link, 'a') : '';
    if (sign !== '' && rest.endsWith(sign)) rest = rest.slice(0, -sign.length).trim();
    else if (sign !== '' && rest.startsWith(sign)) rest = rest.slice(sign.length).trim();
  }
  return rest;
};

const LEAST_CONTAINER = Object.freeze({ width: 400, height: 300 }); // px

/**
 * Return whether an element takes the focus for an application in it, such as a map: its text is no name.
 * @param {Element} element @param {string} role
 */
export const isFocusedContainer = (element, role) =>
  role === 'generic' && clientWidthOf.call(element) >= LEAST_CONTAINER.width
  && clientHeightOf.call(element) >= LEAST_CONTAINER.height;

/** @param {Element} element */
const attributeName = (element) =>
  collapse(nameByOthers(element)) || ['aria-label', 'title'].map((name) => collapse(attribute(element, name) ?? '')).find(Boolean) || '';

const NAMED_WITHOUT_PARTS = setOf('group article figure');
const PARTS = `${INTERACTIVE_INSIDE},${ROW_LIKE}`;

/**
 * Return the label of the custom control in whose shadow root a field lies.
 * @param {Element} field @param {string} tag
 */
const nameOfHost = (field, tag) => {
  const root = NATIVE_CONTROLS.has(tag) ? getRootNode.call(field) : null;
  if (!(root instanceof ShadowRoot) || !mayBeLabelled(root.host)) return '';
  const { host } = root;
  const labels = [closest.call(host, 'label'), ...queryAll(getRootNode.call(host), `label[for="${CSS.escape(idOf.call(host))}"]`)];
  return labels.map((label) => (label === null ? '' : labelOf(label))).find(Boolean) ?? '';
};

/**
 * Return the accessible name, else the visible text. On huge pages, the text of most links is used as their name.
 * @param {Element} element @param {string} tag @param {string} [role]
 */
export const nameOf = (element, tag, role = '') => {
  if (role === 'player' || isFocusedContainer(element, role)) return attributeName(element);
  const bare = NAMED_BY_CONTENT.has(role) && pass.rows.length > MANY_ROWS ? bareText(element) : '';
  // while it has the focus, the browser names an element without a role by its contents
  const isNamedByFocus = role === 'generic' && !tag.includes('-') && !hasAttribute.call(element, 'aria-label')
    && !hasAttribute.call(element, 'aria-labelledby');
  const isNamedByText = NAMED_BY_CONTENT.has(role) || (NAMED_WITHOUT_PARTS.has(role) && querySelector.call(element, PARTS) === null);
  const name = bare || proxyName(element, tag) || (isNamedByFocus ? '' : computedName(element, tag))
    || (isNamedByText ? plainName(element) : '') || nameOfHost(element, tag);
  return role === 'heading' ? withoutAnchors(element, name) : name;
};

/**
 * Forget the name of an element whose size has changed.
 * @param {Element} element @param {Box} box
 */
export const noteSize = (element, box) => {
  const known = pass.fillsCaches ? names.get(element) : undefined;
  if (known === undefined || known.own) return;
  const [, , width, height] = box === 0 ? [0, 0, 0, 0] : box;
  if (known.width === -1) Object.assign(known, { width, height });
  else if (known.width !== width || known.height !== height) forgetName(element);
};

/**
 * Return `labelOf`; a pass that reads the caches takes it from the cache if the size is the same.
 * @param {Element} element @param {Box} box
 */
export const knownLabel = (element, box) => {
  const size = box === 0 ? '' : `${box[2]} ${box[3]}`;
  const known = pass.readsCaches ? labels.get(element) : undefined;
  if (known?.size === size) return known.label;
  const label = labelOf(element);
  if (pass.fillsCaches) labels.set(element, { label, size, looks: readNumber });
  return label;
};

/**
 * Return the visibility of an element, or of the label that represents it.
 * @param {Element} element @param {string} [tag]
 */
export const sightWithProxy = (element, tag) => (proxyOf(element, tag) === null ? sightOf(element) : SEEN);

/**
 * Return whether a label is the only part of its control that can be clicked, and the control is not listed.
 * @param {any} subject
 */
export const isProxyLabel = ({ control }) => {
  if (control === null || sightOf(control) === SEEN) return false;
  return !isToggle(control, localNameOf.call(control)) || closest.call(control, EXCLUDED) !== null;
};
