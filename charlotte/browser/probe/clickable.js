// Things that plainly answer a click but have no semantics: an onclick attribute, or a pointer cursor of
// their own. Elements with the same path of tags, ids and classes share one look at the computed cursor;
// text in <pre> is code and not looked at.
const MAX_CLICKABLES = 200;
const MAX_IDS = 100;
const NOT_CLICKABLE = setOf('html body label option optgroup iframe br hr script style');
const INTERACTIVE_INSIDE = 'a[href],button,input:not([type=hidden]),select,textarea,summary,'
  + '[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option],'
  + '[role=textbox],[role=combobox],[role=slider],[role=treeitem],[contenteditable],[tabindex]:not([tabindex="-1"])';

const newStyle = (pointer, own) => ({ pointer, own, below: new Map() });

const measureStyle = (parent, element) => {
  const pointer = getComputedStyle(element).cursor === 'pointer';
  return newStyle(pointer, pointer && !parent.pointer);
};

/** Ids count only while they are few: a page may give one to every line. */
const styleKey = (element, tag) => {
  const classes = attribute(element, 'class');
  const id = pass.ids < MAX_IDS ? idOf.call(element) : '';
  if (id !== '') pass.ids += 1;
  return classes === null && id === '' ? tag : `${tag}#${id}.${classes}`;
};

const setsCursor = (element) => attribute(element, 'style')?.includes('cursor') === true;

/** The shared style record of an element below its parent's. */
const styleBelow = (parent, element, tag, special) => {
  if (special && setsCursor(element)) return measureStyle(parent, element);
  const key = styleKey(element, tag);
  let style = parent.below.get(key);
  if (style === undefined) parent.below.set(key, style = measureStyle(parent, element));
  return style;
};

/** A label counts only when its control cannot be seen and so cannot be clicked itself. */
const isProxyLabel = (element, tag) =>
  tag === 'label' && element.control !== null && sightOf(element.control) !== SEEN;

const answersClick = (element, tag, style) => {
  if (NOT_CLICKABLE.has(tag) && !isProxyLabel(element, tag)) return false;
  return style?.own === true || hasAttribute.call(element, 'onclick');
};

const isClickable = (element, tag, context, style) =>
  !context.inside && pass.clickables < MAX_CLICKABLES && answersClick(element, tag, style)
  && querySelector.call(element, INTERACTIVE_INSIDE) === null && sightOf(element) === SEEN;
