// The record of an element: the row, item or card around it, with its key attributes, texts and column. Python compares
// records (charlotte/page/identity); this module only reads them.
import {
  attribute, attributeNamesOf, closest, collapse, cut, ELEMENT, firstChildOf, firstElementOf, hasAttribute,
  hasAttributes, isEmpty, lastChildOf, localNameOf, nextElementOf, nextSiblingOf, nodeTypeOf,
  parentElementOf, parentNodeOf, previousElementOf, queryIn, remembered, setOf, TEXT, textContentOf, textOf,
} from './builtins.js';
import { recordByElement, recordsKnown, recordsRead, throughCache } from './caches.js';
import { pass } from './pass.js';
import { elementOfRow, nidOf } from './registry.js';
import { CELLS, HEAD_CELLS, TABLE_ROWS } from './roles.js';

const TABLE = 'table,[role=table],[role=grid],[role=treegrid]';
// Asking for the tag and the role takes a fraction of what matching such a selector does.
const ROWS = { tags: setOf('tr'), roles: setOf('row') };
const CELL_SHAPES = { tags: setOf('td th'), roles: setOf('gridcell cell columnheader rowheader') };
const ITEMS = { tags: setOf('tr li dd article'), roles: setOf('row listitem option') };
const KEY_INPUTS = setOf('hidden checkbox radio');
const VALUED = setOf('li data option button input');
const VALUED_INPUTS = setOf('checkbox radio submit hidden');
const MOST_REFERENCES = 3;
const MAX_RECORD_LEVELS = 12;
const MOST_SIBLINGS = 2; // on either side that are compared with a possible record
const LONGEST_RECORD = 1000; // characters; a longer text is a section of the page
const MOST_CELLS = 24;
const LONGEST_CELL = 80;
const LONGEST_KEY = 80;
const MOST_KEYS = 8;
const KEY_NAME = /^(?:data-.*|id|aria-rowindex|aria-posinset)$/;
const MOST_HEADS = 100;
const UNREAD_TEXT = setOf('script style template noscript');

const shapesOfRecords = new WeakMap(); // by list: the only remaining record stays a record

/** @param {Element} element @param {any} subject1 */
const matchesShapes = (element, { tags, roles }) =>
  tags.has(localNameOf.call(element)) || roles.has(attribute(element, 'role') ?? '');

/**
 * Describe an element by its tag and those of its children; '' if the element has no children and no class.
 * @param {Element} element
 */
const shapeOfElement = (element) => remembered(pass.shapes, element, () => {
  let shape = '';
  for (let child = firstElementOf.call(element); child !== null && shape.length < 100;
    child = nextElementOf.call(child)) shape += ` ${localNameOf.call(child)}`;
  if (shape === '') shape = attribute(element, 'class') ?? '';
  return shape === '' ? '' : `${localNameOf.call(element)}:${shape}`;
});

/** @param {Element} element @param {string} shape */
const hasSiblingOfShape = (element, shape) => {
  let [before, after] = [element, element];
  for (let step = 0; step < MOST_SIBLINGS; step += 1) {
    before = before && previousElementOf.call(before);
    after = after && nextElementOf.call(after);
    if (before && shapeOfElement(before) === shape) return true;
    if (after && shapeOfElement(after) === shape) return true;
  }
  return false;
};

/**
 * Return whether an element is one of several of the same shape, or was at an earlier reading of its list.
 * @param {Element} element
 */
export const isRepeated = (element) => {
  const list = parentNodeOf.call(element);
  const shape = shapeOfElement(element);
  if (list === null || shape === '') return false;
  return shapesOfRecords.get(list)?.has(shape) || hasSiblingOfShape(element, shape);
};

/** @param {Record<string, string>} keys @param {string} name @param {string | null} value */
const addKey = (keys, name, value) => {
  if (value !== null && value !== '' && value.length <= LONGEST_KEY && !(name in keys)
    && Object.keys(keys).length < MOST_KEYS) keys[name] = value;
};

