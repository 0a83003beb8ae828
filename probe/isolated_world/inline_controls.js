// The controls in lines of text: which part of a line is the visible text of a control, so that a reader can write the control
// in its place. A block is read once more, with a count of its letters: spaces differ between ways to read a text.
import { ELEMENT, localNameOf, nodeTypeOf, TEXT, textContentOf, UNREADABLE } from './builtins.js';
import { flatNodes, flatParent } from './flat_tree.js';
import { pass } from './pass.js';
import { elementOfRow } from './registry.js';
import { tagFacts } from './roles.js';
import { generatedBy, hasContent, readText, showsText } from './text_lines.js';
import { isRendered } from './visibility.js';

const SPACES = new RegExp(`[\\s${UNREADABLE}]+`, 'g');
const SPACE = /\s/;

const PAIRED = /[\ud800-\udfff]/;

/** @param {string} text */
const lettersIn = (text) => text.replace(SPACES, '').length;

/**
 * Return the position of each letter in a line, in characters as Python counts them.
 * @param {string} line
 */
const letterPlaces = (line) => {
  const places = [];
  let at = 0;
  for (const char of line) {
    if (char > ' ' && (char < '\u00a0' || !SPACE.test(char))) {
      for (let unit = char.length; unit > 0; unit -= 1) places.push(at);
    }
    at += 1;
  }
  return places;
};

/**
 * Take the controls that were recorded inside a block and are in no inner block.
 * @param {number} place
 */
const takeControls = (place) => {
  const { controls, places } = pass;
  let first = controls.length;
  while (first > 0 && places[controls[first - 1]] > place) first -= 1;
  return controls.splice(first);
};

/** @type {Set<any>} */
const NO_BREAKS = new Set();

/**
 * Create a reading of a block: `around` are the elements around the controls; `isPlain` if no text in the block is hidden or
 * generated.
 * @param {Element} block @param {number[]} indexes @param {any} breaks @param {boolean} isPlain
 */
const newReading = (block, indexes, breaks, isPlain) => {
  const controls = new Map();
  const around = new Set([block]);
  for (const index of indexes) {
    const element = /** @type {any} */ (elementOfRow(pass.rows[index]));
    controls.set(element, { nid: pass.rows[index][0], start: -1, end: -1, leads: false });
    for (let node = flatParent(element); node !== null && !around.has(node); node = flatParent(node)) around.add(node);
  }
  const reached = /** @type {any[]} */ ([]);
  return {
    letters: 0, controls, reached, around, breaks: breaks === null ? NO_BREAKS : new Set(breaks), isPlain,
    run: { letters: 0, controls: 0, isBreak: false },
  };
};

/**
 * End the run of text before an inner block or a line break: a control at its beginning is not in the line before it. A
 * control alone between line breaks stays in that line; before a block, no line contains the controls of a run without text.
 * @param {any} reading @param {boolean} isBreak
 */
const endRun = (reading, isBreak) => {
  const { letters, reached, run } = reading;
  const isEmpty = letters === run.letters;
  if (isEmpty && isBreak && !run.isBreak) return;
  if (isEmpty && !isBreak) reached.length = run.controls;
  for (let index = run.controls; !isEmpty && index < reached.length && reached[index].start === run.letters; index += 1) {
    reached[index].leads = true;
  }
  reading.run = { letters, controls: reached.length, isBreak };
};

/** @param {Element} element @param {any} reading */
const readContents = (element, reading) => {
  const tag = localNameOf.call(element);
  const isOpened = reading.around.has(element) || pass.mixed.has(element);
  if (pass.muted.has(element) || !tagFacts(tag).enter || !(isOpened || hasContent(element))) return;
  if (!reading.isPlain && !isRendered(element)) return;
  if (isOpened) readNodes(element, reading);
  else reading.letters += lettersIn(reading.isPlain ? textContentOf.call(element) : readText(element));
};

