// One capture in progress: the rows and text lines found so far, each with its place in document order.
// The place of an element is its position among the visited elements; text follows the element it names.
let pass = null;

const newCounts = () => ({ paragraphs: 0, lists: 0, images: 0, tables: 0 });

const newPass = (withText, most = Infinity) => ({
  rows: [], places: [], texts: [], withText, most, beyond: new Map(), visited: 0, skipped: 0, depth: 0,
  clickables: 0, ids: 0, counts: newCounts(), active: deepActive(), siblings: new Map(), labelled: new Map(),
  special: new Set(), generated: new Map(), styled: 0, modals: [], suspects: [], measured: 0, muted: new Set(),
  mixed: new Set(), countsOf: new Map(), formLists: new Map(),
  shapes: new Map(), lastMeasured: null, lastRect: null,
  sorts: false, recalls: false, remembers: false, steps: null, hosts: [], roots: [], stale: false,
});

/** Position among the earlier siblings of the same role. */
const siblingIndex = (element, role) => {
  if (previousElementOf.call(element) === null && nextElementOf.call(element) === null) return 0;
  const parent = parentNodeOf.call(element);
  let counted = pass.siblings.get(parent);
  if (counted === undefined) pass.siblings.set(parent, counted = new Map());
  const index = counted.get(role) ?? 0;
  counted.set(role, index + 1);
  return index;
};

const isEmpty = (extra) => {
  for (const _ in extra) return false;
  return true;
};

/** Put a row at the element being visited. */
const addRow = (parent, made) => {
  pass.places.push(pass.visited);
  if (made.extra.counts !== undefined) pass.countsOf.set(made.nid, made.extra.counts);
  const row = [made.nid, parent, made.role, made.name, made.box];
  if (!isEmpty(made.extra)) row.push(made.extra);
  pass.rows.push(row);
};
