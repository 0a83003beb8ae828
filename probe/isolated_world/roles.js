// Roles of elements. Without a role attribute, the tag decides if HTML is unambiguous; otherwise the browser's role is used.
import {
  attribute, getRootNode, getterOf, hasAttribute, hasNameAttribute, isEditableOf, localNameOf,
  parentElementOf, parentNodeOf, queryAll, setOf,
} from './builtins.js';
import { isDisclosure } from './visibility.js';

const INLINE = Object.freeze({ block: false, row: false, enter: true, runs: true, shown: false, count: '', part: '' });
const TAGS = new Map();

/** @param {string} names @param {Partial<TagFacts>} facts */
const tags = (names, facts) => {
  for (const name of names.split(' ')) TAGS.set(name, Object.freeze({ ...(TAGS.get(name) ?? INLINE), ...facts }));
};

tags('address article aside blockquote body caption center dd details dialog dir div dl dt fieldset', { block: true });
tags('figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li', { block: true });
tags('listing main menu nav ol optgroup option p plaintext pre search section summary table tbody td', { block: true });
tags('tfoot th thead tr ul xmp', { block: true });
tags('a area button input select textarea summary h1 h2 h3 h4 h5 h6', { row: true });
tags('header footer nav main aside section form search', { row: true });
tags('fieldset details dialog article figure table ul ol dl menu', { row: true });
tags('table tbody thead tfoot tr', { runs: false }); // text directly in them is moved out by the parser
tags('p', { count: 'paragraphs' });
tags('ul ol dl menu', { count: 'lists' });
tags('img canvas', { count: 'images' });
tags('table', { count: 'tables', part: 'table' });
tags('tr', { part: 'row' });
tags('td th', { part: 'cell' });
tags('ul ol dl menu', { part: 'list' });
tags('li dd', { part: 'item' });
tags('dt', { part: 'term' });
tags('article', { part: 'article' });
tags('iframe frame audio video', { row: true });
tags('img svg canvas video progress meter', { shown: true });
tags('head script style template noscript title desc metadata defs symbol datalist', { enter: false });
tags('iframe frame embed video audio canvas select input textarea', { enter: false });

const CUSTOM = Object.freeze({ ...INLINE, row: true }); // the role of a custom element may be known to the browser alone

/** @param {string} tag */
export const tagFacts = (tag) => TAGS.get(tag) ?? (tag.includes('-') ? CUSTOM : INLINE);

export const NATIVE_CONTROLS = setOf('button input select textarea');

/** @param {Element} element @param {string} tag */
export const isFrame = (element, tag) =>
  (tag === 'iframe' || tag === 'frame') && (element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement);

/** @param {string} name */
const consoleFunction = (name) => (/** @type {any} */ (globalThis)[name] instanceof Function ? /** @type {any} */ (globalThis)[name] : () => undefined);

/** @param {any} property @param {string} name */
export const engineGetter = (property, name) => {
  const getter = getterOf(Element.prototype, property);
  return getter === undefined ? consoleFunction(name) : (/** @type {Element} */ element) => getter.call(element) ?? '';
};

const engineRole = engineGetter('computedRole', 'getAccessibleRole');

const SCOPED = new Map(Object.entries({ header: 'banner', footer: 'contentinfo', aside: 'complementary' }));

export const WIDGETS = setOf('button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton '
  + 'menuitem menuitemcheckbox menuitemradio tab treeitem option player');
export const LANDMARKS = setOf('banner navigation main complementary contentinfo form region search');

export const GROUPS = setOf('group radiogroup list dialog alertdialog menu menubar tablist tabpanel toolbar tree treegrid '
  + 'grid table article figure feed listbox');

/** @param {string} role */
const isKnownRole = (role) =>
  WIDGETS.has(role) || LANDMARKS.has(role) || GROUPS.has(role) || role === 'heading' || role === 'img';

/** @param {Element} element @param {string} name */
export const attributeWords = (element, name) => attribute(element, name)?.trim().split(/\s+/) ?? [];

/**
 * Return the elements that an attribute refers to by their ids, in the tree of the element.
 * @param {Element} element @param {string} name @returns {Element[]}
 */
export const referredBy = (element, name) => {
  const root = getRootNode.call(element);
  return attributeWords(element, name).filter((id) => id !== '')
    .map((id) => queryAll(root, `[id="${CSS.escape(id)}"]`)[0]).filter((one) => one !== undefined);
};

const SECTIONING = 'article,aside,main,nav,section';

/**
 * Return whether a header, footer or aside belongs to the page, not to a section of it.
 * @param {Element} element @param {string} tag
 */
const isScopedToPage = (element, tag) => {
  const section = parentElementOf.call(element)?.closest(SECTIONING) ?? null;
  if (section === null) return true;
  return tag === 'aside' && (localNameOf.call(section) === 'main' || hasNameAttribute(element));
};

/** @param {Element} element */
const boxlessRole = (element) => {
  const explicit = attributeWords(element, 'role').map((role) => role.toLowerCase()).find(isKnownRole);
  if (explicit !== undefined) return explicit;
  const tag = localNameOf.call(element);
  if (tag === 'section') return 'region';
  return SCOPED.has(tag) && isScopedToPage(element, tag) ? SCOPED.get(tag) : '';
};

