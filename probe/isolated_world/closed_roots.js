// Closed shadow roots. A script cannot ask for one; but where one may be, the browser can be asked, and it hands
// the root over. The walk notes such elements: those of which we heard that they were given one and, as roots may come
// from the parser or from before we listened, custom ones, and empty ones that something gives a height.
import { clientHeightOf, firstChildOf, matches, setOf } from './builtins.js';
import { forgetAround } from './caches.js';
import { addClosedRoot } from './flat_tree.js';
import { pass } from './pass.js';
import { elementOf, nidOf } from './registry.js';
import { reportedBy } from './reports.js';
import { px } from './visibility.js';

const MAY_HOST = setOf('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

/** @param {string} tag */
const mayHaveShadowRoot = (tag) => MAY_HOST.has(tag) || tag.includes('-');

/**
 * An element without a shadow root may get one, which nobody is told of.
 * @param {Element} element @param {string} tag
 */
export const noteHost = (element, tag) => {
  if (pass.steps !== null && mayHaveShadowRoot(tag)) pass.hosts.push(element);
};

const MAX_SUSPECTS = 100;
const MAX_MEASURED = 500;

const examined = new WeakSet();
const closedHosts = reportedBy('charlotte:hides');
reportedBy('charlotte:opens');
const handedOver = new WeakSet(); // of those: no element is given a second root, whatever a page says

/**
 * Take over the closed root of the element with that number.
 * @param {number} nid @param {any} root
 */
export const adopt = (nid, root) => {
  const host = elementOf(nid);
  addClosedRoot(host, root);
  forgetAround(host);
};

/** @param {any} style @param {string} name */
const isAuto = (style, name) => {
  const value = style.get(name);
  return value.value === 'auto' || value.value === 0;
};

/**
 * Whether an empty element has a height that its style does not give it.
 * @param {Element} element
 */
const isUnexplained = (element) => {
  const height = clientHeightOf.call(element);
  if (height === 0) return false;
  const { paddingTop, paddingBottom } = getComputedStyle(element);
  if (height <= Math.ceil(px(paddingTop) + px(paddingBottom))) return false;
  const style = element.computedStyleMap();
  return isAuto(style, 'height') && isAuto(style, 'min-height');
};

/** @param {Element} element @param {string} tag */
const isSuspect = (element, tag) => {
  if (closedHosts.has(element)) return !handedOver.has(element);
  if (tag.includes('-') && matches.call(element, ':defined')) return !examined.has(element);
  if (firstChildOf.call(element) !== null || pass.measured >= MAX_MEASURED || examined.has(element)) return false;
  pass.measured += 1;
  return isUnexplained(element);
};

/**
 * Note an element without a root that we know of, if it may have a closed one.
 * @param {Element} element @param {string} tag
 */
export const noteSuspect = (element, tag) => {
  if (!mayHaveShadowRoot(tag)) return;
  if (pass.suspects.length < MAX_SUSPECTS && isSuspect(element, tag)) pass.suspects.push(element);
};

/**
 * The numbers of suspects, each to be told once.
 * @param {Element[]} suspects
 */
export const takeSuspects = (suspects) => suspects.map((element) => {
  (closedHosts.has(element) ? handedOver : examined).add(element);
  return nidOf(element);
});
