// Closed shadow roots. Scripts cannot read them, but the debugger protocol can. The walk collects suspects: elements whose
// closed root was reported, custom elements, and empty elements with an unexplained height.
import { clientHeightOf, hasChildNodes, matches, setOf } from './builtins.js';
import { forgetWithAncestors } from './caches.js';
import { addClosedRoot } from './flat_tree.js';
import { pass } from './pass.js';
import { elementOf, nidOf, reportedBy } from './registry.js';
import { px } from './visibility.js';

const MAY_HOST = setOf('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

/** @param {string} tag */
const mayHaveShadowRoot = (tag) => MAY_HOST.has(tag) || tag.includes('-');

/**
 * Note an element that may get a shadow root later, which no event reports.
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
const adoptedHosts = new WeakSet(); // an element has only one root, whatever a page reports

/** @param {number} nid @param {any} root */
export const adopt = (nid, root) => {
  const host = elementOf(nid);
  addClosedRoot(host, root);
  forgetWithAncestors(host);
};

/** @param {any} style @param {string} name */
const isAuto = (style, name) => {
  const value = style.get(name);
  return value.value === 'auto' || value.value === 0;
};

/**
 * Return whether an empty element has a height that its style does not explain.
 * @param {Element} element
 */
const hasUnexplainedHeight = (element) => {
  const height = clientHeightOf.call(element);
  if (height === 0) return false;
  const { paddingTop, paddingBottom } = getComputedStyle(element);
  if (height <= Math.ceil(px(paddingTop) + px(paddingBottom))) return false;
  const style = element.computedStyleMap();
  return isAuto(style, 'height') && isAuto(style, 'min-height');
};

/** @param {Element} element @param {string} tag */
const isSuspect = (element, tag) => {
  if (closedHosts.has(element)) return !adoptedHosts.has(element);
  if (tag.includes('-') && matches.call(element, ':defined')) return !examined.has(element);
  if (hasChildNodes.call(element) || pass.measured >= MAX_MEASURED || examined.has(element)) return false;
  pass.measured += 1;
  return hasUnexplainedHeight(element);
};

/**
 * Note an element that may have a closed shadow root.
 * @param {Element} element @param {string} tag
 */
export const noteSuspect = (element, tag) => {
  if (!mayHaveShadowRoot(tag)) return;
  if (pass.suspects.length < MAX_SUSPECTS && isSuspect(element, tag)) pass.suspects.push(element);
};

/**
 * Return the numbers of suspects; each is reported once.
 * @param {Element[]} suspects
 */
export const takeSuspects = (suspects) => suspects.map((element) => {
  (closedHosts.has(element) ? adoptedHosts : examined).add(element);
  return nidOf(element);
});
