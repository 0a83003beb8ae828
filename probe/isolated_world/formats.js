// The formats in a rich-text editor, as short pieces of Markdown. They are compared apart from the text, because bold or a
// heading leaves the text equal.
import { attribute, collapse, cut, cutLine, firstElementOf, innerTextOf, isSpaceOnly, isText, localNameOf } from './builtins.js';
import { flatNodes, MAX_DEPTH } from './flat_tree.js';
import { holdsCode } from './text_controls.js';

const MOST_FORMATS = 300;
const MOST_ELEMENTS = 3000;
const LONGEST_FORMATTED = 60;
const BOLD = 600; // font weight
const IN_LINE = /^(inline|contents)/;
const NUMBERED = /^(decimal|lower|upper)/;
const HEADING = /^h[1-6]$/;
const MARKS = Object.freeze({ bold: '**', italic: '*', struck: '~~', code: '`', underlined: '__' });

/** @param {any} reading @param {string} text */
const addFormat = (reading, text) => {
  if (reading.formats.length < MOST_FORMATS) reading.formats.push(text);
};

/** @param {any} reading */
const endRun = (reading) => {
  const { text, link, marks } = reading.run;
  reading.run = { text: '', link: '', marks: '' };
  if (isSpaceOnly(text)) return;
  const marked = `${marks}${cut(text.trim(), LONGEST_FORMATTED)}${[...marks].toReversed().join('')}`;
  if (link !== '') addFormat(reading, `[${marked}](${link})`);
  else if (marks !== '') addFormat(reading, marked);
};

/** @param {any} reading @param {string} data @param {any} context */
const addText = (reading, data, { marks, link }) => {
  if (reading.run.marks !== marks || reading.run.link !== link) endRun(reading);
  reading.run.text += collapse(` ${data} `) === '' ? ' ' : data;
  reading.run.marks = marks;
  reading.run.link = link;
};

/** @param {Element} element @param {string} tag */
const blockMark = (element, tag) => {
  if (HEADING.test(tag)) return '#'.repeat(Number(tag[1]));
  if (attribute(element, 'role') === 'heading') return '#'.repeat(Number(attribute(element, 'aria-level') ?? 2));
  if (tag === 'blockquote') return '>';
  if (tag === 'pre') return '```';
  if (tag !== 'li') return '';
  return NUMBERED.test(getComputedStyle(element).listStyleType) ? '1.' : '-';
};

/**
 * Return the marks of the text in an element: those around it, and those of its own style.
 * @param {any} element @param {string} tag @param {any} style @param {any} context
 */
const marksIn = (element, tag, style, context) => {
  const has = {
    bold: Number(style.fontWeight) >= BOLD && !context.isBold,
    italic: style.fontStyle === 'italic' && !context.isItalic,
    struck: style.textDecorationLine.includes('line-through'),
    underlined: style.textDecorationLine.includes('underline') && context.link === '' && tag !== 'a',
    code: tag === 'code',
  };
  const names = /** @type {(keyof typeof MARKS)[]} */ (Object.keys(MARKS));
  const marks = names.filter((name) => has[name] || context.names.includes(name));
  return { names: marks, marks: marks.map((name) => MARKS[name]).join('') };
};

/** @param {any} element @param {any} reading @param {any} context */
const readElement = (element, reading, context) => {
  reading.elements += 1;
  if (reading.elements > MOST_ELEMENTS || context.depth > MAX_DEPTH) return;
  const tag = localNameOf.call(element);
  const style = getComputedStyle(element);
  if (style.display === 'none') return;
  const isBlock = !IN_LINE.test(style.display);
  const mark = isBlock ? blockMark(element, tag) : '';
  if (isBlock) endRun(reading);
  if (mark !== '') addFormat(reading, `${mark} ${cutLine(innerTextOf.call(element).split('\n', 1)[0], LONGEST_FORMATTED)}`);
  const isHeading = mark.startsWith('#');
  const link = tag === 'a' ? attribute(element, 'href') ?? '' : context.link;
  const inside = { ...context, depth: context.depth + 1, link, isBold: context.isBold || isHeading };
  readInside(element, reading, { ...inside, ...marksIn(element, tag, style, inside) });
  if (isBlock) endRun(reading);
};

/** @param {any} element @param {any} reading @param {any} context */
const readInside = (element, reading, context) => {
  for (const child of flatNodes(element)) {
    if (isText(child)) addText(reading, child.data, context);
    else if (child instanceof Element) readElement(child, reading, context);
  }
};

/**
 * Return {formats} of an editable element, {} if it has none or is a code editor.
 * @param {any} editor
 */
export const formatsOf = (editor) => {
  if (firstElementOf.call(editor) === null || holdsCode(editor)) return {};
  const style = getComputedStyle(editor);
  const reading = { formats: [], run: { text: '', link: '', marks: '' }, elements: 0 };
  readInside(editor, reading, {
    depth: 0, link: '', names: [], marks: '', isBold: Number(style.fontWeight) >= BOLD, isItalic: style.fontStyle === 'italic',
  });
  endRun(reading);
  return reading.formats.length === 0 ? {} : { formats: reading.formats };
};