/**
 * Read an element; a control without text at its beginning leads the text after it, and is in the same line.
 * @param {Element} element @param {any} reading
 */
const readElement = (element, reading) => {
  const isBreak = localNameOf.call(element) === 'br';
  if (isBreak || reading.breaks.has(element)) {
    endRun(reading, isBreak);
    return;
  }
  const { letters, reached } = reading;
  const first = reached.length;
  const control = reading.controls.get(element);
  if (control !== undefined) {
    control.start = letters;
    reached.push(control);
  }
  readContents(element, reading);
  if (control !== undefined) control.end = reading.letters;
  if (reading.letters === letters) return;
  for (let index = first; index < reached.length && reached[index].start === letters; index += 1) reached[index].leads = true;
};

/** @param {Element} element @param {any} reading */
const readNodes = (element, reading) => {
  const { before, after } = generatedBy(element);
  reading.letters += lettersIn(before);
  for (const node of flatNodes(element)) {
    const type = nodeTypeOf.call(node);
    if (type === ELEMENT) readElement(node, reading);
    else if (type === TEXT && (reading.isPlain || showsText(element))) reading.letters += lettersIn(node.data);
  }
  reading.letters += lettersIn(after);
};

/**
 * Add the controls in a line to it; `first` is the number of letters before the line. The last controls come first; those
 * that end in the line are removed.
 * @param {Line} row @param {number[]} places @param {any[]} controls @param {number} first
 */
const addControls = (row, places, controls, first) => {
  const last = first + places.length;
  const found = /** @type {number[]} */ ([]);
  const unfinished = /** @type {any[]} */ ([]);
  while (controls.length > 0) {
    const { nid, start, end, leads } = controls[controls.length - 1];
    if (start > last || (start === last && leads)) break;
    const stop = end === first ? 0 : places[Math.min(end, last) - first - 1] + 1;
    found.push(nid, start === end ? stop : places[Math.max(start, first) - first], stop);
    const control = controls.pop();
    if (end > last) unfinished.push(control);
  }
  controls.push(...unfinished.reverse());
  if (found.length > 0) row[2] = [/** @type {number | undefined} */ (row[2]) ?? -1, ...found];
};

/**
 * Add controls to the lines of a block, unless a part of the text cannot be found.
 * @param {Line[]} rows @param {Element} block @param {number[]} indexes @param {any} breaks @param {string} content
 */
const addToLines = (rows, block, indexes, breaks, content) => {
  const letters = rows.map(([, line]) => letterPlaces(line));
  const total = letters.reduce((sum, { length }) => sum + length, 0);
  const isPlain = breaks === null && lettersIn(content) === total;
  const reading = newReading(block, indexes, breaks, isPlain);
  readNodes(block, reading);
  endRun(reading, false);
  if (reading.letters !== total) return;
  const controls = reading.reached.toReversed();
  let first = 0;
  rows.forEach((row, index) => {
    addControls(row, letters[index], controls, first);
    first += letters[index].length;
  });
};

/**
 * Add the controls inside a block to its lines, which are the last ones from number `from` on.
 * @param {Element} block @param {any} breaks @param {number} place @param {number} from
 */
export const placeControls = (block, breaks, place, from) => {
  const { controls, places, texts } = pass;
  if (controls.length === 0 || places[controls[controls.length - 1]] <= place) return;
  const indexes = takeControls(place);
  if (texts.length === from) return;
  const { row } = texts[from];
  const content = breaks === null ? textContentOf.call(block) : '';
  const only = pass.rows[indexes[0]];
  const isOnly = indexes.length === 1 && texts.length === from + 1 && content.trim() === row[1] && !PAIRED.test(content)
    && textContentOf.call(/** @type {any} */ (elementOfRow(only))).trim() === row[1];
  if (isOnly) row[2] = [/** @type {number | undefined} */ (row[2]) ?? -1, only[0], 0, row[1].length];
  else addToLines(texts.slice(from).map((text) => text.row), block, indexes, breaks, content);
};
