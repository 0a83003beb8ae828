// Builtins captured at installation. The properties of a form or a document can be shadowed by the names of its elements
// (<input name="parentNode">), so all access goes through the prototypes.
/** @type {(prototype: object, name: string) => Getter} */
export const getterOf = (prototype, name) =>
  /** @type {Getter} */ (/** @type {unknown} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get));

export const firstElementOf = getterOf(Element.prototype, 'firstElementChild');
export const nextElementOf = getterOf(Element.prototype, 'nextElementSibling');
export const previousElementOf = getterOf(Element.prototype, 'previousElementSibling');
export const localNameOf = getterOf(Element.prototype, 'localName');
export const namespaceOf = getterOf(Element.prototype, 'namespaceURI');
export const shadowRootOf = getterOf(Element.prototype, 'shadowRoot');
export const assignedSlotOf = getterOf(Element.prototype, 'assignedSlot');
export const idOf = getterOf(Element.prototype, 'id');
export const clientWidthOf = getterOf(Element.prototype, 'clientWidth');
export const clientHeightOf = getterOf(Element.prototype, 'clientHeight');
export const clientLeftOf = getterOf(Element.prototype, 'clientLeft');
export const clientTopOf = getterOf(Element.prototype, 'clientTop');
export const scrollWidthOf = getterOf(Element.prototype, 'scrollWidth');
export const scrollHeightOf = getterOf(Element.prototype, 'scrollHeight');
export const scrollLeftOf = getterOf(Element.prototype, 'scrollLeft');
export const scrollTopOf = getterOf(Element.prototype, 'scrollTop');
export const elementsIn = Element.prototype.getElementsByTagName;
export const attributeNamesOf = Element.prototype.getAttributeNames;
export const { hasAttribute, hasAttributes, getAttribute, matches, closest, querySelector } = Element.prototype;
export const { checkVisibility, getBoundingClientRect, getClientRects, scrollIntoView } = Element.prototype;
export const timelineTimeOf = getterOf(AnimationTimeline.prototype, 'currentTime');
export const firstChildOf = getterOf(Node.prototype, 'firstChild');
export const childNodesOf = getterOf(Node.prototype, 'childNodes');
export const lastChildOf = getterOf(Node.prototype, 'lastChild');
export const nextSiblingOf = getterOf(Node.prototype, 'nextSibling');
export const previousSiblingOf = getterOf(Node.prototype, 'previousSibling');
export const parentNodeOf = getterOf(Node.prototype, 'parentNode');
export const nodeTypeOf = getterOf(Node.prototype, 'nodeType');
export const textContentOf = getterOf(Node.prototype, 'textContent');
export const isConnectedOf = getterOf(Node.prototype, 'isConnected');
export const baseUriOf = getterOf(Node.prototype, 'baseURI');
export const parentElementOf = getterOf(Node.prototype, 'parentElement');
export const { getRootNode, contains, compareDocumentPosition: comparePosition, hasChildNodes } = Node.prototype;

export const innerTextOf = getterOf(HTMLElement.prototype, 'innerText');
export const isEditableOf = getterOf(HTMLElement.prototype, 'isContentEditable');
const focusHtml = HTMLElement.prototype.focus;
const focusSvg = SVGElement.prototype.focus;

/**
 * Focus an element of HTML or SVG.
 * @this {Element} @param {FocusOptions} options
 */
export const focusOn = function focusOn(options) {
  (this instanceof SVGElement ? focusSvg : focusHtml).call(this, options);
};

export const formActionOf = getterOf(HTMLFormElement.prototype, 'action');
export const formMethodOf = getterOf(HTMLFormElement.prototype, 'method');

export const documentTitleOf = getterOf(Document.prototype, 'title');
export const readyStateOf = getterOf(Document.prototype, 'readyState');
export const rootElementOf = getterOf(Document.prototype, 'documentElement');
export const scrollingElementOf = getterOf(Document.prototype, 'scrollingElement');
export const documentUrlOf = getterOf(Document.prototype, 'URL');
export const activeElementOf = getterOf(Document.prototype, 'activeElement');
export const styleSheetsOf = getterOf(Document.prototype, 'styleSheets');
export const adoptedOf = getterOf(Document.prototype, 'adoptedStyleSheets');
export const headOf = getterOf(Document.prototype, 'head');
export const timelineOf = getterOf(Document.prototype, 'timeline');
export const { elementFromPoint, getAnimations, createElement, createRange, getSelection } = Document.prototype;
const queryDocument = Document.prototype.querySelectorAll;
const queryRoot = DocumentFragment.prototype.querySelectorAll;

export const ELEMENT = Node.ELEMENT_NODE;
export const TEXT = Node.TEXT_NODE;

const queryElement = Element.prototype.querySelectorAll;

/**
 * Run querySelectorAll on a document or a shadow root.
 * @param {any} root @param {string} css
 */
export const queryAll = (root, css) => (root === document ? queryDocument : queryRoot).call(root, css);

/**
 * Run querySelectorAll in an element or a shadow root.
 * @param {any} root @param {string} css
 */
export const queryIn = (root, css) => (root instanceof Element ? queryElement : queryRoot).call(root, css);

/** @param {Element} element @param {string} name */
export const attribute = (element, name) => getAttribute.call(element, name);

const NAMING = ['aria-label', 'aria-labelledby', 'title'];

/** @param {Element} element */
export const hasNameAttribute = (element) => NAMING.some((name) => hasAttribute.call(element, name));

/** Soft hyphens, zero-width characters, and private-use characters, which icon fonts draw: none of them can be read. */
export const UNREADABLE = '\\u00ad\\u200b\\u2060\\ue000-\\uf8ff';

export const RAGGED = new RegExp(`^\\s|\\s$|\\s\\s|[^\\S ]|[${UNREADABLE}]`);
const UNREADABLES = new RegExp(`[${UNREADABLE}]`, 'g');

/**
 * Remove the characters that cannot be read, which break text searches.
 * @param {string} text
 */
export const withoutBreaks = (text) => text.replace(UNREADABLES, '');

/**
 * Collapse whitespace; most strings need no change, and testing is cheaper than replacing.
 * @param {string} text
 */
export const collapse = (text) => (RAGGED.test(text) ? withoutBreaks(text).replace(/\s+/g, ' ').trim() : text);

const VARIANTS = /** @type {[RegExp, string][]} */ ([
  [/[\u2018\u2019\u201b\u02bc\u2032\u00b4\u0060]/g, "'"], [/[\u201c-\u201f\u2033]/g, '"'], [/[\u2010-\u2015\u2212]/g, '-'], [/\u0130/g, 'I'],
]);

/**
 * Return a text with plain quotes, dashes, digits and accents.
 * @param {string} text
 */
export const plain = (text) => (/[^\u0020-\u005f\u0061-\u007f]/.test(text)
  ? VARIANTS.reduce((known, [variant, letter]) => known.replace(variant, letter), text).normalize('NFKC').replaceAll('\u2044', '/') : text);

/**
 * Return a text as texts are compared in any case.
 * @param {string} text
 */
export const folded = (text) => plain(text).toLowerCase().replaceAll('\u00df', 'ss');

/**
 * Return the first `limit` characters of a text. By the "…" after them, redaction recognizes a secret that is cut.
 * @param {string} text @param {number} limit
 */
export const cut = (text, limit) => (text.length > limit ? `${text.slice(0, limit)}…` : text);

/**
 * Return the first `limit` characters of a text, as one line.
 * @param {string} text @param {number} limit
 */
export const cutLine = (text, limit) => cut(collapse(cut(text, 20 * limit)), limit);

/** @param {Element} element @param {number} limit */
export const textOf = (element, limit) => cutLine(textContentOf.call(element), limit);

/**
 * Return a hash of a text (FNV-1a).
 * @param {string} text
 */
export const digestOf = (text) => {
  let digest = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193);
  }
  return digest >>> 0;
};