/** @param {Record<string, string>} keys @param {Element} element */
const addAttributes = (keys, element) => {
  if (!hasAttributes.call(element)) return;
  for (const name of attributeNamesOf.call(element)) if (KEY_NAME.test(name)) addKey(keys, name, attribute(element, name));
  const tag = localNameOf.call(element);
  const isValued = VALUED.has(tag) && (tag !== 'input' || VALUED_INPUTS.has(attribute(element, 'type')?.toLowerCase() ?? ''));
  if (isValued) addKey(keys, 'value', attribute(element, 'value'));
};

/**
 * Return whether an element is a link, or a hidden or checkable input with a value.
 * @param {Element} element @param {string} tag
 */
const isReference = (element, tag) => {
  if (tag === 'a') return hasAttribute.call(element, 'href');
  return tag === 'input' && hasAttribute.call(element, 'value')
    && KEY_INPUTS.has(attribute(element, 'type')?.toLowerCase() ?? '');
};

/** @param {string[]} cells @param {string} data */
const addCell = (cells, data) => {
  if (data === '') return;
  const text = cut(collapse(data), LONGEST_CELL);
  if (text.trim() !== '') cells.push(text);
};

/**
 * Read the texts and references below a node; an element without child elements has one text.
 * @param {any} node @param {string[]} cells @param {Element[]} references @param {boolean} isRead
 */
const readInside = (node, cells, references, isRead) => {
  if (firstElementOf.call(node) === null) {
    if (isRead && cells.length < MOST_CELLS) addCell(cells, textContentOf.call(node));
    return;
  }
  for (let child = firstChildOf.call(node); child !== null; child = nextSiblingOf.call(child)) {
    const type = nodeTypeOf.call(child);
    if (type === TEXT) {
      if (isRead && cells.length < MOST_CELLS) addCell(cells, child.data);
    } else if (type === ELEMENT) {
      const tag = localNameOf.call(child);
      if (references.length < MOST_REFERENCES && isReference(child, tag)) references.push(child);
      readInside(child, cells, references, !UNREAD_TEXT.has(tag));
    }
  }
};

