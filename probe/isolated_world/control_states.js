// Custom elements that forms take for controls of theirs. What they are is in their ElementInternals, which nobody
// but the page's own script can reach; the rest shows in what they match and in what the form lists.
// States of interactive elements, from properties for native controls and from ARIA for others.
// Writes into the `extra` object of a row only what says something.
import {
  attribute, baseUriOf, closest, formElementsOf, getRootNode, hasAttribute, localNameOf, matches,
  parentNodeOf, queryAll, setOf,
} from './builtins.js';
import { addControl, placeholderOf } from './control_values.js';
import { hostOrParent, rootOf } from './flat_tree.js';
import { pass } from './pass.js';
import { nidOf } from './registry.js';
import { CHECKABLE } from './roles.js';
import { NATIVE_CONTROLS } from './tags.js';

/** @param {Element} element @param {string} [tag] */
export const isFormAssociated = (element, tag = localNameOf.call(element)) =>
  tag.includes('-') && matches.call(element, ':enabled,:disabled');

/**
 * The custom control that an element is, or lies in the shadow root of; null for none.
 * @param {Element} element
 */
const customControlOf = (element) => {
  /** @type {any} */
  let host = element;
  while (host !== null && !isFormAssociated(host)) host = hostOrParent(getRootNode.call(host));
  return host;
};

/** @param {any} root */
const elementsByForm = (root) =>
  [...queryAll(root, 'form')].map((form) => [form, new Set(formElementsOf.call(form))]);

/**
 * The form that lists a custom control.
 * @param {Element} control
 */
const formAround = (control) => {
  const root = getRootNode.call(control);
  const lists = pass?.formLists.get(root) ?? elementsByForm(root);
  pass?.formLists.set(root, lists);
  return lists.find((/** @type {any} */ [, listed]) => listed.has(control))?.[0] ?? null;
};

/**
 * The form of the custom control that an element is or lies in.
 * @param {Element} element
 */
export const formTaking = (element) => {
  const control = customControlOf(element);
  return control === null ? null : formAround(control);
};

/**
 * Whether its role is known to its internals alone, as is then whether it is checked.
 * @param {Element} element @param {string} tag
 */
const hasInternalState = (element, tag) =>
  tag.includes('-') && !hasAttribute.call(element, 'role') && !hasAttribute.call(element, 'aria-checked');

const ENTRIES = setOf('textbox searchbox combobox listbox checkbox radio switch slider spinbutton');

/**
 * Whether a value is entered in it; a custom control may hold a button beside that.
 * @param {Element} element @param {string} tag @param {string} role
 */
const isEntry = (element, tag, role) => ENTRIES.has(role) || tag === 'input' || isFormAssociated(element, tag);

/**
 * One that is required and empty has not failed: nobody may have touched it yet.
 * @param {Element} control @param {Element} element
 */
const isUntouchedAndEmpty = (control, element) =>
  (hasAttribute.call(control, 'required') || element.required === true) && !element.value;

/**
 * Whether a custom control says that its value is not valid.
 * @param {Element} element @param {string} tag @param {string} role
 */
const failsAsCustom = (element, tag, role) => {
  const control = isEntry(element, tag, role) ? customControlOf(element) : null;
  return control !== null && matches.call(control, ':invalid') && !isUntouchedAndEmpty(control, element);
};

/**
 * The field in a custom control that agents are told of, or the control itself.
 * @param {Element} control
 */
export const entryIn = (control) => rootOf(control)?.querySelector('input,select,textarea') ?? control;

const SUBMITTING = setOf('submit image');
const INVALID = setOf('true grammar spelling');
export const TYPED_BY_TAG = setOf('input select textarea');

/** @param {Element} element @param {string} name */
export const isAriaTrue = (element, name) => attribute(element, name) === 'true';

/**
 * Copy a three-valued ARIA state: true, false or "mixed"; anything else is not there.
 * @param {Extra} extra @param {string} key @param {string | null} value
 */
export const copyState = (extra, key, value) => {
  if (value === 'true') extra[key] = true;
  else if (value === 'false') extra[key] = false;
  else if (value === 'mixed') extra[key] = 'mixed';
};

/**
 * What `aria-disabled` says holds for all that lies inside, up to the next one.
 * @param {Element} element
 */
const isAriaDisabled = (element) => {
  const disabling = closest.call(element, '[aria-disabled]');
  return disabling !== null && isAriaTrue(disabling, 'aria-disabled');
};

/** @param {Element} element */
export const isDisabled = (element) => matches.call(element, ':disabled') || isAriaDisabled(element);

/**
 * Validation has failed; a required field that nobody has touched yet has not failed.
 * @param {Element} control
 */
const failsValidation = (control) =>
  matches.call(control, ':invalid') && (!control.validity.valueMissing || matches.call(control, ':user-invalid'));

/** @param {Element} element @param {string} tag @param {string} role */
const isInvalid = (element, tag, role) => {
  const told = attribute(element, 'aria-invalid');
  if (told) return INVALID.has(told);
  return (NATIVE_CONTROLS.has(tag) && failsValidation(element)) || failsAsCustom(element, tag, role);
};

/** @param {Element} element @param {string} tag */
export const checkedState = (element, tag) => {
  if (tag !== 'input') return attribute(element, 'aria-checked') ?? 'false';
  return element.indeterminate ? 'mixed' : String(element.checked);
};

/**
 * Nothing of one that may be checked for all we know.
 * @param {Extra} extra @param {Element} element @param {string} tag
 */
const addChecked = (extra, element, tag) => {
  if (hasInternalState(element, tag)) extra.unsaid = 1;
  else copyState(extra, 'checked', checkedState(element, tag));
};

/** @param {any} details */
const isOpen = (details) => String(hasAttribute.call(details, 'open'));

/** @param {Element} element */
const popoverState = (element) => {
  const popover = /** @type {any} */ (element).popoverTargetElement ?? null;
  return popover === null ? null : String(matches.call(popover, ':popover-open'));
};

/** @param {Element} element @param {string} tag */
const expandedState = (element, tag) => {
  if (tag === 'summary') return isOpen(parentNodeOf.call(element));
  return attribute(element, 'aria-expanded') ?? popoverState(element);
};

const SORTED = '[aria-sort]:is(th,[role=columnheader],[role=rowheader])';
const SORTS = setOf('none ascending descending other');

/**
 * How the column is sorted that an element is the head of, or lies in the head of.
 * @param {Extra} extra @param {Element} element
 */
export const addSort = (extra, element) => {
  const head = pass.sorts ? closest.call(element, SORTED) : null;
  const sort = head === null ? null : attribute(head, 'aria-sort');
  if (sort !== null && SORTS.has(sort)) extra.sort = sort;
};

const CURRENT = setOf('page step location date time true');

/**
 * That it stands for where one is: the page among links, the step among steps.
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
  if (CHECKABLE.has(role)) addChecked(extra, element, tag);
  copyState(extra, 'expanded', expandedState(element, tag));
  copyState(extra, 'selected', attribute(element, 'aria-selected'));
  copyState(extra, 'pressed', attribute(element, 'aria-pressed'));
  if ((native && element.required) || isAriaTrue(element, 'aria-required')) extra.required = 1;
  if ((native && element.readOnly) || isAriaTrue(element, 'aria-readonly')) extra.readonly = 1;
  if (isInvalid(element, tag, role)) extra.invalid = 1;
  addCurrent(extra, element);
  addSort(extra, element);
};

/**
 * The address as the browser resolves it; in SVG `href` is an object.
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
 * Everything that is particular to an interactive element.
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
