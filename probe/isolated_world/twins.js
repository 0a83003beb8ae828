// Elements that are called the same are told with what tells them apart: the text of the largest part of the page
// that holds one of them alone.
// The row that an element lies in, by what it says: that tells apart what a selector finds and what is called the same.
import {
  attribute, contains, getRootNode, idOf, localNameOf, matches, parentElementOf, queryAll, textContentOf,
} from './builtins.js';
import { placeTexts } from './caches.js';
import { pass } from './pass.js';
import { extraOf, isBrief } from './records.js';
import { elementOf, elementOfRow, GONE_ANSWER } from './registry.js';
import { ROW_LIKE, wordsOf } from './visible_text.js';

const LONGEST_NEAR = 40;
const LONGEST_PLACE = 400;
const MOST_PLACES = 300; // on a page: reading one takes a twentieth of a millisecond

/**
 * The text of a place; what was read before, a pass that recalls may take from memory.
 * @param {Element} place
 */
const knownPlaceText = (place) => {
  const known = pass.recalls ? placeTexts.get(place) : undefined;
  if (known !== undefined) return known;
  const text = wordsOf(place, LONGEST_PLACE);
  if (pass.remembers) placeTexts.set(place, text);
  return text;
};

/** @param {Row} row */
const isListed = (row) => row[3] !== '' && (row[5]?.k === undefined || row[5].k === 'c');

/** @param {Row} row */
const isLandmarkRow = (row) => row[5]?.k === 'l' || row[5]?.landmark === 1;

/**
 * The rows of listed elements that are called the same, in document order, as lists of two and more.
 * @param {Row[]} rows
 */
const twinsIn = (rows) => {
  const called = new Map();
  for (const row of rows) {
    if (!isListed(row)) continue;
    const name = `${row[2]} ${row[3]}`;
    const alike = called.get(name);
    if (alike === undefined) called.set(name, [row]);
    else alike.push(row);
  }
  return [...called.values()].filter((alike) => alike.length > 1);
};

/** @param {Element} element @param {any} other */
const holds = (element, other) => other !== undefined && contains.call(element, other);

/**
 * The outermost element around one twin that holds neither the one before nor the one after, inside any landmark.
 * @param {Element} element @param {any} before @param {any} after @param {Set<any>} landmarks
 */
const findTwinPlace = (element, before, after, landmarks) => {
  let place = element;
  let node = parentElementOf.call(element);
  const isItsOwn = (/** @type {any} */ around) => !holds(around, before) && !holds(around, after) && !landmarks.has(around);
  while (node !== null && node !== document.body && isItsOwn(node)) {
    place = node;
    node = parentElementOf.call(node);
  }
  return place;
};

/**
 * A number that two different texts hardly have in common (FNV-1a).
 * @param {string} text
 */
const digestOf = (text) => {
  let digest = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193);
  }
  return digest >>> 0;
};

/**
 * What stands beside the name, which often begins or ends it.
 * @param {string} text @param {string} name
 */
const withoutName = (text, name) => {
  if (text.startsWith(name)) return text.slice(name.length).trim();
  return text.endsWith(name) ? text.slice(0, -name.length).trim() : text;
};

/** @param {Row} row @param {string} text @param {any} section */
const addPlace = (row, text, section) => {
  const near = withoutName(text, row[3]).slice(0, LONGEST_NEAR);
  if (near === '') return;
  /** @type {Extra} */
  const told = { near, place: digestOf(`${section}\n${text}`) };
  if (section !== '') told.section = section;
  if (row[5] === undefined) row.push(told);
  else Object.assign(row[5], told);
};

/** A reader of the first so many places: a row of a table is one of all that is in it. */
const placeReader = () => {
  const texts = new Map();
  return (/** @type {any} */ place) => {
    if (!texts.has(place)) texts.set(place, texts.size < MOST_PLACES ? knownPlaceText(place) : '');
    return texts.get(place);
  };
};

/**
 * The row of the last heading before each row, null before the first.
 * @param {Row[]} rows
 */
const headingsBefore = (rows) => {
  const before = new Map();
  let heading = null;
  for (const row of rows) {
    before.set(row, heading);
    if (row[2] === 'heading') heading = row;
  }
  return before;
};

