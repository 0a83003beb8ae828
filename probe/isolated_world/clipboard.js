// The clipboard: what the page copies, copies of the selection, and pastes. The browser's own clipboard, which all its
// contexts share, is neither read nor changed.
import { addListener, createElement, cut, dispatchEventOf, execCommand, getSelection, isScriptless } from './builtins.js';
import { deepActive } from './flat_tree.js';
import { pasteInto } from './focus.js';
import { isInEditable } from './roles.js';
import { copyOf, selectedText } from './selection.js';
import { takesText } from './text_controls.js';

const LONGEST = 100_000; // characters

/** @type {{ text: string, html: string }[]} */
let copied = []; // since the last question

/** @param {string} text @param {string} html */
const note = (text, html) => {
  if (text !== '' || html !== '') copied = [{ text: cut(text, LONGEST), html: cut(html, LONGEST) }];
};

/** @param {any} event */
const noteCopy = (event) => {
  if (!event.isTrusted) return;
  if (!event.defaultPrevented) note(selectedText(deepActive()), '');
  else note(event.clipboardData.getData('text/plain'), event.clipboardData.getData('text/html'));
};

for (const type of ['copy', 'cut']) addListener.call(window, type, noteCopy, { passive: true });
addListener.call(document, 'charlotte:copied', (/** @type {any} */ event) => {
  event.stopImmediatePropagation();
  note(event.data ?? '', '');
}, true);

/** Return what the page has copied since the last question: [{text, html}], or undefined for nothing. */
export const takeCopied = () => {
  const taken = copied;
  copied = [];
  return taken.length > 0 ? taken : undefined;
};

/** @returns {string} */
const selectedHtml = () => {
  const selection = /** @type {Selection} */ (getSelection.call(document));
  const box = createElement.call(document, 'div');
  if (selection.rangeCount > 0) box.append(selection.getRangeAt(0).cloneContents());
  return box.innerHTML;
};

/**
 * Return the selection as the page would copy it: {text, html}; with `isCut`, also delete it.
 * @param {boolean} isCut
 */
export const copySelection = (isCut) => {
  const active = deepActive() ?? document.body;
  const selected = selectedText(active);
  const { isHandled, text, html } = copyOf(active, isCut ? 'cut' : 'copy');
  if (isHandled && (text !== '' || html !== '')) return JSON.stringify({ text, html });
  if (isCut && !isHandled && takesText(active)) execCommand.call(document, 'delete', false, '');
  const isTree = !takesText(active) || isInEditable(active);
  return JSON.stringify({ text: selected, html: isTree ? selectedHtml() : '' });
};

/**
 * Send a request to the page's own world; return whether its answer is yes.
 * @param {string} name @param {string | null} [data]
 */
const ask = (name, data = null) =>
  !dispatchEventOf.call(document, new InputEvent(`charlotte:${name}`, { data, cancelable: true }));

/**
 * Paste into the focused element or the page, which may read the clipboard itself then: {pasted}.
 * @param {string} text @param {string} html
 */
export const pasteClip = (text, html) => {
  const active = deepActive() ?? document.body;
  if (isScriptless()) return '{"pasted": false}';
  ask('pasting', JSON.stringify({ text, html }));
  const isTaken = pasteInto(active, text, html);
  return JSON.stringify({ pasted: ask('pasted') || isTaken });
};

/** @type {{ text: string, html: string } | undefined} */
let clip; // while keys are pressed, the clipboard that they use instead of the browser's

/** @param {any} event */
const replaceClipboard = (event) => {
  if (!event.isTrusted || clip === undefined) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  if (event.type === 'paste') {
    if (clip.text !== '' || clip.html !== '') pasteClip(clip.text, clip.html);
    return;
  }
  const { text, html } = JSON.parse(copySelection(event.type === 'cut'));
  note(text, html);
  clip = copied[0] ?? clip;
};

for (const type of ['copy', 'cut', 'paste']) addListener.call(window, type, replaceClipboard, true);
addListener.call(window, 'keyup', () => { clip = undefined; }, { capture: true, passive: true });

/**
 * Let the next keys, until one is released, copy to and paste from this clipboard, or the latest copy: {}.
 * @param {string} text @param {string} html
 */
export const useClip = (text, html) => {
  clip = copied[0] ?? { text, html };
  return '{}';
};
