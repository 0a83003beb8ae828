// Things that plainly answer a click but have no semantics: an onclick attribute, a listener of a small element
// (a big one listens for what lies in it), or a pointer cursor of their own; and what can be dragged. What holds other
// controls is such a thing when it is a row or a card. Elements at the same path of tags and classes share one look
// at the computed cursor, and text in <pre> is not looked at: asking for the style of every element would cost more
// than the rest of the walk.
import {
  attribute, elementsIn, hasAttribute, idOf, localNameOf, nextElementOf, previousElementOf, querySelector,
  setOf,
} from './builtins.js';
import { flatParent, rootOf } from './flat_tree.js';
import { isProxyLabel } from './names.js';
import { isBeyond, pass, recordStep } from './pass.js';
import { reportedBy } from './reports.js';
import { BUTTONS, INTERACTIVE_INSIDE } from './roles.js';
import { letsThrough, SEEN, sightOf } from './visibility.js';
import { shownWords } from './visible_text.js';

const MAX_CLICKABLES = 10_000;
const MAX_IDS = 30;
const NOT_CLICKABLE = setOf('html body option optgroup iframe br hr script style');

const MAX_ELEMENTS_INSIDE = 12;
const MAX_ELEMENTS_IN_ROW = 40;

const clicks = reportedBy('charlotte:listens');
const presses = reportedBy('charlotte:presses');
const menus = reportedBy('charlotte:menus');

/**
 * What listens for clicks, presses and the context menu alike does so for all that lies in it: the root of a page.
 * @param {Element} element
 */
const isDelegate = (element) => clicks.has(element) && presses.has(element) && menus.has(element);

export const listening = {
  has: (/** @type {Element} */ element) =>
    (clicks.has(element) || presses.has(element) || menus.has(element)) && !isDelegate(element),
};

/** @param {Element} element */
const isDraggable = (element) => attribute(element, 'draggable')?.toLowerCase() === 'true';

/**
 * Whether it answers the context menu, and nothing says that it answers a click.
 * @param {Element} element @param {ClickStyle | null | undefined} style
 */
export const onlyHasMenu = (element, style) =>
  (menus.has(element) || hasAttribute.call(element, 'oncontextmenu'))
  && !(style?.own === true || clicks.has(element) || presses.has(element) || hasAttribute.call(element, 'onclick')
    || isDraggable(element));

/** @param {Element} element */
const sizeOf = (element) => elementsIn.call(element, '*').length;

/** @param {Element} element @param {string} tag */
export const listensItself = (element, tag) =>
  listening.has(element) && sizeOf(element) <= (tag === 'tr' ? MAX_ELEMENTS_IN_ROW : MAX_ELEMENTS_INSIDE);

/** @param {boolean} pointer @param {boolean} own */
export const newStyle = (pointer, own) => ({ pointer, own, below: new Map() });

/** @param {Element} element */
const hasPointer = (element) => getComputedStyle(element).cursor === 'pointer';

/** @param {ClickStyle} parent @param {Element} element */
const measureStyle = (parent, element) => {
  const pointer = recordStep(() => hasPointer(element), Object.is);
  return newStyle(pointer, pointer && !parent.pointer);
};

/**
 * Styled by itself: an inline cursor, or an id while ids are few (a page may give one to every line).
 * @param {Element} element @param {boolean} special
 */
const isStyledAlone = (element, special) => {
  if (special && attribute(element, 'style')?.includes('cursor')) return true;
  if (pass.ids >= MAX_IDS || idOf.call(element) === '') return false;
  pass.ids += 1;
  return true;
};

/**
 * Whether the element has the pointer cursor, and whether it is its own or inherited.
 * @param {ClickStyle} parent @param {Element} element @param {string} tag @param {boolean} special
 */
export const styleBelow = (parent, element, tag, special) => {
  if (isStyledAlone(element, special)) return measureStyle(parent, element);
  const classes = attribute(element, 'class');
  const kind = tag === 'a' && hasAttribute.call(element, 'href') ? 'link' : tag;
  const key = classes === null ? kind : `${kind}.${classes}`;
  let style = parent.below.get(key);
  if (style === undefined) parent.below.set(key, style = measureStyle(parent, element));
  return style;
};

/**
 * A custom element is often only around the control in its shadow root.
 * @param {Element} element
 */
const holdsControl = (element) =>
  querySelector.call(element, INTERACTIVE_INSIDE) !== null
  || (rootOf(element)?.querySelector(INTERACTIVE_INSIDE) ?? null) !== null;

