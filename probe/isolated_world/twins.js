// Twins: elements with equal role and name. They are distinguished by the text of the largest element around each twin that
// contains no other.
import {
  attribute, contains, cut, digestOf, getRootNode, idOf, localNameOf, matches, parentElementOf, queryAll, remembered, textContentOf,
} from './builtins.js';
import { placeTexts, throughCache } from './caches.js';
import { extraOf, isBrief } from './records.js';
import { byNumber, elementOfRow } from './registry.js';
import { LONGEST_LABEL, ROW_LIKE, visibleWordsOf, wordsOf } from './visible_text.js';

const LONGEST_NEAR = 40;
const LONGEST_PLACE = 400;
const MOST_PLACES = 300; // per page; reading one takes 0.05 ms

/**
 * Return the name of an element, or of its icon.
 * @param {Row} row @returns {string}
 */
const calledAs = (row) => row[3] || (row[5]?.icon ?? '');

/** @param {Element} element @param {any[]} others */
const holdsAny = (element, others) => others.some((other) => other !== undefined && contains.call(element, other));

/**
 * Return the outermost element around a twin that contains none of its neighbours, inside any landmark.
 * @param {Element} element @param {any[]} neighbours @param {Set<any>} landmarks
 */
const findTwinPlace = (element, neighbours, landmarks) => {
  let place = element;
  let node = parentElementOf.call(element);
  while (node !== null && node !== document.body && !holdsAny(node, neighbours) && !landmarks.has(node)) {
    place = node;
    node = parentElementOf.call(node);
  }
  return place;
};

/**
 * Return the text without the name at its start or end.
 * @param {string} text @param {string} name
 */
const withoutName = (text, name) => {
  const start = name.length > LONGEST_LABEL && name.endsWith('…') ? name.slice(0, -1) : '';
  if (start !== '' && text.startsWith(start)) return `…${text.slice(start.length)}`;
  if (text.startsWith(name)) return text.slice(name.length).trim();
  return text.endsWith(name) ? text.slice(0, -name.length).trim() : text;
};

/** @param {Row} row @param {string} text @param {any} section */
const addPlace = (row, text, section) => {
  const near = cut(withoutName(text, row[3]), LONGEST_NEAR);
  if (near === '') return;
  const own = row[3] === '' ? row[5]?.near : undefined;
  /** @type {Extra} */
  const facts = { near: own ?? near, place: digestOf(`${section}\n${text}`) };
  if (section !== '') facts.section = section;
  Object.assign(extraOf(row), facts);
};

/**
 * Return the row of the last heading before each row, null before the first.
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
 * Create a reader of the headings above twins; a heading inside the place of another twin belongs to that twin.
 * @param {Map<Row, Row | null>} headings
 */
const sectionReader = (headings) => {
  let [section, last] = ['', null];
  return (/** @type {Row} */ row, /** @type {any} */ place) => {
    const heading = headings.get(row) ?? null;
    if (heading === null) section = '';
    else if (last === null || !holdsAny(last, [elementOfRow(heading)])) section = heading[3];
    last = place;
    return section;
  };
};

/** @param {Row} row @param {Element} element */
const addFieldName = (row, element) => {
  if (!matches.call(element, 'input,select,textarea,button')) return;
  const own = [attribute(element, 'name') ?? '', idOf.call(element)].join(' ').trim();
  if (own !== '') extraOf(row).own = own;
};

/**
 * Write the distinguishing text into the rows of twins, and the names that the page gives its fields into those of twins
 * and of fields without an accessible name; return the place of each twin that has a small one.
 * @param {Row[]} rows
 */
