// selectors() and styles(): what many elements are in terms of the DOM and of CSS, each by its number.
const STYLES = [
  'display', 'visibility', 'position', 'color', 'background-color', 'font-size', 'font-weight', 'opacity', 'cursor',
];
const TOP = setOf('html body');

/** The selector that finds an element by itself: by an id or test id that is the first of its kind; "" for none. */
const anchorOf = (element, root) => {
  const id = idOf.call(element);
  const test = attribute(element, 'data-testid');
  const found = [id && `#${CSS.escape(id)}`, test && `[data-testid="${CSS.escape(test)}"]`].filter(Boolean)
    .find((css) => queryAll(root, css)[0] === element);
  if (found !== undefined) return found;
  const tag = localNameOf.call(element);
  return TOP.has(tag) ? tag : '';
};

const sameTagBeside = (element, step) => {
  const tag = localNameOf.call(element);
  let count = 0;
  for (let node = step.call(element); node !== null; node = step.call(node)) count += localNameOf.call(node) === tag;
  return count;
};

/** `li:nth-of-type(3)`; without a position for an only one. */
const stepOf = (element) => {
  const before = sameTagBeside(element, previousElementOf);
  const alone = before === 0 && sameTagBeside(element, nextElementOf) === 0;
  return CSS.escape(localNameOf.call(element)) + (alone ? '' : `:nth-of-type(${before + 1})`);
};

/** A CSS selector by which the document, or the shadow root it lies in, finds the element first. */
const selectorOf = (element) => {
  const root = element.getRootNode();
  const steps = [];
  for (let node = element; node instanceof Element; node = parentNodeOf.call(node)) {
    const anchor = anchorOf(node, root);
    steps.unshift(anchor || stepOf(node));
    if (anchor !== '') break;
  }
  return steps.join(' > ');
};

const seenBox = (element) => (sightOf(element) === SEEN ? boxOf(element) : 0);

const ofEach = (nids, tell) => nids.map((nid) => {
  const element = elementOf(nid);
  return element === null ? 0 : tell(element);
});

/** {rows: [[selector, box or 0] or 0 for what is gone, …]}. */
const selectors = (nids) =>
  JSON.stringify({ rows: ofEach(nids, (element) => [selectorOf(element), seenBox(element)]) });

/** {rows: [{property: computed value, …} or 0 for what is gone, …]}. */
const styles = (nids) => JSON.stringify({
  rows: ofEach(nids, (element) => {
    const computed = getComputedStyle(element);
    return Object.fromEntries(STYLES.map((name) => [name, computed.getPropertyValue(name)]));
  }),
});
