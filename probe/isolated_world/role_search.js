// Role search: the visible elements with an ARIA role, whether they are controls or not.
import { contains, hasAttribute, localNameOf, setOf } from './builtins.js';
import { allMatching, topModal } from './flat_tree.js';
import { rowTitle } from './listed_rows.js';
import { computedName } from './names.js';
import { beginPass, endPass, newPass } from './pass.js';
import { isBehind, queryRow } from './queries.js';
import { elementOf, GONE_ANSWER } from './registry.js';
import { browserRole } from './roles.js';
import { newLookalikes } from './twins.js';
import { SEEN, sightOf } from './visibility.js';
import { LONGEST_TEXT, occurrencesInAnyCase, visibleWordsOf } from './visible_text.js';

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

/** @param {Element} element */
const isLabelled = (element) => hasAttribute.call(element, 'aria-label') || hasAttribute.call(element, 'aria-labelledby');

/**
 * Return what an element is called: by its contents, or by its attributes if it has a label or its role is named by them.
 * @param {Element} element @param {string} role
 */
const nameByRole = (element, role) => {
  const isByContent = NAMED_BY_CONTENT.has(role) && !isLabelled(element);
  const name = isByContent ? '' : computedName(element, localNameOf.call(element)).slice(0, LONGEST_NAME);
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

/** @param {string} role */
const candidates = (role) => {
  const tags = TAGS.get(role);
  const attribute = `[role~="${CSS.escape(role)}" i]`;
  return allMatching(tags === undefined ? attribute : `${attribute},${tags}`);
};

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
  const wanted = text.toLowerCase();
  const alike = newLookalikes();
  const modal = topModal(allMatching('dialog:modal'));
  const known = new Map(modal === null ? [] : [[modal, false]]);
  const rows = [];
  for (const element of candidates(role)) {
    if (rows.length >= limit) break;
    if (around !== null && (element === around || !contains.call(around, element))) continue;
    if (!hasRole(element, role) || sightOf(element) !== SEEN || isBehind(element, modal, known)) continue;
    const name = nameByRole(element, role);
    const words = wanted === '' ? '' : `${name} ${visibleWordsOf(element, LONGEST_TEXT)}`;
    if (!words.toLowerCase().includes(wanted)) continue;
    const found = wanted === '' || occurrencesInAnyCase(words, wanted, reach);
    rows.push([...queryRow(element, rows.length, alike), role, name, '', '', found]);
  }
  endPass();
  return JSON.stringify({ rows });
};
