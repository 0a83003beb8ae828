// Selections: read the selected text, select a part of a text.
import { scrollToMiddle } from './actionability.js';
import {
  createRange, dispatchEventOf, getBoundingClientRect, getSelection, isScriptless, isSpaceOnly, isText, localNameOf, parentNodeOf,
  previousSiblingOf,
} from './builtins.js';
import { now } from './clock.js';
import { BULLETS, isSecret } from './control_values.js';
import { deepActive, flatNodes, MAX_DEPTH } from './flat_tree.js';
import { takesFocus } from './focus.js';
import { waitForHandlers } from './pending.js';
import { elementOf, GONE_ANSWER } from './registry.js';
import { isInEditable, NATIVE_CONTROLS, roleOf, tagFacts, WIDGETS } from './roles.js';
import { isKeyCatcher, isWindowed, takesText, textControlOf } from './text_controls.js';
import { isDisclosure, isRendered, showsInside, visibleRects } from './visibility.js';
import { IN_LINE } from './visible_text.js';

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
const flatTextOf = (root) => {
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
const placeIn = ({ parts }, place, isEnd) => {
  const after = (/** @type {any} */ part) => (isEnd ? part.at < place : part.at <= place);
  const part = parts.findLast((/** @type {any} */ one) => after(one) && (isEnd || place < one.at + lengthOf(one)))
    ?? (isEnd ? parts[0] : parts.find((/** @type {any} */ one) => one.at >= place) ?? parts.at(-1));
  if (part === undefined) return null;
  const offset = Math.max(0, Math.min(place - part.at, lengthOf(part)));
  return isText(part.node) ? [part.node, offset] : [parentNodeOf.call(part.node), indexOf(part.node) + offset];
};

/** @returns {Selection} */
const documentSelection = () => /** @type {Selection} */ (getSelection.call(document));

/** @param {any} element */
const isNative = (element) => NATIVE_CONTROLS.has(localNameOf.call(element));

/**
 * Ask the page what it would write to the clipboard: {text, html}, '' for what it does not write. The browser's
 * clipboard is not changed.
 * @param {Element} element @param {string} type copy or cut
 */
export const copyOf = (element, type = 'copy') => {
  const clipboardData = new DataTransfer();
  const event = new ClipboardEvent(type, { clipboardData, bubbles: true, composed: true, cancelable: true });
  const isHandled = !isScriptless() && !dispatchEventOf.call(element, event);
  return { isHandled, text: clipboardData.getData('text/plain'), html: clipboardData.getData('text/html') };
};

/**
 * Return the text that is selected in the focused control or else in the page, with line ends \n.
 * @param {any} active
 */
export const selectedText = (active) => {
  const takes = active !== null && takesText(active);
  const isField = takes && isNative(active) && active.selectionStart !== null;
  const text = isField ? active.value.slice(active.selectionStart, active.selectionEnd) : documentSelection().toString();
  return text !== '' && takes && isSecret(active) ? BULLETS : text;
};

/**
 * Return the text control that an element is or stands for; null for other elements.
 * @param {any} element
 */
const controlOf = (element) => {
  if (takesText(element)) return element;
  return WIDGETS.has(roleOf(element, localNameOf.call(element))) ? textControlOf(element) : null;
};

/** @param {any} element */
const editingHost = (element) => {
  let host = element;
  while (isInEditable(parentNodeOf.call(host))) host = parentNodeOf.call(host);
  return host;
};

/** @param {number} nid */
const targetOf = (nid) => (nid === 0 ? document.body : elementOf(nid));

/**
 * Return the text in which parts can be selected: {text?, windowed?: 1 for a code editor that may draw a part of its text
 * only}, {} for a control that draws its text elsewhere or whose selection scripts cannot set (number, email), or {error:
 * "gone"}. Number 0 is the page.
 * @param {number} nid
 */
export const selectable = (nid) => {
  const element = targetOf(nid);
  if (element === null) return GONE_ANSWER;
  const control = controlOf(element);
  if (control !== null && (isKeyCatcher(control) || control.selectionStart === null)) return '{}';
  const windowed = control !== null && isWindowed(control) ? { windowed: 1 } : {};
  if (control === null || isInEditable(control)) {
    return JSON.stringify({ ...windowed, text: flatTextOf(control ?? element).text });
  }
  return JSON.stringify({ text: isSecret(control) ? BULLETS : control.value });
};

/**
 * Move the focus to where a press on an element would move it: into its editor, or out of a field.
 * @param {any} element
 */
const focusAround = (element) => {
  const active = deepActive();
  if (isInEditable(element)) takesFocus(editingHost(element));
  else if (active !== null && takesText(active)) active.blur();
  if (window !== window.parent && !document.hasFocus()) window.focus();
};

/** @param {any} root @param {number} start @param {number} end */
const selectInTree = (root, start, end) => {
  const flat = flatTextOf(root);
  const first = placeIn(flat, start, false) ?? [root, 0];
  const last = start === end ? first : placeIn(flat, end, true) ?? first;
  const holder = first[0] instanceof Element ? first[0] : parentNodeOf.call(first[0]);
  if (visibleRects(holder).length === 0) scrollToMiddle(holder);
  focusAround(holder);
  documentSelection().setBaseAndExtent(first[0], first[1], last[0], last[1]);
};

/**
 * Dispatch the events with which a selection ends, by the mouse and by Shift and arrow keys: toolbars listen to either.
 * @param {any} control
 */
const endSelection = (control) => {
  const holder = control ?? documentSelection().focusNode ?? document.body;
  const element = holder instanceof Element ? holder : parentNodeOf.call(holder);
  const { right, bottom } = getBoundingClientRect.call(element);
  const ended = { bubbles: true, cancelable: true, composed: true, view: window, clientX: right - 1, clientY: bottom - 1 };
  dispatchEventOf.call(element, new PointerEvent('pointerup', { ...ended, isPrimary: true, pointerId: 1, pointerType: 'mouse' }));
  dispatchEventOf.call(element, new MouseEvent('mouseup', { ...ended, detail: 1 }));
  dispatchEventOf.call(deepActive() ?? document.body, new KeyboardEvent('keyup', { ...ended, key: 'Shift', code: 'ShiftLeft' }));
};

/**
 * Select the characters from `start` to `end` of the text that `selectable` returned, or all: {text} that is selected
 * then, or {error: gone|not focusable}.
 * @param {number} nid @param {number} start @param {number} end @param {boolean} isAll
 */
export const selectPart = async (nid, start, end, isAll) => {
  const before = now();
  const element = targetOf(nid);
  if (element === null) return GONE_ANSWER;
  const control = controlOf(element);
  if (control !== null && !takesFocus(isNative(control) ? control : editingHost(control))) {
    return '{"error": "not focusable"}';
  }
  if (control !== null && isNative(control) && isAll) control.select();
  else if (control !== null && isNative(control)) control.setSelectionRange(start, end);
  else selectInTree(control ?? element, start, end);
  endSelection(control);
  await waitForHandlers(before, true);
  return JSON.stringify({ text: selectedText(control === null ? null : deepActive()) });
};
