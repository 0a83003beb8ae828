// One reading in progress: the rows and lines found so far, in document order, and the steps that can be repeated. The place
// of an element is its position among the visited elements; text follows its element.
import { isEmpty, nextElementOf, parentNodeOf, previousElementOf } from './builtins.js';
import { deepActive } from './flat_tree.js';

export let pass = /** @type {Pass} */ (/** @type {unknown} */ (null));

export const newCounts = () => ({ paragraphs: 0, lists: 0, images: 0, tables: 0 });

/** @param {boolean} withText @param {number} [most] @returns {any} */
export const newPass = (withText, most = Infinity) => ({
  rows: [], places: [], controls: [], structure: [], texts: [], withText, most, beyond: new Map(), visited: 0, skipped: 0, depth: 0,
  clickables: 0, ids: 0, counts: newCounts(), active: deepActive(), siblings: new Map(), labelled: new Map(),
  special: new Set(), generated: new Map(), shifted: new Map(), lists: new Map(), styled: 0, sheets: [], modals: [], suspects: [], measured: 0, muted: new Set(), veiled: new Set(), tinted: new Set(),
  mixed: new Set(), countsOf: new Map(), formLists: new Map(),
  shapes: new Map(), lastMeasured: null, opaque: null, lastRect: null,
  readsSortOrder: false, readsRowSpans: false, readsCaches: false, fillsCaches: false, steps: null, hosts: [], roots: [],
  stale: false,
});

/** @param {Pass} started */
export const beginPass = (started) => { pass = started; };

export const endPass = () => { pass = /** @type {Pass} */ (/** @type {unknown} */ (null)); };

/**
 * Return the position among the earlier siblings of the same role.
 * @param {Element} element @param {string} role
 */
export const siblingIndex = (element, role) => {
  if (previousElementOf.call(element) === null && nextElementOf.call(element) === null) return 0;
  const parent = parentNodeOf.call(element);
  let counted = pass.siblings.get(parent);
  if (counted === undefined) pass.siblings.set(parent, counted = new Map());
  const index = counted.get(role) ?? 0;
  counted.set(role, index + 1);
  return index;
};

/**
 * Add a row at the element being visited.
 * @param {Context} context @param {NewRow} made
 */
export const addRow = (context, made) => {
  if (pass.withText && (made.extra.k ?? 'c') === 'c') pass.controls.push([pass.visited, made.nid]);
  pass.places.push(pass.visited);
  if (context.cell >= 0) made.extra.cell = context.cell;
  if (made.extra.counts !== undefined) pass.countsOf.set(made.nid, made.extra.counts);
  /** @type {Row} */
  const row = [made.nid, context.row, made.role, made.name, made.box];
  if (!isEmpty(made.extra)) row.push(made.extra);
  pass.rows.push(row);
};

/**
 * Run a step whose outcome decides how the walk continues; a replay fails if the outcome differs.
 * @param {() => any} does @param {(a: any, b: any) => boolean} isSame
 */
export const recordStep = (does, isSame) => {
  const outcome = does();
  if (pass.steps !== null) pass.steps.push({ place: pass.visited, again: () => isSame(does(), outcome) });
  return outcome;
};

/**
 * Run a step that decides nothing.
 * @param {() => void} does
 */
export const recordAction = (does) => recordStep(does, () => true);

/** @param {Context | null} a @param {Context | null} b */
export const sameContext = (a, b) =>
  a === b || (a !== null && b !== null && a.row === b.row && a.text === b.text && a.counts === b.counts
    && a.inside === b.inside && a.pre === b.pre);

/**
 * Return whether an element is only counted. The focused element always has a row.
 * @param {Element} element
 */
export const isOnlyCounted = (element) => pass.rows.length >= pass.most && element !== pass.active;

/** The pass that read last. @type {any} */
export let walked = null;

/** @param {Pass | null} read */
export const keepWalked = (read) => { walked = read; };
