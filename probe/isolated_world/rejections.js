// Fields that a form was refused for: by the browser's validation, or marked as invalid by a script or a server.
import { boxlessName } from './accessible_names.js';
import {
  attribute, closest, formElementsOf, hasAttribute, localNameOf, matches, queryIn, rootElementOf,
} from './builtins.js';
import { entryIn, formTaking, isFormAssociated } from './control_states.js';
import { messageOf } from './field_messages.js';
import { flatParent } from './flat_tree.js';
import { proxyOf } from './names.js';
import { elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { NATIVE_CONTROLS, roleOf, WIDGETS } from './roles.js';
import { isUnreadable } from './text_controls.js';
import { isDrawn } from './visibility.js';

const MOST_INVALID = 20;
const MOST_BY_BROWSER = 5;
const MARKED_BY_SCRIPT = 'A script of the page marks the field as invalid. The text next to it may give the reason.';

/** @param {Element} element */
export const formOf = (element) =>
  (element instanceof HTMLFormElement ? element : element.form ?? closest.call(element, 'form') ?? formTaking(element));

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

/** @param {any} one */
const isHiddenControl = (one) =>
  NATIVE_CONTROLS.has(localNameOf.call(one)) && !isVisibleWidget(one) && proxyOf(one) === null;

/**
 * Return a row of the answer: a hidden control has a label and the number of its visible replacement, or 0.
 * @param {any} one @param {any} form @param {string} message
 */
const problem = (one, form, message) => {
  if (!isHiddenControl(one)) return [nidOf(one), message];
  const widget = nearestWidget(one, form);
  return [nidOf(one), message, boxlessName(one) || attribute(one, 'name') || '', widget === null ? 0 : nidOf(widget)];
};

/**
 * Return the fields in a form, or in the document, that the page marks as invalid; of fields with one name, the first.
 * @param {any} root
 */
export const markedIn = (root) => {
  const elements = [...(root instanceof HTMLFormElement ? formElementsOf.call(root) : []), ...queryIn(root, '[aria-invalid]')];
  const marked = new Map();
  for (const one of elements.filter((each) => attribute(each, 'aria-invalid') === 'true')) {
    const key = attribute(one, 'name') || one;
    if (!marked.has(key)) marked.set(key, one);
  }
  return [...marked.values()].slice(0, MOST_INVALID);
};

/**
 * Return the fields for which a form was refused: {invalid: [[nid, message, name?, nid of a visible replacement?], …]}.
 * Number 0 is the document that came back. Fields that were `marked` before count only if a submission was tried.
 * @param {number} nid @param {number[]} marked @param {boolean} isSent @param {boolean} byBrowser
 */
export const rejectedFields = (nid, marked, isSent, byBrowser) => {
  const element = nid === 0 ? rootElementOf.call(document) : elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const form = nid === 0 ? element : formOf(element);
  if (form === null) return '{"invalid": []}';
  const asked = byBrowser && !hasAttribute.call(form, 'novalidate') ? [...formElementsOf.call(form)] : [];
  const failing = asked.filter((one) => matches.call(one, ':invalid') // the browser refuses to submit them
    && (NATIVE_CONTROLS.has(localNameOf.call(one)) ? one.willValidate : isFormAssociated(one))).slice(0, MOST_BY_BROWSER);
  const others = markedIn(form).filter((one) => !failing.includes(one) && (isSent || !marked.includes(nidOf(one))));
  const rows = others.map((one) =>
    problem(one, form, messageOf(one, isHiddenControl(one) ? nearestWidget(one, form) ?? one : one)));
  const refused = failing.map((one) => isFormAssociated(one) ? [nidOf(entryIn(one)), MARKED_BY_SCRIPT]
    : problem(one, form, one.validationMessage));
  return JSON.stringify({ invalid: [...refused, ...rows].slice(0, MOST_INVALID) });
};
