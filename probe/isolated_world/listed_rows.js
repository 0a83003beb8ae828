// Rows as people see them: a row of a table or grid, an item of a list or tree, an option, or one of several cards of the
// same shape. An element belongs to the nearest row of each kind around it.
import {
  attribute, closest, collapse, cut, ELEMENT, folded, localNameOf, matches, nextElementOf, nodeTypeOf, previousElementOf,
  queryIn, remembered, setOf, TEXT,
} from './builtins.js';
import { isSecret } from './control_values.js';
import { flatNodes, flatParent } from './flat_tree.js';
import { beginPass, endPass, newPass } from './pass.js';
import { isRepeated } from './records.js';
import { elementOf, nidOf } from './registry.js';
import { BUTTONS, CELLS, roleOf, WIDGETS } from './roles.js';
import { TEXTLESS } from './text_controls.js';
import { boxOf } from './visibility.js';
import { LONGEST_TEXT, occurrencesInAnyCase, visibleWordsOf } from './visible_text.js';

const ROW_TAGS = new Map(Object.entries({ tr: 'row', li: 'listitem', dd: 'listitem', article: 'article' }));
const ROW_ROLES = setOf('row listitem option treeitem article');
const CELL_TAGS = setOf('td th tbody thead tfoot');
const CELL_ROLES = setOf('cell gridcell columnheader rowheader rowgroup');
const NUMBERED = '[role=grid],[role=treegrid],[role=table],table';
const FIELDS = 'input,textarea,select';
const MAX_LEVELS = 40;
const LONGEST_ROW = 2_000; // characters
const MOST_PIECES = 12;
const LONGEST_PIECE = 200; // characters; secrets are hidden before a name is made of them

/** @param {Element} element @param {Element | null} other */
const isBeside = (element, other) => {
  const [box, next] = [boxOf(element), other === null ? 0 : boxOf(other)];
  return box !== 0 && next !== 0 && box[1] < next[1] + next[3] && next[1] < box[1] + box[3];
};

/**
 * Return whether an element of a repeated shape is a column of the row around it: its neighbour is at the same height.
 * @param {Element} element @param {any} state
 */
const isColumn = (element, state) => {
  const parent = flatParent(element);
  return parent !== null && kindOfRow(parent, state) !== ''
    && (isBeside(element, nextElementOf.call(element)) || isBeside(element, previousElementOf.call(element)));
};

/** @param {Element} element @param {any} state @returns {string} */
const readKind = (element, state) => {
  const tag = localNameOf.call(element);
  const role = attribute(element, 'role') ?? '';
  if (ROW_ROLES.has(role)) return role;
  if (role === '' && ROW_TAGS.has(tag)) return ROW_TAGS.get(tag) ?? '';
  if (CELL_TAGS.has(tag) || CELL_ROLES.has(role) || WIDGETS.has(roleOf(element, tag))) return '';
  return isRepeated(element) && !isColumn(element, state) ? `${tag}.${attribute(element, 'class') ?? ''}` : '';
};

/**
 * Return what kind of row an element is, '' for none.
 * @param {Element} element @param {any} state @returns {string}
 */
const kindOfRow = (element, state) => remembered(state.kinds, element, () => readKind(element, state));

/**
 * Return the element, if it is a row, and all rows around it, the innermost first.
 * @param {Element} element @param {any} state
 */
const rowsOf = (element, state) => {
  const rows = [];
  let node = element;
  for (let level = 0; level < MAX_LEVELS && node !== null && node !== document.body; level += 1) {
    if (kindOfRow(node, state) !== '') rows.push(node);
    node = flatParent(node);
  }
  return rows;
};

/**
 * Return all parts of a row: a grid with fixed columns draws a row in several containers.
 * @param {Element} row @param {any} state
 */
const partsOf = (row, state) => {
  const index = attribute(row, 'aria-rowindex');
  const grid = index === null ? null : closest.call(row, NUMBERED);
  if (index === null || grid === null) return [row];
  const byIndex = remembered(state.grids, grid, () =>
    Map.groupBy(queryIn(grid, '[aria-rowindex]'), (one) => attribute(one, 'aria-rowindex')));
  const parts = (byIndex.get(index) ?? []).filter((/** @type {Element} */ one) => kindOfRow(one, state) === 'row');
  return parts.length > 0 ? parts : [row];
};

/** @param {any} field */
const valueOf = (field) => {
  if (TEXTLESS.has(field.type) || isSecret(field)) return '';
  return localNameOf.call(field) === 'select' ? field.selectedOptions[0]?.label ?? '' : field.value;
};

/** @param {Element} part */
const wordsAndValues = (part) =>
  [visibleWordsOf(part, LONGEST_TEXT), ...Array.from(queryIn(part, FIELDS), valueOf)].filter(Boolean).join(' ');

/** @param {Element} row @param {any} state */
const textOfRow = (row, state) => {
  const parts = partsOf(row, state);
  return remembered(state.texts, parts[0], () => collapse(parts.map(wordsAndValues).join(' ')));
};

