// States and values of interactive elements, from properties for native controls and from ARIA for others.
// Writes into the `extra` object of a row only what says something.
const MAX_OPTIONS = 50;
const MAX_SHOWN = 200;
const BULLETS = '••••';
const VALUELESS = setOf('checkbox radio button submit reset image hidden');
const RANGED = setOf('number range date time month week datetime-local');
const SUBMITTING = setOf('submit image');
const INVALID = setOf('true grammar spelling');
const TYPED_BY_TAG = setOf('input select textarea');
const NATIVE_CONTROLS = setOf('button input select textarea');

const isAriaTrue = (element, name) => attribute(element, name) === 'true';

/** Copy a three-valued ARIA state: true, false or "mixed"; anything else is not there. */
const copyState = (extra, key, value) => {
  if (value === 'true') extra[key] = true;
  else if (value === 'false') extra[key] = false;
  else if (value === 'mixed') extra[key] = 'mixed';
};

const deepActive = () => {
  let active = activeElementOf.call(document);
  while (active !== null && shadowRootOf.call(active)?.activeElement) active = shadowRootOf.call(active).activeElement;
  return active;
};

const isDisabled = (element) => matches.call(element, ':disabled') || isAriaTrue(element, 'aria-disabled');

/** Validation has failed; a required field that nobody has touched yet has not failed. */
const failsValidation = (control) =>
  matches.call(control, ':invalid') && (!control.validity.valueMissing || matches.call(control, ':user-invalid'));

const isInvalid = (element, native) =>
  INVALID.has(attribute(element, 'aria-invalid')) || (native && failsValidation(element));

const checkedState = (element, tag) => {
  if (tag !== 'input') return attribute(element, 'aria-checked') ?? 'false';
  return element.indeterminate ? 'mixed' : String(element.checked);
};

const isOpen = (details) => String(hasAttribute.call(details, 'open'));

const expandedState = (element, tag) =>
  (tag === 'summary' ? isOpen(parentNodeOf.call(element)) : attribute(element, 'aria-expanded'));

const addStates = (extra, element, tag, role) => {
  const native = NATIVE_CONTROLS.has(tag);
  if (isDisabled(element)) extra.disabled = 1;
  if (CHECKABLE.has(role)) copyState(extra, 'checked', checkedState(element, tag));
  copyState(extra, 'expanded', expandedState(element, tag));
  copyState(extra, 'selected', attribute(element, 'aria-selected'));
  copyState(extra, 'pressed', attribute(element, 'aria-pressed'));
  if ((native && element.required) || isAriaTrue(element, 'aria-required')) extra.required = 1;
  if ((native && element.readOnly) || isAriaTrue(element, 'aria-readonly')) extra.readonly = 1;
  if (isInvalid(element, native)) extra.invalid = 1;
};

const addNumber = (extra, key, text) => {
  if (text !== null && text !== '') extra[key] = text;
};

const addRange = (extra, element, prefix) => {
  addNumber(extra, 'min', attribute(element, `${prefix}min`));
  addNumber(extra, 'max', attribute(element, `${prefix}max`));
  addNumber(extra, 'step', attribute(element, 'step'));
};

const inputValue = (input) => {
  if (VALUELESS.has(input.type)) return '';
  if (input.type === 'password') return input.value === '' ? '' : BULLETS;
  if (input.type === 'file') return Array.from(input.files, (file) => file.name).join(', ');
  return input.value;
};

const optionText = (option) => collapse(option.label);

const addOptions = (extra, select) => {
  const shown = Array.from(select.options).filter((option) => !option.hidden);
  extra.options = shown.slice(0, MAX_OPTIONS).map(optionText);
  if (shown.length > MAX_OPTIONS) extra.count = shown.length;
  if (select.multiple) extra.multiple = 1;
  return Array.from(select.selectedOptions, optionText).join(', ');
};

const addInput = (extra, input) => {
  extra.type = input.type;
  if (RANGED.has(input.type)) addRange(extra, input, '');
  if (input.multiple) extra.multiple = 1;
  return inputValue(input);
};

const ariaValue = (extra, element) => {
  addRange(extra, element, 'aria-value');
  return attribute(element, 'aria-valuetext') ?? attribute(element, 'aria-valuenow') ?? '';
};

/** The value of a widget made of other elements: what it says it is, else what a combobox shows. */
const widgetValue = (extra, element, role) => {
  if (hasAttribute.call(element, 'aria-valuenow')) return ariaValue(extra, element);
  return role === 'combobox' ? textOf(element, MAX_SHOWN) : '';
};

/** Add what belongs to the kind of control; returns its value as text. */
const addControl = (extra, element, tag, role) => {
  if (extra.editable === 1) return innerTextOf.call(element).trim();
  switch (tag) {
    case 'input': return addInput(extra, element);
    case 'select': return addOptions(extra, element);
    case 'textarea': return element.value;
    default: return widgetValue(extra, element, role);
  }
};

const placeholderOf = (element, tag) =>
  ((tag === 'input' || tag === 'textarea') && element.placeholder) || attribute(element, 'aria-placeholder');

/** The address as the browser resolves it; in SVG `href` is an object. */
const hrefOf = (link) =>
  (typeof link.href === 'string' ? link.href : new URL(link.href.baseVal, baseUriOf.call(link)).href);

const addForm = (extra, element, tag) => {
  const owner = element.form;
  if (owner === null || owner === undefined) return;
  extra.form = nidOf(owner);
  if (SUBMITTING.has(element.type)) extra.submits = 1;
};

/** Everything that is particular to an interactive element. */
const addInteractive = (extra, element, tag, role) => {
  if (TYPED_BY_TAG.has(tag)) extra.tag = tag;
  if (tag === 'a' || tag === 'area') {
    if (hasAttribute.call(element, 'href')) extra.href = hrefOf(element);
  } else {
    const value = addControl(extra, element, tag, role);
    if (value !== '') extra.value = value;
    const placeholder = placeholderOf(element, tag);
    if (placeholder) extra.placeholder = placeholder;
    if (NATIVE_CONTROLS.has(tag)) addForm(extra, element, tag);
  }
  addStates(extra, element, tag, role);
};
