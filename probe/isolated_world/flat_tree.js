// The flat tree: shadow roots take the place of children, and assigned nodes the place of slots.
import {
  activeElementOf, assignedSlotOf, attribute, closest, contains, elementFromPoint, firstChildOf,
  localNameOf, nextSiblingOf, parentNodeOf, queryAll, shadowRootOf, textContentOf,
} from './builtins.js';

const closedRoots = new WeakMap();

let closedRootCount = 0;

/**
 * Return the shadow root of an element, open or closed; null if none is known.
 * @param {Element} element
 */
export const rootOf = (element) =>
  shadowRootOf.call(element) ?? (closedRootCount === 0 ? null : closedRoots.get(element) ?? null);

/** @returns {any} */
export const deepActive = () => {
  let active = activeElementOf.call(document);
  while (active !== null && rootOf(active)?.activeElement) active = rootOf(active).activeElement;
  return active;
};

/** @param {Element} host @param {any} root */
export const addClosedRoot = (host, root) => {
  closedRoots.set(host, root);
  closedRootCount += 1;
};

/**
 * Return the child nodes in the flat tree, as a new array.
 * @param {Element} element
 */
export const flatNodes = (element) => {
  if (localNameOf.call(element) === 'slot') {
    const assigned = element.assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  const nodes = [];
  const start = rootOf(element) ?? element;
  for (let node = firstChildOf.call(start); node !== null; node = nextSiblingOf.call(node)) nodes.push(node);
  return nodes;
};

export const MAX_DEPTH = 600; // the parser stops at 512

const TITLES = 'h1,h2,h3,h4,h5,h6,[role=heading],dt,caption,figcaption';
const SIGN = /^[^\p{L}\p{N}]{0,2}$/u;

/**
 * Return whether a link is only a sign, such as ¶ or #, that leads to the title around it.
 * @param {Element} link
 */
export const isTitleAnchor = (link) => {
  const href = attribute(link, 'href') ?? '';
  if (href.length < 2 || href[0] !== '#' || !SIGN.test(textContentOf.call(link).trim())) return false;
  const title = closest.call(link, TITLES);
  if (title === null) return false;
  const target = queryAll(document, `[id="${CSS.escape(href.slice(1))}"]`)[0];
  return target !== undefined && (contains.call(target, title) || contains.call(title, target));
};

/**
 * Return the innermost element at a point, inside shadow roots too.
 * @param {number} x @param {number} y
 */
export const elementAt = (x, y) => {
  /** @type {any} */
  let found = elementFromPoint.call(document, x, y);
  for (let root = found && rootOf(found); root; root = rootOf(found)) {
    const inner = root.elementFromPoint(x, y);
    if (inner === null || inner === found) break;
    found = inner;
  }
  return found;
};

/** @param {any} parent */
export const hostOrParent = (parent) => {
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
};

/** @param {any} node */
export const flatParent = (node) => assignedSlotOf.call(node) ?? hostOrParent(parentNodeOf.call(node));

/**
 * Return the innermost of an element and all around it for which `isWanted`; null for none.
 * @param {any} start @param {(node: any) => boolean} isWanted @returns {any}
 */
export const nearest = (start, isWanted) => {
  let node = start;
  while (node !== null && !isWanted(node)) node = flatParent(node);
  return node;
};

/** @param {Element} outer @param {any} inner */
export const holds = (outer, inner) => nearest(inner, (node) => node === outer) !== null;

/**
 * Return the modal dialog on top: a hit test anywhere finds it, because everything behind it is inert.
 * @param {Element[]} modals @returns {Element | null}
 */
export const topModal = (modals) => {
  if (modals.length < 2) return modals[0] ?? null;
  return nearest(elementAt(1, 1), (node) => modals.includes(node)) ?? modals.at(-1) ?? null;
};

/**
 * Return the document and all known shadow roots in it.
 * @param {any} [root]
 */
export const openRoots = (root = document) => {
  const roots = [root];
  for (const element of queryAll(root, '*')) {
    const inner = rootOf(element);
    if (inner !== null) roots.push(...openRoots(inner));
  }
  return roots;
};

/** @param {string} css */
export const allMatching = (css) => openRoots().flatMap((root) => Array.from(queryAll(root, css)));

/** Return the modal dialog on top; null for none. */
export const openModal = () => topModal(allMatching('dialog:modal'));
