// The structure of a page: tables, rows, lists, items and articles, and the columns of cells. An element that is a part of the
// structure has a short row if it has no other row. No style is read: a part without visible contents is not sent.
import { attribute, firstElementOf, localNameOf, nextElementOf, parentNodeOf } from './builtins.js';
import { pass, recordAction } from './pass.js';
import { nidOf } from './registry.js';
import { attributeWords, tagFacts } from './roles.js';

const NO_CELL = -1;

/** @type {Map<string, PartRole>} */
const ROLE_PARTS = new Map(Object.entries({
  table: 'table', grid: 'table', treegrid: 'table', row: 'row', cell: 'cell', gridcell: 'cell', columnheader: 'cell',
  rowheader: 'cell', list: 'list', listitem: 'item', article: 'article',
}));
const LAYOUT_ROLES = new Set(['none', 'presentation']);
const CONTAINERS = new Set(['table', 'list']);

/** @type {Pick<Context, 'part' | 'layout' | 'cell' | 'columns' | 'covered'>} */
export const NO_STRUCTURE = Object.freeze({ part: '', layout: false, cell: NO_CELL, columns: null, covered: null });

/**
 * Return the context of a cell: its column, which follows the earlier cells of the row and those of earlier rows.
 * @param {Context} context @param {Element} element @returns {Context}
 */
const cellContext = (context, element) => {
  const { columns } = context;
  if (columns === null) return context;
  const { covered } = columns;
  let cell = columns.next;
  while (covered[cell] > 0) cell += 1;
  columns.next = cell + (element.colSpan ?? 1);
  if (pass.readsRowSpans) for (let column = cell; column < columns.next; column += 1) covered[column] = element.rowSpan ?? 1;
  return { ...context, cell, columns: null };
};

/**
 * Return whether a row has only headers of columns.
 * @param {Element} row
 */
const isHead = (row) => {
  const parent = parentNodeOf.call(row);
  if (parent !== null && localNameOf.call(parent) === 'thead') return true;
  let cell = firstElementOf.call(row);
  if (cell === null) return false;
  for (; cell !== null; cell = nextElementOf.call(cell)) {
    const role = attribute(cell, 'role');
    if (role === null ? localNameOf.call(cell) !== 'th' : role.trim().toLowerCase() !== 'columnheader') return false;
  }
  return true;
};

/**
 * Return the context of an element with its part of the structure. The contents of a widget have none, nor are rows, cells
 * and items of a table or list for layout parts.
 * @param {Context} context @param {Element} element @param {string} tag @param {boolean} special
 */
export const withPart = (context, element, tag, special) => {
  const native = tagFacts(tag).part;
  if ((native === '' && !special) || context.inside) return context;
  const role = special ? attributeWords(element, 'role')[0]?.toLowerCase() ?? '' : '';
  if (role === '' && context.layout && !CONTAINERS.has(native) && native !== 'article') return context;
  const part = role === '' ? native : ROLE_PARTS.get(role) ?? '';
  if (part === 'cell') return cellContext(context, element);
  if (part !== '') return { ...context, part: part === 'row' && isHead(element) ? 'head' : part };
  return CONTAINERS.has(native) && LAYOUT_ROLES.has(role) ? { ...context, layout: true } : context;
};

/**
 * Record a part of the structure, unless its element has another row. Return the context for its contents.
 * @param {Element} element @param {Context} context @param {Context} inner
 * @returns {Context}
 */
export const enterPart = (element, context, inner) => {
  const { part, cell } = context;
  if (part === '') return inner;
  let { row } = inner;
  if (row === context.row) {
    row = nidOf(element);
    /** @type {Part} */
    const made = [row, context.row, part, cell];
    recordAction(() => { pass.structure.push({ place: pass.visited, row: made }); });
  }
  if (part === 'row' || part === 'head') {
    const covered = context.covered ?? [];
    covered.forEach((rows, column) => { covered[column] = rows - 1; }); // by cells of earlier rows
    return { ...inner, ...NO_STRUCTURE, row, columns: { next: 0, covered } };
  }
  return { ...inner, ...NO_STRUCTURE, row, covered: part === 'table' ? [] : null };
};

/** Return the recorded structure that contains a row or a line. */
export const usedStructure = () => {
  if (pass.structure.length === 0) return [];
  const used = new Set();
  let last = 0;
  for (const row of pass.rows) if (row[1] !== last) used.add(last = row[1]);
  for (const { row } of pass.texts) if (row[0] !== last) used.add(last = row[0]);
  const inner = pass.structure.toReversed().filter(({ row }) => used.has(row[0]) && used.add(row[1]));
  return inner.reverse();
};
