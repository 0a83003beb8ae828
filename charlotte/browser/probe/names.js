// Names are what costs most in a capture, so they are kept until something has changed that may change them:
// the element or what lies in it, its size, or the text beside it. Names that depend on what cannot be seen to
// change (the values of controls inside, elements referred to) are asked for every time.
const EMBEDDED = 'input,select,textarea,[role],[contenteditable],[aria-labelledby]';
let names = new WeakMap();
let looks = 0; // a name that was asked for in the present look at the page holds for all of it: this is its number

let labels = new WeakMap(); // of what has no name (labels.js)

const forgetNames = () => {
  names = new WeakMap();
  labels = new WeakMap();
};

const forgetNameOf = (element) => {
  names.delete(element);
  labels.delete(element);
};

const isLabelledByItself = (element) =>
  attribute(element, 'aria-label')?.trim() > '' && !hasAttribute.call(element, 'aria-labelledby');

/** The ids that labels of the same tree refer to. */
const idsWithLabel = (element) => {
  const root = getRootNode.call(element);
  let ids = pass.labelled.get(root);
  if (ids === undefined) {
    ids = new Set(Array.from(queryAll(root, 'label[for]'), (label) => attribute(label, 'for')));
    pass.labelled.set(root, ids);
  }
  return ids;
};

/** Whether it may have labels; to list them, the browser would search the whole document for each control. */
const mayBeLabelled = (control) =>
  closest.call(control, 'label') !== null
  || (idOf.call(control) !== '' && idsWithLabel(control).has(idOf.call(control)));

/** Whether the name is put together from more than the text in the element. */
const isPutTogether = (element, tag) =>
  tag.includes('-') || hasAttribute.call(element, 'aria-labelledby')
  || (NATIVE_CONTROLS.has(tag) ? mayBeLabelled(element) : querySelector.call(element, EMBEDDED) !== null);

const keepName = (element, tag, name) => {
  const own = isLabelledByItself(element);
  if (own || !isPutTogether(element, tag)) names.set(element, { name, own, looks, width: -1, height: -1 });
};

/** The accessible name; what was asked for before, a pass that recalls names may take from memory. */
const knownName = (element, tag) => {
  const known = pass.recalls ? names.get(element) : undefined;
  if (known !== undefined) return known.name;
  const name = accessibleName(element);
  if (pass.remembers) keepName(element, tag, name);
  return name;
};

const isEarlier = (known) => known !== undefined && known.looks !== looks;

/** A change that was found only after the name had been taken from memory: everything is to be read again. */
const forgetName = (element) => {
  if (!isEarlier(names.get(element)) && !isEarlier(labels.get(element))) return;
  forgetNameOf(element);
  pass.stale = true;
};

/** An element that has another size may well say something else. */
const noteSize = (element, box) => {
  const known = pass.remembers ? names.get(element) : undefined;
  if (known === undefined || known.own) return;
  const [, , width, height] = box === 0 ? [0, 0, 0, 0] : box;
  if (known.width === -1) Object.assign(known, { width, height });
  else if (known.width !== width || known.height !== height) forgetName(element);
};

const forgetNamesIn = (root) => {
  forgetNameOf(root);
  for (const element of queryIn(root, '*')) {
    forgetNameOf(element);
    const inner = rootOf(element);
    if (inner !== null) forgetNamesIn(inner);
  }
};

/** Forget the names of an element and of all it lies in, and what was read there. */
const forgetAround = (element) => {
  for (let node = element; node !== null; node = flatParent(node)) {
    forgetNameOf(node);
    placeTexts.delete(node);
    forgetRecord(node);
  }
};

const textsRead = new WeakMap();

/** Text that reads otherwise than the last time has changed the names of what it lies in and what lies in it. */
const noteTextOf = (element, from) => {
  const text = pass.texts.slice(from).map(({ row }) => row[1]).join('\n');
  const before = textsRead.get(element);
  if (before === text || (before === undefined && text === '')) return;
  textsRead.set(element, text);
  if (before === undefined) return;
  for (let node = element; node !== null; node = flatParent(node)) forgetName(node);
  for (const inner of queryIn(element, '*')) forgetName(inner);
};
