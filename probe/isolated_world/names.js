// What things without semantics are called: no engine has a name for them, so what can be read on them is put
// together here as names are. What is not shown is left out, and what is not in one line with the rest stands apart.
// Checkboxes and radio buttons of which nothing is drawn but a label: that stands for them, and a click on it toggles.
import { accessibleName, nameByOthers } from './accessible_names.js';
import {
  attribute, closest, collapse, firstChildOf, firstElementOf, getRootNode, hasAttribute, hasNameAttribute,
  idOf, innerTextOf, localNameOf, matches, nextElementOf, nextSiblingOf, nodeTypeOf, queryAll, queryIn,
  querySelector, setOf, TEXT, textContentOf, textOf,
} from './builtins.js';
import { forgetName, labels, names, readNumber } from './caches.js';
import { pass } from './pass.js';
import { BUTTONS, EXCLUDED, NAMED_BY_CONTENT } from './roles.js';
import { NATIVE_CONTROLS } from './tags.js';
import { isDrawn, SEEN, sightOf } from './visibility.js';
import { LONGEST_LABEL, shownWords, visibleWordsOf } from './visible_text.js';

const LONGEST_NAME = 80; // characters of a name that the browser does not make
const MANY_ROWS = 10_000; // to compute a name takes as long as all the rest of a row

/**
 * The accessible name without the browser's "No file chosen" after the label of a file input.
 * @param {string} name
 */
const fileName = (name) => name.slice(0, Math.max(0, name.lastIndexOf(': ')));

/** @param {Element} element */
const isLabelledByItself = (element) =>
  (attribute(element, 'aria-label') ?? '').trim() !== '' && !hasAttribute.call(element, 'aria-labelledby');

const EMBEDDED = 'input,select,textarea,[role],[contenteditable],[aria-labelledby]';

/**
 * The ids that labels of the same tree refer to.
 * @param {Element} element @returns {Set<string>}
 */
const idsWithLabel = (element) => {
  const root = getRootNode.call(element);
  let ids = pass.labelled.get(root);
  if (ids === undefined) {
    ids = /** @type {Set<string>} */ (new Set(Array.from(queryAll(root, 'label[for]'), (label) => attribute(label, 'for') ?? '')));
    pass.labelled.set(root, ids);
  }
  return ids;
};

/**
 * Whether it may have labels; to list them, the browser would search the whole document for each control.
 * @param {Element} control
 */
const mayBeLabelled = (control) =>
  closest.call(control, 'label') !== null
  || (idOf.call(control) !== '' && idsWithLabel(control).has(idOf.call(control)));

/**
 * Whether the name is put together from more than the text in the element.
 * @param {Element} element @param {string} tag
 */
const isComposed = (element, tag) =>
  tag.includes('-') || hasAttribute.call(element, 'aria-labelledby')
  || (NATIVE_CONTROLS.has(tag) ? mayBeLabelled(element) : querySelector.call(element, EMBEDDED) !== null);

/** @param {Element} element @param {string} tag @param {string} name */
const keepName = (element, tag, name) => {
  const own = isLabelledByItself(element);
  if (own || !isComposed(element, tag)) names.set(element, { name, own, looks: readNumber, width: -1, height: -1 });
};

/**
 * The accessible name; what was asked for before, a pass that recalls names may take from memory.
 * @param {Element} element @param {string} tag
 */
const knownName = (element, tag) => {
  const known = pass.recalls ? names.get(element) : undefined;
  if (known !== undefined) return known.name;
  const name = accessibleName(element);
  if (pass.remembers) keepName(element, tag, name);
  return name;
};

/** @param {Element} element @param {string} tag */
export const computedName = (element, tag) => {
  const name = knownName(element, tag);
  return collapse(tag === 'input' && element.type === 'file' ? fileName(name) : name);
};

const PICTURES = 'img,svg,[role=img]';
const MOST_PICTURES = 5;

/**
 * What the pictures that are seen in an element are called.
 * @param {Element} element
 */
const picturesIn = (element) => Array.from(queryIn(element, PICTURES)).slice(0, MOST_PICTURES)
  .map((picture) => (sightOf(picture) === SEEN ? computedName(picture, localNameOf.call(picture)) : ''))
  .filter((name) => name !== '').join(' ').slice(0, LONGEST_NAME);

/**
 * A name for what has none in the accessibility tree: its title, the start of its text or what its pictures show; last
 * what is drawn for the eye alone, as the letters that a font turns into an icon are.
 * @param {Element} element
 */
const plainName = (element) =>
  collapse(attribute(element, 'title') ?? '') || visibleWordsOf(element, LONGEST_NAME) || picturesIn(element)
  || visibleWordsOf(element, LONGEST_NAME, false);

/**
 * The only text of an element that holds nothing else and is given no other name; '' if there is more to it.
 * @param {Element} element
 */
const bareText = (element) => {
  const node = firstChildOf.call(element);
  const bare = node !== null && nodeTypeOf.call(node) === TEXT && nextSiblingOf.call(node) === null;
  return bare && !hasNameAttribute(element) ? collapse(node.data) : '';
};

