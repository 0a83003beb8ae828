// What a person sees, where attributes and styles claim something else: what is hidden only from accessibility can be used,
// and text that is laid out may be invisible.
import {
  attribute, checkVisibility, clientHeightOf, clientWidthOf, closest, contains, createRange, firstElementOf, getAnimations,
  getBoundingClientRect, hasAttribute, hasChildNodes, localNameOf, matches, parentElementOf, queryAll, queryIn, querySelector, remembered,
  rootElementOf, scrollLeftOf, scrollTopOf,
} from './builtins.js';
import { elementAt, holds, isTitleAnchor, nearest, rootOf } from './flat_tree.js';
import { pass } from './pass.js';
import { INTERACTIVE_INSIDE, tagFacts } from './roles.js';
import { centre, hasArea, intersection, isCutOff, px, SEEN, sightOf, viewportRect } from './visibility.js';

const OPAQUE = Object.freeze({ visibilityProperty: true, opacityProperty: true });
const MOST_TRIED = 20; // controls
const LEAST_CONTROL = 6; // px
const CLICKED = `${INTERACTIVE_INSIDE},[onclick]`;
const LIFTED = /absolute|fixed/;
export const DIALOGS = 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]';

/** @param {Element} element @returns {boolean} */
export const isOpaque = (element) => checkVisibility.call(element, OPAQUE);

/** @param {Element} element */
const isFixed = (element) => getComputedStyle(element).position === 'fixed';

/**
 * Return whether a press on a control inside `around` would reach it, after scrolling to it.
 * @param {Element} control @param {Element} around
 */
const canBeHit = (control, around) => {
  const rect = getBoundingClientRect.call(control);
  if (rect.width < LEAST_CONTROL || rect.height < LEAST_CONTROL || !isOpaque(control)) return false;
  const hit = elementAt(centre(rect).x, centre(rect).y);
  if (hit !== null) return holds(around, hit);
  if (rect.right <= 0 || rect.left >= innerWidth || isCutOff(control, centre(rect)) || nearest(control, isFixed) !== null) return false;
  const middle = centre(viewportRect());
  return nearest(elementAt(middle.x, middle.y), isFixed) === null;
};

/**
 * Return whether a link is a sign that leads to its own place, or leads where another link leads, which is not hidden.
 * @param {Element} link
 */
const isRepeated = (link) => {
  const href = localNameOf.call(link) === 'a' ? attribute(link, 'href') ?? '' : '';
  if (href.length < 2 || href.startsWith('javascript:')) return false;
  return href[0] === '#' || [...queryAll(document, `a[href="${CSS.escape(href)}"]`)].some((other) => closest.call(other, '[aria-hidden=true]') === null);
};

/** @param {Element | null} element */
const isPointing = (element) => element !== null && getComputedStyle(element).cursor === 'pointer';

/**
 * Return whether a part that is hidden from accessibility has a control that can be used all the same: decoration has none,
 * and what is behind a dialog is meant to be out of reach.
 * @param {Element} element @param {boolean} [isPointed] whether it has a pointer cursor of its own
 */
const isUsedAnyway = (element, isPointed = isPointing(element) && !isPointing(parentElementOf.call(element))) => {
  const outer = parentElementOf.call(element);
  const isControl = isPointed || matches.call(element, CLICKED);
  const inner = firstElementOf.call(element) === null ? [] : queryIn(element, INTERACTIVE_INSIDE);
  if (!isControl && inner.length === 0) return false;
  const controls = [...(isControl ? [element] : []), ...inner].slice(0, MOST_TRIED);
  return (outer === null || closest.call(outer, INTERACTIVE_INSIDE) === null)
    && controls.some((control) => canBeHit(control, element) && !isRepeated(control))
    && ![...queryAll(document, DIALOGS)].some((dialog) =>
      sightOf(dialog) === SEEN && !contains.call(dialog, element) && !contains.call(element, dialog));
};

/** @param {Element} element */
export const isHiddenFromAria = (element) => attribute(element, 'aria-hidden')?.toLowerCase() === 'true';

/**
 * Return whether an element is no content: it is inert, the sign of a title, or hidden from accessibility and without use.
 * @param {Element} element @param {boolean} [isPointed]
 */
export const isExcluded = (element, isPointed) =>
  hasAttribute.call(element, 'inert') || (localNameOf.call(element) === 'a' && isTitleAnchor(element))
  || (isHiddenFromAria(element) && !isUsedAnyway(element, isPointed));

// Why contents may be invisible: they may be clipped, may lie off the page, may have the colour of what is behind them, or
// have another odd style.
export const [CLIPS, ODD, PLACED, FAINT] = [1, 2, 4, 8];

// What is invisible: text directly in an element; a part of a line, in which controls may be pressed; all contents.
export const [TEXT_VEILED, LINE_VEILED, ALL_VEILED] = [1, 2, 3];

