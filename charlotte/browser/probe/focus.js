// focus() gives any element the focus; focusText() puts the caret into a text control, with all of its text
// selected or at the end of it.
const { execCommand } = Document.prototype;
const dispatchEventOf = EventTarget.prototype.dispatchEvent;
const TEXTLESS = setOf('checkbox radio button submit reset image file hidden');
const TEXT_INSIDE = 'input:not([type=hidden]),textarea,[contenteditable]';

const takesText = (element) => {
  const tag = localNameOf.call(element);
  if (tag === 'textarea') return true;
  return tag === 'input' ? !TEXTLESS.has(element.type) : isInEditable(element);
};

/** The element itself, or the one text control of a widget built around it. */
const textControlOf = (element) => {
  if (takesText(element)) return element;
  const inner = querySelector.call(element, TEXT_INSIDE);
  return inner !== null && takesText(inner) ? inner : null;
};

const selectRange = (element, all) => {
  const range = createRange.call(document);
  range.selectNodeContents(element);
  if (!all) range.collapse(false);
  const selection = getSelection.call(document);
  selection.removeAllRanges();
  selection.addRange(range);
};

/** Inputs of some types (number, email) do not let scripts set a selection, only move it. */
const caretToEnd = (control) => {
  const end = control.value.length;
  if (control.selectionEnd !== null) control.setSelectionRange(end, end);
  else getSelection.call(document).modify('move', 'forward', 'documentboundary');
};

const placeCaret = (control, clear) => {
  if (!NATIVE_CONTROLS.has(localNameOf.call(control))) selectRange(control, clear);
  else if (clear) control.select();
  else if (!isKeyCatcher(control)) caretToEnd(control);
};

const refusal = (control) => {
  if (control === null) return 'not editable';
  if (isDisabled(control)) return 'disabled';
  return control.readOnly === true || isAriaTrue(control, 'aria-readonly') ? 'readonly' : '';
};

/** Give the element the focus, in view; tells whether it took it. */
const takesFocus = (element) => {
  if (visibleRects(element).length === 0) scrollToMiddle(element);
  focusOn.call(element, { preventScroll: true });
  return deepActive() === element;
};

const focusControl = (control, clear) => {
  if (!takesFocus(control)) return { error: 'not focusable' };
  placeCaret(control, clear);
  return {};
};

/**
 * {editor?: "own"|"around"} where the text is shown if that need not be its value, {set: 1} for a control whose value is
 * set, or {error: gone|not editable|disabled|readonly|not focusable}.
 */
const focusText = async (nid, clear = false) => {
  const before = now();
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const control = textControlOf(element);
  const error = refusal(control);
  if (error === '' && isSetField(control)) return JSON.stringify({ set: 1 });
  if (error !== '') return JSON.stringify({ error });
  const focused = focusControl(control, clear);
  await beat(before);
  if (focused.error === undefined && isEditor(control)) focused.editor = isKeyCatcher(control) ? 'around' : 'own';
  return JSON.stringify(focused);
};

/** {} or {error: gone|not focusable}. */
const focusElement = async (nid) => {
  const before = now();
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const takes = takesFocus(element);
  await beat(before);
  return JSON.stringify(takes ? {} : { error: 'not focusable' });
};

const transferOf = (text) => {
  const transfer = new DataTransfer();
  transfer.setData('text/plain', text);
  return transfer;
};

const withhold = (event) => { if (event.isTrusted) event.stopImmediatePropagation(); };

/**
 * Insert a text at the caret as one change that can be undone. The page receives the two events of a paste in place of
 * an event for each line; false if nothing took the text.
 */
const insertPasted = (element, text) => {
  if (isScriptless()) return execCommand.call(document, 'insertText', false, text);
  const content = NATIVE_CONTROLS.has(localNameOf.call(element)) ? { data: text } : { dataTransfer: transferOf(text) };
  const how = { inputType: 'insertFromPaste', bubbles: true, composed: true, ...content };
  const before = new InputEvent('beforeinput', { ...how, cancelable: true });
  if (!dispatchEventOf.call(element, before)) return true;
  window.addEventListener('input', withhold, true);
  const isInserted = execCommand.call(document, 'insertText', false, text);
  window.removeEventListener('input', withhold, true);
  if (isInserted) dispatchEventOf.call(element, new InputEvent('input', how));
  return isInserted;
};

/**
 * {pasted}: whether what has the focus took a text that was pasted, as editors do, or had it inserted; with ``onlyCode``
 * nothing but an editor of code is given the text.
 */
const paste = (text, onlyCode = false) => {
  const active = deepActive();
  if (active === null || (onlyCode && !isCodeEditor(active))) return '{"pasted": false}';
  const how = { clipboardData: transferOf(text), bubbles: true, composed: true, cancelable: true };
  const isTaken = !isScriptless() && !dispatchEventOf.call(active, new ClipboardEvent('paste', how));
  return JSON.stringify({ pasted: isTaken || insertPasted(active, text) });
};
