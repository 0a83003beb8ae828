// Selections: read the selected text, select a part of a text.
import { scrollToMiddle } from './actionability.js';
import { dispatchEventOf, getSelection, isScriptless, localNameOf, parentNodeOf } from './builtins.js';
import { now } from './clock.js';
import { BULLETS, isSecret } from './control_values.js';
import { deepActive } from './flat_tree.js';
import { flatTextOf, placeIn } from './flat_text.js';
import { takesFocus } from './focus.js';
import { waitForHandlers } from './pending.js';
import { elementOf, GONE_ANSWER } from './registry.js';
import { isInEditable, roleOf, WIDGETS } from './roles.js';
import { NATIVE_CONTROLS } from './tags.js';
import { contextOf, isCodeEditor, isWindowed, takesText, textControlOf } from './text_controls.js';
import { visibleRects } from './visibility.js';

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

/** @param {any} control */
const textInNative = (control) => {
  if (control.selectionStart === null) return documentSelection().toString();
  return control.value.slice(control.selectionStart, control.selectionEnd);
};

/** @param {any} active */
const isSelectionEmpty = (active) => {
  const context = contextOf(active);
  if (context !== null) return context.selectionStart === context.selectionEnd;
  return isNative(active) ? textInNative(active) === '' : documentSelection().isCollapsed;
};

/** @param {any} active */
const textInCodeEditor = (active) => {
  if (isSelectionEmpty(active)) return ''; // editors copy the line of the caret then
  const { text } = copyOf(active);
  if (text !== '') return text;
  return isNative(active) ? textInNative(active) : documentSelection().toString();
};

/**
 * Return the text that is selected in the focused control or else in the page, with line ends \n.
 * @param {any} active
 */
export const selectedText = (active) => {
  if (active !== null && takesText(active)) {
    if (isSecret(active)) return isSelectionEmpty(active) ? '' : BULLETS;
    if (isCodeEditor(active)) return textInCodeEditor(active).replaceAll('\r\n', '\n');
    if (isNative(active)) return textInNative(active);
  }
  return documentSelection().toString();
};

/**
 * Return whether the control that has the focus answers a copy: {answers}. A terminal, for which keys are input, does
 * not while nothing is selected in it; editors copy the line of the caret, if only into their textarea.
 */
export const answersCopy = () => {
  const active = deepActive();
  if (active === null) return '{"answers": false}';
  let answers = !isSelectionEmpty(active);
  if (!answers) {
    const before = isNative(active) ? active.value : '';
    answers = copyOf(active).isHandled;
    if (isNative(active) && active.value !== before) [answers, active.value] = [true, before];
  }
  return JSON.stringify({ answers });
};

/** Return the text that is selected: {text}. */
export const selection = () => JSON.stringify({ text: selectedText(deepActive()) });

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
 * Return the text in which parts can be selected: {text?, windowed?: 1 for a code editor that may draw a part of its
 * text only} or {error: "gone"}. Number 0 is the page.
 * @param {number} nid
 */
export const selectable = (nid) => {
  const element = targetOf(nid);
  if (element === null) return GONE_ANSWER;
  const control = controlOf(element);
  const windowed = control !== null && isWindowed(control) ? { windowed: 1 } : {};
  if (control === null || isInEditable(control)) {
    return JSON.stringify({ ...windowed, text: flatTextOf(control ?? element).text });
  }
  if ('windowed' in windowed) return JSON.stringify(windowed);
  return JSON.stringify({ text: isSecret(control) ? BULLETS : control.value });
};

/**
 * Select a part of an input by steps of the caret: inputs of some types do not allow scripts to set a selection.
 * @param {number} start @param {number} end
 */
const selectBySteps = (start, end) => {
  documentSelection().modify('move', 'backward', 'documentboundary');
  for (let step = 0; step < end; step += 1) {
    documentSelection().modify(step < start ? 'move' : 'extend', 'forward', 'character');
  }
};

/** @param {any} control @param {number} start @param {number} end @param {boolean} isAll */
const selectInNative = (control, start, end, isAll) => {
  if (isAll) control.select();
  else if (control.selectionStart === null) selectBySteps(start, end);
  else control.setSelectionRange(start, end);
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
  if (control !== null && isNative(control)) selectInNative(control, start, end, isAll);
  else selectInTree(control ?? element, start, end);
  await waitForHandlers(before, true);
  return JSON.stringify({ text: selectedText(control === null ? null : deepActive()) });
};
