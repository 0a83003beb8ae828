// Modal dialogs. They block the mouse and the keyboard for the elements behind them, which scripts could still change.
import { accessibleName } from './accessible_names.js';
import { coversView, listedOver, scrollToMiddle } from './actionability.js';
import { localNameOf } from './builtins.js';
import { allMatching, holds, openModal } from './flat_tree.js';
import { describeElement, findPoint, surfaceOf } from './hit_test.js';
import { byNumber } from './registry.js';
import { roleOf } from './roles.js';
import { SEEN, sightOf, visibleRects } from './visibility.js';

/** @param {Element} dialog */
export const describeDialog = (dialog) =>
  describeElement(dialog, roleOf(dialog, localNameOf.call(dialog)) || 'dialog', accessibleName(dialog));

/**
 * Return {error: "covered", by, over} for an element behind a modal dialog; null for any other. The dialogs of ARIA
 * cover only what a press does not reach: a list that a dialog opens lies outside of it, and in front.
 * @param {Element} element
 */
export const modalCover = (element) => {
  const native = openModal();
  const aria = allMatching('[aria-modal=true]').findLast((dialog) => sightOf(dialog) === SEEN && visibleRects(dialog).length > 0) ?? null;
  if (native !== null && !holds(native, element)) {
    return { error: 'covered', by: describeDialog(native), over: listedOver(native, element) };
  }
  const surface = aria === null || holds(aria, element) ? null : surfaceOf(element);
  if (aria === null || surface === null) return null;
  if (visibleRects(surface).length === 0) scrollToMiddle(surface);
  const { point, cover } = findPoint(element, surface);
  if (point !== undefined) return null;
  const hit = cover?.hit ?? aria;
  const isItsOwn = holds(aria, hit) || holds(hit, aria) || coversView(hit); // its backdrop covers the page
  return { error: 'covered', by: isItsOwn ? describeDialog(aria) : describeElement(hit), over: listedOver(aria, element) };
};

/** Return `modalCover` of a frame, {} without a cover. */
export const cover = byNumber((frame) => modalCover(frame) ?? {});
