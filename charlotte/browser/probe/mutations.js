// What has changed in the document since the last capture, and what of it a capture can take from memory.
const MAX_RECORDS = 5000;
const WHOLE_TEXT = setOf('style script option textarea slot');
const CONTROLS_BESIDE = ':scope > :is(input,button,select,textarea)';
const NAMING_OTHERS = 'label,[aria-owns]';
const REFERRING = setOf('id for aria-owns');
// Attributes that decide nothing the walk decides; what CSS makes of them is read again in any case.
const HARMLESS = setOf('style disabled value checked selected required readonly min max step src width height '
  + 'aria-expanded aria-pressed aria-selected aria-checked aria-disabled aria-invalid aria-required aria-readonly '
  + 'aria-valuenow aria-valuetext aria-busy aria-current');

const watchedRoots = new WeakSet();
let records = [];
let flooded = false;

const collectRecords = (more) => {
  flooded ||= records.length + more.length > MAX_RECORDS;
  if (flooded) records = [];
  else for (const each of more) records.push(each);
};

const changesObserver = new MutationObserver((more) => {
  noteTicks(more);
  noteSpoken(more);
  collectRecords(more);
  hearSoon();
});

const watchRoot = (root) => {
  if (watchedRoots.has(root)) return;
  if (isScriptless()) {
    flooded = true; // for we would not be told
    return;
  }
  watchedRoots.add(root);
  changesObserver.observe(root, EVERYTHING);
};

/** A tree of its own: the document, or an open shadow root. */
const noteRoot = (root) => {
  noteSpecials(root);
  if (!pass.remembers) return;
  pass.roots.push(root);
  watchScrolls(root);
  watchRoot(root);
};

/** What has changed since the last capture, without what changes all the time; the records are left for that. */
const changedSince = (since) => records.filter((record) => !isTick(record, since));

/** The records since the last time; null when there were too many. */
const takeRecords = () => {
  const last = changesObserver.takeRecords();
  noteTicks(last);
  collectRecords(last);
  const taken = flooded ? null : records;
  records = [];
  flooded = false;
  return taken;
};

const isText = (node) => nodeTypeOf.call(node) === TEXT;

/**
 * Text decides how the walk goes only beside a control, in what may be left out, and where it is a node like
 * others.
 */
const isHarmlessText = (parent) =>
  parent instanceof Element && !WHOLE_TEXT.has(localNameOf.call(parent)) && shadowRootOf.call(parent) === null
  && closest.call(parent, '[aria-hidden],[inert]') === null && querySelector.call(parent, CONTROLS_BESIDE) === null;

const textChanged = (parent) => {
  if (parent instanceof Element) forgetAround(parent);
  return isHarmlessText(parent);
};

const namesOthers = (node) =>
  node instanceof Element && (matches.call(node, NAMING_OTHERS) || querySelector.call(node, NAMING_OTHERS) !== null);

const childrenChanged = ({ target: parent, addedNodes, removedNodes }) => {
  const nodes = [...addedNodes, ...removedNodes];
  if (nodes.every(isText)) return textChanged(parent);
  if (nodes.some(namesOthers)) forgetNames();
  for (const node of addedNodes) if (node instanceof Element) forgetNamesIn(node);
  if (parent instanceof Element) forgetAround(parent);
  return false;
};

const attributeChanged = (element, name) => {
  if (REFERRING.has(name)) forgetNames();
  forgetNamesIn(element);
  forgetAround(element);
  if (name === 'style') return !attribute(element, 'style')?.includes('cursor');
  return HARMLESS.has(name) || name.startsWith('data-');
};

/** Forget the names that may have changed with it; whether the walk would go on as it did. */
const isHarmless = (record) => {
  switch (record.type) {
    case 'characterData': return textChanged(parentNodeOf.call(record.target));
    case 'childList': return childrenChanged(record);
    default: return attributeChanged(record.target, record.attributeName);
  }
};

const sheetsOf = (root) =>
  (root === document
    ? [...styleSheetsOf.call(root), ...adoptedOf.call(root)]
    : [...root.styleSheets, ...root.adoptedStyleSheets]);

const sheetFacts = (sheet) => {
  const rules = rulesOf(sheet);
  return [sheet, sheet.disabled, rules.length, rules[0], rules[rules.length - 1]];
};

/** What tells whether other rules hold: the document, its sheets with their first and last rules, the window's size. */
const rulesNow = (roots) =>
  [document, innerWidth, innerHeight, ...roots.flatMap(sheetsOf).flatMap(sheetFacts)];

const sameList = (a, b) => a.length === b.length && a.every((each, index) => each === b[index]);