export const addDistinctions = (rows) => {
  for (const row of rows) if (row[3] === '' && row[5]?.k === undefined) addFieldName(row, elementOfRow(row));
  const listed = rows.filter((row) => calledAs(row) !== '' && (row[5]?.k === undefined || row[5].k === 'c'));
  const groups = [...Map.groupBy(listed, (row) => `${row[2]} ${calledAs(row)}`).values()].filter((alike) => alike.length > 1);
  const places = new Map();
  if (groups.length === 0) return places;
  const landmarks = new Set(rows.filter((row) => row[5]?.k === 'l' || row[5]?.landmark === 1).map(elementOfRow));
  const [headings, texts] = [headingsBefore(rows), new Map()];
  const textOfPlace = (/** @type {Element} */ place) => remembered(texts, place, () =>
    (texts.size < MOST_PLACES ? throughCache(placeTexts, place, () => wordsOf(place, LONGEST_PLACE)) : ''));
  for (const alike of groups) {
    const elements = alike.map(elementOfRow);
    const sectionOf = sectionReader(headings);
    alike.forEach((/** @type {Row} */ row, /** @type {number} */ index) => {
      const place = findTwinPlace(elements[index], [elements[index - 1], elements[index + 1]], landmarks);
      const section = sectionOf(row, place);
      if (place !== elements[index]) addPlace(row, textOfPlace(place), section);
      if (isBrief(place)) places.set(row, place);
      addFieldName(row, elements[index]);
    });
  }
  return places;
};

const LONGEST_ROW = 200; // characters
export const LONGEST_WORDS = 80;
const LONGEST_PAGE = 20000;
export const MOST_ROWS = 300; // per answer; reading one takes 0.05 ms
const NO_LANDMARKS = new Set();

/** Create a function that lists all elements with the tag and text of an element, in document order. */
export const newLookalikes = () => {
  const known = new Map();
  const groups = (/** @type {any} */ root, /** @type {string} */ tag) => {
    const all = [...queryAll(root, CSS.escape(tag))];
    return Map.groupBy(all, (element) => textContentOf.call(element));
  };
  return (/** @type {Element} */ element) => {
    const [root, tag] = [getRootNode.call(element), localNameOf.call(element)];
    const tags = remembered(known, root, () => new Map());
    return remembered(tags, tag, () => groups(root, tag)).get(textContentOf.call(element)) ?? [element];
  };
};

/**
 * Return the row around an element, or the outermost element around it without its lookalikes; null for an only one.
 * @param {Element} element @param {any} alike
 */
const distinguishingRow = (element, alike) => {
  const twins = alike(element);
  const neighbours = [-1, 1].map((step) => twins[twins.indexOf(element) + step]);
  const row = parentElementOf.call(element)?.closest(ROW_LIKE) ?? null;
  if (row !== null && !holdsAny(row, neighbours)) return row;
  return twins.length < 2 ? null : findTwinPlace(element, neighbours, NO_LANDMARKS);
};

/**
 * Return the start of the row's text, '' if the element has no lookalikes.
 * @param {Element} element @param {any} alike
 */
export const rowText = (element, alike) => {
  const row = distinguishingRow(element, alike);
  return row === null || row === element ? '' : wordsOf(row, LONGEST_ROW);
};

/** Return {same}: whether the row of an element has this text. For an element without lookalikes, the page contains it. */
export const hasRowText = byNumber((element, text) => {
  const row = distinguishingRow(element, newLookalikes());
  const same = row === null
    ? wordsOf(document.body, LONGEST_PAGE).includes(text.replace(/\u2026$/, ''))
    : wordsOf(row, LONGEST_ROW) === text;
  return { same };
});

/**
 * Return {text, around, alone}: the present text of an element and of its row, '' for none, and whether no other element
 * of its tag has its text.
 */
export const wordsNow = byNumber((element) => {
  const alike = newLookalikes();
  const row = parentElementOf.call(element)?.closest(ROW_LIKE) ?? distinguishingRow(element, alike);
  return {
    text: visibleWordsOf(element, LONGEST_WORDS),
    around: row === null ? '' : wordsOf(row, LONGEST_ROW),
    alone: alike(element).length < 2,
  };
});
