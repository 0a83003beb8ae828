// Questions about single elements: state, selectors and styles, and the reason why a listed element is not listed any more.
import { attribute, childNodesOf, closest, idOf, isElement, localNameOf, parentNodeOf, queryAll } from './builtins.js';
import { allMatching, nearest, openModal } from './flat_tree.js';
import { computedName, sightWithProxy } from './names.js';
import { beginPass, endPass, newPass } from './pass.js';
import { byNumber, elementOf, nidOf } from './registry.js';
import { isEditableRoot, roleOf } from './roles.js';
import { clickableRow, editableRow, kindOf, rowOfKind } from './rows.js';
import { DIALOGS, isExcluded } from './sight.js';
import { LONGEST_WORDS, MOST_ROWS, newLookalikes, rowText } from './twins.js';
import { boxOf, contentBox, rounded, SEEN, sightOf } from './visibility.js';
import { occurrencesInElement, visibleWordsOf } from './visible_text.js';

/** Return {box: the content box of a frame}. */
export const content = byNumber((frame) => ({ box: rounded(contentBox(frame)) }));

/** @param {Element} element */
const seenBox = (element) => (sightOf(element) === SEEN ? boxOf(element) : 0);

/** Return {box: [x, y, width, height] or 0, item?}; `item` in a tree, where the middle takes what is dropped. */
export const box = byNumber((element) =>
  ({ box: seenBox(element), ...(closest.call(element, '[role=treeitem]') === null ? {} : { item: 1 }) }));

/**
 * Return {rows: for each number, 1 if its element is in the document, visible or not}.
 * @param {number[]} nids
 */
export const alive = (nids) => JSON.stringify({ rows: nids.map((nid) => (elementOf(nid) === null ? 0 : 1)) });

/** @param {Element} element */
const rowOfElement = (element) => {
  const tag = localNameOf.call(element);
  if (isEditableRoot(element)) return editableRow(element, tag);
  const role = roleOf(element, tag);
  const kind = kindOf(element, tag, role, true);
  return (kind === '' ? null : rowOfKind(kind, element, tag, role)) ?? clickableRow(element, tag);
};

/** Return the present row of an element without its siblings: {nid, role, name, box, extra}. */
export const describe = byNumber((element) => {
  beginPass({ ...newPass(false), readsSortOrder: true });
  const made = rowOfElement(element);
  endPass();
  delete made.extra.sib;
  delete made.extra.counts;
  if (sightWithProxy(element) !== SEEN) {
    made.box = 0;
    made.extra.hidden = 1;
  }
  return made;
});

/**
 * Return the row of a query, with the text of its record for the first `MOST_ROWS`.
 * @param {Element} element @param {number} [index] @param {any} [alike]
 */
export const queryRow = (element, index = Infinity, alike = null) => [
  nidOf(element), localNameOf.call(element), visibleWordsOf(element, LONGEST_WORDS), boxOf(element),
  index < MOST_ROWS ? rowText(element, alike) : '',
];

/**
 * Run a CSS selector: {rows: [[nid, tag, text, box, around], …], total} or {error: "selector", message}. With a text,
 * rows have a role and whether the element contains it; with a `reach`, the occurrences (`occurrencesIn`).
 * @param {string} css @param {number} [limit] @param {string | null} [text] @param {number} [reach]
 */
export const query = (css, limit = 50, text = null, reach = 0) => {
  const alike = newLookalikes();
  const rowOf = (/** @type {Element} */ element, /** @type {number} */ index) => {
    const row = queryRow(element, index, alike);
    if (text === null) return row;
    return [...row, roleOf(element, localNameOf.call(element)), occurrencesInElement(element, text, reach)];
  };
  try {
    const found = allMatching(css);
    return JSON.stringify({ rows: found.slice(0, limit).map(rowOf), total: found.length });
  } catch (error) {
    return JSON.stringify({ error: 'selector', message: /** @type {Error} */ (error).message });
  }
};

/**
 * Create a test whether the walk excludes an element: it is outside the modal dialog, or inert.
 * @param {Element | null} modal
 */
