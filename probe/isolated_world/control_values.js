// Values, options, limits and placeholders of controls. A password field stays secret if a page shows it as plain text.
import { attribute, collapse, hasAttribute, innerTextOf, setOf, textOf } from './builtins.js';
import { ariaState } from './internals.js';
import { isKeyCatcher, isSetField, takesText } from './text_controls.js';

const PASSWORD_HINTS = ['current-password', 'new-password'];
const passwords = new WeakSet();

/** @param {Element} input */
export const isSecret = (input) => {
  const isPassword = passwords.has(input) || input.type === 'password'
    || PASSWORD_HINTS.some((hint) => attribute(input, 'autocomplete')?.includes(hint))
    || /** @type {any} */ (getComputedStyle(input)).webkitTextSecurity !== 'none';
  if (isPassword) passwords.add(input);
  return isPassword;
};

const MAX_SHOWN = 200;
export const BULLETS = '••••';
const VALUELESS = setOf('checkbox radio button submit reset image hidden');
const RANGED = setOf('number range date time month week datetime-local');

/** @param {Extra} extra @param {string} key @param {string | null} text */
export const addNumber = (extra, key, text) => {
  if (text !== null && text !== '') extra[key] = text;
};

/** @param {Extra} extra @param {Element} element @param {string} prefix */
const addRange = (extra, element, prefix) => {
  addNumber(extra, 'min', ariaState(element, `${prefix}min`));
  addNumber(extra, 'max', ariaState(element, `${prefix}max`));
  addNumber(extra, 'step', attribute(element, 'step'));
};

const secrets = new WeakMap(); // field → {value, revision}, to report a change without the value

/**
 * Return a number that changes whenever the secret value changes.
 * @param {Element} input
 */
const revisionOf = (input) => {
  const { value } = input;
  const known = secrets.get(input) ?? { value: '', revision: 0 };
  if (known.value !== value) secrets.set(input, { value, revision: known.revision + 1 });
  return secrets.get(input)?.revision ?? 0;
};

/** @param {Extra} extra @param {Element} input */
const inputValue = (extra, input) => {
  if (VALUELESS.has(input.type)) return '';
  if (isSecret(input)) {
    extra.secret = 1;
    const revision = revisionOf(input);
    if (revision > 1) extra.rev = revision;
    return input.value === '' ? '' : BULLETS;
  }
  if (input.type === 'file') return Array.from(input.files, (file) => file.name).join(', ');
  return input.value;
};

/** @param {any} option */
export const optionText = (option) => collapse(option.label);

/**
 * Return whether a native list leaves out an option or a group. It has no boxes while the list is closed.
 * @param {any} part
 */
const isLeftOut = (part) =>
  (part.hidden || hasAttribute.call(part, 'class') || hasAttribute.call(part, 'style')) && getComputedStyle(part).display === 'none';

/** @param {any} select @returns {any[]} */
export const offeredOptions = (select) => Array.from(select.options).filter((option) =>
  !isLeftOut(option) && (option.parentElement === select || !isLeftOut(option.parentElement)));

/** @param {Extra} extra @param {any} select */
const addOptions = (extra, select) => {
  extra.options = offeredOptions(select).map(optionText);
  if (select.multiple) extra.multiple = 1;
  return Array.from(select.selectedOptions, optionText).join(', ');
};

/** @param {Extra} extra @param {Element} input */
const addInput = (extra, input) => {
  extra.type = input.type;
  if (RANGED.has(input.type)) addRange(extra, input, '');
  if (input.multiple) extra.multiple = 1;
  if (input.type === 'radio' && input.name !== '') extra.set = input.name;
  return inputValue(extra, input);
};

/**
 * Return the value of an ARIA widget: its `aria-valuenow`, else the text of a combobox.
 * @param {Extra} extra @param {Element} element @param {string} role
 */
const widgetValue = (extra, element, role) => {
  if (ariaState(element, 'aria-valuenow') === null) return role === 'combobox' ? textOf(element, MAX_SHOWN) : '';
  addRange(extra, element, 'aria-value');
  return ariaState(element, 'aria-valuetext') ?? ariaState(element, 'aria-valuenow') ?? '';
};

/** @param {Extra} extra @param {Element} element @param {string} tag @param {string} role */
const controlValue = (extra, element, tag, role) => {
  if (extra.editable === 1) return innerTextOf.call(element).trim();
  switch (tag) {
    case 'input': return addInput(extra, element);
    case 'select': return addOptions(extra, element);
    case 'textarea': return element.value;
    default: return widgetValue(extra, element, role);
  }
};

/**
 * Add the properties of a kind of control and return its value; '' for a control that only catches keys for an
 * editor.
 * @param {Extra} extra @param {Element} element @param {string} tag @param {string} role
 */
export const addControl = (extra, element, tag, role) => {
  const value = controlValue(extra, element, tag, role);
  const isTyped = value !== '' && (tag === 'input' || tag === 'textarea') && takesText(element) && !isSetField(element);
  return isTyped && isKeyCatcher(element) ? '' : value;
};

/** @param {Element} element @param {string} tag */
export const placeholderOf = (element, tag) =>
  ((tag === 'input' || tag === 'textarea') && element.placeholder) || attribute(element, 'aria-placeholder');