export const isScriptless = () => matchMedia('(scripting: none)').matches;

/** @param {string} names */
export const setOf = (names) => new Set(names.split(' '));

export const formElementsOf = getterOf(HTMLFormElement.prototype, 'elements');

/** @param {Extra} extra */
export const isEmpty = (extra) => {
  for (const _ in extra) return false;
  return true;
};

/** @param {string} text */
export const isSpaceOnly = (text) => text.trim() === '';

/**
 * Return what is known about a key; it is read once.
 * @template V
 * @param {{ get(key: any): V | undefined, set(key: any, value: V): unknown }} known @param {any} key @param {() => V} read
 */
export const remembered = (known, key, read) => {
  let value = known.get(key);
  if (value === undefined) known.set(key, value = read());
  return value;
};

export const addListener = EventTarget.prototype.addEventListener;

/** @param {any} node */
export const isText = (node) => nodeTypeOf.call(node) === TEXT;

/** @param {any[]} a @param {any[]} b */
export const sameList = (a, b) => a.length === b.length && a.every((each, index) => each === b[index]);

export const { execCommand } = Document.prototype;
export const dispatchEventOf = EventTarget.prototype.dispatchEvent;

export const CAPTURED = Object.freeze({ capture: true, passive: true });

/** @param {any} node */
export const isElement = (node) => nodeTypeOf.call(node) === ELEMENT;
