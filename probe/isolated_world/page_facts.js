// Facts about the document, and the positions of everything that was scrolled: elements that only scrolled along have not
// moved.
import {
  addListener, attribute, clientHeightOf, clientWidthOf, documentTitleOf, documentUrlOf, isConnectedOf, isScriptless,
  readyStateOf, rootElementOf, scrollHeightOf, scrollingElementOf, scrollLeftOf, scrollTopOf, scrollWidthOf,
} from './builtins.js';
import { nidOf } from './registry.js';

const MOST_SCROLLED = 50;
export const scrolled = new Set();

/** @param {any} subject */
const noteScrolled = ({ target }) => {
  if (target instanceof Element && scrolled.size < MOST_SCROLLED) scrolled.add(target);
};

/**
 * Listen for scrolling in one tree: `scroll` events do not leave a shadow root.
 * @param {any} root
 */
export const watchScrolls = (root) => {
  if (!isScriptless()) addListener.call(root, 'scroll', noteScrolled, { capture: true, passive: true });
};

watchScrolls(document);

/** @param {Element} element */
export const scrollOffset = (element) => [Math.round(scrollLeftOf.call(element)), Math.round(scrollTopOf.call(element))];

/** Return [nid, x, y] of each element that was ever scrolled. */
export const scrolls = () => {
  for (const element of scrolled) if (!isConnectedOf.call(element)) scrolled.delete(element);
  return Array.from(scrolled, (element) => [nidOf(element), ...scrollOffset(element)]);
};

export const documentId = Math.random().toString(36).slice(2, 8).padEnd(6, '0');

/** @param {Element} element */
export const scrollRange = (element) => [
  Math.max(0, Math.round(scrollWidthOf.call(element) - clientWidthOf.call(element))),
  Math.max(0, Math.round(scrollHeightOf.call(element) - clientHeightOf.call(element))),
];

export const pageScroll = () => {
  const scroller = scrollingElementOf.call(document);
  return [Math.round(scrollX), Math.round(scrollY), ...(scroller === null ? [0, 0] : scrollRange(scroller))];
};

export const pageFacts = () => ({
  document: documentId,
  url: documentUrlOf.call(document),
  title: documentTitleOf.call(document),
  ready: readyStateOf.call(document),
  lang: (rootElementOf.call(document) && attribute(rootElementOf.call(document), 'lang')) ?? '',
  viewport: [innerWidth, innerHeight],
  scroll: pageScroll(),
});
