// Things that plainly answer a click but have no semantics: an onclick attribute, a listener of a small element
// (a big one listens for what lies in it), or a pointer cursor of their own; and what can be dragged. Elements at the same path of tags
// and classes share one look at the computed cursor, and text in <pre> is not looked at: asking for the style of
// every element would cost more than the rest of the walk.
const MAX_CLICKABLES = 10_000;
const MAX_IDS = 30;
const NOT_CLICKABLE = setOf('html body option optgroup iframe br hr script style');
const INTERACTIVE_INSIDE = 'a[href],button,input:not([type=hidden]),select,textarea,summary,'
  + '[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option],'
  + '[role=textbox],[role=combobox],[role=slider],[role=treeitem],[contenteditable],[tabindex]:not([tabindex="-1"])';

const MOST_INSIDE = 12;

const listening = toldBy('charlotte:listens');

const listensItself = (element) => listening.has(element) && elementsIn.call(element, '*').length <= MOST_INSIDE;

const newStyle = (pointer, own) => ({ pointer, own, below: new Map() });

const hasPointer = (element) => getComputedStyle(element).cursor === 'pointer';

const measureStyle = (parent, element) => {
  const pointer = noted(() => hasPointer(element), Object.is);
  return newStyle(pointer, pointer && !parent.pointer);
};

/** Styled by itself: an inline cursor, or an id while ids are few (a page may give one to every line). */
const isStyledAlone = (element, special) => {
  if (special && attribute(element, 'style')?.includes('cursor')) return true;
  if (pass.ids >= MAX_IDS || idOf.call(element) === '') return false;
  pass.ids += 1;
  return true;
};

/** Whether the element has the pointer cursor, and whether it is its own or inherited. */
const styleBelow = (parent, element, tag, special) => {
  if (isStyledAlone(element, special)) return measureStyle(parent, element);
  const classes = attribute(element, 'class');
  const kind = tag === 'a' && hasAttribute.call(element, 'href') ? 'link' : tag;
  const key = classes === null ? kind : `${kind}.${classes}`;
  let style = parent.below.get(key);
  if (style === undefined) parent.below.set(key, style = measureStyle(parent, element));
  return style;
};

/** A label counts only when its control cannot be seen and so cannot be clicked itself. */
const isProxyLabel = (label) => label.control !== null && sightOf(label.control) !== SEEN;

const standsAlone = (element, tag) =>
  (tag === 'label' ? isProxyLabel(element) : querySelector.call(element, INTERACTIVE_INSIDE) === null);

const isDraggable = (element) => attribute(element, 'draggable')?.toLowerCase() === 'true';

const answersClick = (element, tag, style) =>
  !NOT_CLICKABLE.has(tag)
  && (style?.own === true || hasAttribute.call(element, 'onclick') || listensItself(element) || isDraggable(element));

/** Whether what answers a click is a thing of its own that can be seen; what is dragged may hold others. */
const isClickable = (element, tag, context) =>
  !context.inside && pass.clickables < MAX_CLICKABLES && !isBeyond(element)
  && (standsAlone(element, tag) || isDraggable(element)) && sightOf(element) === SEEN;
