// Elements that handle clicks but have no semantics: an onclick attribute, a listener of a small element (a large one
// delegates for its contents), a pointer cursor of its own, or draggable. An element with controls inside has to be a row or
// a card. Elements at the same path of tags and classes share one style check, and text in <pre> is not checked: reading the
// style of every element would cost more than the rest of the walk.
import {
  attribute, elementsIn, hasAttribute, hasAttributes, idOf, localNameOf, matches, nextElementOf, previousElementOf,
  queryIn, querySelector, remembered, sameList, setOf,
} from './builtins.js';
import { nearest, rootOf } from './flat_tree.js';
import { isProxyLabel } from './names.js';
import { isOnlyCounted, pass, recordStep } from './pass.js';
import { reportedBy } from './registry.js';
import { BUTTONS, CELLS, HEAD_CELLS, INTERACTIVE_INSIDE, TABLE_ROWS, tagFacts } from './roles.js';
import { ownLooks, PAINTED, SHAPED, SHIFTED, TINTED } from './sheets.js';
import { FAINT, groundOf, isFaint, NONE, ODD, pageGround, shapeOf } from './sight.js';
import { ignoresPointer, SEEN, sightOf } from './visibility.js';
import { shownWords } from './visible_text.js';

const MAX_CLICKABLES = 10_000;
const MAX_IDS = 30;
const SHAPING = /cursor|opacity|clip|indent|font|-\d{3}|(?:width|height|scale)\W*0(?![.\d])/;
export const VEILING = new RegExp(`color|background|${SHAPING.source}`);
const NOT_CLICKABLE = setOf('html body option optgroup iframe br hr script style');

const MAX_ELEMENTS_INSIDE = 12;
const MAX_ELEMENTS_IN_ROW = 40;

const clicks = reportedBy('charlotte:listens');
const presses = reportedBy('charlotte:presses');
const menus = reportedBy('charlotte:menus');

/** The elements that listen, without those for clicks, presses and the context menu alike: the roots of applications. */
export const listening = {
  has: (/** @type {Element} */ element) =>
    (clicks.has(element) || presses.has(element) || menus.has(element))
    && !(clicks.has(element) && presses.has(element) && menus.has(element)),
};

/** @param {Element} element */
const isDraggable = (element) => attribute(element, 'draggable')?.toLowerCase() === 'true';

/**
 * Return whether an element handles the context menu and no click.
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

/** @returns {ClickStyle} */
const newStyle = (pointer = false, own = false, shape = 0, fill = '', paint = NONE, ground = '') =>
  ({ pointer, own, shape, odd: shape, fill, paint, ground, isShifted: false, below: new Map(), inherited: null });

export const pageStyle = () => newStyle(false, false, 0, '', NONE, pageGround());

/**
 * Return a style with the ground of its parent, and the text colour of the parent, where it has none of its own.
 * @param {ClickStyle} style @param {ClickStyle} parent @returns {ClickStyle}
 */
const inColours = (style, parent) => {
  const fill = style.fill || parent.fill;
  const ground = style.paint === NONE ? parent.ground : style.paint;
  if (style.inherited === null || style.inherited.fill !== fill || style.inherited.ground !== ground) {
    const faint = style.fill === '' && style.paint === NONE ? parent.odd & FAINT : isFaint(fill, ground) ? FAINT : 0;
    style.inherited = { ...style, fill, ground, odd: style.shape | faint };
  }
  return style.inherited;
};

/**
 * Measure the looks in which an element may differ from its parent, or the kinds in which it may from one `like` it.
 * @param {ClickStyle} parent @param {Element} element @param {string} tag @param {ClickStyle} [like] @param {number} [others]
 */
const measureStyle = (parent, element, tag, like, others = 0) => {
  const kinds = like === undefined ? ownLooks(element, tag) | ((parent.shape & ODD) === 0 ? 0 : SHAPED) : others;
  const look = () => {
    const css = getComputedStyle(element);
    const pointer = like?.pointer ?? css.cursor === 'pointer';
    if (!tagFacts(tag).enter) return newStyle(pointer, pointer && !parent.pointer);
    const shape = (kinds & SHAPED) === 0 ? like?.shape ?? 0 : shapeOf(css, tag);
    const paint = (kinds & PAINTED) === 0 ? like?.paint ?? NONE : groundOf(css, NONE);
    const fill = (kinds & TINTED) === 0 ? parent.fill : css.webkitTextFillColor;
    return newStyle(pointer, pointer && !parent.pointer, shape, fill === parent.fill ? '' : fill, paint);
  };
  const looks = (/** @type {ClickStyle} */ { pointer, shape, paint, fill }) =>
    [pointer, shape, paint, isFaint(fill || parent.fill, paint === NONE ? parent.ground : paint)];
  const style = like !== undefined ? look() : (kinds & ~SHIFTED) === 0 ? newStyle(parent.pointer)
    : recordStep(look, (a, b) => sameList(looks(a), looks(b)));
  style.isShifted = (kinds & SHIFTED) !== 0;
  return style;
};

/**
 * Return the looks of an element: whether the cursor is a pointer, and whether the element itself sets it.
 * @param {ClickStyle} parent @param {Element} element @param {string} tag
 */
