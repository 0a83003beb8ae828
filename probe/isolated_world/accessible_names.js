// What the accessibility engine says of an element. A browser started with ComputedAccessibilityInfo has
// properties for it. Any other lends the functions of its console, which ask the same engine, but which answer
// undefined for elements without a box of their own: those of `display: contents`.
// Role and name of elements about which the engine cannot be asked (accessible.js says which), in as much of
// the ARIA and HTML mappings as rows need: such elements are wrappers, seldom links, buttons or headings.
import {
  attribute, collapse, ELEMENT, getRootNode, localNameOf, nodeTypeOf, queryAll, querySelector, TEXT,
  textContentOf,
} from './builtins.js';
import { flatNodes, isExcluded } from './flat_tree.js';
import { attributeWords, engineGetter, NAMED_BY_CONTENT, roleOf } from './roles.js';

const engineName = engineGetter('computedName', 'getAccessibleName');

const ICONS = /[\ue000-\uf8ff]/g; // private-use characters: icon fonts draw them, and nobody can read them

/**
 * The name without icons; of what has only an icon, its title.
 * @param {Element} element
 */
export const accessibleName = (element) => {
  const name = namedByEngine(element);
  if (name.search(ICONS) < 0) return name;
  return name.replace(ICONS, '').trim() || element.getAttribute('title') || name;
};

const INLINE_DISPLAY = /^(inline|contents|ruby)/;

/**
 * What an element adds to the name of one around it; a block stands apart from its neighbours.
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

/** @param {any} root @param {any} id */
const spokenById = (root, id) => {
  const element = queryAll(root, `[id="${CSS.escape(id)}"]`)[0];
  return element === undefined ? '' : attribute(element, 'aria-label') || spokenInside(element);
};

/** @param {Element} element */
export const nameByOthers = (element) => {
  const root = getRootNode.call(element);
  return attributeWords(element, 'aria-labelledby').map((id) => spokenById(root, id)).join(' ');
};

/** @type {Map<string, any>} */
const CAPTIONS = new Map(Object.entries({ fieldset: ':scope > legend', table: ':scope > caption' }));

/** @param {Element} element */
const nameInside = (element) => {
  const tag = localNameOf.call(element);
  if (NAMED_BY_CONTENT.has(roleOf(element, tag))) return spokenInside(element);
  const caption = CAPTIONS.has(tag) ? querySelector.call(element, CAPTIONS.get(tag)) : null;
  return caption === null ? '' : spokenInside(caption);
};

/**
 * The title, unless it only repeats the text.
 * @param {Element} element
 */
const tooltip = (element) => {
  const title = attribute(element, 'title');
  return title === null || title.trim() === textContentOf.call(element).trim() ? '' : title;
};

/**
 * What stands for an area of an image map, which never has a box.
 * @param {Element} element
 */
const alternative = (element) => (localNameOf.call(element) === 'area' ? attribute(element, 'alt') ?? '' : '');

/** @type {((element: Element) => string)[]} */
const NAME_SOURCES = [
  nameByOthers, (element) => attribute(element, 'aria-label') ?? '', alternative, nameInside, tooltip,
];

/** @param {Element} element */
const boxlessName = (element) => {
  for (const source of NAME_SOURCES) {
    const name = collapse(source(element));
    if (name !== '') return name;
  }
  return '';
};

/**
 * Of the areas of an image that is not there, the engine knows nothing, though they can be clicked.
 * @param {Element} element
 */
const namedByEngine = (element) => {
  const name = engineName(element);
  return name === undefined || (name === '' && element instanceof HTMLAreaElement) ? boxlessName(element) : name;
};
