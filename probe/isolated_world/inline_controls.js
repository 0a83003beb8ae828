// The controls in lines of text: which part of a line is the visible text of a control, so that a reader can write the control
// in its place. Images for which a token stands are found likewise. A block is read once more, with a count of its letters: spaces differ between ways to read a text.
import { ELEMENT, localNameOf, nodeTypeOf, sameList, TEXT, textContentOf, UNREADABLE } from './builtins.js';
import { placements } from './caches.js';
import { flatNodes, flatParent } from './flat_tree.js';
import { pass } from './pass.js';
import { elementOf } from './registry.js';
import { tagFacts } from './roles.js';
import { generatedBy, hasContent, readText, showsText } from './text_lines.js';
import { isRendered } from './visibility.js';

const BLANK = new RegExp(`[\\s${UNREADABLE}]`);

/**
 * Return whether a character is neither a space nor unreadable. Of most alphabets, the number decides, which is faster.
 * @param {number} code
 */
const isLetter = (code) => code > 0x20 && (code < 0xa0 || (code > 0xad && code < 0x1680) || (code > 0x3000 && code < 0xe000)
  || !BLANK.test(String.fromCharCode(code)));

/** @param {string} text */
const lettersIn = (text) => {
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) if (isLetter(text.charCodeAt(index))) letters += 1;
  return letters;
};

/**
 * Return the position of each letter in a line, in characters as Python counts them.
 * @param {string} line
 */
const letterPlaces = (line) => {
  const places = [];
  let at = 0;
  for (let index = 0; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    if (isLetter(code)) places.push(at);
    const isFirstOfPair = code >= 0xd800 && code < 0xdc00 && /** @type {number} */ (line.codePointAt(index)) > 0xffff;
    if (!isFirstOfPair) at += 1;
  }
  return places;
};

/**
 * Create a reading of a block: `around` are the elements around the controls; `isPlain` if no text in the block is hidden or
 * generated.
 * @param {Element} block @param {number[]} numbers @param {any} breaks @param {boolean} isPlain
 */
const newReading = (block, numbers, breaks, isPlain) => {
  const controls = new Map();
  const around = new Set([block]);
  for (const nid of numbers) {
    const element = elementOf(Math.abs(nid));
    controls.set(element, { nid, start: -1, end: -1, leads: false });
    for (let node = flatParent(element); node !== null && !around.has(node); node = flatParent(node)) around.add(node);
  }
  return {
    letters: 0, controls, reached: /** @type {any[]} */ ([]), around, breaks: new Set(breaks), isPlain,
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

/** @param {Element} element @param {string} tag @param {any} reading */
const readContents = (element, tag, reading) => {
  const isOpened = reading.around.has(element) || pass.mixed.has(element);
  if (pass.muted.has(element) || !(isOpened || hasContent(element)) || !(tagFacts(tag).enter || pass.shifted.has(element))) return;
  if (!reading.isPlain && !isRendered(element)) return;
  if (isOpened) readNodes(element, reading);
  else reading.letters += lettersIn(reading.isPlain ? textContentOf.call(element) : readText(element));
};

/**
 * Read an element; a control without text at its beginning leads the text after it, and is in the same line.
 * @param {Element} element @param {any} reading
 */
const readElement = (element, reading) => {
  const tag = localNameOf.call(element);
  if (tag === 'br' || reading.breaks.has(element)) {
    endRun(reading, tag === 'br');
    return;
  }
  const { letters, reached } = reading;
  const first = reached.length;
  const control = reading.controls.get(element);
  if (control !== undefined) {
    control.start = letters;
    reached.push(control);
  }
  readContents(element, tag, reading);
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
 * Return the controls in a line: number, start and end of each; `first` is the number of letters before the line. The last
 * controls come first; those that end in the line are removed.
 * @param {number[]} places @param {any[]} controls @param {number} first
 */
const controlsInLine = (places, controls, first) => {
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
  return found;
};

/**
 * Return the controls in each line of a block; none if a part of the text cannot be found. They are kept for plain text.
 * @param {string[]} lines @param {Element} block @param {number[]} numbers @param {any} breaks @returns {number[][]}
 */
const controlsInLines = (lines, block, numbers, breaks) => {
  const known = pass.readsCaches ? placements.get(block) : undefined;
  if (known !== undefined && sameList(known.numbers, numbers) && sameList(known.lines, lines)) return known.found;
  const letters = lines.map(letterPlaces);
  const total = letters.reduce((sum, { length }) => sum + length, 0);
  const isPlain = breaks === null && lettersIn(textContentOf.call(block)) === total;
  const reading = newReading(block, numbers, breaks, isPlain);
  readNodes(block, reading);
  endRun(reading, false);
  if (reading.letters !== total) return [];
  const controls = reading.reached.toReversed();
  let first = 0;
  const found = letters.map((places) => {
    first += places.length;
    return controlsInLine(places, controls, first - places.length);
  });
  if (isPlain && pass.fillsCaches) placements.set(block, { numbers, lines, found });
  return found;
};

/**
 * Add the controls inside a block to its lines, which are the last ones from number `from` on.
 * @param {Element} block @param {any} breaks @param {number} place @param {number} from
 */
export const placeControls = (block, breaks, place, from) => {
  const { controls, texts } = pass;
  if (controls.length === 0 || controls[controls.length - 1][0] <= place) return;
  const numbers = controls.splice(controls.findLastIndex(([at]) => at <= place) + 1).map(([, nid]) => nid);
  const rows = texts.slice(from).map(({ row }) => row);
  if (rows.length === 0) return;
  controlsInLines(rows.map(([, line]) => line), block, numbers, breaks).forEach((found, index) => {
    const row = rows[index];
    if (found.length > 0) row[2] = [/** @type {number | undefined} */ (row[2]) ?? -1, ...found];
  });
};
