// focus() gives any element the focus; focusText() puts the caret into a text control, with all of its text
// selected or at the end of it.
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
  else caretToEnd(control);
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
const focusText = (nid, clear = false) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const control = textControlOf(element);
  const error = refusal(control);
  if (error === '' && isSetField(control)) return JSON.stringify({ set: 1 });
  if (error !== '') return JSON.stringify({ error });
  const focused = focusControl(control, clear);
  if (focused.error === undefined && isEditor(control)) focused.editor = isKeyCatcher(control) ? 'around' : 'own';
  return JSON.stringify(focused);
};

/** {} or {error: gone|not focusable}. */
const focusElement = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  return JSON.stringify(takesFocus(element) ? {} : { error: 'not focusable' });
};
