import {
  activeElementOf, assignedSlotOf, attribute, elementFromPoint, firstChildOf, hasAttribute, localNameOf,
  nextSiblingOf, parentNodeOf, queryAll, shadowRootOf,
} from './builtins.js';

const closedRoots = new WeakMap();

let closedRootCount = 0;

/** The shadow root of an element, open or closed; null if it has none that we know of. */
export const rootOf = (element) =>
  shadowRootOf.call(element) ?? (closedRootCount === 0 ? null : closedRoots.get(element) ?? null);

export const deepActive = () => {
  let active = activeElementOf.call(document);
  while (active !== null && rootOf(active)?.activeElement) active = rootOf(active).activeElement;
  return active;
};

export const addClosedRoot = (host, root) => {
  closedRoots.set(host, root);
  closedRootCount += 1;
};

/** The child nodes in the flat tree, as a new array. */
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

export const isExcluded = (element) =>
  attribute(element, 'aria-hidden')?.toLowerCase() === 'true' || hasAttribute.call(element, 'inert');

/** The innermost element at a point, through open shadow roots. */
export const elementAt = (x, y) => {
  let found = elementFromPoint.call(document, x, y);
  for (let root = found && rootOf(found); root; root = rootOf(found)) {
    const inner = root.elementFromPoint(x, y);
    if (inner === null || inner === found) break;
    found = inner;
  }
  return found;
};

export const hostOrParent = (parent) => {
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
};

export const flatParent = (node) => assignedSlotOf.call(node) ?? hostOrParent(parentNodeOf.call(node));

/** Of several modal dialogs the one on top: behind it, everything is inert, and it is hit wherever one looks. */
export const topModal = (modals) => {
  if (modals.length < 2) return modals[0] ?? null;
  let node = elementAt(1, 1);
  while (node !== null && !modals.includes(node)) node = flatParent(node);
  return node ?? modals.at(-1);
};

/** The document and every shadow root in it that we know of. */
export const openRoots = (root = document) => {
  const roots = [root];
  for (const element of queryAll(root, '*')) {
    const inner = rootOf(element);
    if (inner !== null) roots.push(...openRoots(inner));
  }
  return roots;
};

export const allMatching = (css) => openRoots().flatMap((root) => Array.from(queryAll(root, css)));
