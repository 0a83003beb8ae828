// The visible text of an element as one string, in which each character has a place in the document.
import { createRange, isSpaceOnly, isText, localNameOf, parentNodeOf, previousSiblingOf } from './builtins.js';
import { flatNodes, MAX_DEPTH } from './flat_tree.js';
import { tagFacts } from './tags.js';
import { isDisclosure, isRendered, showsInside } from './visibility.js';

const IN_LINE = /^(inline|contents|ruby.*)$/;

/** @param {any} node */
const hasRects = (node) => {
  const range = createRange.call(document);
  range.selectNode(node);
  return range.getClientRects().length > 0;
};

/** @param {any} reading */
const breakLine = (reading) => {
  if (reading.text !== '' && !reading.text.endsWith('\n')) reading.text += '\n';
};

/** @param {any} node @param {any} reading @param {any} style */
const addTextNode = (node, reading, style) => {
  if (style.visibility !== 'visible') return;
  const isPre = /^(pre|break)/.test(style.whiteSpace);
  if (!isPre && isSpaceOnly(node.data) && !hasRects(node)) return;
  reading.parts.push({ at: reading.text.length, node });
  reading.text += isPre ? node.data : node.data.replace(/[\n\r\t]/g, ' ');
};

/** @param {any} node @param {any} reading @param {number} depth */
const addInside = (node, reading, depth) => {
  const style = getComputedStyle(node);
  const isBlock = !IN_LINE.test(style.display);
  if (isBlock) breakLine(reading);
  const isShown = showsInside(node);
  for (const child of depth < MAX_DEPTH ? flatNodes(node) : []) {
    if (child instanceof Element) {
      if (isShown || isDisclosure(child)) addElement(child, reading, depth + 1);
    } else if (isShown && isText(child)) addTextNode(child, reading, style);
  }
  if (isBlock) breakLine(reading);
};

/** @param {any} element @param {any} reading @param {number} depth */
const addElement = (element, reading, depth) => {
  const tag = localNameOf.call(element);
  if (tag === 'br') {
    reading.parts.push({ at: reading.text.length, node: element });
    reading.text += '\n';
  } else if (tagFacts(tag).enter && isRendered(element)) addInside(element, reading, depth);
};

/**
 * Return {text, parts: [{at, node}, …]}: lines end at blocks and line breaks; `parts` are text nodes and <br>, each
 * with the place of its first character.
 * @param {any} root
 */
export const flatTextOf = (root) => {
  const reading = { text: '', parts: [] };
  addInside(root, reading, 0);
  return { ...reading, text: reading.text.replace(/\n$/, '') };
};

/** @param {any} node */
const indexOf = (node) => {
  let index = 0;
  for (let other = previousSiblingOf.call(node); other !== null; other = previousSiblingOf.call(other)) index += 1;
  return index;
};

/** @param {any} part */
const lengthOf = ({ node }) => (isText(node) ? node.data.length : 1);

/**
 * Return the place in the document of a place in the flat text: [node, offset]. Between two parts, it is the start of
 * the next one, or with `isEnd` the end of the one before.
 * @param {any} flat @param {number} place @param {boolean} isEnd
 */
export const placeIn = ({ parts }, place, isEnd) => {
  const after = (/** @type {any} */ part) => (isEnd ? part.at < place : part.at <= place);
  const part = parts.findLast((/** @type {any} */ one) => after(one) && (isEnd || place < one.at + lengthOf(one)))
    ?? (isEnd ? parts[0] : parts.find((/** @type {any} */ one) => one.at >= place) ?? parts.at(-1));
  if (part === undefined) return null;
  const offset = Math.max(0, Math.min(place - part.at, lengthOf(part)));
  return isText(part.node) ? [part.node, offset] : [parentNodeOf.call(part.node), indexOf(part.node) + offset];
};
