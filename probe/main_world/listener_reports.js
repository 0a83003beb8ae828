// Reports elements that listen for clicks or drops to the probe, which cannot see listeners of another world. Pages add
// listeners far more often than the probe asks. Each element therefore carries marks in private fields, which cost one write,
// keep nothing alive, and are invisible to scripts. Closed shadow roots, and open ones of connected elements, are reported too.
import { REPORTS, reportOf } from './listener_types.js';
import {
  addEventListener, apply, dispatchEvent, getterOf, Notice, noteDocument, notify, onRequest, printLike, reportSets,
} from './native_wrappers.js';

const isConnectedOf = getterOf(Node.prototype, 'isConnected');
const { querySelectorAll: elementsOfDocument, evaluate } = Document.prototype;
const { querySelectorAll: elementsOfRoot } = DocumentFragment.prototype;
const lengthOf = getterOf(NodeList.prototype, 'length');
const openRootOf = getterOf(Element.prototype, 'shadowRoot');
const isInvalid = getterOf(XPathResult.prototype, 'invalidIteratorState');
const ITERATOR = XPathResult.UNORDERED_NODE_ITERATOR_TYPE;
const { isExtensible } = Object;
const AnyElement = Element;
let unreported = 0; // marks
let isMarked = true; // since the last report
/** @type {XPathResult | null} */
let tree = null; // an iterator, which is invalid as soon as the document's tree has changed

class Extended { constructor(/** @type {Element} */ element) { return element; } }

/** Private fields that are added to an element. */
class Marks extends Extended {
  #noted = 0; // a bit for each report
  #reported = 0;
  /** @type {ShadowRoot | null} */
  #closedRoot = null;

  /** @type {(element: Element) => element is Element & Marks} */
  static #isMarkable(element) {
    if (#noted in element) return true;
    if (!isExtensible(element)) return false;
    new Marks(element);
    return true;
  }

  /** @param {Element} element @param {number} report */
  static add(element, report) {
    const bit = 1 << report;
    if (!Marks.#isMarkable(element) || (element.#noted & bit) !== 0) return;
    noteDocument();
    element.#noted |= bit;
    unreported += 1;
    isMarked = true;
  }

  /** @param {Element} host @param {ShadowRoot} root */
  static setClosedRoot(host, root) {
    if (Marks.#isMarkable(host)) host.#closedRoot = root;
  }

  /** @param {Element} element */
  static rootOf(element) {
    return apply(openRootOf, element, []) ?? (#noted in element ? element.#closedRoot : null);
  }

  /** @param {Element} element */
  static report(element) {
    if (!(#noted in element) || element.#noted === element.#reported) return;
    for (let index = 0; index < REPORTS.length; index += 1) {
      const bit = 1 << index;
      if ((element.#noted & bit) === 0 || (element.#reported & bit) !== 0) continue;
      const notice = new Notice(`charlotte:${REPORTS[index]}`, { composed: true, cancelable: true });
      apply(dispatchEvent, element, [notice]);
      unreported -= 1;
    }
    element.#reported = element.#noted;
  }
}

/** @param {NodeListOf<Element>} elements */
const reportIn = (elements) => {
  const count = apply(lengthOf, elements, []);
  for (let index = 0; index < count; index += 1) {
    Marks.report(elements[index]);
    const root = Marks.rootOf(elements[index]);
    if (root !== null) reportIn(apply(elementsOfRoot, root, ['*']));
  }
};

onRequest('charlotte:listeners', () => {
  if (unreported === 0 || !(isMarked || apply(isInvalid, tree, []))) return;
  isMarked = false;
  tree = apply(evaluate, document, ['/', document, null, ITERATOR, null]);
  reportIn(apply(elementsOfDocument, document, ['*']));
});

EventTarget.prototype.addEventListener = printLike(addEventListener, {
  /** @this {EventTarget} @param {string} type @param {unknown} listener */
  addEventListener(type, listener) {
    const result = apply(addEventListener, this, arguments);
    const report = reportOf(type);
    if (report >= 0 && this instanceof AnyElement) Marks.add(this, report);
    return result;
  },
}.addEventListener);

for (const { prototype } of [HTMLElement, SVGElement]) {
  for (const type of ['click', 'contextmenu', 'drop']) {
    reportSets(prototype, `on${type}`, (element, handler) => {
      if (typeof handler === 'function') Marks.add(element, reportOf(type));
    });
  }
}

// A closed root is invisible to scripts; an open root of a connected element causes no mutation.
const rootMode = getterOf(ShadowRoot.prototype, 'mode');

const { attachShadow } = Element.prototype;
Element.prototype.attachShadow = printLike(attachShadow, {
  /** @this {Element} @param {ShadowRootInit} init */
  attachShadow(init) {
    const root = apply(attachShadow, this, arguments);
    noteDocument();
    if (apply(rootMode, root, []) === 'closed') {
      Marks.setClosedRoot(this, root);
      notify('charlotte:hides', { relatedTarget: this });
    } else if (apply(isConnectedOf, this, [])) notify('charlotte:opens', { relatedTarget: this });
    return root;
  },
}.attachShadow);
