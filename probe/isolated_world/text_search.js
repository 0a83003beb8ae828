// Text search: the innermost elements that contain a text, with their surroundings.
import {
  collapse, comparePosition, contains, cut, firstElementOf, folded, getRootNode, hasAttribute, isSpaceOnly, isText, localNameOf, matches,
  nextElementOf, queryAll, querySelector, remembered, rootElementOf, setOf, textContentOf, textOf,
} from './builtins.js';
import { isRepeatedRow, listening } from './clickable.js';
import { allMatching, flatParent, hostOrParent, MAX_DEPTH, openModal, openRoots, rootOf } from './flat_tree.js';
import { rowTitle } from './listed_rows.js';
import { computedName } from './names.js';
import { namedImages } from './painted.js';
import { beginPass, endPass, newPass } from './pass.js';
import { newBarrier, queryRow } from './queries.js';
import { elementOf, GONE_ANSWER, numbers } from './registry.js';
import { browserRole, HEADINGS, LANDMARKS, NAMED_LANDMARKS, roleOf, TABLE_ROWS, tagFacts, WIDGETS } from './roles.js';
import { isExcluded, isTransparent, isUnseen } from './sight.js';
import { INVISIBLE, writtenTexts } from './text_lines.js';
import { newLookalikes } from './twins.js';
import { SEEN, sightOf } from './visibility.js';
import { LONGEST_TEXT, longestOf, occurrencesInAnyCase, visibleWordsOf } from './visible_text.js';

const TAGS = new Map(Object.entries({
  row: 'tr', cell: 'td', gridcell: 'td', columnheader: 'th', rowheader: 'th', rowgroup: 'tbody,thead,tfoot', listitem: 'li',
  img: 'img,svg', heading: 'h1,h2,h3,h4,h5,h6', paragraph: 'p', table: 'table', grid: 'table', list: 'ul,ol,menu',
  option: 'option', term: 'dt', definition: 'dd', article: 'article', figure: 'figure', dialog: 'dialog', caption: 'caption',
  group: 'fieldset,details', separator: 'hr', progressbar: 'progress', meter: 'meter', status: 'output', code: 'code',
  blockquote: 'blockquote', banner: 'header', contentinfo: 'footer', navigation: 'nav', main: 'main',
  complementary: 'aside', region: 'section', form: 'form', search: 'search',
}));
const TABLE_ROLES = new Map(Object.entries({ tr: 'row', td: 'cell', th: 'columnheader', table: 'table' }));
const NAMED_BY_CONTENT = setOf('row cell gridcell columnheader rowheader listitem paragraph term definition treeitem option '
  + 'tab heading alert status code blockquote caption');
const LONGEST_NAME = 80;

/**
 * Return what an element is called: by its contents, or by its attributes if it has a label or its role is named by them.
 * @param {Element} element @param {string} role
 */
const nameByRole = (element, role) => {
  const isLabelled = hasAttribute.call(element, 'aria-label') || hasAttribute.call(element, 'aria-labelledby');
  const isByContent = NAMED_BY_CONTENT.has(role) && !isLabelled;
  const name = isByContent ? '' : cut(computedName(element, localNameOf.call(element)), LONGEST_NAME);
  return name || (role === 'row' ? rowTitle(element) : '') || visibleWordsOf(element, LONGEST_NAME);
};

const UNDECIDED = /^(|none|generic|presentation|Layout.*)$/; // a table that the browser takes for a layout

/**
 * Return whether an element has a role by its attribute or tag.
 * @param {Element} element @param {string} role
 */
const hasRole = (element, role) => {
  const found = browserRole(element);
  if (found === role) return true;
  return UNDECIDED.test(found) && !hasAttribute.call(element, 'role') && TABLE_ROLES.get(localNameOf.call(element)) === role;
};

/** @param {Element} element */
const wordsOf = (element) => visibleWordsOf(element, Math.max(LONGEST_TEXT, textContentOf.call(element).length));

/**
 * Find the visible elements with a role, in document order: {rows: [[nid, tag, text, box, around, role, name, '', '',
 * occurrences], …]}, as `searchText` does with heading and landmark. `within` is the number of an element around them,
 * 0 for the page.
 * @param {string} role @param {string} text @param {number} limit @param {number} within @param {number} [reach]
 */
