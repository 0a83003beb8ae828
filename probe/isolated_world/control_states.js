// States of interactive elements, from properties of native controls and from ARIA. Whether a custom control is invalid,
// and its form, are inferred from selectors and from the form.
import {
  attribute, baseUriOf, closest, formElementsOf, getRootNode, hasAttribute, localNameOf, matches,
  parentNodeOf, queryAll, setOf,
} from './builtins.js';
import { addControl, placeholderOf } from './control_values.js';
import { messageOf } from './field_messages.js';
import { hostOrParent, rootOf } from './flat_tree.js';
import { ariaState, internalStates } from './internals.js';
import { pass } from './pass.js';
import { nidOf } from './registry.js';
import { CHECKABLE, NATIVE_CONTROLS } from './roles.js';

/** @param {Element} element @param {string} [tag] */
export const isFormAssociated = (element, tag = localNameOf.call(element)) =>
  tag.includes('-') && matches.call(element, ':enabled,:disabled');

/**
 * Return the custom control that an element is, or in whose shadow root it lies; null for none.
 * @param {Element} element
 */
const customControlOf = (element) => {
  /** @type {any} */
  let host = element;
  while (host !== null && !isFormAssociated(host)) host = hostOrParent(getRootNode.call(host));
  return host;
};

/**
 * Return the form that lists the custom control that an element is or lies in.
 * @param {Element} element
 */
export const formTaking = (element) => {
  const control = customControlOf(element);
  if (control === null) return null;
  const root = getRootNode.call(control);
  const lists = pass?.formLists.get(root)
    ?? [...queryAll(root, 'form')].map((form) => [form, new Set(formElementsOf.call(form))]);
  pass?.formLists.set(root, lists);
  return lists.find((/** @type {any} */ [, listed]) => listed.has(control))?.[0] ?? null;
};

/**
 * Return whether the checked state is known only to the internals of a custom element, which are not known.
 * @param {Element} element @param {string} tag
 */
export const hasInternalState = (element, tag) =>
  tag.includes('-') && !hasAttribute.call(element, 'role') && !hasAttribute.call(element, 'aria-checked')
  && internalStates(element) === undefined;

const ENTRIES = setOf('textbox searchbox combobox listbox checkbox radio switch slider spinbutton');

/**
 * Return whether a value is entered in an element; a custom control may also contain a button.
 * @param {Element} element @param {string} tag @param {string} role
 */
const isEntry = (element, tag, role) => ENTRIES.has(role) || tag === 'input' || isFormAssociated(element, tag);

/**
 * Return whether a custom control marks its value as invalid: an empty required one that the user has not touched does not.
 * @param {Element} element @param {string} tag @param {string} role
 */
const failsAsCustom = (element, tag, role) => {
  const control = isEntry(element, tag, role) ? customControlOf(element) : null;
  const isRequired = control !== null && (hasAttribute.call(control, 'required') || element.required === true);
  return control !== null && matches.call(control, ':invalid') && !(isRequired && !element.value);
};

/**
 * Return the field in a custom control that is listed, or the control itself.
 * @param {Element} control
 */
export const entryIn = (control) => rootOf(control)?.querySelector('input,select,textarea') ?? control;

export const SUBMITTING = setOf('submit image');
const INVALID = setOf('true grammar spelling');
export const TYPED_BY_TAG = setOf('input select textarea');

/** @param {Element} element @param {string} name */
export const isAriaTrue = (element, name) => ariaState(element, name) === 'true';

/**
 * Copy a three-valued ARIA state: true, false or "mixed"; any other value is omitted.
 * @param {Extra} extra @param {string} key @param {string | null} value
 */
export const copyState = (extra, key, value) => {
  if (value === 'true') extra[key] = true;
  else if (value === 'false') extra[key] = false;
  else if (value === 'mixed') extra[key] = 'mixed';
};

/** @param {Element} element */
export const isDisabled = (element) =>
  matches.call(element, ':disabled') || isAriaTrue(closest.call(element, '[aria-disabled]') ?? element, 'aria-disabled');

/**
 * Return whether validation has failed; a required field that the user has not touched has not failed.
 * @param {Element} element @param {string} tag @param {string} role
 */
