// Role, name and kind of an element. Without a role attribute the tag decides where HTML is unambiguous;
// everything else is the browser's own answer, in plain ARIA terms.
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

const LONGEST_NAME = 80; // characters of a name that the browser does not make
const MANY_ROWS = 10_000; // to compute a name takes as long as all the rest of a row

const setOf = (names) => new Set(names.split(' '));
const WIDGETS = setOf('button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton '
  + 'menuitem menuitemcheckbox menuitemradio tab treeitem option');
const LANDMARKS = setOf('banner navigation main complementary contentinfo form region search');
const NAMED_LANDMARKS = setOf('form region');
const NAMED_BY_CONTENT = setOf('button link checkbox radio switch menuitem menuitemcheckbox menuitemradio tab treeitem '
  + 'option heading generic');
const GROUPS = setOf('group radiogroup list dialog alertdialog menu menubar tablist tabpanel toolbar tree treegrid '
  + 'grid table article figure feed listbox');
const DIALOGS = setOf('dialog alertdialog');
const PANELS = setOf('dialog alertdialog tabpanel'); // focused to be read or scrolled, not to be used
const CHECKABLE = setOf('checkbox radio switch menuitemcheckbox menuitemradio');

const browserRole = (element) => {
  const role = accessibleRole(element);
  return BROWSER_ROLES.get(role) ?? role;
};

const isDisclosure = (element) => {
  const details = element.parentNode;
  return details instanceof HTMLDetailsElement && querySelector.call(details, ':scope > summary') === element;
};

const inputRole = (element) => {
  if (hasAttribute.call(element, 'list')) return browserRole(element) || 'combobox';
  return INPUT_ROLES.get(element.type) ?? 'textbox';
};

/** The role an element has by its tag alone; '' for none worth a row. */
const nativeRole = (element, tag) => {
  switch (tag) {
    case 'a': case 'area': return hasAttribute.call(element, 'href') ? 'link' : '';
    case 'input': return inputRole(element);
    case 'select': return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    case 'summary': return isDisclosure(element) ? 'button' : '';
    case 'header': case 'footer': case 'aside': return browserRole(element);
    case 'section': return hasNameAttribute(element) ? browserRole(element) : '';
    default: return TAG_ROLES.get(tag) ?? (tag.includes('-') ? browserRole(element) : '');
  }
};

const roleOf = (element, tag) =>
  (hasAttribute.call(element, 'role') ? browserRole(element) : '') || nativeRole(element, tag);

const MEANINGLESS = new Set(['', 'generic', 'none', 'presentation']);

/** The role of what answers a click without being a control: the one that its author gave it, if any. */
const clickableRole = (element) => {
  const role = hasAttribute.call(element, 'role') ? browserRole(element) : '';
  return MEANINGLESS.has(role) ? 'clickable' : role;
};

/** The accessible name without the browser's "No file chosen" after the label of a file input. */
const fileName = (name) => name.slice(0, Math.max(0, name.lastIndexOf(': ')));

const computedName = (element, tag) => {
  const name = knownName(element, tag);
  return collapse(tag === 'input' && element.type === 'file' ? fileName(name) : name);
};

const PICTURES = 'img,svg,[role=img]';
const MOST_PICTURES = 5;

/** What the pictures that are seen in an element are called. */
const picturesIn = (element) => Array.from(queryIn(element, PICTURES)).slice(0, MOST_PICTURES)
  .map((picture) => (sightOf(picture) === SEEN ? computedName(picture, localNameOf.call(picture)) : ''))
  .filter((name) => name !== '').join(' ').slice(0, LONGEST_NAME);

/**
 * A name for what has none in the accessibility tree: its title, the start of its text or what its pictures show; last
 * what is drawn for the eye alone, as the letters that a font turns into an icon are.
 */
const plainName = (element) =>
  collapse(attribute(element, 'title') ?? '') || visibleWordsOf(element, LONGEST_NAME) || picturesIn(element)
  || visibleWordsOf(element, LONGEST_NAME, false);

/** The only text of an element that holds nothing else and is given no other name; '' if there is more to it. */
const bareText = (element) => {
  const node = firstChildOf.call(element);
  const bare = node !== null && nodeTypeOf.call(node) === TEXT && nextSiblingOf.call(node) === null;
  return bare && !hasNameAttribute(element) ? collapse(node.data) : '';
};

/** The accessible name, else what can be read on it. On huge pages the text of most links stands for their names. */
const nameOf = (element, tag, role) => {
  const namedByContent = NAMED_BY_CONTENT.has(role);
  const bare = namedByContent && pass.rows.length > MANY_ROWS ? bareText(element) : '';
  return bare || proxyName(element, tag) || computedName(element, tag) || (namedByContent ? plainName(element) : '');
};

const isEditableRoot = (element) =>
  hasAttribute.call(element, 'contenteditable') && element instanceof HTMLElement && isEditableOf.call(element)
  && !isInEditable(parentNodeOf.call(element));

const isInEditable = (node) => node instanceof HTMLElement && isEditableOf.call(node);

const isFocusable = (element) => {
  const value = attribute(element, 'tabindex');
  return value !== null && Number.parseInt(value, 10) >= 0;
};