/** @param {Element} element */
const readRecord = (element) => throughCache(recordsRead, element, () => {
  const [keys, cells, references] = [{}, [], []];
  addAttributes(keys, element);
  readInside(element, cells, references, !UNREAD_TEXT.has(localNameOf.call(element)));
  for (const one of references) {
    const href = attribute(one, 'href');
    if (href === null) addKey(keys, `input ${attribute(one, 'name') ?? ''}`, attribute(one, 'value'));
    else if (!/^(#$|javascript:)/i.test(href)) addKey(keys, 'href', href);
  }
  return { keys, cells };
});

/** @param {Element} element */
export const isBrief = (element) => textContentOf.call(element).length <= LONGEST_RECORD;

const NO_RECORD = '\0'; // instead of the text of a record

/**
 * Return the text of a record; `NO_RECORD` for other elements.
 * @param {Element} element @param {Map<any, string>} texts
 */
const textOfRecord = (element, texts) => remembered(texts, element, () => {
  const isOne = matchesShapes(element, ITEMS) || isRepeated(element);
  const all = isOne ? textContentOf.call(element) : '';
  return isOne && all.length <= LONGEST_RECORD ? collapse(all) : NO_RECORD;
});

/**
 * Return the row, item or card around an element that has more text than the element; null for none.
 * @param {Element} element @param {Map<any, string>} texts
 */
const enclosingRecord = (element, texts) => {
  let own;
  let wraps = true; // the ancestors contain nothing else yet
  let node = parentElementOf.call(element);
  for (let level = 0; level < MAX_RECORD_LEVELS && node !== null && node !== document.body; level += 1) {
    wraps &&= firstChildOf.call(node) === lastChildOf.call(node);
    const text = wraps ? NO_RECORD : textOfRecord(node, texts);
    if (text !== NO_RECORD && text !== (own ??= collapse(textContentOf.call(element)))) return node;
    node = parentElementOf.call(node);
  }
  return null;
};

/** @param {Element} cell */
const columnNumber = (cell) => {
  const number = attribute(cell, 'aria-colindex');
  if (number !== null) return number;
  let place = 0;
  for (let node = previousElementOf.call(cell); node !== null; node = previousElementOf.call(node)) {
    place += node.colSpan ?? 1;
  }
  return `#${place}`;
};

/**
 * Return the texts of the header cells of a table by `aria-colindex` or position.
 * @param {Element} table
 */
const headsOf = (table) => {
  const first = queryIn(table, HEAD_CELLS)[0]?.closest(TABLE_ROWS);
  const cells = first ? [...queryIn(first, HEAD_CELLS)].slice(0, MOST_HEADS) : [];
  const isHead = cells.length > 1 && cells.length === queryIn(first, CELLS).length;
  return Object.fromEntries((isHead ? cells : []).map((cell) => [columnNumber(cell), textOf(cell, LONGEST_CELL)]));
};

/**
 * Create a record as sent, with the keys and columns of the elements in it: {inside, number} by element.
 * @param {Element} element
 */
const newRecord = (element) => {
  const { keys, cells } = readRecord(element);
  const list = parentElementOf.call(element);
  const isRow = matchesShapes(element, ROWS);
  const table = isRow ? closest.call(element, TABLE) : null;
  const shape = shapeOfElement(element);
  if (shape !== '') remembered(shapesOfRecords, parentNodeOf.call(element), () => new Set()).add(shape);
  return {
    sent: { list: list === null ? 0 : nidOf(list), keys, cells, ...(table && { table: nidOf(table) }) },
    table,
    isRow,
    hasContent: cells.length > 0 || !isEmpty(keys),
    members: new Map(),
  };
};

/**
 * Return the key attributes of an element and its ancestors inside the record, and the number of its column.
 * @param {Element} element @param {any} record @param {boolean} isRow
 */
const memberOf = (element, record, isRow) => {
  const inside = {};
  let cell = null;
  for (let node = element; node !== null && node !== record; node = parentElementOf.call(node)) {
    addAttributes(inside, node);
    if (isRow && cell === null && matchesShapes(node, CELL_SHAPES)) cell = node;
  }
  return { inside: isEmpty(inside) ? null : inside, number: cell === null ? '' : columnNumber(cell) };
};

/** @param {Element} element @param {any} state */
const knownRecord = (element, state) =>
  remembered(state.records, element, () => throughCache(recordsKnown, element, () => newRecord(element)));

/**
 * Return the record of a row's element, from the cache if nothing in it has changed.
 * @param {Row} row @param {Element} element @param {Map<Row, any>} places @param {any} state
 */
const recordOf = (row, element, places, state) => {
  const place = places.get(row);
  if (place !== undefined) return place;
  const known = pass?.readsCaches ? recordByElement.get(element) : undefined;
  if (known !== undefined && recordsKnown.get(known.element) === known.record) return known.element;
  const around = enclosingRecord(element, state.texts);
  if (around !== null && pass?.fillsCaches) {
    recordByElement.set(element, { element: around, record: knownRecord(around, state) });
  }
  return around;
};

/** @param {Row} row @returns {Extra} */
export const extraOf = (row) => {
  row[5] ??= {};
  return row[5];
};

/**
 * Write the record of an element into its row; other rows of the record refer to the first.
 * @param {Row} row @param {Element} element @param {any} around @param {any} state
 */
const addRecord = (row, element, around, state) => {
  const { sent, table, isRow, hasContent, members } = knownRecord(around, state);
  const { inside, number } = remembered(members, element, () => memberOf(element, around, isRow));
  if (!hasContent && inside === null) return;
  const extra = extraOf(row);
  const leader = state.leaders.get(around);
  if (leader === undefined) {
    state.leaders.set(around, row[0]);
    extra.record = sent;
  } else extra.of = leader;
  if (inside !== null) extra.inside = inside;
  if (number === '') return;
  extra.column = number;
  if (table !== null) state.tables.add(table);
};

/**
 * Write records into the rows of listed elements; `places` are the records of twins. Return the column headers by the
 * number of their table.
 * @param {Row[]} rows @param {Map<Row, any>} places
 */
export const addRecords = (rows, places) => {
  const state = { texts: new Map(), tables: new Set(), records: new Map(), leaders: new Map() };
  for (const row of rows) {
    if (row[5]?.k !== undefined && row[5].k !== 'c') continue;
    const element = elementOfRow(row);
    const record = element && recordOf(row, element, places, state);
    if (record) addRecord(row, element, record, state);
  }
  return [...state.tables].map((table) => [nidOf(table), headsOf(table)]).filter(([, heads]) => !isEmpty(heads));
};
