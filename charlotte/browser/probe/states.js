// States of interactive elements, from properties for native controls and from ARIA for others.
// Writes into the `extra` object of a row only what says something.
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
  while (active !== null && rootOf(active)?.activeElement) active = rootOf(active).activeElement;
  return active;
};

/** What `aria-disabled` says holds for all that lies inside, up to the next one. */
const isAriaDisabled = (element) => {
  const disabling = closest.call(element, '[aria-disabled]');
  return disabling !== null && isAriaTrue(disabling, 'aria-disabled');
};

const isDisabled = (element) => matches.call(element, ':disabled') || isAriaDisabled(element);

/** Validation has failed; a required field that nobody has touched yet has not failed. */
const failsValidation = (control) =>
  matches.call(control, ':invalid') && (!control.validity.valueMissing || matches.call(control, ':user-invalid'));

const isInvalid = (element, tag, role) => {
  const told = attribute(element, 'aria-invalid');
  if (told) return INVALID.has(told);
  return (NATIVE_CONTROLS.has(tag) && failsValidation(element)) || failsAsCustom(element, tag, role);
};

const checkedState = (element, tag) => {
  if (tag !== 'input') return attribute(element, 'aria-checked') ?? 'false';
  return element.indeterminate ? 'mixed' : String(element.checked);
};

/** Nothing of one that may be checked for all we know. */
const addChecked = (extra, element, tag) => {
  if (isReserved(element, tag)) extra.unsaid = 1;
  else copyState(extra, 'checked', checkedState(element, tag));
};

const isOpen = (details) => String(hasAttribute.call(details, 'open'));

const popoverState = (element) => {
  const popover = element.popoverTargetElement ?? null;
  return popover === null ? null : String(matches.call(popover, ':popover-open'));
};

const expandedState = (element, tag) => {
  if (tag === 'summary') return isOpen(parentNodeOf.call(element));
  return attribute(element, 'aria-expanded') ?? popoverState(element);
};

const SORTED = '[aria-sort]:is(th,[role=columnheader],[role=rowheader])';
const SORTS = setOf('none ascending descending other');

/** How the column is sorted that an element is the head of, or lies in the head of. */
const addSort = (extra, element) => {
  const head = pass.sorts ? closest.call(element, SORTED) : null;
  const sort = head === null ? null : attribute(head, 'aria-sort');
  if (SORTS.has(sort)) extra.sort = sort;
};

const CURRENT = setOf('page step location date time true');

/** That it stands for where one is: the page among links, the step among steps. */
const addCurrent = (extra, element) => {
  const current = attribute(element, 'aria-current');
  if (CURRENT.has(current)) extra.current = current === 'true' ? true : current;
};

const addStates = (extra, element, tag, role) => {
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

/** The address as the browser resolves it; in SVG `href` is an object. */
const hrefOf = (link) =>
  (typeof link.href === 'string' ? link.href : new URL(link.href.baseVal, baseUriOf.call(link)).href);

const addForm = (extra, element, tag, role) => {
  const own = (NATIVE_CONTROLS.has(tag) && element.form) || null;
  const owner = own ?? (isEntry(element, tag, role) ? formTaking(element) : null);
  if (owner === null) return;
  extra.form = nidOf(owner);
  if (own !== null && SUBMITTING.has(element.type)) extra.submits = 1;
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
    addForm(extra, element, tag, role);
  }
  addStates(extra, element, tag, role);
};