/**
 * Count the occurrences of the text in a row.
 * @param {Element} row @param {any} state
 */
const countIn = (row, state) => remembered(state.counts, partsOf(row, state)[0], () => {
  const text = textOfRow(row, state);
  if (text.length > LONGEST_ROW && kindOfRow(row, state) !== 'treeitem') return 0; // a section of the page
  return folded(text).split(state.wanted).length - 1;
});

/**
 * Return whether the text is in a row outside of the rows in it.
 * @param {Element} row @param {any} state
 */
const isInnermost = (row, state) => {
  let inside = 0;
  for (const inner of state.nested.get(row)) inside += countIn(inner, state);
  return countIn(row, state) > inside;
};

/** @param {any} node */
const pieceOf = (node) => {
  const type = nodeTypeOf.call(node);
  if (type === TEXT) return collapse(node.data);
  if (type !== ELEMENT || matches.call(node, BUTTONS)) return '';
  return collapse(matches.call(node, FIELDS) ? valueOf(node) : wordsAndValues(node));
};

/** @param {any[]} nodes */
const piecesIn = (nodes) => nodes.map((node) => cut(pieceOf(node), LONGEST_PIECE)).filter(Boolean);

/**
 * Return the nodes of an element, or of the only element with text in it.
 * @param {Element} element @returns {any[]}
 */
const contentOf = (element) => {
  const nodes = flatNodes(element);
  const elements = nodes.filter((/** @type {any} */ node) => nodeTypeOf.call(node) === ELEMENT);
  const hasText = nodes.some((/** @type {any} */ node) => nodeTypeOf.call(node) === TEXT && node.data.trim() !== '');
  return elements.length === 1 && !hasText ? contentOf(elements[0]) : nodes;
};

/**
 * Return the texts of a row that describe it, by cell or part.
 * @param {Element} row @param {any} state
 */
const piecesOf = (row, state) => {
  const parts = partsOf(row, state);
  const cells = parts.flatMap((/** @type {Element} */ part) => [...queryIn(part, CELLS)]);
  const isTable = kindOfRow(row, state) === 'row' && cells.length > 0;
  const pieces = isTable
    ? cells.map((/** @type {Element} */ cell) => piecesIn(flatNodes(cell)).join(' ')).filter(Boolean)
    : parts.flatMap((/** @type {Element} */ part) => piecesIn(contentOf(part)));
  return pieces.slice(0, MOST_PIECES);
};

/**
 * Return the texts of a table row or of another row on one line.
 * @param {Element} row
 */
export const rowTitle = (row) => piecesOf(row, newState(null)).join(' | ');

/** @param {string | null} text */
const newState = (text) => ({
  wanted: folded(collapse(text ?? '')),
  kinds: new Map(), texts: new Map(), counts: new Map(), grids: new Map(), nested: new Map(),
});

/**
 * Return the innermost row of each element that contains the text outside of the rows in it, null for none; without a text,
 * the innermost row around each element that has more text than the element.
 * @param {(Element | null)[]} elements @param {any} state
 */
const chosenRows = (elements, state) => {
  const all = elements.map((element) => (element === null ? [] : rowsOf(element, state)));
  if (state.wanted === '') {
    const saysMore = (/** @type {Element} */ row, /** @type {any} */ element) =>
      row !== element && textOfRow(row, state) !== wordsAndValues(element);
    return all.map((rows, index) => rows.find((row) => saysMore(row, elements[index])) ?? null);
  }
  const withText = all.map((rows) => rows.filter((row) => countIn(row, state) > 0));
  for (const rows of withText) {
    rows.forEach((row, index) => { // the innermost first: note which rows directly contain which others
      const inside = remembered(state.nested, row, () => new Set());
      if (index > 0) inside.add(rows[index - 1]);
    });
  }
  return withText.map((rows, index) => rows.find((row) => isInnermost(row, state)
    && all[index].find((one) => kindOfRow(one, state) === kindOfRow(row, state)) === row) ?? null); // the nearest of its kind
};

/**
 * Return {rows: [[number of the row, its texts, occurrences], …], of: the index of the row of each element, -1 for none}.
 * With a text, the rows are those that contain it; with a `reach`, the occurrences are listed (`occurrencesIn`).
 * @param {number[]} nids @param {string | null} [text] @param {number} [reach]
 */
export const rowsAround = (nids, text = null, reach = 0) => {
  beginPass(newPass(false));
  const state = newState(text);
  const chosen = chosenRows(nids.map(elementOf), state);
  const rows = [...new Set(chosen.filter((row) => row !== null).map((row) => partsOf(row, state)[0]))];
  const places = new Map(rows.map((row, index) => [row, index]));
  const answer = {
    rows: rows.map((row) => [
      nidOf(row), piecesOf(row, state),
      state.wanted === '' || occurrencesInAnyCase(textOfRow(row, state), state.wanted, reach),
    ]),
    of: chosen.map((row) => (row === null ? -1 : places.get(partsOf(row, state)[0]))),
  };
  endPass();
  return JSON.stringify(answer);
};
