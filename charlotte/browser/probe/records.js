// The record that an element belongs to: the row, item or card around it, with its key attributes, its texts, and the
// column of the element. Python compares records (page/identity.py); this module only reads them.
const ROW = 'tr,[role=row]';
const CELL = 'td,th,[role=gridcell],[role=cell],[role=columnheader],[role=rowheader]';
const HEAD_CELL = 'th,[role=columnheader]';
const TABLE = 'table,[role=table],[role=grid],[role=treegrid]';
const KEY_INPUTS = 'a[href],input[type=hidden][value],input[type=checkbox][value],input[type=radio][value]';
const VALUED = 'li,data,option,button,input:is([type=checkbox],[type=radio],[type=submit],[type=hidden])';
const MAX_RECORD_LEVELS = 12;
const MOST_SIBLINGS = 2; // on either side that are compared with a possible record
const LONGEST_RECORD = 1000; // characters; what says more is a section of the page
const MOST_CELLS = 24;
const LONGEST_CELL = 80;
const LONGEST_KEY = 80;
const MOST_KEYS = 8;
const MOST_HEADS = 100;
const UNREAD_TEXT = setOf('script style template noscript');

let recordsRead = new WeakMap(); // {keys, cells} by element, until something changes in the element
const shapesOfRecords = new WeakMap(); // by list: a record stays one when it is the only one that is left

const forgetRecords = () => { recordsRead = new WeakMap(); };

/** Describe an element by its tag and those of its children; '' if the element has no children and no class. */
const shapeOfElement = (element) => {
  let shape = '';
  for (let child = firstElementOf.call(element); child !== null && shape.length < 100;
    child = nextElementOf.call(child)) shape += ` ${localNameOf.call(child)}`;
  if (shape === '') shape = attribute(element, 'class') ?? '';
  return shape === '' ? '' : `${localNameOf.call(element)}:${shape}`;
};

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

const noteShape = (element) => {
  const list = parentNodeOf.call(element);
  const shape = shapeOfElement(element);
  if (list === null || shape === '') return;
  const known = shapesOfRecords.get(list);
  if (known === undefined) shapesOfRecords.set(list, new Set([shape]));
  else known.add(shape);
};

/** Whether an element is one of several of the same shape, or was when its list was read before. */
const isRepeated = (element) => {
  const list = parentNodeOf.call(element);
  const shape = shapeOfElement(element);
  if (list === null || shape === '') return false;
  return shapesOfRecords.get(list)?.has(shape) || hasSiblingOfShape(element, shape);
};

const textsIn = (element) => {
  const cells = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && cells.length < MOST_CELLS; node = texts.nextNode()) {
    const text = collapse(node.data).slice(0, LONGEST_CELL);
    const parent = parentElementOf.call(node);
    if (text.trim() !== '' && (parent === null || !UNREAD_TEXT.has(localNameOf.call(parent)))) cells.push(text);
  }
  return cells;
};

const addKey = (keys, name, value) => {
  if (value !== null && value !== '' && value.length <= LONGEST_KEY && !(name in keys)
    && Object.keys(keys).length < MOST_KEYS) keys[name] = value;
};

const isKeyName = (name) =>
  name.startsWith('data-') || name === 'id' || name === 'aria-rowindex' || name === 'aria-posinset';

const addAttributes = (keys, element) => {
  if (!hasAttributes.call(element)) return;
  for (const { name, value } of element.attributes) if (isKeyName(name)) addKey(keys, name, value);
  if (matches.call(element, VALUED)) addKey(keys, 'value', attribute(element, 'value'));
};