const PARTS_OF_PAGES = 'h1,main,nav,form,table,ul,ol,dialog,[role=main],[role=navigation],[role=list],[role=dialog]';

const HANDLERS = ['onclick', 'oncontextmenu'];

/** @param {Element} element */
const hasHandler = (element) => HANDLERS.some((name) => hasAttribute.call(element, name));

/** @param {Element} element */
const handlesClicks = (element) => hasHandler(element) || listening.has(element);

/** @param {Element} element @param {string} tag @param {any} other */
const isSameKindOfRow = (element, tag, other) =>
  other !== null && localNameOf.call(other) === tag && attribute(other, 'class') === attribute(element, 'class')
  && handlesClicks(other) === handlesClicks(element);

/**
 * Whether it is a row of a table, or one like it stands beside it.
 * @param {Element} element @param {string} tag
 */
export const isRepeatedRow = (element, tag) =>
  tag === 'tr' || isSameKindOfRow(element, tag, nextElementOf.call(element))
  || isSameKindOfRow(element, tag, previousElementOf.call(element));

const FIELDS = 'input:not([type=checkbox],[type=radio],[type=hidden]),select,textarea,[contenteditable],[role=textbox]';
const NO_CONTENT = setOf('script style template link noscript');

/** @param {Element} element @param {Getter} siblingOf */
const hasContentBeside = (element, siblingOf) => {
  let sibling = siblingOf.call(element);
  while (sibling !== null && NO_CONTENT.has(localNameOf.call(sibling))) sibling = siblingOf.call(sibling);
  return sibling !== null;
};

/** @param {Element} element */
const hasNeighbour = (element) =>
  hasContentBeside(element, previousElementOf) || hasContentBeside(element, nextElementOf);

/**
 * Whether the page has anything that does not lie in it.
 * @param {Element} element
 */
const isPartOfPage = (element) => {
  let node = element;
  while (node !== null && node !== document.body && !hasNeighbour(node)) node = flatParent(node);
  return node !== null && node !== document.body;
};

/**
 * One that stands alone may listen for what lies in it, unless it plainly is a small thing that says something.
 * @param {Element} element @param {ClickStyle | null} style
 */
const isCard = (element, style) =>
  (style?.own === true || hasHandler(element)) && querySelector.call(element, FIELDS) === null
  && isPartOfPage(element);

/**
 * What only has a pointer, and nothing in it but a control with its label, may have it for that.
 * @param {Element} element @param {boolean} told
 */
const hasWords = (element, told) =>
  shownWords(element, told ? INTERACTIVE_INSIDE : `${INTERACTIVE_INSIDE},label`) !== '';

/**
 * Whether what holds other controls answers a click beside them: a row, a card.
 * @param {Element} element @param {string} tag @param {ClickStyle | null} style
 */
const isRow = (element, tag, style) => {
  const told = handlesClicks(element) || querySelector.call(element, BUTTONS) !== null;
  return sizeOf(element) <= MAX_ELEMENTS_IN_ROW && querySelector.call(element, PARTS_OF_PAGES) === null
    && (isRepeatedRow(element, tag) ? told || style?.own === true : told && isCard(element, style))
    && hasWords(element, told);
};

/** @param {Element} element @param {string} tag @param {ClickStyle | null} style */
const standsAlone = (element, tag, style) => {
  if (tag === 'label') return isProxyLabel(element);
  return !holdsControl(element) || isRow(element, tag, style);
};

/** @param {Element} element @param {string} tag @param {ClickStyle | null} style */
export const answersClick = (element, tag, style) =>
  !NOT_CLICKABLE.has(tag)
  && (style?.own === true || hasHandler(element) || listensItself(element, tag)
    || isDraggable(element));

/**
 * Whether a click can meet it, or something in it.
 * @param {Element} element
 */
const takesClicks = (element) =>
  !letsThrough(element) || [...elementsIn.call(element, '*')].some((inner) => !letsThrough(inner));

/**
 * Whether what answers a click is a thing of its own that can be seen; what is dragged may hold others.
 * @param {Element} element @param {string} tag @param {Context} context @param {ClickStyle | null} style
 */
export const isClickable = (element, tag, context, style) =>
  !context.inside && pass.clickables < MAX_CLICKABLES && !isBeyond(element)
  && (standsAlone(element, tag, style) || isDraggable(element)) && sightOf(element) === SEEN
  && takesClicks(element);
