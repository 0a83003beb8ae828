// Lines of text. A block without inner blocks is read with innerText. If text stands beside blocks or excluded elements, the
// run between two blocks is composed here. Text of ::before and ::after, which innerText omits, is added, and marks of text that
// is struck out.
import {
  checkVisibility, closest, collapse, ELEMENT, getBoundingClientRect, hasChildNodes, innerTextOf, isSpaceOnly, localNameOf,
  nextSiblingOf, nodeTypeOf, parentNodeOf, previousSiblingOf, queryAll, querySelector, TEXT, textContentOf, textOf, UNREADABLE,
  withoutBreaks,
} from './builtins.js';
import { noteTextOf } from './caches.js';
import { flatNodes, flatParent, nearest } from './flat_tree.js';
import { pass } from './pass.js';
import { CELLS, INTERACTIVE_INSIDE, tagFacts } from './roles.js';
import { factsIn } from './sheets.js';
import { isOpaque } from './sight.js';
import { GONE, isRendered, px, SEEN, showsInside, sightOf } from './visibility.js';
import { ROW_LIKE } from './visible_text.js';

const MAX_STYLED = 2_000;
const QUOTED = /"((?:[^"\\]|\\.)*)"/g;
const NO_TEXT = Object.freeze({ before: '', after: '' });

/** @param {Element} element @param {any} where */
const writtenText = (element, where) => {
  const { content, visibility, opacity, display } = getComputedStyle(element, `::${where}`);
  if (!content.startsWith('"') || visibility !== 'visible' || opacity === '0' || display === 'none') return '';
  const [spoken] = content.split('" / ');
  const text = Array.from(`${spoken}"`.matchAll(QUOTED), ([, quoted]) => quoted.replace(/\\(.)/g, '$1')).join('');
  if (/[\p{L}\p{N}]/u.test(text)) return text;
  const around = closest.call(element, `${CELLS},${ROW_LIKE}`); // signs are shown where there is nothing else
  const isAlone = around !== null && isSpaceOnly(textContentOf.call(around)) && querySelector.call(around, INTERACTIVE_INSIDE) === null;
  return isAlone ? withoutBreaks(text) : '';
};

/** @param {Element} element @param {string} [open] @param {string} [close] */
const noteText = (element, open = '', close = open) => {
  const text = { before: open + writtenText(element, 'before'), after: writtenText(element, 'after') + close };
  if (text.before !== '' || text.after !== '') pass.generated.set(element, text);
};

/**
 * Mark the blocks of text through which a line is drawn.
 * @param {Element} element
 */
const strike = (element) => {
  const blocks = [...element.children].filter((child) => tagFacts(localNameOf.call(child)).block);
  if (blocks.length > 0) blocks.forEach(strike);
  else if (!isSpaceOnly(textContentOf.call(element))) noteText(element, '~~');
};

/**
 * Return whether a line of ::before or ::after crosses the middle of an element.
 * @param {Element} element
 */
const isCrossed = (element) => ['::before', '::after'].some((part) => {
  const { content, position, top, width, height, borderTopWidth, borderBottomWidth } = getComputedStyle(element, part);
  const [box, thick] = [getBoundingClientRect.call(element), [height, borderTopWidth, borderBottomWidth].reduce((sum, one) => sum + px(one), 0)];
  return content === '""' && position === 'absolute' && thick > 0 && thick <= box.height / 4
    && px(width) >= box.width * 0.8 && Math.abs(px(top) / box.height - 0.5) < 0.2;
});

/** @param {Element} element @param {Set<Element>} struck */
const noteGeneratedBy = (element, struck) => {
  if (pass.styled >= MAX_STYLED) return;
  pass.styled += 1;
  const { textDecorationLine, textDecorationColor } = getComputedStyle(element);
  const isStruck = textDecorationLine.includes('line-through') && !/^rgba.* 0\)$/.test(textDecorationColor);
  if (pass.maxDepth === undefined && (isStruck || isCrossed(element))) struck.add(element); // surveys have the tags
  else if (localNameOf.call(element) === 'rt') noteText(element, '(', ')');
  else noteText(element);
};

