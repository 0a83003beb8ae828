// The difference between two lists of rows. Movements are sent as runs: after a scroll, or below an element that grew, all
// boxes move by the same distance.
const MOST_SPLICED = 0.5; // of the rows; above that, everything is sent

/** @param {any[]} row */
const isLine = (row) => row.length < 4;

/** @param {any[]} row */
const keyOf = (row) => (isLine(row) ? row[1] : row[0]);

/** @param {any} a @param {any} b */
const sameValue = (a, b) => a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** @param {any} a @param {any} b */
const sameExtra = (a, b) => {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  for (const key in a) if (!sameValue(a[key], b[key])) return false;
  for (const key in b) if (!(key in a)) return false;
  return true;
};

/** @param {Box} a @param {Box} b */
const sameSize = (a, b) => a === b || (a !== 0 && b !== 0 && a[2] === b[2] && a[3] === b[3]);

/**
 * Return whether two rows with the same key differ at most in the position of the box.
 * @param {any} a @param {any} b
 */
const isAlike = (a, b) => {
  if (a === b) return true;
  if (isLine(a) || isLine(b)) return isLine(a) && isLine(b) && a[0] === b[0] && sameValue(a[2], b[2]);
  return a[1] === b[1] && a[2] === b[2] && a[3] === b[3] && sameSize(a[4], b[4]) && sameExtra(a[5], b[5]);
};

/**
 * Return the indexes of each key in a list; `next` only grows.
 * @param {any[]} rows
 */
const placesIn = (rows) => {
  const places = new Map();
  rows.forEach((row, index) => {
    const key = keyOf(row);
    const found = places.get(key);
    if (found === undefined) places.set(key, { at: [index], next: 0 });
    else found.at.push(index);
  });
  return places;
};

/**
 * Return the distance from `index` to the next row with a key; Infinity for none.
 * @param {Map<any, any>} places @param {any} key @param {number} index
 */
const distanceTo = (places, key, index) => {
  const found = places.get(key);
  if (found === undefined) return Infinity;
  while (found.at[found.next] < index) found.next += 1;
  return (found.at[found.next] ?? Infinity) - index;
};

/**
 * Replace the next `gone` rows of the old list by the next `come` rows of the new list.
 * @param {any} state @param {number} gone @param {number} come
 */
const splice = (state, gone, come) => {
  const rows = state.after.slice(state.j, state.j + come);
  const open = state.splices.at(-1);
  if (open !== undefined && open[0] + open[1] === state.i) {
    open[1] += gone;
    for (const row of rows) open[2].push(row);
  } else state.splices.push([state.i, gone, rows]);
  state.i += gone;
  state.j += come;
  state.spliced += come;
  state.run = null;
};

/**
 * Extend the run of rows that moved by the same distance: [first, count, dx, dy] in the new list.
 * @param {any} state @param {any} from @param {any} to
 */
const noteMove = (state, from, to) => {
  const { run, j } = state;
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  if (run !== null && run[2] === dx && run[3] === dy) run[1] = j - run[0] + 1;
  else if (dx === 0 && dy === 0) state.run = null;
  else state.moved.push(state.run = [j, 1, dx, dy]);
};

/**
 * Find the nearest common row after a difference: drop old rows up to the new key, or insert new rows up to the old
 * key.
 * @param {any} state @param {any} old @param {any[]} row
 */
const resync = (state, old, row) => {
  const { before, after, i, j } = state;
  state.placesBefore ??= placesIn(before);
  state.placesAfter ??= placesIn(after);
  const gone = distanceTo(state.placesBefore, keyOf(row), i);
  const come = distanceTo(state.placesAfter, keyOf(old), j);
  if (gone === Infinity && come === Infinity) splice(state, 1, 1);
  else if (gone <= come) splice(state, gone, 0);
  else splice(state, 0, come);
};

/** @param {any} state */
const step = (state) => {
  const old = state.before[state.i];
  const row = state.after[state.j];
  if (keyOf(old) !== keyOf(row)) resync(state, old, row);
  else if (!isAlike(old, row)) splice(state, 1, 1);
  else {
    if (row[4]) noteMove(state, old[4], row[4]);
    state.i += 1;
    state.j += 1;
  }
};

/**
 * Return {splices: [[index in the old list, rows removed, rows inserted], …], moved: [[index in the new list, count,
 * dx, dy], …]}; null if too much has changed.
 * @param {any} before @param {any} after
 */
export const changesBetween = (before, after) => {
  const found = { splices: [], moved: [], run: null, spliced: 0 };
  const state = { before, after, i: 0, j: 0, ...found, placesBefore: null, placesAfter: null };
  while (state.i < before.length && state.j < after.length) step(state);
  if (state.i < before.length || state.j < after.length) {
    splice(state, before.length - state.i, after.length - state.j);
  }
  const { splices, moved, spliced } = state;
  return spliced > MOST_SPLICED * after.length ? null : { splices, moved };
};