export const searchRole = (role, text, limit, within, reach = 0) => {
  const around = within === 0 ? null : elementOf(within);
  if (within !== 0 && around === null) return GONE_ANSWER;
  beginPass(newPass(false));
  const wanted = folded(text);
  const alike = newLookalikes();
  const isBehind = newBarrier(openModal());
  const rows = [];
  for (const element of allMatching([`[role~="${CSS.escape(role)}" i]`, TAGS.get(role) ?? []].flat().join())) {
    if (rows.length >= limit) break;
    if (around !== null && (element === around || !contains.call(around, element))) continue;
    if (!hasRole(element, role) || sightOf(element) !== SEEN || isBehind(element)) continue;
    const name = nameByRole(element, role);
    const words = wanted === '' ? '' : `${name} ${wordsOf(element)}`;
    if (!folded(words).includes(wanted)) continue;
    const found = wanted === '' || occurrencesInAnyCase(words, wanted, reach);
    rows.push([...queryRow(element, rows.length, alike), role, name, '', '', found]);
  }
  endPass();
  return JSON.stringify({ rows });
};

const ORDER = Node.DOCUMENT_POSITION_PRECEDING | Node.DOCUMENT_POSITION_CONTAINS;
const EXCERPT_MARGIN = 60;
const LONGEST_EXCERPT = 200;

/**
 * Return whether an element contains the wanted text; one with a long text only if text directly in it has its longest word.
 * @param {Element} element @param {string} text @param {any} search
 */
const containsText = (element, text, { wanted, word, written }) => {
  if (written.has(element)) return true;
  const isShort = text.length <= LONGEST_TEXT;
  const hasWord = (/** @type {any} */ node) => isText(node) && folded(node.data).includes(word);
  return (isShort || Array.from(element.childNodes).some(hasWord)) && folded(wordsOf(element)).includes(wanted);
};

/**
 * Collect the innermost elements that contain the text; return whether any do. Of `parts` of a listed element, only
 * repeated rows are collected.
 * @param {Element} element @param {any} search @param {number} [depth] @param {boolean} [parts] @returns {boolean}
 */
const collectMatches = (element, search, depth = 0, parts = false) => {
  if (search.found.length >= search.limit || depth > MAX_DEPTH) return true;
  const text = textContentOf.call(element);
  const tag = localNameOf.call(element);
  const mayContain = search.around.has(element) || search.written.has(element) || folded(text).includes(search.word);
  if (!mayContain || !(tagFacts(tag).enter || search.written.has(element)) || tag === 'option' || isExcluded(element)) return false;
  const isListed = search.listed.has(numbers.get(element))
    || (element instanceof HTMLLabelElement && search.listed.has(numbers.get(/** @type {Element} */ (element.control))));
  const isContainer = isListed && !WIDGETS.has(roleOf(element, tag));
  const isHolder = isContainer && querySelector.call(element, TABLE_ROWS) !== null; // of a table, whose cells it takes the focus for
  const delegates = isContainer && listening.has(element); // a menu handles the clicks for its items
  if (isListed && !isHolder && !delegates) return containsText(element, text, search);
  let found = false;
  for (let child = firstElementOf.call(element); child !== null; child = nextElementOf.call(child)) {
    found = collectMatches(child, search, depth + 1, parts || (isListed && !isHolder)) || found;
  }
  if (found || !containsText(element, text, search)) return found;
  if (isListed) return true;
  if (parts && !isRepeatedRow(element, tag)) return false;
  if (sightOf(element) !== SEEN) return false;
  if (isUnseen(element)) return true;
  search.found.push(element);
  return true;
};

/** @param {Iterable<Element>} elements */
const allAround = (elements) => {
  const around = new Set();
  for (const element of elements) {
    for (let node = flatParent(element); node !== null && !around.has(node); node = flatParent(node)) around.add(node);
  }
  return around;
};

/**
 * Return the elements without those that contain the text only because a shadow root in them does, where it was found too.
 * @param {Element[]} found @param {string} wanted
 */
const withoutOuter = (found, wanted) => {
  const around = allAround(found);
  return found.filter((element) => !around.has(element)
    || folded(visibleWordsOf(element, LONGEST_TEXT, true, true)).includes(wanted));
};

