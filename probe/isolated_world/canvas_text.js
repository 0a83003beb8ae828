// Rows that a page keeps inside a canvas for screen readers: the text of grids and charts that are only drawn. Other
// contents of a canvas are for browsers without one.
import { attribute, collapse, firstElementOf, nextElementOf, queryIn, textContentOf } from './builtins.js';
import { isExcluded } from './flat_tree.js';
import { SEEN, sightOf } from './visibility.js';

const ROWS = 'tr,li,[role=row],[role=listitem],[role=treeitem],[role=option]';
const MOST_ROWS = 200;
const LONGEST_LINE = 1000;

/** @param {Element} element */
const partOf = (element) =>
  collapse(textContentOf.call(element)).trim() + (attribute(element, 'aria-selected') === 'true' ? ' [selected]' : '');

/** @param {Element} row */
const lineOf = (row) => {
  const cells = [];
  for (let cell = firstElementOf.call(row); cell !== null; cell = nextElementOf.call(cell)) cells.push(partOf(cell));
  return (cells.length > 1 ? cells.join(' · ') : partOf(row)).slice(0, LONGEST_LINE);
};

/**
 * Return a line for each row inside a visible canvas.
 * @param {Element} canvas @returns {string[]}
 */
export const linesOfCanvas = (canvas) => {
  if (firstElementOf.call(canvas) === null || sightOf(canvas) !== SEEN || isExcluded(canvas)) return [];
  return [...queryIn(canvas, ROWS)].slice(0, MOST_ROWS).map(lineOf);
};