/**
 * A reader of the headings that twins stand under, in document order; one in the place of another is only its own.
 * @param {Map<Row, Row | null>} headings
 */
const sectionReader = (headings) => {
  let [section, last] = ['', null];
  return (/** @type {Row} */ row, /** @type {any} */ place) => {
    const heading = headings.get(row) ?? null;
    if (heading === null) section = '';
    else if (last === null || !holds(last, elementOfRow(heading))) section = heading[3];
    last = place;
    return section;
  };
};

const NAMED_FIELDS = 'input,select,textarea,button';

/**
 * What the page itself calls a field of a form: its name and its id.
 * @param {Element} element
 */
const fieldName = (element) => {
  if (!matches.call(element, NAMED_FIELDS)) return '';
  return [attribute(element, 'name') ?? '', idOf.call(element)].join(' ').trim();
};

/**
 * Write into the rows what tells twins apart; returns the place of each twin that has a small one.
 * @param {Row[]} rows
 */
export const addDistinctions = (rows) => {
  const groups = twinsIn(rows);
  const places = new Map();
  if (groups.length === 0) return places;
  const landmarks = new Set(rows.filter(isLandmarkRow).map(elementOfRow));
  const [headings, textOfPlace] = [headingsBefore(rows), placeReader()];
  for (const alike of groups) {
    const elements = alike.map(elementOfRow);
    const sectionOf = sectionReader(headings);
    alike.forEach((/** @type {Row} */ row, /** @type {number} */ index) => {
      const place = findTwinPlace(elements[index], elements[index - 1], elements[index + 1], landmarks);
      const section = sectionOf(row, place);
      if (place !== elements[index]) addPlace(row, textOfPlace(place), section);
      if (isBrief(place)) places.set(row, place);
      const own = fieldName(elements[index]);
      if (own !== '') extraOf(row).own = own;
    });
  }
  return places;
};

const LONGEST_ROW = 200; // characters
const LONGEST_PAGE = 20000;
export const MOST_ROWS = 300; // of an answer: reading one takes a twentieth of a millisecond
const NO_LANDMARKS = new Set();

/** A function that lists all elements with the tag and the text of one, in document order. */
export const newLookalikes = () => {
  const known = new Map();
  const groups = (/** @type {any} */ root, /** @type {string} */ tag) => {
    const all = [...queryAll(root, CSS.escape(tag))];
    return Map.groupBy(all, (element) => textContentOf.call(element));
  };
  return (/** @type {Element} */ element) => {
    const root = getRootNode.call(element);
    const tags = known.get(root) ?? new Map();
    known.set(root, tags);
    const tag = localNameOf.call(element);
    if (!tags.has(tag)) tags.set(tag, groups(root, tag));
    return tags.get(tag).get(textContentOf.call(element)) ?? [element];
  };
};

/**
 * What lies around an element and around none that is like it, or is a row; null where it is the only one.
 * @param {Element} element @param {any} alike
 */
const distinguishingRow = (element, alike) => {
  const twins = alike(element);
  const [before, after] = [-1, 1].map((step) => twins[twins.indexOf(element) + step]);
  const row = parentElementOf.call(element)?.closest(ROW_LIKE) ?? null;
  if (row !== null && !holds(row, before) && !holds(row, after)) return row;
  return twins.length < 2 ? null : findTwinPlace(element, before, after, NO_LANDMARKS);
};

/**
 * The start of what the row of an element says, '' where nothing tells it from others.
 * @param {Element} element @param {any} alike
 */
export const rowText = (element, alike) => {
  const row = distinguishingRow(element, alike);
  return row === null || row === element ? '' : wordsOf(row, LONGEST_ROW);
};

/**
 * {same}: whether the row of an element says this; the only one that is left needs no row around it, but the text.
 * @param {number} nid @param {string} text
 */
export const hasRowText = (nid, text) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const row = distinguishingRow(element, newLookalikes());
  const same = row === null
    ? wordsOf(document.body, LONGEST_PAGE).includes(text)
    : wordsOf(row, LONGEST_ROW) === text;
  return JSON.stringify({ same });
};