export const isInvalid = (element, tag, role) => {
  const invalid = ariaState(element, 'aria-invalid');
  if (invalid) return INVALID.has(invalid);
  const fails = NATIVE_CONTROLS.has(tag) && matches.call(element, ':invalid')
    && (!element.validity.valueMissing || matches.call(element, ':user-invalid'));
  return fails || failsAsCustom(element, tag, role);
};

/** @param {Element} element @param {string} tag */
export const checkedState = (element, tag) => {
  if (tag !== 'input') return ariaState(element, 'aria-checked') ?? 'false';
  return element.indeterminate ? 'mixed' : String(element.checked);
};

/** @param {any} element @param {string} tag */
const expandedState = (element, tag) => {
  if (tag === 'summary') return String(hasAttribute.call(parentNodeOf.call(element), 'open'));
  const expanded = ariaState(element, 'aria-expanded');
  const popover = expanded === null ? element.popoverTargetElement ?? null : null;
  return popover === null ? expanded : String(matches.call(popover, ':popover-open'));
};

const SORTED = '[aria-sort]:is(th,[role=columnheader],[role=rowheader])';
const SORTS = setOf('none ascending descending other');

/**
 * Add the sort order of the column whose header the element is or lies in.
 * @param {Extra} extra @param {Element} element
 */
export const addSort = (extra, element) => {
  const head = pass.readsSortOrder ? closest.call(element, SORTED) : null;
  const sort = head === null ? null : attribute(head, 'aria-sort');
  if (sort !== null && SORTS.has(sort)) extra.sort = sort;
};

const CURRENT = setOf('page step location date time true');

/**
 * Add that the element stands for the current page, step, location or date.
 * @param {Extra} extra @param {Element} element
 */
export const addCurrent = (extra, element) => {
  const current = attribute(element, 'aria-current');
  if (current !== null && CURRENT.has(current)) extra.current = current === 'true' ? true : current;
};

/** @param {Extra} extra @param {Element} element @param {string} tag @param {string} role */
export const addStates = (extra, element, tag, role) => {
  const native = NATIVE_CONTROLS.has(tag);
  if (isDisabled(element)) extra.disabled = 1;
  if (!CHECKABLE.has(role)) copyState(extra, 'checked', ariaState(element, 'aria-checked'));
  else if (hasInternalState(element, tag)) extra.checkedUnknown = 1; // only the element's internals have it
  else copyState(extra, 'checked', checkedState(element, tag));
  copyState(extra, 'expanded', expandedState(element, tag));
  copyState(extra, 'selected', ariaState(element, 'aria-selected'));
  copyState(extra, 'pressed', ariaState(element, 'aria-pressed'));
  if ((native && element.required) || isAriaTrue(element, 'aria-required')) extra.required = 1;
  if ((native && element.readOnly) || isAriaTrue(element, 'aria-readonly')) extra.readonly = 1;
  if (isInvalid(element, tag, role)) {
    extra.invalid = 1;
    const message = hasAttribute.call(element, 'aria-invalid') ? messageOf(element) : '';
    if (message !== '') extra.message = message;
  }
  addCurrent(extra, element);
  addSort(extra, element);
};

/**
 * Return the resolved address; in SVG, `href` is an object.
 * @param {any} link
 */
const hrefOf = (link) =>
  (typeof link.href === 'string' ? link.href : new URL(link.href.baseVal, baseUriOf.call(link)).href);

/** @param {Extra} extra @param {Element} element @param {string} tag @param {string} role */
const addForm = (extra, element, tag, role) => {
  const own = (NATIVE_CONTROLS.has(tag) && element.form) || null;
  const owner = own ?? (isEntry(element, tag, role) ? formTaking(element) : null);
  if (owner === null) return;
  extra.form = nidOf(owner);
  if (own !== null && SUBMITTING.has(element.type)) extra.submits = 1;
};

/**
 * Add the states, value and address of an interactive element.
 * @param {Extra} extra @param {Element} element @param {string} tag @param {string} role
 */
export const addInteractive = (extra, element, tag, role) => {
  if (TYPED_BY_TAG.has(tag)) extra.tag = tag;
  if (tag === 'a' || tag === 'area') {
    if (hasAttribute.call(element, 'href')) extra.href = hrefOf(element);
  } else {
    const value = addControl(extra, element, tag, role);
    if (value !== '') extra.value = value;
    const placeholder = placeholderOf(element, tag);
    if (placeholder) extra.placeholder = placeholder;
    addForm(extra, element, tag, role);
  }
  addStates(extra, element, tag, role);
};
