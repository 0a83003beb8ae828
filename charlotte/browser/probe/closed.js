// Closed shadow roots. A script cannot ask for one; but where one may be, the browser can be asked, and it hands
// the root over. The walk notes such elements: those of which we heard that they were given one and, as roots may come
// from the parser or from before we listened, custom ones, and empty ones that something gives a height.
const MAY_HOST = setOf('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');
const MAX_SUSPECTS = 100;
const MAX_MEASURED = 500;
const closedRoots = new WeakMap();
const examined = new WeakSet();
const hiding = toldBy('charlotte:hides');
toldBy('charlotte:opens');
const passedOn = new WeakSet(); // of those: no element is given a second root, whatever a page says
let adopted = 0;

/** The shadow root of an element, open or closed; null if it has none that we know of. */
const rootOf = (element) =>
  shadowRootOf.call(element) ?? (adopted === 0 ? null : closedRoots.get(element) ?? null);

/** Take over the closed root of the element with that number. */
const adopt = (nid, root) => {
  const host = elementOf(nid);
  closedRoots.set(host, root);
  adopted += 1;
  forgetAround(host);
};

const isAuto = (style, name) => {
  const value = style.get(name);
  return value.value === 'auto' || value.value === 0;
};

/** Whether an empty element has a height that its style does not give it. */
const isUnexplained = (element) => {
  const height = clientHeightOf.call(element);
  if (height === 0) return false;
  const { paddingTop, paddingBottom } = getComputedStyle(element);
  if (height <= Math.ceil(px(paddingTop) + px(paddingBottom))) return false;
  const style = element.computedStyleMap();
  return isAuto(style, 'height') && isAuto(style, 'min-height');
};

const isSuspect = (element, tag) => {
  if (hiding.has(element)) return !passedOn.has(element);
  if (tag.includes('-') && matches.call(element, ':defined')) return !examined.has(element);
  if (firstChildOf.call(element) !== null || pass.measured >= MAX_MEASURED || examined.has(element)) return false;
  pass.measured += 1;
  return isUnexplained(element);
};

const mayHost = (tag) => MAY_HOST.has(tag) || tag.includes('-');

/** Note an element without a root that we know of, if it may have a closed one. */
const noteSuspect = (element, tag) => {
  if (!mayHost(tag)) return;
  if (pass.suspects.length < MAX_SUSPECTS && isSuspect(element, tag)) pass.suspects.push(element);
};

/** The numbers of suspects, each to be told once. */
const toldSuspects = (suspects) => suspects.map((element) => {
  (hiding.has(element) ? passedOn : examined).add(element);
  return nidOf(element);
});