/**
 * Return the text of the nearest visible heading before an element, in its tree or before the host of that; '' for none.
 * @param {Element} element @param {Map<any, any>} headings by tree
 */
const headingBefore = (element, headings) => {
  let node = matches.call(element, HEADINGS) ? null : element;
  for (; node !== null; node = hostOrParent(getRootNode.call(node))) {
    const root = getRootNode.call(node);
    const isBefore = (/** @type {Element} */ one) =>
      (comparePosition.call(node, one) & ORDER) === Node.DOCUMENT_POSITION_PRECEDING && sightOf(one) === SEEN;
    const heading = remembered(headings, root, () => [...queryAll(root, HEADINGS)]).findLast(isBefore);
    if (heading !== undefined) return textOf(heading, 80);
  }
  return '';
};

/** @param {Element} element */
const nearestLandmark = (element) => {
  for (let node = element; node !== null; node = flatParent(node)) {
    const tag = localNameOf.call(node);
    const role = roleOf(node, tag);
    const name = LANDMARKS.has(role) ? computedName(node, tag) : '';
    if (name !== '') return `${role} "${name}"`;
    if (LANDMARKS.has(role) && !NAMED_LANDMARKS.has(role)) return role;
  }
  return '';
};

/**
 * Return the part of an element's text around the match.
 * @param {Element} element @param {string} text @param {string} wanted
 */
const excerptOf = (element, text, wanted) => {
  const start = Math.max(0, folded(text).indexOf(wanted) - EXCERPT_MARGIN);
  return `${isTransparent(element) ? INVISIBLE : ''}${start > 0 ? '…' : ''}${cut(text.slice(start), LONGEST_EXCERPT)}`;
};

/** Return the roots of a search: the document or modal dialog, and all reachable shadow roots. */
const searchRoots = () => {
  const modal = openModal();
  const isBehind = newBarrier(modal);
  const roots = openRoots().filter((root) => root !== document && !isBehind(root.host));
  const first = modal ?? rootElementOf.call(document); // null: the document has no elements yet
  return [...(first === null ? [] : [first]), ...roots.flatMap((root) => Array.from(root.children))];
};

/**
 * Find the innermost elements that contain `text`, in any case: {rows: [[nid, tag, text, box, excerpt, heading,
 * landmark, occurrences], …]}. Elements inside `listed` ones, behind a dialog, or invisible are omitted. `within` limits
 * the search to what is in an element, such as an editor; 0 is the page.
 * @param {string} text @param {number} limit @param {number[]} listed @param {number} [reach] @param {number} [within]
 */
export const searchText = (text, limit, listed, reach = 0, within = 0) => {
  beginPass(newPass(false));
  const wanted = folded(collapse(text));
  const written = new Map([...namedImages(wanted), ...writtenTexts(openRoots()).filter(([, words]) => folded(words).includes(wanted))]);
  const search = { wanted, word: longestOf(wanted.split(' ')), limit, listed: new Set(listed), found: [], written, around: allAround(written.keys()) };
  const area = within === 0 ? null : elementOf(within);
  const starts = within === 0 ? searchRoots()
    : [...(area?.children ?? []), ...(area === null ? [] : rootOf(area)?.children ?? [])];
  if (wanted !== '') for (const start of starts) collectMatches(start, search);
  const headings = new Map();
  const rows = withoutOuter(search.found, wanted).map((element) => {
    const words = written.get(element) ?? wordsOf(element);
    return [...queryRow(element), excerptOf(element, words, wanted), headingBefore(element, headings), nearestLandmark(element),
      reach === 0 || occurrencesInAnyCase(words, wanted, reach)];
  });
  endPass();
  return JSON.stringify({ rows });
};

/**
 * Return {occurrences} of a text in an element of the page, hidden or not, as `occurrencesIn` returns them.
 * @param {string} text @param {number} [reach]
 */
export const searchHidden = (text, reach = 0) => {
  const wanted = folded(collapse(text));
  const contents = allMatching('body :not(script,style,template,noscript)').values()
    .filter((element) => [...element.childNodes].some((node) => isText(node) && !isSpaceOnly(node.data))).map((element) => collapse(textContentOf.call(element)));
  const found = contents.find((content) => folded(content).includes(wanted)) ?? '';
  return JSON.stringify({ occurrences: found !== '' && occurrencesInAnyCase(found, wanted, reach) });
};
