// Fields of forms: controls whose value is set rather than typed, the submission of a form, and its validation.
import { addListener, attribute, CAPTURED, getRootNode, isScriptless, localNameOf, setOf } from './builtins.js';
import { checkedIn } from './checkables.js';
import { dispatchChange } from './choosing.js';
import { isDisabled, SUBMITTING } from './control_states.js';
import { editProblem, takesFocus, textFacts } from './focus.js';
import { surfaceOf } from './hit_test.js';
import { modalCover } from './modals.js';
import { byNumber, elementOf, nidOf } from './registry.js';
import { formOf, markedIn, rejectedFields } from './rejections.js';
import { CHECKABLE, roleOf } from './roles.js';
import { FORMATS, isFileInput, isSetField, textControlOf } from './text_controls.js';
import { boxesFrom, scaleOf } from './value_widgets.js';
import { isDrawn } from './visibility.js';

const setValueOf = /** @type {(this: unknown, value: string) => void} */ (
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
);
const { requestSubmit } = HTMLFormElement.prototype;

/** @param {Element} input @param {string} value */
const takesValue = (input, value) => {
  if (input.type === 'range') return Number(input.value) === Number(value);
  if (input.type === 'color') return input.value === value.toLowerCase();
  return input.value === value || value.startsWith(input.value);
};

/**
 * Return whether the control accepts the value; the old value is restored.
 * @param {Element} input @param {string} value
 */
const tryValue = (input, value) => {
  const before = input.value;
  setValueOf.call(input, value);
  const fits = (value === '' || input.value !== '') && takesValue(input, value);
  setValueOf.call(input, before);
  return fits;
};

/** @param {any} input */
const formatError = (input) => {
  const bounds = ['min', 'max', 'step'].filter((name) => input[name] !== '');
  const note = bounds.map((name) => `${name} ${input[name]}`).join(', ');
  return { error: 'format', takes: FORMATS[input.type] + (note === '' ? '' : ` (${note})`) };
};

/**
 * Put a range one step from a value and return the key that reaches it: pages commit a value on a key or a release.
 * Return undefined if no key does.
 * @param {any} range @param {string} value
 */
const keyTo = (range, value) => {
  if (range.type !== 'range' || range.step === 'any' || !takesFocus(range)) return undefined;
  const before = range.value;
  setValueOf.call(range, value);
  const wanted = range.value;
  range.stepDown();
  const key = range.value === wanted ? 'ArrowDown' : 'ArrowUp';
  if (range.value === wanted) range.stepUp();
  if (wanted !== before && range.value !== wanted) {
    dispatchChange(range); // a page may move the range from its own value
    return key;
  }
  setValueOf.call(range, before);
  return undefined;
};

/** Set a date, time, color or range: {key?: to be pressed}, or {error: typed|disabled|readonly|format, takes?}. */
export const setValue = byNumber((element, given, only = false) => {
  if (!isSetField(element)) return { error: 'typed' };
  const cover = only ? null : modalCover(element);
  if (cover !== null) return cover;
  const error = editProblem(element);
  if (error !== '') return { error };
  const value = element.type === 'datetime-local' ? given.replace(' ', 'T') : given;
  if (!tryValue(element, value)) return formatError(element);
  if (only) return {};
  const key = keyTo(element, value);
  if (key !== undefined) return { key };
  takesFocus(element);
  const before = element.value;
  setValueOf.call(element, value);
  if (element.value !== before) dispatchChange(element);
  return {};
});

const CHOOSING = setOf('listbox combobox radiogroup');
const LISTS_OPENED = setOf('listbox tree grid');

/** @param {Element} element */
const kindOfField = (element) => {
  if (element instanceof HTMLSelectElement) return 'select';
  if (isFileInput(element)) return 'file';
  if (isSetField(element)) return 'set';
  const role = roleOf(element, localNameOf.call(element));
  if (CHECKABLE.has(role)) return 'check';
  if (scaleOf(element) !== null) return 'scale';
  const control = textControlOf(element);
  if (control !== null && !(control.readOnly === true && role === 'combobox')) return 'text';
  const opensList = role === 'button' && LISTS_OPENED.has(attribute(element, 'aria-haspopup') ?? '');
  if (CHOOSING.has(role) || opensList) return 'select';
  return checkedIn(element) === null ? 'none' : 'check';
};