export const styleBelow = (parent, element, tag) => {
  if (!hasAttributes.call(element)) return inColours(remembered(parent.below, tag, () => measureStyle(parent, element, tag)), parent);
  if (pass.ids < MAX_IDS && idOf.call(element) !== '') { // rules may be for it, and for what is in it
    pass.ids += 1;
    return inColours(measureStyle(parent, element, tag), parent);
  }
  const inline = attribute(element, 'style');
  const classes = attribute(element, 'class');
  const kind = tag === 'a' && hasAttribute.call(element, 'href') ? 'link' : tag;
  const key = classes === null ? kind : `${kind}.${classes}`;
  if (inline !== null && VEILING.test(inline)) {
    const isShaped = SHAPING.test(inline);
    const paints = inline.includes('background');
    const like = `${key}{${paints}`; // the rest is as in the first such element
    const known = isShaped ? undefined : parent.below.get(like);
    const own = measureStyle(parent, element, tag, known, paints ? PAINTED | TINTED : TINTED);
    if (!isShaped) {
      remembered(parent.below, like, () => own);
      pass.tinted.add(element);
    }
    own.below = remembered(parent.below, `${own.pointer} ${own.shape}`, () => own).below;
    return inColours(own, parent);
  }
  return inColours(remembered(parent.below, key, () => measureStyle(parent, element, tag)), parent);
};

const PARTS_OF_PAGES = 'h1,main,nav,form,table,ul,ol,dialog,[role=main],[role=navigation],[role=list],[role=dialog]';

/** @param {Element} element */
const hasHandler = (element) => hasAttribute.call(element, 'onclick') || hasAttribute.call(element, 'oncontextmenu');

/** @param {Element} element */
const handlesClicks = (element) => hasHandler(element) || listening.has(element);

/**
 * Return whether an element is a table row, or has a sibling of the same kind.
 * @param {Element} element @param {string} tag
 */
export const isRepeatedRow = (element, tag) => tag === 'tr' || [nextElementOf, previousElementOf].some((siblingOf) => {
  const other = siblingOf.call(element);
  return other !== null && localNameOf.call(other) === tag && attribute(other, 'class') === attribute(element, 'class')
    && handlesClicks(other) === handlesClicks(element);
});

const FIELDS = 'input:not([type=checkbox],[type=radio],[type=hidden]),select,textarea,[contenteditable],[role=textbox]';
const NO_CONTENT = setOf('script style template link noscript');

/** @param {Element} element */
const hasSibling = (element) => [previousElementOf, nextElementOf].some((siblingOf) => {
  let sibling = siblingOf.call(element);
  while (sibling !== null && NO_CONTENT.has(localNameOf.call(sibling))) sibling = siblingOf.call(sibling);
  return sibling !== null;
});

/**
 * Return whether an element with controls inside handles clicks itself: a row or a card.
 * @param {Element} element @param {string} tag @param {ClickStyle | null} style
 */
const isRow = (element, tag, style) => {
  const isExplicit = handlesClicks(element) || querySelector.call(element, BUTTONS) !== null;
  const isCard = () => (style?.own === true || hasHandler(element)) // that stands alone, not a container that listens for its contents
    && querySelector.call(element, FIELDS) === null
    && (nearest(element, (node) => node === document.body || hasSibling(node)) ?? document.body) !== document.body; // content is outside
  return sizeOf(element) <= MAX_ELEMENTS_IN_ROW && querySelector.call(element, PARTS_OF_PAGES) === null
    && (isRepeatedRow(element, tag) ? isExplicit || style?.own === true : isExplicit && isCard())
    && shownWords(element, isExplicit ? INTERACTIVE_INSIDE : `${INTERACTIVE_INSIDE},label`, 1) !== ''; // more than labels of controls
};

/** @param {Element} element @param {string} tag @param {ClickStyle | null} style */
const isStandalone = (element, tag, style) => {
  if (tag === 'label') return isProxyLabel(element);
  const holdsControl = querySelector.call(element, INTERACTIVE_INSIDE) !== null
    || (rootOf(element)?.querySelector(INTERACTIVE_INSIDE) ?? null) !== null;
  return !holdsControl || isRow(element, tag, style);
};

/**
 * Return whether an element is a row of several header cells.
 * @param {Element} element @param {string} tag
 */
export const isHeadRow = (element, tag) => {
  if (tag !== 'tr' && !matches.call(element, TABLE_ROWS)) return false;
  const cells = [...queryIn(element, CELLS)];
  return cells.length > 1 && cells.every((cell) => matches.call(cell, HEAD_CELLS));
};

/**
 * Return whether an element handles clicks. A row of headers has the cursor or the focus style of all rows.
 * @param {Element} element @param {string} tag @param {ClickStyle | null} style
 */
export const answersClick = (element, tag, style) =>
  !NOT_CLICKABLE.has(tag)
  && (hasHandler(element) || listensItself(element, tag) || isDraggable(element)
    || (style?.own === true && !isHeadRow(element, tag)));

/**
 * Return whether an element that handles clicks is a separate, visible thing.
 * @param {Element} element @param {string} tag @param {Context} context @param {ClickStyle | null} style
 */
export const isClickable = (element, tag, context, style) =>
  !context.inside && pass.clickables < MAX_CLICKABLES && !isOnlyCounted(element)
  && (isStandalone(element, tag, style) || isDraggable(element)) && sightOf(element) === SEEN
  && [element, ...elementsIn.call(element, '*')].some((part) => !ignoresPointer(part));