const BROWSER_ROLES = new Map(Object.entries({
  image: 'img', genericContainer: 'generic', Date: 'textbox', DateTime: 'textbox', InputTime: 'textbox',
  ColorWell: 'textbox', DisclosureTriangle: 'button', DisclosureTriangleGrouped: 'button', PopUpButton: 'button',
  ToggleButton: 'button', ComboBoxSelect: 'combobox', labelText: 'generic', Iframe: 'generic',
}));
const INPUT_ROLES = new Map(Object.entries({
  checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox',
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', hidden: '',
}));
const TAG_ROLES = new Map(Object.entries({
  button: 'button', textarea: 'textbox', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading',
  h6: 'heading', nav: 'navigation', main: 'main', search: 'search', form: 'form', fieldset: 'group',
  details: 'group', dialog: 'dialog', article: 'article', figure: 'figure', table: 'table', ul: 'list', ol: 'list',
  menu: 'list', dl: 'list',
}));

export const NAMED_LANDMARKS = setOf('form region');
export const NAMED_BY_CONTENT = setOf('button link checkbox radio switch menuitem menuitemcheckbox menuitemradio tab treeitem '
  + 'option heading generic');

const MEANINGLESS = new Set(['', 'generic', 'none', 'presentation']);

const GRID_ROLES = setOf('row gridcell cell columnheader rowheader');
const GRID_TAGS = setOf('tr td th');

/**
 * Return whether an element is a row or cell: which of them can take the focus changes while the focus moves.
 * @param {string} tag @param {string} role
 */
export const isGridPart = (tag, role) => GRID_ROLES.has(role) || (GRID_TAGS.has(tag) && MEANINGLESS.has(role));

export const DIALOGS = setOf('dialog alertdialog');
export const PANELS = setOf('dialog alertdialog tabpanel'); // focused to be read or scrolled, not to be used
export const CHECKABLE = setOf('checkbox radio switch menuitemcheckbox menuitemradio');

/** @param {Element} element */
export const browserRole = (element) => {
  const role = engineRole(element) ?? boxlessRole(element);
  return BROWSER_ROLES.get(role) ?? role;
};

/**
 * Return the role of an element by its tag; '' for none that has a row.
 * @param {Element} element @param {string} tag
 */
export const nativeRole = (element, tag) => {
  switch (tag) {
    case 'a': case 'area': return hasAttribute.call(element, 'href') ? 'link' : '';
    case 'input':
      if (hasAttribute.call(element, 'list')) return browserRole(element) || 'combobox';
      return INPUT_ROLES.get(element.type) ?? 'textbox';
    case 'select': return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    case 'summary': return isDisclosure(element) ? 'button' : '';
    case 'header': case 'footer': case 'aside': return browserRole(element);
    case 'section': return hasNameAttribute(element) ? browserRole(element) : '';
    default: return TAG_ROLES.get(tag) ?? (tag.includes('-') ? browserRole(element) : '');
  }
};

/** @param {Element} element @param {string} tag */
export const accessibleRole = (element, tag) =>
  (hasAttribute.call(element, 'role') ? browserRole(element) : '') || nativeRole(element, tag);

/**
 * Return the role by which an element is used: a native control stays one if its role is that of neither a control nor a cell.
 * @param {Element} element @param {string} tag
 */
export const roleOf = (element, tag) => {
  if ((tag === 'audio' || tag === 'video') && hasAttribute.call(element, 'controls')) return 'player';
  const role = accessibleRole(element, tag);
  return NATIVE_CONTROLS.has(tag) && !WIDGETS.has(role) && !GRID_ROLES.has(role) ? nativeRole(element, tag) || role : role;
};

/**
 * Return the role that the author gave to a clickable element without semantics, else "clickable".
 * @param {Element} element
 */
export const clickableRole = (element) => {
  const role = hasAttribute.call(element, 'role') ? browserRole(element) : '';
  return MEANINGLESS.has(role) ? 'clickable' : role;
};

/** @param {any} node */
export const isInEditable = (node) => node instanceof HTMLElement && isEditableOf.call(node);

const designModeOf = getterOf(Document.prototype, 'designMode');
export const isDesigned = () => designModeOf.call(document) === 'on';

/** @param {Element} element */
export const isEditableRoot = (element) => (isDesigned() && element === document.body) || (
  hasAttribute.call(element, 'contenteditable') && element instanceof HTMLElement && isEditableOf.call(element)
  && !isInEditable(parentNodeOf.call(element)));

/** @param {Element} element */
export const isFocusable = (element) => {
  const value = attribute(element, 'tabindex');
  return value !== null && Number.parseInt(value, 10) >= 0;
};

export const BUTTONS = 'button,[role=button]';

export const TABLE_ROWS = 'tr,[role=row]';
export const CELLS = 'td,th,[role=gridcell],[role=cell],[role=columnheader],[role=rowheader]';
export const HEAD_CELLS = 'th,[role=columnheader]';

export const EXCLUDED = '[aria-hidden=true],[inert]';

export const INTERACTIVE_INSIDE = 'a[href],button,input:not([type=hidden]),select,textarea,summary,audio[controls],video[controls],'
  + '[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option],'
  + '[role=textbox],[role=combobox],[role=slider],[role=treeitem],[contenteditable],[tabindex]:not([tabindex="-1"])';

export const HEADINGS = 'h1,h2,h3,h4,h5,h6,[role=heading]';