const BUTTONS_OR_EXCLUDED = `${BUTTONS},${EXCLUDED}`;

/**
 * Whether the browser's own text runs two elements together that touch: they may be boxes of a line.
 * @param {Element} element @param {string} text
 */
const isRunTogether = (element, text) => {
  for (let child = firstElementOf.call(element); child !== null; child = nextElementOf.call(child)) {
    const next = nextSiblingOf.call(child);
    if (!(next instanceof Element)) continue;
    const joint = textContentOf.call(child).slice(-2) + textContentOf.call(next).slice(0, 2);
    if (joint.trim() !== '' && text.includes(joint)) return true;
  }
  return false;
};

/**
 * The browser's own text of an element, which is had at a fraction of the cost; '' where that is not its label.
 * @param {Element} element
 */
const quickWords = (element) => {
  if (!(element instanceof HTMLElement) || querySelector.call(element, BUTTONS_OR_EXCLUDED) !== null) return '';
  const text = innerTextOf.call(element);
  return isRunTogether(element, text) ? '' : collapse(text).slice(0, LONGEST_LABEL);
};

/**
 * Of a picture what the browser calls it; of what else has no role, that is nothing.
 * @param {Element} element
 */
const pictureName = (element) =>
  (matches.call(element, PICTURES) ? computedName(element, localNameOf.call(element)) : '');

/**
 * The name it is given, else its text; the buttons in it have names of their own.
 * @param {Element} element
 */
const labelOf = (element) =>
  attribute(element, 'aria-label') || pictureName(element) || collapse(attribute(element, 'title') ?? '')
  || quickWords(element) || shownWords(element, BUTTONS) || plainName(element);

const TOGGLES = setOf('checkbox radio');

/** @param {any} element @param {string} tag */
export const isToggle = (element, tag) => tag === 'input' && TOGGLES.has(element.type);

/** @param {Element} element */
export const labelsOf = (element) => (NATIVE_CONTROLS.has(localNameOf.call(element)) ? Array.from(element.labels ?? []) : []);

/**
 * The label that is clicked for a checkbox or radio button of which nothing is drawn; null for anything else.
 * @param {Element} element @param {string} [tag]
 */
export const proxyOf = (element, tag = localNameOf.call(element)) => {
  if (!isToggle(element, tag) || isDrawn(element) || (pass !== null && !mayBeLabelled(element))) return null;
  return labelsOf(element).find(isDrawn) ?? null;
};

/**
 * What a control is called for which its label stands: the engine knows no name of what cannot be seen.
 * @param {Element} element @param {string} tag
 */
const proxyName = (element, tag) => {
  const proxy = proxyOf(element, tag);
  if (proxy === null || sightOf(element) === SEEN) return '';
  return collapse(nameByOthers(element)) || collapse(attribute(element, 'aria-label') ?? '') || labelOf(proxy);
};

/**
 * The accessible name, else what can be read on it. On huge pages the text of most links stands for their names.
 * @param {Element} element @param {string} tag @param {string} [role]
 */
export const nameOf = (element, tag, role = '') => {
  const namedByContent = NAMED_BY_CONTENT.has(role);
  const bare = namedByContent && pass.rows.length > MANY_ROWS ? bareText(element) : '';
  return bare || proxyName(element, tag) || computedName(element, tag) || (namedByContent ? plainName(element) : '');
};

/**
 * An element that has another size may well say something else.
 * @param {Element} element @param {Box} box
 */
export const noteSize = (element, box) => {
  const known = pass.remembers ? names.get(element) : undefined;
  if (known === undefined || known.own) return;
  const [, , width, height] = box === 0 ? [0, 0, 0, 0] : box;
  if (known.width === -1) Object.assign(known, { width, height });
  else if (known.width !== width || known.height !== height) forgetName(element);
};

/**
 * The same; what was read before, a pass that recalls names may take from memory if the element has the same size.
 * @param {Element} element @param {Box} box
 */
export const knownLabel = (element, box) => {
  const size = box === 0 ? '' : `${box[2]} ${box[3]}`;
  const known = pass.recalls ? labels.get(element) : undefined;
  if (known?.size === size) return known.label;
  const label = labelOf(element);
  if (pass.remembers) labels.set(element, { label, size, looks: readNumber });
  return label;
};

/**
 * How an element is seen, by itself or in the label that stands for it.
 * @param {Element} element @param {string} [tag]
 */
export const sightWithProxy = (element, tag) => (proxyOf(element, tag) === null ? sightOf(element) : SEEN);

/**
 * Whether a label is all there is to click of its control, which is not listed itself.
 * @param {any} subject
 */
export const isProxyLabel = ({ control }) => {
  if (control === null || sightOf(control) === SEEN) return false;
  return !isToggle(control, localNameOf.call(control)) || closest.call(control, EXCLUDED) !== null;
};

/**
 * What a hidden control is called, which has no name in the accessibility tree.
 * @param {any} control
 */
export const labelText = (control) =>
  collapse(attribute(control, 'aria-label') ?? '')
  || Array.from(control.labels, (label) => textOf(label, 80)).join(' ');
