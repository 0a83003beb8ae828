// Builtins captured at installation. A form's or a document's properties can be hidden by the names of
// what lies in it (<input name="parentNode">), so everything that may meet one goes through the prototypes.
const getterOf = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name)?.get;

const firstElementOf = getterOf(Element.prototype, 'firstElementChild');
const nextElementOf = getterOf(Element.prototype, 'nextElementSibling');
const previousElementOf = getterOf(Element.prototype, 'previousElementSibling');
const localNameOf = getterOf(Element.prototype, 'localName');
const namespaceOf = getterOf(Element.prototype, 'namespaceURI');
const shadowRootOf = getterOf(Element.prototype, 'shadowRoot');
const assignedSlotOf = getterOf(Element.prototype, 'assignedSlot');
const idOf = getterOf(Element.prototype, 'id');
const clientWidthOf = getterOf(Element.prototype, 'clientWidth');
const clientHeightOf = getterOf(Element.prototype, 'clientHeight');
const clientLeftOf = getterOf(Element.prototype, 'clientLeft');
const clientTopOf = getterOf(Element.prototype, 'clientTop');
const scrollWidthOf = getterOf(Element.prototype, 'scrollWidth');
const scrollHeightOf = getterOf(Element.prototype, 'scrollHeight');
const scrollLeftOf = getterOf(Element.prototype, 'scrollLeft');
const scrollTopOf = getterOf(Element.prototype, 'scrollTop');
const elementsIn = Element.prototype.getElementsByTagName;
const attributeNamesOf = Element.prototype.getAttributeNames;
const { hasAttribute, hasAttributes, getAttribute, matches, closest, querySelector } = Element.prototype;
const { checkVisibility, getBoundingClientRect, getClientRects, scrollIntoView } = Element.prototype;
const timelineTimeOf = getterOf(AnimationTimeline.prototype, 'currentTime');
const firstChildOf = getterOf(Node.prototype, 'firstChild');
const lastChildOf = getterOf(Node.prototype, 'lastChild');
const nextSiblingOf = getterOf(Node.prototype, 'nextSibling');
const previousSiblingOf = getterOf(Node.prototype, 'previousSibling');
const parentNodeOf = getterOf(Node.prototype, 'parentNode');
const nodeTypeOf = getterOf(Node.prototype, 'nodeType');
const textContentOf = getterOf(Node.prototype, 'textContent');
const isConnectedOf = getterOf(Node.prototype, 'isConnected');
const baseUriOf = getterOf(Node.prototype, 'baseURI');
const parentElementOf = getterOf(Node.prototype, 'parentElement');
const { getRootNode, contains } = Node.prototype;

const innerTextOf = getterOf(HTMLElement.prototype, 'innerText');
const isEditableOf = getterOf(HTMLElement.prototype, 'isContentEditable');
const focusOn = HTMLElement.prototype.focus;
const formActionOf = getterOf(HTMLFormElement.prototype, 'action');
const formMethodOf = getterOf(HTMLFormElement.prototype, 'method');

const documentTitleOf = getterOf(Document.prototype, 'title');
const readyStateOf = getterOf(Document.prototype, 'readyState');
const rootElementOf = getterOf(Document.prototype, 'documentElement');
const scrollingElementOf = getterOf(Document.prototype, 'scrollingElement');
const documentUrlOf = getterOf(Document.prototype, 'URL');
const activeElementOf = getterOf(Document.prototype, 'activeElement');
const styleSheetsOf = getterOf(Document.prototype, 'styleSheets');
const adoptedOf = getterOf(Document.prototype, 'adoptedStyleSheets');
const headOf = getterOf(Document.prototype, 'head');
const timelineOf = getterOf(Document.prototype, 'timeline');
const { elementFromPoint, getAnimations, createRange, getSelection } = Document.prototype;
const queryDocument = Document.prototype.querySelectorAll;
const queryRoot = DocumentFragment.prototype.querySelectorAll;

const ELEMENT = Node.ELEMENT_NODE;
const TEXT = Node.TEXT_NODE;

const queryElement = Element.prototype.querySelectorAll;

/** querySelectorAll on a document or a shadow root. */
const queryAll = (root, css) => (root === document ? queryDocument : queryRoot).call(root, css);

/** querySelectorAll in an element or a shadow root. */
const queryIn = (root, css) => (root instanceof Element ? queryElement : queryRoot).call(root, css);

const attribute = (element, name) => getAttribute.call(element, name);

const NAMING = ['aria-label', 'aria-labelledby', 'title'];

const hasNameAttribute = (element) => NAMING.some((name) => hasAttribute.call(element, name));

const RAGGED = /^\s|\s$|\s\s|[^\S ]|[\u00ad\u200b\u2060]/;

/** Take out what only tells where a word may be broken: nobody sees it, and no search expects it. */
const withoutBreaks = (text) => text.replace(/[\u00ad\u200b\u2060]/g, '');

/** Collapse whitespace; most strings need nothing, and testing is cheaper than replacing. */
const collapse = (text) => (RAGGED.test(text) ? withoutBreaks(text).replace(/\s+/g, ' ').trim() : text);

/** The first `limit` characters of what the element contains, as one line. */
const textOf = (element, limit) => collapse(textContentOf.call(element).slice(0, 20 * limit)).slice(0, limit);
