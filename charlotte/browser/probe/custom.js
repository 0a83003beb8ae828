// Custom elements that forms take for controls of theirs. What they are is in their ElementInternals, which nobody
// but the page's own script can reach; the rest shows in what they match and in what the form lists.
const formElementsOf = getterOf(HTMLFormElement.prototype, 'elements');

const isFormAssociated = (element, tag = localNameOf.call(element)) =>
  tag.includes('-') && matches.call(element, ':enabled,:disabled');

/** The custom control that an element is, or lies in the shadow root of; null for none. */
const customControlOf = (element) => {
  let host = element;
  while (host !== null && !isFormAssociated(host)) host = hostOrParent(getRootNode.call(host));
  return host;
};

const elementsByForm = (root) =>
  [...queryAll(root, 'form')].map((form) => [form, new Set(formElementsOf.call(form))]);

/** The form that lists a custom control. */
const formAround = (control) => {
  const root = getRootNode.call(control);
  const lists = pass?.formLists.get(root) ?? elementsByForm(root);
  pass?.formLists.set(root, lists);
  return lists.find(([, listed]) => listed.has(control))?.[0] ?? null;
};

/** The form of the custom control that an element is or lies in. */
const formTaking = (element) => {
  const control = customControlOf(element);
  return control === null ? null : formAround(control);
};

/** Whether its role is known to its internals alone, as is then whether it is checked. */
const isReserved = (element, tag) =>
  tag.includes('-') && !hasAttribute.call(element, 'role') && !hasAttribute.call(element, 'aria-checked');

const ENTRIES = setOf('textbox searchbox combobox listbox checkbox radio switch slider spinbutton');

/** Whether a value is entered in it; a custom control may hold a button beside that. */
const isEntry = (element, tag, role) => ENTRIES.has(role) || tag === 'input' || isFormAssociated(element, tag);

/** One that is required and empty has not failed: nobody may have touched it yet. */
const awaitsValue = (control, element) =>
  (hasAttribute.call(control, 'required') || element.required === true) && !element.value;

/** Whether a custom control says that its value is not valid. */
const failsAsCustom = (element, tag, role) => {
  const control = isEntry(element, tag, role) ? customControlOf(element) : null;
  return control !== null && matches.call(control, ':invalid') && !awaitsValue(control, element);
};

/** The field in a custom control that agents are told of, or the control itself. */
const entryIn = (control) => rootOf(control)?.querySelector('input,select,textarea') ?? control;
