// Focus, caret and paste. focus() focuses any element; focusText() puts the caret into a text control.
import { accessibleName } from './accessible_names.js';
import { scrollToMiddle } from './actionability.js';
import {
  createElement, createRange, dispatchEventOf, execCommand, focusOn, getRootNode, getSelection, isScriptless,
  innerTextOf, localNameOf,
} from './builtins.js';
import { frame, now, patient } from './clock.js';
import { isAriaTrue, isDisabled } from './control_states.js';
import { isSecret } from './control_values.js';
import { deepActive } from './flat_tree.js';
import { bindSecret, guardKeys, handlesKeys, leadsOn, mayInsert, noteInserted } from './focus_guard.js';
import { waitForHandlers } from './pending.js';
import { modalCover } from './modals.js';
import { elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { isDesigned, isFrame, isInEditable, NATIVE_CONTROLS } from './roles.js';
import {
  hasEditContext, isCodeEditor, isEditor, isKeyCatcher, isSetField, isWindowed, takesText, textControlOf,
} from './text_controls.js';
import { boxesFrom, scaleOf } from './value_widgets.js';
import { SEEN, sightOf, visibleRects } from './visibility.js';

/**
 * Select all of a control, or move the caret to its end. Inputs of some types (number, email) do not allow scripts to set a
 * selection.
 * @param {any} control @param {boolean} clear
 */
const placeCaret = (control, clear) => {
  if (hasEditContext(control)) return;
  const selection = /** @type {Selection} */ (getSelection.call(document));
  if (!NATIVE_CONTROLS.has(localNameOf.call(control))) {
    const range = createRange.call(document);
    range.selectNodeContents(control);
    if (!clear) range.collapse(false);
    selection.removeAllRanges();
    selection.addRange(range);
  } else if (clear) control.select();
  else if (isKeyCatcher(control)) return;
  else if (control.selectionEnd === null) selection.modify('move', 'forward', 'documentboundary');
  else control.setSelectionRange(control.value.length, control.value.length);
};

/** @param {any} control */
export const editProblem = (control) => {
  if (control === null) return 'not editable';
  if (isDisabled(control)) return 'disabled';
  return control.readOnly === true || isAriaTrue(control, 'aria-readonly') ? 'readonly' : '';
};

/**
 * Focus an element in view; return whether it has the focus now.
 * @param {Element} element
 */
export const takesFocus = (element) => {
  if (visibleRects(element).length === 0) scrollToMiddle(element);
  focusOn.call(element, { preventScroll: true });
  if (isDesigned()) window.focus(); // its body takes no focus
  return deepActive() === element;
};

/**
 * Return how the value of an element is set that takes no keys one by one: {set: 1|"scale"}, or {error}; null
 * for other elements.
 * @param {Element} element
 */
const valueSetting = (element) => {
  const control = textControlOf(element);
  const field = control !== null && isSetField(control) ? control : scaleOf(element);
  if (field === null) return null;
  const error = editProblem(field);
  return error === '' ? { set: field === control ? 1 : 'scale' } : { error };
};

const TERMINAL = /\bterminal\b/i;

/**
 * Return {secret: 1} for a password field, {line: "one"} for one of a single line, {line: "terminal"} for a terminal.
 * @param {Element} control
 */
export const textFacts = (control) => {
  /** @type {Extra} */
  const facts = isSecret(control) ? { secret: 1 } : {};
  if (localNameOf.call(control) === 'input') facts.line = 'one';
  else if (isKeyCatcher(control) && TERMINAL.test(accessibleName(control))) facts.line = 'terminal';
  return facts;
};

/** @param {Element} element */
const unfocusable = (element) => (sightOf(element) === SEEN ? 'not focusable' : 'hidden');

/**
 * Put the caret into a text control: {editor?: "own"|"windowed"} if the text may differ from what is typed, {boxes:
 * their numbers} for the first of the boxes of a code, {set: 1|"scale"} for a control whose value is set, or {error:
 * gone|covered|not editable|disabled|readonly|hidden|not focusable, by?, over?}, with `textFacts`. The keys that follow are
 * guarded if `isGuarded`.
 * @param {number} nid @param {boolean} [clear] @param {boolean} [isGuarded]
 */
export const focusText = patient(async (/** @type {number} */ nid, clear = false, isGuarded = false) => {
  const before = now();
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const cover = modalCover(element);
  if (cover !== null) return JSON.stringify(cover);
  const setting = valueSetting(element);
  if (setting !== null) return JSON.stringify(setting);
  let control = textControlOf(element);
  if (editProblem(control) === 'readonly') takesFocus(control); // some pages keep the browser from filling it in until then
  const problem = editProblem(control);
  if (problem === '' && isGuarded) guardKeys(control);
  const isMoved = problem === '' && !takesFocus(control);
  const error = problem || (isMoved && !(isGuarded && leadsOn()) ? unfocusable(control) : '');
  if (error !== '') return JSON.stringify({ error });
  if (isMoved) control = deepActive();
  placeCaret(control, clear);
  await waitForHandlers(before);
  /** @type {Extra} */
  const focused = {};
  if (isEditor(control)) focused.editor = isWindowed(control) ? 'windowed' : 'own';
  const boxes = boxesFrom(control);
  if (boxes.length > 1) focused.boxes = boxes.map(nidOf);
  return JSON.stringify({ ...focused, ...textFacts(control) });
});

/**
 * Focus an element: {} or {error: gone|covered|hidden|not focusable}. The keys that follow are guarded if `isGuarded`.
 * @param {number} nid @param {boolean} [isGuarded]
 */
export const focusElement = patient(async (/** @type {number} */ nid, isGuarded = false) => {
  const before = now();
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const cover = modalCover(element);
  if (cover !== null) return JSON.stringify(cover);
  if (isGuarded) guardKeys(element, true);
  const takes = takesFocus(element);
  await waitForHandlers(before, isInEditable(element)); // a rich-text editor sets the caret once it has drawn
  return JSON.stringify(takes ? {} : { error: unfocusable(element) });
});

/** @param {string} text @param {string} [html] */
const transferOf = (text, html = '') => {
  const transfer = new DataTransfer();
  if (text !== '' || html === '') transfer.setData('text/plain', text);
  if (html !== '') transfer.setData('text/html', html);
  return transfer;
};

/** @param {any} event */
const stopTrusted = (event) => { if (event.isTrusted) event.stopImmediatePropagation(); };

/**
 * Insert text at the caret as one undoable change. The page receives the two events of a paste instead of one event
 * per line. Return false if the text was not inserted.
 * @param {Element} element @param {string} text
 */
const insertPasted = (element, text) => {
  if (isScriptless()) return execCommand.call(document, 'insertText', false, text);
  const content = NATIVE_CONTROLS.has(localNameOf.call(element)) ? { data: text } : { dataTransfer: transferOf(text) };
  const how = { inputType: 'insertFromPaste', bubbles: true, composed: true, ...content };
  const before = new InputEvent('beforeinput', { ...how, cancelable: true });
  if (!dispatchEventOf.call(element, before)) return true;
  window.addEventListener('input', stopTrusted, true);
  const isInserted = execCommand.call(document, 'insertText', false, text);
  window.removeEventListener('input', stopTrusted, true);
  if (isInserted) dispatchEventOf.call(element, new InputEvent('input', how));
  return isInserted;
};

/**
 * Dispatch the event of a paste; return whether the page has handled it.
 * @param {Element} element @param {string} text @param {string} [html]
 */
const isPasteTaken = (element, text, html) => {
  const how = { clipboardData: transferOf(text, html), bubbles: true, composed: true, cancelable: true };
  return !dispatchEventOf.call(element, new ClipboardEvent('paste', how));
};

/**
 * Paste into an element, or let the page paste; return whether either happened.
 * @param {any} element @param {string} text @param {string} html
 */
export const pasteInto = (element, text, html) => {
  if (isPasteTaken(element, text, html)) return true;
  if (!takesText(element)) return false;
  if (html === '' || !isInEditable(element)) return insertPasted(element, text);
  const box = /** @type {any} */ (createElement.call(document, 'div'));
  box.setHTML(html); // without scripts
  return execCommand.call(document, 'insertHTML', false, box.innerHTML);
};

/** @param {any} active */
const shownBy = (active) => (NATIVE_CONTROLS.has(localNameOf.call(active)) ? active.value : innerTextOf.call(active));

const LATE_PASTE = 500; // ms

/**
 * Paste text into the focused element: {pasted}. It must be a code editor if `editors` is "code", any editor if "all". A
 * listener of the page may refuse the text.
 * @param {string} text @param {string} [editors]
 */
export const paste = async (text, editors = '') => {
  const active = deepActive();
  const isMeant = active !== null
    && (editors === '' || isCodeEditor(active) || (editors === 'all' && isInEditable(active) && !handlesKeys()));
  if (!isMeant || !mayInsert()) return '{"pasted": false}';
  const before = shownBy(active);
  const isTaken = !isScriptless() && isPasteTaken(active, text);
  let pasted = isTaken || insertPasted(active, text);
  if (pasted && !isKeyCatcher(active)) {
    const end = now() + (isTaken && isInEditable(active) ? LATE_PASTE : 0); // refused, or drawn later
    do {
      if (isInEditable(active)) await frame();
      pasted = shownBy(active) !== before;
    } while (!pasted && now() < end);
  }
  if (pasted) noteInserted(text);
  return JSON.stringify({ pasted });
};

/**
 * Insert a text into a text control and nowhere else, whatever takes the focus: {} or {error: gone|not focusable|keys},
 * "keys" if it takes text only from keys.
 * @param {number} nid @param {string} text @param {boolean} clear
 */
export const insertSecret = (nid, text, clear) => {
  const element = elementOf(nid);
  const control = element === null ? null : textControlOf(element);
  if (control === null) return GONE_ANSWER;
  const isFocused = deepActive() === control;
  if (!isFocused && !takesFocus(control)) return '{"error": "not focusable"}';
  if (clear || !isFocused) placeCaret(control, clear);
  const isInserted = execCommand.call(document, text === '' ? 'delete' : 'insertText', false, text);
  // as browsers do that fill in a password
  dispatchEventOf.call(control, new KeyboardEvent('keyup', { bubbles: true, composed: true }));
  if (!isInserted) bindSecret([control, ...boxesFrom(control)]);
  return isInserted ? '{}' : '{"error": "keys"}';
};

/**
 * Return {takes: 1 if typed text goes into a field, nid of the element that has the focus, and its `textFacts`}, or {frame}
 * with the number of the frame that has the focus.
 */
export const typing = () => {
  const active = deepActive();
  if (active === null) return '{}';
  if (isFrame(active, localNameOf.call(active))) return JSON.stringify({ frame: nidOf(active) });
  const isField = takesText(active) && editProblem(active) === '';
  return JSON.stringify({ nid: nidOf(active), ...(isField ? { takes: 1, ...textFacts(active) } : {}) });
};

/** The style sheet that hides the caret, and the document or shadow root that has it. @type {any} */
let caretless = null;

/**
 * Hide the caret of the field that has the focus, or show it again. The page gets no event.
 * @param {boolean} isHidden
 */
export const hideCaret = (isHidden) => {
  if (caretless !== null) {
    const { root, sheet } = caretless;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== sheet);
    caretless = null;
  }
  const active = isHidden ? deepActive() : null;
  if (active !== null) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { caret-color: transparent !important }');
    const root = /** @type {any} */ (getRootNode.call(active));
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    caretless = { root, sheet };
  }
  return '{}';
};