export const NONE = 'none';
const LEAST_INK = 0.1;
const LEAST_OPACITY = 0.05;
const LEAST_FONT = 1; // px
const FAR = -500; // px
const CHANNELS = /([\d.]+), ([\d.]+), ([\d.]+)/;
const SIMILAR = 8; // of 255
const MOST_BOXES = 20_000;
const MOST_SEARCHES = 300;
const NOTHING = /^(?:inset\((?:[5-9]\d|1\d\d)(?:\.\d+)?%|circle\(0|ellipse\(0|polygon\((?:\w+, )?(\S+ \S+)(?:, \1)*\)|rect\((\S+), \S+, \2, )/;
const PICTURES = 'img,svg,video,canvas,iframe,object,embed';

/** @param {string} colour */
const alphaOf = (colour) => (colour.startsWith('rgb(') ? 1 : Number(/(?:^rgba.*,|\/) ([\d.]+)\)$/.exec(colour)?.[1] ?? 1));

/** @param {string} length */
const isFar = (length) => length[0] === '-' && px(length) < FAR;

/** @param {string} a @param {string} b */
const areAlike = (a, b) => {
  if (a === b || !a.startsWith('rgb') || !b.startsWith('rgb')) return a === b;
  if (Math.abs(Number.parseInt(a.slice(4), 10) - Number.parseInt(b.slice(4), 10)) > SIMILAR) return false; // most, at less cost
  const [these, those] = [CHANNELS.exec(a) ?? [], CHANNELS.exec(b) ?? []];
  return [1, 2, 3].every((part) => Math.abs(Number(these[part]) - Number(those[part])) <= SIMILAR);
};

/**
 * Return the colour that a style puts behind text, `below` for none; '' for a picture or several colours.
 * @param {CSSStyleDeclaration} css @param {string} below
 */
export const groundOf = ({ backgroundImage, backgroundColor }, below) => {
  if (backgroundImage !== NONE) {
    const [first = '', ...colours] = backgroundImage.includes('url(') ? [] : backgroundImage.match(/rgba?\([^)]*\)/g) ?? [];
    return colours.every((colour) => areAlike(colour, first)) ? first : '';
  }
  const alpha = alphaOf(backgroundColor);
  return alpha === 0 ? below : alpha === 1 ? backgroundColor : '';
};

export const pageGround = () => {
  const root = rootElementOf.call(document);
  return root === null || getComputedStyle(root).colorScheme.includes('dark') ? '' : 'rgb(255, 255, 255)'; // white
};

/**
 * Return whether an element is as good as transparent; a transparent block may be shown later.
 * @param {CSSStyleDeclaration} css @param {string} tag
 */
const isGhost = ({ opacity }, tag) => opacity !== '1' && Number(opacity) < LEAST_OPACITY && (opacity !== '0' || !tagFacts(tag).block);

/**
 * Return why contents may be invisible apart from colours.
 * @param {CSSStyleDeclaration} css @param {string} tag
 */
export const shapeOf = (css, tag) => {
  const isLifted = LIFTED.test(css.position);
  const isOdd = px(css.fontSize) <= LEAST_FONT || isFar(css.textIndent) || css.clipPath !== NONE
    || (isLifted && css.clip !== 'auto') || css.filter.includes('opacity(0)') || isGhost(css, tag);
  const isPlaced = isLifted || css.transform !== NONE || isFar(css.marginLeft) || isFar(css.marginTop)
    || css.scale !== NONE || (css.position !== 'static' && isFar(css.left));
  return (css.overflowX === 'visible' ? 0 : CLIPS) + (isOdd ? ODD : 0) + (isPlaced ? PLACED : 0);
};

/** @param {string} fill @param {string} ground */
export const isFaint = (fill, ground) => alphaOf(fill) < LEAST_INK || areAlike(fill, ground);

const behind = new WeakMap(); // by pass, the boxes of the page, and the one that was last found behind text

/**
 * Return whether text has the colour of the nearest ground around it, and nothing else lies behind it.
 * @param {Element} element @param {string} fill
 */
const isOfGround = (element, fill) => {
  const known = remembered(behind, pass, () => ({ searches: 0, last: null, isCovered: false, all: null, boxes: new Map(), paints: new Map() }));
  const paintOf = (/** @type {Element} */ each) => remembered(known.paints, each, () => (matches.call(each, PICTURES) ? ''
    : ['', '::before', '::after'].map((pseudo) => getComputedStyle(each, pseudo))
      .reduce((ground, css) => (css.content === NONE ? ground : groundOf(css, ground)), NONE)));
  if (known.searches > MOST_SEARCHES || known.isCovered) return false;
  const rect = getBoundingClientRect.call(element);
  const isBehind = (/** @type {Element} */ other) => {
    const box = remembered(known.boxes, other, () => getBoundingClientRect.call(other));
    return (hasArea(intersection(rect, box)) || (hasArea(box) && isFixed(other))) && !contains.call(element, other)
      && !contains.call(other, element) && ![NONE, fill].some((paint) => areAlike(paint, paintOf(other)));
  };
  if (known.last !== null && isBehind(known.last)) return false;
  const holder = nearest(element, (node) => paintOf(node) !== NONE);
  if (!areAlike(holder === null ? pageGround() : paintOf(holder), fill)) return false;
  known.searches += 1;
  known.all ??= [...queryAll(document, '*')].slice(0, MOST_BOXES);
  known.last = known.all.find(isBehind) ?? null;
  known.isCovered = known.last !== null && isFixed(known.last);
  return known.last === null;
};

/** Return whether a fixed box behind all text has another colour than some text. */
export const isCovered = () => behind.get(pass)?.isCovered === true;

/**
 * Return whether all text in an element lies left of or above the page, or has no size; not if it only was scrolled away.
 * @param {Element} element
 */
export const isOffPage = (element) => {
  const isAway = (/** @type {DOMRect} */ { right, bottom, width, height }) =>
    width * height === 0 || (right <= 0 && right + scrollX <= 0) || (bottom <= 0 && bottom + scrollY <= 0);
  const rect = getBoundingClientRect.call(element);
  if (!isAway(rect) || (rect.width > 0 && rect.width <= 1)) return false; // a box of one px is for screen readers
  const range = createRange.call(document);
  range.selectNodeContents(element);
  const rects = [...range.getClientRects()];
  return rects.length > 0 && rects.every(isAway) && getComputedStyle(element).direction === 'ltr'
    && nearest(element, (node) => scrollTopOf.call(node) > 0 || scrollLeftOf.call(node) !== 0) === null;
};

/**
 * Return whether an element is transparent, and not about to be shown.
 * @param {Element} element
 */
export const isTransparent = (element) =>
  !isOpaque(element) && checkVisibility.call(element, { visibilityProperty: true })
  && !getAnimations.call(document).some(({ effect }) => effect instanceof KeyframeEffect && effect.target !== null
    && contains.call(effect.target, element) && effect.getKeyframes().some((frame) => 'opacity' in frame));

/** @param {Element} element */
export const isFlat = (element) => clientHeightOf.call(element) === 0 || clientWidthOf.call(element) === 0;

/**
 * Return whether a box of no size, a path or a filter hides all contents: not what is placed outside of it, and not a field
 * in a tiny box, which only catches keys.
 * @param {Element} element @param {CSSStyleDeclaration} css
 */
const isClipped = (element, css) => {
  const isShut = css.display !== 'inline' && ((css.overflowY !== 'visible' && clientHeightOf.call(element) === 0)
    || (css.overflowX !== 'visible' && clientWidthOf.call(element) === 0));
  const takesKeys = () => clientWidthOf.call(element) < LEAST_CONTROL && querySelector.call(element, 'textarea,input,[contenteditable]') !== null;
  const escapes = css.position === 'static' ? LIFTED : /fixed/;
  if (isShut && !takesKeys()) return ![...queryIn(element, '*')].some((inner) => escapes.test(getComputedStyle(inner).position));
  if (!NOTHING.test(css.clipPath) && !NOTHING.test(css.clip) && !css.filter.includes('opacity(0)')) return false;
  const { width, height } = getBoundingClientRect.call(element);
  return width > 1 || height > 1;
};

/**
 * Return what of an element is invisible, 0 for nothing, as in a control that is empty, and named for keyboards. It costs more
 * than `looksOf`, which knows whether it is needed.
 * @param {Element} element @param {boolean} [mayBeFaint]
 */
export const veilOf = (element, mayBeFaint = true) => {
  const isContainer = element instanceof HTMLElement && tagFacts(localNameOf.call(element)).enter;
  if (!isContainer || element === document.body || element === rootElementOf.call(document)) return 0;
  if (!hasChildNodes.call(element) && rootOf(element) === null) return 0;
  const css = getComputedStyle(element);
  const fill = css.webkitTextFillColor;
  if (isClipped(element, css)) return ALL_VEILED;
  if (isGhost(css, localNameOf.call(element)) && (css.opacity !== '0' || isTransparent(element))) return LINE_VEILED;
  if (px(css.fontSize) <= LEAST_FONT || (isFar(css.textIndent) && css.display !== 'inline')) return TEXT_VEILED;
  if (!mayBeFaint || css.textShadow !== NONE || css.webkitTextStrokeWidth !== '0px') return 0;
  const isCutOut = () => nearest(element, (node) => getComputedStyle(node).backgroundClip.includes('text')) !== null;
  return (alphaOf(fill) < LEAST_INK ? !isCutOut() : isOfGround(element, fill)) ? TEXT_VEILED : 0;
};

/**
 * Return `veilOf`, and LINE_VEILED for an element off the page, without `looksOf`.
 * @param {Element} element
 */
export const textVeilOf = (element) =>
  veilOf(element) || (LIFTED.test(getComputedStyle(element).position) && isOffPage(element) ? LINE_VEILED : 0);

/**
 * Return whether the text in an element is invisible; transparent text may be shown later.
 * @param {Element} element
 */
export const isUnseen = (element) =>
  veilOf(element) === TEXT_VEILED || nearest(element, (node) => textVeilOf(node) > TEXT_VEILED) !== null;