/** Add what a record refers to: its first link, its hidden and checkable inputs. */
const addReferences = (keys, element) => {
  for (const one of [...queryIn(element, KEY_INPUTS)].slice(0, 3)) {
    const href = attribute(one, 'href');
    if (href === null) addKey(keys, `input ${attribute(one, 'name') ?? ''}`, attribute(one, 'value'));
    else if (!/^(#$|javascript:)/i.test(href)) addKey(keys, 'href', href);
  }
};

const readRecord = (element) => {
  const known = pass?.recalls ? recordsRead.get(element) : undefined;
  if (known !== undefined) return known;
  const keys = {};
  addAttributes(keys, element);
  addReferences(keys, element);
  const read = { keys, cells: textsIn(element) };
  if (pass?.remembers) recordsRead.set(element, read);
  return read;
};

const isBrief = (element) => textContentOf.call(element).length <= LONGEST_RECORD;

/** Whether a record says something beside the element in it. */
const saysMore = (record, element) =>
  collapse(textContentOf.call(record)) !== collapse(textContentOf.call(element));

const isRecord = (element, known) => {
  let answer = known.get(element);
  if (answer === undefined) {
    answer = (matches.call(element, TOGETHER) || isRepeated(element)) && isBrief(element);
    known.set(element, answer);
  }
  return answer;
};

/** The row, item or card around an element; null if the element lies in none. */
const recordAround = (element, known) => {
  let node = parentElementOf.call(element);
  for (let level = 0; level < MAX_RECORD_LEVELS && node !== null && node !== document.body; level += 1) {
    if (isRecord(node, known) && saysMore(node, element)) return node;
    node = parentElementOf.call(node);
  }
  return null;
};

/** The texts of the head cells of a table, by their `aria-colindex` or their place. */
const headsOf = (table, known) => {
  let heads = known.get(table);
  if (heads !== undefined) return heads;
  heads = new Map();
  const first = queryIn(table, HEAD_CELL)[0]?.closest(ROW);
  const cells = first ? [...queryIn(first, HEAD_CELL)].slice(0, MOST_HEADS) : [];
  const isHead = cells.length > 1 && cells.length === queryIn(first, CELL).length;
  for (const cell of isHead ? cells : []) heads.set(columnNumber(cell), textOf(cell, LONGEST_CELL));
  known.set(table, heads);
  return heads;
};

const columnNumber = (cell) => {
  const told = attribute(cell, 'aria-colindex');
  if (told !== null) return told;
  let place = 0;
  for (let node = previousElementOf.call(cell); node !== null; node = previousElementOf.call(node)) {
    place += node.colSpan ?? 1;
  }
  return `#${place}`;
};

/** The number and the head of the column that an element lies in; '' outside of tables. */
const columnOf = (element, row, heads) => {
  if (!matches.call(row, ROW)) return '';
  const cell = closest.call(element, CELL);
  if (cell === null || !contains.call(row, cell)) return '';
  const table = closest.call(row, TABLE);
  const number = columnNumber(cell);
  const head = table === null ? undefined : headsOf(table, heads).get(number);
  return head ? `${number} ${head}` : number;
};

/** The key attributes of an element and of what is around it inside its record. */
const keysInside = (element, record) => {
  const keys = {};
  for (let node = element; node !== null && node !== record; node = parentElementOf.call(node)) {
    addAttributes(keys, node);
  }
  return keys;
};

const extraOf = (row) => {
  if (row[5] === undefined) row.push({});
  return row[5];
};

/** Write the record of an element into its row; the first row of a record holds what the others refer to. */
const addRecord = (row, element, record, state) => {
  const { keys, cells } = readRecord(record);
  const inside = element === record ? {} : keysInside(element, record);
  const column = columnOf(element, record, state.heads);
  if (cells.length === 0 && Object.keys(keys).length === 0 && Object.keys(inside).length === 0) return;
  const extra = extraOf(row);
  const leader = state.leaders.get(record);
  if (leader === undefined) {
    state.leaders.set(record, row[0]);
    noteShape(record);
    const list = parentElementOf.call(record);
    extra.record = { list: list === null ? 0 : nidOf(list), keys, cells };
  } else extra.of = leader;
  if (Object.keys(inside).length > 0) extra.inside = inside;
  if (column !== '') extra.column = column;
};

const newRecords = () => ({ known: new Map(), heads: new Map(), leaders: new Map() });

/** Write into the rows to which record each listed element belongs; `places` are those of twins. */
const addRecords = (rows, places) => {
  const state = newRecords();
  for (const row of rows) {
    if (row[5]?.k !== undefined && row[5].k !== 'c') continue;
    const element = elementOfRow(row);
    const record = element && (places.get(row) ?? recordAround(element, state.known));
    if (record) addRecord(row, element, record, state);
  }
};
