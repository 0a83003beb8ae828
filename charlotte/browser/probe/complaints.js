// What the browser's own validation has against sending a form: nothing, if the form was sent, to a script or away.
const sentForms = new WeakSet(); // since they were last asked for

const noteSent = ({ currentTarget }) => { sentForms.add(currentTarget); };

/** Notice from now on whether a form is sent. */
const watchSending = (form) => {
  sentForms.delete(form);
  if (!isScriptless()) listen.call(form, 'submit', noteSent, CAPTURED); // which counts once, however often it is said
};

const canFail = (one) => (NATIVE_CONTROLS.has(localNameOf.call(one)) ? one.willValidate : isFormAssociated(one));

const isVisibleWidget = (element) =>
  WIDGETS.has(roleOf(element, localNameOf.call(element))) && isDrawn(element) && !isUnreadable(element);

/** The first widget that can be seen in the innermost element around a control that has any; null without one. */
const widgetBeside = (control, form) => {
  for (let around = flatParent(control); around !== null; around = flatParent(around)) {
    const found = [...queryIn(around, '*')].find(isVisibleWidget);
    if (found !== undefined || around === form) return found ?? null;
  }
  return null;
};

/** What a control that nobody sees is called, and the number of what stands for it: [name, nid or 0]. */
const standIn = (control, form) => {
  const beside = widgetBeside(control, form);
  return [labelText(control) || attribute(control, 'name') || '', beside === null ? 0 : nidOf(beside)];
};

const complaint = (one, form) => {
  if (isFormAssociated(one)) {
    return [nidOf(entryIn(one)), 'Not valid, says a script of the page; if it says why, then in the text beside it.'];
  }
  const isHidden = !isVisibleWidget(one) && proxyOf(one) === null;
  return [nidOf(one), one.validationMessage, ...(isHidden ? standIn(one, form) : [])];
};

/**
 * What the browser's own validation says against sending a form, or that of a field:
 * {invalid: [[nid, message, name?, nid of what stands for it?], …]}, the latter for a control that nobody sees.
 */
const invalid = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const form = formOf(element);
  if (form === null || sentForms.has(form)) return JSON.stringify({ invalid: [] });
  const failing = [...formElementsOf.call(form)].filter((one) => matches.call(one, ':invalid') && canFail(one));
  const told = hasAttribute.call(form, 'novalidate') ? [] : failing.slice(0, 5);
  return JSON.stringify({ invalid: told.map((one) => complaint(one, form)) });
};