/** @param {any} root */
export const noteGenerated = (root) => {
  const struck = /** @type {Set<Element>} */ (new Set());
  const marked = 'rt,s,strike,del,[style*="line-through"]';
  for (const selector of [marked, ...factsIn(root).flatMap(({ writers }) => writers)]) {
    try {
      for (const element of queryAll(root, selector)) noteGeneratedBy(element, struck);
    } catch {
      continue; // some selectors are empty without their pseudo-element
    }
  }
  for (const element of struck) if (nearest(flatParent(element), (around) => struck.has(around)) === null) strike(element);
};

/** @param {Element} element */
export const generatedBy = (element) => pass.shifted.get(element) ?? pass.generated.get(element) ?? NO_TEXT;

/** @param {Element} element */
const innerText = (element) => {
  const text = innerTextOf.call(element);
  if (text !== '') return text;
  // Chromium may have skipped the layout of an element far outside the viewport
  const isSkipped = !checkVisibility.call(element, { contentVisibilityAuto: true }) && sightOf(element) !== GONE;
  return isSkipped ? textOf(element, 100_000) : '';
};

/** @param {Element} element */
export const ownText = (element) => {
  if (element instanceof HTMLElement) return innerText(element);
  const isWhole = !(element instanceof SVGElement) || localNameOf.call(element) === 'text';
  if (isWhole) return collapse(textContentOf.call(element));
  return collapse(Array.from(element.querySelectorAll('text'), (text) => textContentOf.call(text)).join(' '));
};

/** @param {Element} element */
export const readText = (element) => {
  const { before, after } = generatedBy(element);
  return before + ownText(element) + after;
};

/**
 * Return the elements of which style sheets write a part, with their texts.
 * @param {any[]} roots @returns {[Element, string][]}
 */
export const writtenTexts = (roots) => {
  roots.forEach(noteGenerated);
  return Array.from(pass.generated.keys(), (element) => [element, collapse(readText(element))]);
};

export const CLEAN = 0; // inline, and innerText of an ancestor reads it rightly
export const MIXED = 1; // inline, but innerText must not be used on an ancestor
export const BLOCK = 2; // has lines of its own and ends the present line

/** @param {Element} element */
export const showsText = (element) => sightOf(element) === SEEN && showsInside(element) && !pass.veiled.has(element);

const UNTIDY = new RegExp(`[\\u00a0${UNREADABLE}]|\\S {2}`);

/**
 * Tidy a line of innerText: one leading space may be left over from a control, more are shown as such.
 * @param {string} line
 */
const tidyLine = (line) => {
  const isUntidy = UNTIDY.test(line);
  const read = isUntidy ? withoutBreaks(line) : line;
  const text = line.startsWith('  ') ? read.trimEnd() : read.trim();
  return isUntidy ? text.replaceAll('\u00a0', ' ').replace(/(\S) {2,}/g, '$1 ') : text;
};

/** @param {string[]} lines @param {number} place @param {Context} context */
export const addLines = (lines, place, { row, cell, away }) => {
  if (away) return;
  for (const line of lines) {
    if (line !== '') pass.texts.push({ place, row: cell < 0 ? [row, line] : [row, line, cell] });
  }
};

export const INVISIBLE = '[invisible] ';

/**
 * Mark the lines from number `from` on as invisible, except those of controls alone.
 * @param {number} from
 */
export const markInvisible = (from) => {
  for (const { row } of pass.texts.slice(from)) {
    const places = Array.isArray(row[2]) ? row[2] : [];
    const inControls = places.reduce((sum, at, index) => sum + (index > 0 && index % 3 === 0 ? at - places[index - 1] : 0), 0);
    if (inControls >= row[1].replaceAll(' ', '').length) continue;
    row[1] = INVISIBLE + row[1];
    places.forEach((at, index) => { if (index > 0 && index % 3 !== 1) places[index] = at + INVISIBLE.length; });
    if (places.length > 0) places.splice(1, 0, 0, 0, INVISIBLE.length - 1);
  }
};