/**
 * Return the properties of a field that matter before it is filled.
 * @param {Element} element @param {string} kind
 */
const shapeOf = (element, kind) => {
  const role = roleOf(element, localNameOf.call(element));
  if (kind === 'check') return { checked: checkedIn(element), ...(role === 'radio' ? { radio: 1 } : {}) };
  const control = kind === 'text' ? textControlOf(element) : element;
  const boxes = kind === 'text' ? boxesFrom(control).length : 0;
  return {
    ...(boxes > 1 ? { boxes } : {}),
    ...(control.type === 'number' ? { number: 1 } : {}),
    ...(kind === 'text' && role === 'combobox' ? { suggests: 1 } : {}),
    ...(kind === 'text' ? textFacts(control) : {}),
    ...(kind === 'text' && control.maxLength > 0 ? { longest: control.maxLength } : {}),
  };
};

/** @param {Element} element @param {string} kind */
const fieldError = (element, kind) => {
  const control = kind === 'text' ? textControlOf(element) : scaleOf(element) ?? element;
  if (kind === 'select' && isDisabled(control)) return 'disabled'; // one that is read-only opens a list
  return (kind === 'select' ? '' : editProblem(control)) || (surfaceOf(control) === null ? 'hidden' : '');
};

/**
 * Describe a field: {kind: text|set|scale|select|check|file|none, number?, suggests?, longest?, boxes?, checked?,
 * radio?, error?: disabled|readonly|hidden}.
 */
export const field = byNumber((element) => {
  const kind = kindOfField(element);
  if (kind === 'none') return { kind };
  const error = fieldError(element, kind);
  const problem = modalCover(element) ?? (error === '' ? {} : { error });
  return { kind, ...shapeOf(element, kind), ...problem };
});

/** @param {any} form */
const sendersOf = (form) => [.../** @type {any} */ (getRootNode.call(form)).querySelectorAll('button,input')]
  .filter((element) => element.form === form && SUBMITTING.has(element.type) && !isDisabled(element));

const sentForms = new WeakSet(); // since the last question

/** @param {any} subject */
const noteSent = ({ currentTarget }) => { sentForms.add(currentTarget); };

/**
 * Find the submit control of a form, or of the form of a field: {nid?, form, marked} or {error: "no form"}. `marked`
 * are the fields that are marked as invalid before. From then on, note whether the form is submitted.
 */
export const submitter = byNumber((element) => {
  const form = formOf(element);
  if (form === null) return { error: 'no form' };
  sentForms.delete(form);
  if (!isScriptless()) addListener.call(form, 'submit', noteSent, CAPTURED); // registered once, however often it is added
  const seen = sendersOf(form).find(isDrawn);
  const found = { form: nidOf(form), marked: markedIn(form).map(nidOf) };
  return seen === undefined ? found : { ...found, nid: nidOf(seen) };
});

/** Submit a form without a visible control, by its first hidden submit control if it has one. */
export const send = byNumber((form) => {
  const cover = modalCover(form);
  if (cover !== null) return cover;
  const [hidden] = sendersOf(form);
  if (isScriptless()) requestSubmit.call(form, hidden); // which then has no listeners
  else setTimeout(() => requestSubmit.call(form, hidden));
  return {};
});

/**
 * Return the fields for which a form was refused, as `rejectedFields` does; those that the browser refuses, if the form
 * was not sent.
 * @param {number} nid @param {number[]} [marked] @param {boolean} [isSent]
 */
export const invalidFields = (nid, marked = [], isSent = true) => {
  const element = nid === 0 ? null : elementOf(nid);
  const form = element && formOf(element);
  return rejectedFields(nid, marked, isSent, isSent && form !== null && !sentForms.has(form));
};
