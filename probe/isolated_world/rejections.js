// Fields that a form was refused for: by the browser's validation, or marked or given a message by a script or a server.
import {
  attribute, closest, formElementsOf, hasAttribute, idOf, localNameOf, matches, queryAll, queryIn, setOf,
} from './builtins.js';
import { entryIn, formTaking, isFormAssociated } from './control_states.js';
import { groupMessages, joined, messageOf } from './field_messages.js';
import { flatParent } from './flat_tree.js';
import { labelText, proxyOf } from './names.js';
import { elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { roleOf, WIDGETS } from './roles.js';
import { NATIVE_CONTROLS } from './tags.js';
import { isUnreadable } from './text_controls.js';
import { isDrawn, SEEN, sightOf } from './visibility.js';
import { visibleWordsOf } from './visible_text.js';

const MOST_FIELDS = 100;
const MOST_INVALID = 20;
const MOST_BY_BROWSER = 5;
const LEAST_SHARE = 0.5; // of the fields of a form that another document has too
const LONGEST_ERROR = 200;
const NO_ENTRIES = setOf('submit button reset image hidden fieldset output');

/** @param {Element} element */
export const formOf = (element) =>
  (element instanceof HTMLFormElement ? element : element.form ?? closest.call(element, 'form') ?? formTaking(element));

/** @param {any} one */
const canFail = (one) => (NATIVE_CONTROLS.has(localNameOf.call(one)) ? one.willValidate : isFormAssociated(one));

/** @param {Element} element */
const isVisibleWidget = (element) =>
  WIDGETS.has(roleOf(element, localNameOf.call(element))) && isDrawn(element) && !isUnreadable(element);

/**
 * Return the first visible widget in the innermost element around a control that contains any; null for none.
 * @param {Element} control @param {any} form
 */
const nearestWidget = (control, form) => {
  for (let around = flatParent(control); around !== null; around = flatParent(around)) {
    const found = [...queryIn(around, '*')].find(isVisibleWidget);
    if (found !== undefined || around === form) return found ?? null;
  }
  return null;
};

/**
 * Return the label of a hidden control and the number of its visible replacement: [name, nid or 0].
 * @param {Element} control @param {any} form
 */
const hiddenControlLabel = (control, form) => {
  const widget = nearestWidget(control, form);
  return [labelText(control) || attribute(control, 'name') || '', widget === null ? 0 : nidOf(widget)];
};

/** @param {any} one */
const isHiddenControl = (one) =>
  NATIVE_CONTROLS.has(localNameOf.call(one)) && !isVisibleWidget(one) && proxyOf(one) === null;

/** @param {any} one @param {any} form @param {string} message */
const problem = (one, form, message) =>
  [nidOf(one), message, ...(isHiddenControl(one) ? hiddenControlLabel(one, form) : [])];

/**
 * Return what shows a field: itself, or its visible replacement.
 * @param {any} one @param {any} form
 */
const widgetOf = (one, form) => (isHiddenControl(one) ? nearestWidget(one, form) ?? one : one);

/** @param {any} one @param {any} form */
const validationProblem = (one, form) => {
  if (!isFormAssociated(one)) return problem(one, form, one.validationMessage);
  return [nidOf(entryIn(one)), 'A script of the page marks the field as invalid. The text next to it may give the reason.'];
};

/**
 * Return the fields for which the browser refuses to submit a form.
 * @param {any} form
 */
const failingIn = (form) => {
  const failing = [...formElementsOf.call(form)].filter((one) => matches.call(one, ':invalid') && canFail(one));
  return hasAttribute.call(form, 'novalidate') ? [] : failing.slice(0, MOST_BY_BROWSER);
};

/** @param {any} one */
const isMarked = (one) => attribute(one, 'aria-invalid') === 'true';

/**
 * Return the fields of a form, and elements that act as fields, by their names.
 * @param {any} form @returns {Map<string, any>}
 */
const fieldsIn = (form) => {
  const fields = new Map();
  for (const one of [...formElementsOf.call(form), ...queryIn(form, '[aria-invalid]')]) {
    if (NO_ENTRIES.has(one.type ?? '') || NO_ENTRIES.has(localNameOf.call(one)) || fields.size >= MOST_FIELDS) continue;
    const key = attribute(one, 'name') || idOf.call(one) || labelText(one) || `#${fields.size}`;
    if (!fields.has(key)) fields.set(key, one);
  }
  return fields;
};

/**
 * Return the decoded fragment of a link; '' for one that is not encoded as a URL.
 * @param {Element} link
 */
const fragmentOf = (link) => {
  try {
    return decodeURIComponent((attribute(link, 'href') ?? '').slice(1));
  } catch {
    return '';
  }
};

/**
 * Return the errors that link to a field of a form, by the name of the field.
 * @param {Map<string, any>} fields @returns {Map<string, string>}
 */
const linkedErrors = (fields) => {
  const errors = new Map();
  for (const link of queryAll(document, 'a[href^="#"]')) {
    const target = fragmentOf(link);
    if (target === '' || sightOf(link) !== SEEN) continue;
    for (const [key, one] of fields) {
      if ((idOf.call(one) === target || key === target) && !errors.has(key)) errors.set(key, visibleWordsOf(link, LONGEST_ERROR));
    }
  }
  return errors;
};

/** @param {string} text */
const withoutFigures = (text) => text.replace(/\d+/g, '');

/** Texts that were the reason why a field was refused: if they are still there after another try, so is the reason. */
const reasons = new WeakMap();

/**
 * Describe the fields of a form before it is sent: {name: [is marked as invalid, text beside it or linked to it, …]}.
 * @param {any} form
 */
export const describeFields = (form) => {
  const fields = fieldsIn(form);
  const errors = linkedErrors(fields);
  return Object.fromEntries([...fields].map(([key, one]) => {
    const texts = [...groupMessages(widgetOf(one, form)).map(({ text }) => text), errors.get(key) ?? ''].map(withoutFigures);
    const known = reasons.get(one) ?? [];
    return [key, [isMarked(one), ...texts.filter((text) => text !== '' && !known.includes(text))]];
  }));
};

const REASONS = setOf('alert red own');

/**
 * Return why a field was refused: '' for an unknown reason, undefined if it was not.
 * @param {any} one @param {Element} widget @param {any[]} before @param {string} error that links to it
 * @param {boolean} isSent
 */
const reasonOf = (one, widget, [wasMarked = false, ...texts], error, isSent) => {
  const fresh = groupMessages(widget).filter(({ text }) => !texts.includes(withoutFigures(text)));
  const newError = error !== '' && !texts.includes(withoutFigures(error)) ? error : '';
  if (isMarked(one)) {
    if (wasMarked && !isSent && fresh.length === 0 && newError === '') return undefined;
    return messageOf(one, widget) || error;
  }
  if (attribute(one, 'aria-invalid') === 'false') return undefined;
  const given = fresh.filter(({ kind }) => REASONS.has(kind));
  reasons.set(one, [...given.map(({ text }) => withoutFigures(text)), withoutFigures(newError)]);
  return joined(given) || newError || undefined;
};

/**
 * Return the form of a document that has most of the fields of an earlier one; null for none.
 * @param {any} before
 */
const sameForm = (before) => {
  const names = Object.keys(before);
  /** @type {[any, number]} */
  let [found, most] = [null, Math.max(1, LEAST_SHARE * names.length)];
  for (const form of queryAll(document, 'form')) {
    const fields = fieldsIn(form);
    const shared = names.filter((name) => fields.has(name)).length;
    if (shared >= most) [found, most] = [form, shared + 1];
  }
  return found;
};

/**
 * Return the fields for which a form was refused: {invalid: [[nid, message, name?, nid of a visible replacement?], …]}.
 * `before` describes the fields before; number 0 is the form that another document has in its place. `isSent` is whether
 * a submission was tried.
 * @param {number} nid @param {any} before @param {boolean} isSent @param {boolean} byBrowser
 */
export const rejectedFields = (nid, before, isSent, byBrowser) => {
  const element = nid === 0 ? sameForm(before) : elementOf(nid);
  if (element === null) return nid === 0 ? '{"invalid": []}' : GONE_ANSWER;
  const form = formOf(element);
  if (form === null) return '{"invalid": []}';
  const failing = byBrowser ? failingIn(form) : [];
  const fields = fieldsIn(form);
  const errors = linkedErrors(fields);
  const rows = failing.map((one) => validationProblem(one, form));
  for (const [key, one] of fields) {
    if (failing.includes(one) || rows.length >= MOST_INVALID) continue;
    const reason = reasonOf(one, widgetOf(one, form), before[key] ?? [], errors.get(key) ?? '', isSent);
    if (reason !== undefined) rows.push(problem(one, form, reason));
  }
  return JSON.stringify({ invalid: rows });
};