export const newBarrier = (modal) => {
  const known = new Map(modal === null ? [] : [[modal, false]]);
  return (/** @type {Element} */ element) => {
    const passed = /** @type {any[]} */ ([]);
    const decided = nearest(element, (node) => passed.push(node) > 0 && (known.has(node) || isExcluded(node)));
    const behind = decided === null ? modal !== null : known.get(decided) ?? true;
    for (const each of passed) known.set(each, behind);
    return behind;
  };
};

/**
 * Return {hidden: numbers of invisible elements, behind: numbers of unreachable elements, front: description of the
 * dialog in front}; numbers in neither list are gone or have changed.
 * @param {number} _ @param {number[]} nids
 */
export const classifyHidden = (_, nids) => {
  const modal = openModal();
  const isBehind = newBarrier(modal);
  /** @type {{ behind: number[], hidden: number[], front: string }} */
  const answer = { behind: [], hidden: [], front: '' };
  beginPass(newPass(false));
  for (const nid of nids) {
    const element = elementOf(nid);
    if (element === null) continue;
    if (sightWithProxy(element) !== SEEN) answer.hidden.push(nid);
    else if (isBehind(element)) answer.behind.push(nid);
  }
  const isFront = (/** @type {Element} */ dialog) => sightOf(dialog) === SEEN && !isBehind(dialog);
  const front = answer.behind.length === 0 ? undefined : modal ?? allMatching(DIALOGS).findLast(isFront);
  if (front !== undefined) {
    const tag = localNameOf.call(front);
    const name = computedName(front, tag);
    answer.front = roleOf(front, tag) + (name === '' ? '' : ` "${name}"`);
  }
  endPass();
  return JSON.stringify(answer);
};

const STYLES = [
  'display', 'visibility', 'position', 'color', 'background-color', 'font-size', 'font-weight', 'opacity', 'cursor',
];

/**
 * Return a selector that finds an element by its id or test id alone; "" for none.
 * @param {Element} element @param {any} root
 */
const anchorOf = (element, root) => {
  const id = idOf.call(element);
  const test = attribute(element, 'data-testid');
  const found = [id && `#${CSS.escape(id)}`, test && `[data-testid="${CSS.escape(test)}"]`].filter(Boolean)
    .find((css) => queryAll(root, css)[0] === element);
  if (found !== undefined) return found;
  const tag = localNameOf.call(element);
  return tag === 'html' || tag === 'body' ? tag : '';
};

/**
 * Return `li:nth-of-type(3)`; without a position for an only child of its type.
 * @param {Element} element
 */
const stepOf = (element) => {
  const tag = localNameOf.call(element);
  const siblings = [...childNodesOf.call(parentNodeOf.call(element))];
  const alike = siblings.filter((node) => isElement(node) && localNameOf.call(node) === tag);
  return CSS.escape(tag) + (alike.length === 1 ? '' : `:nth-of-type(${alike.indexOf(element) + 1})`);
};

/**
 * Return a CSS selector whose first match in the element's root is the element.
 * @param {Element} element
 */
const selectorOf = (element) => {
  const root = element.getRootNode();
  const steps = [];
  for (let node = element; node instanceof Element; node = parentNodeOf.call(node)) {
    const anchor = anchorOf(node, root);
    steps.unshift(anchor || stepOf(node));
    if (anchor !== '') break;
  }
  return steps.join(' > ');
};

/** @param {number[]} nids @param {(element: Element) => unknown} read */
const readEach = (nids, read) => nids.map((nid) => {
  const element = elementOf(nid);
  return element === null ? 0 : read(element);
});

/**
 * Return {rows: [[selector, box or 0] or 0 for a missing element, …]}.
 * @param {number[]} nids
 */
export const selectors = (nids) =>
  JSON.stringify({ rows: readEach(nids, (element) => [selectorOf(element), seenBox(element)]) });

/**
 * Return {rows: [{property: computed value, …} or 0 for a missing element, …]}.
 * @param {number[]} nids
 */
export const styles = (nids) => JSON.stringify({
  rows: readEach(nids, (element) => {
    const computed = getComputedStyle(element);
    return Object.fromEntries(STYLES.map((name) => [name, computed.getPropertyValue(name)]));
  }),
});
