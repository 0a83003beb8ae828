// What a person sees, where attributes and styles claim something else: what is hidden only from accessibility can be used,
// and text that is laid out may be invisible.
import {
  attribute, checkVisibility, closest, contains, getBoundingClientRect, hasAttribute, localNameOf, matches, parentElementOf,
  queryAll, queryIn,
} from './builtins.js';
import { elementAt, isTitleAnchor, nearest } from './flat_tree.js';
import { INTERACTIVE_INSIDE } from './roles.js';
import { centre, isCutOff, SEEN, sightOf, viewportRect } from './visibility.js';

const OPAQUE = Object.freeze({ visibilityProperty: true, opacityProperty: true });
const MOST_TRIED = 20; // controls
const LEAST_CONTROL = 6; // px
const DIALOGS = 'dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]';

/** @param {Element} element */
const isFixed = (element) => getComputedStyle(element).position === 'fixed';

/**
 * Return whether a press on a control inside `around` would reach it, after scrolling to it.
 * @param {Element} control @param {Element} around
 */
const canBeHit = (control, around) => {
  const rect = getBoundingClientRect.call(control);
  if (rect.width < LEAST_CONTROL || rect.height < LEAST_CONTROL || !checkVisibility.call(control, OPAQUE)) return false;
  const hit = elementAt(centre(rect).x, centre(rect).y);
  if (hit !== null) return nearest(hit, (node) => node === around) !== null;
  if (rect.right <= 0 || rect.left >= innerWidth || isCutOff(control, centre(rect)) || nearest(control, isFixed) !== null) return false;
  const middle = centre(viewportRect());
  return nearest(elementAt(middle.x, middle.y), isFixed) === null;
};

/**
 * Return whether an element without semantics handles clicks itself.
 * @param {Element} element
 */
const isPressed = (element) => {
  const outer = parentElementOf.call(element);
  return hasAttribute.call(element, 'onclick') || (getComputedStyle(element).cursor === 'pointer'
    && (outer === null || getComputedStyle(outer).cursor !== 'pointer'));
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

/**
 * Return whether a part that is hidden from accessibility has a control that can be used all the same: decoration has none,
 * and what is behind a dialog is meant to be out of reach.
 * @param {Element} element
 */
const isUsedAnyway = (element) => {
  const outer = parentElementOf.call(element);
  if (outer !== null && closest.call(outer, INTERACTIVE_INSIDE) !== null) return false;
  const isControl = matches.call(element, INTERACTIVE_INSIDE) || isPressed(element);
  const controls = [...(isControl ? [element] : []), ...queryIn(element, INTERACTIVE_INSIDE)].slice(0, MOST_TRIED);
  if (!controls.some((control) => canBeHit(control, element) && !isRepeated(control))) return false;
  return ![...queryAll(document, DIALOGS)].some((dialog) =>
    sightOf(dialog) === SEEN && !contains.call(dialog, element) && !contains.call(element, dialog));
};

/** @param {Element} element */
export const isHiddenFromAria = (element) => attribute(element, 'aria-hidden')?.toLowerCase() === 'true';

/**
 * Return whether an element is no content: it is inert, the sign of a title, or hidden from accessibility and without use.
 * @param {Element} element
 */
export const isExcluded = (element) =>
  hasAttribute.call(element, 'inert') || (localNameOf.call(element) === 'a' && isTitleAnchor(element))
  || (isHiddenFromAria(element) && !isUsedAnyway(element));