/** @param {Element} element */
export const hasContent = (element) => hasChildNodes.call(element) || generatedBy(element) !== NO_TEXT;

/**
 * Write the lines of a block without inner blocks.
 * @param {Element} element @param {number} place @param {Context} context
 */
export const writeLeaf = (element, place, context) => {
  const from = pass.texts.length;
  const hasText = !isSpaceOnly(textContentOf.call(element)) || pass.generated.has(element);
  if (hasText && isOpaque(element)) pass.opaque = element;
  if (hasText && (pass.opaque === element || isRendered(element))) {
    addLines(readText(element).split('\n').map(tidyLine), place, context);
  }
  if (pass.fillsCaches) noteTextOf(element, from);
};

/** @param {any} node @param {any} edge */
const touches = (node, edge) =>
  node !== null && (nodeTypeOf.call(node) !== TEXT || !isSpaceOnly(node.data.at(edge) ?? ''));

/**
 * Return whether innerText would join a control and its neighbours without a space.
 * @param {Element} element @param {string} tag
 */
export const touchesText = (element, tag) => {
  const [sibling, parent] = [previousSiblingOf.call(element), parentNodeOf.call(element)];
  const isInLabel = sibling === null && parent instanceof HTMLLabelElement;
  const before = touches(isInLabel ? previousSiblingOf.call(parent) : sibling, -1);
  const after = nextSiblingOf.call(element);
  if (tag === 'button') return before || touches(after, 0);
  return before && (after === null || touches(after, 0));
};

/** @param {any} run */
const endRun = (run) => {
  if (run.text === '') return;
  const tidied = run.text.split('\n').map((/** @type {string} */ raw) =>
    (run.context.pre ? raw.trimEnd() : withoutBreaks(raw).trim().replaceAll(/[ \u00a0]+/g, ' ')));
  addLines(tidied, run.place, run.context);
  run.text = '';
};

/**
 * Append an element to a run of text; a block gets lines of its own.
 * @param {any} run @param {Element} element
 */
const appendElement = (run, element) => {
  const tag = localNameOf.call(element);
  if (tag === 'br') run.text += '\n';
  if (pass.muted.has(element)) run.text += ' ';
  else if (hasContent(element) || pass.mixed.has(element)) {
    if (!isRendered(element) || tag === 'noscript') return; // innerText of noscript is markup
    const { display } = getComputedStyle(element);
    const [edge, space] = [/^(?:contents$|inline|ruby)/.test(display) ? '' : '\n', tag === 'button' ? ' ' : ''];
    run.text += edge + space;
    if (pass.mixed.has(element)) appendNodes(run, element);
    else run.text += readText(element);
    run.text += space + edge;
  }
};

/** @param {any} run @param {any} node @param {any} owner */
const appendNode = (run, node, owner) => {
  const [type, { pre }] = [nodeTypeOf.call(node), run.context];
  if (type === ELEMENT) appendElement(run, node);
  else if (type === TEXT && !isSpaceOnly(node.data)) {
    if (showsText(owner)) run.text += pre ? node.data : node.data.replaceAll(/\s+/g, ' ');
  } else if (type === TEXT && (pre || run.text !== '')) run.text += pre ? node.data : ' ';
};

/** @param {any} run @param {Element} element */
const appendNodes = (run, element) => {
  const { before, after } = generatedBy(element);
  run.text += before;
  for (const node of flatNodes(element)) appendNode(run, node, element);
  run.text += after;
};

/**
 * Write the lines of an element with blocks among its children: `breaks` is [block, place after it, …].
 * @param {Element} element @param {any} breaks @param {number} place @param {Context} context
 */
export const writeRuns = (element, breaks, place, context) => {
  const from = pass.texts.length;
  const { before, after } = generatedBy(element);
  const run = { text: before, place, context };
  let next = 0;
  for (const node of flatNodes(element)) {
    if (node === breaks[next]) {
      endRun(run);
      run.place = breaks[next + 1];
      next += 2;
    } else appendNode(run, node, element);
  }
  run.text += after;
  endRun(run);
  if (pass.fillsCaches) noteTextOf(element, from);
};
