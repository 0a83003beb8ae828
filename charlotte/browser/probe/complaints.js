// What the browser's own validation has against sending a form: nothing, if the form was sent, to a script or away.
const sentForms = new WeakSet(); // since they were last asked for

const noteSent = ({ currentTarget }) => { sentForms.add(currentTarget); };

/** Notice from now on whether a form is sent. */
const watchSending = (form) => {
  sentForms.delete(form);
  if (!isScriptless()) listen.call(form, 'submit', noteSent, CAPTURED); // which counts once, however often it is said
};

const canFail = (one) => (NATIVE_CONTROLS.has(localNameOf.call(one)) ? one.willValidate : isFormAssociated(one));

const complaint = (one) =>
  (isFormAssociated(one)
    ? [nidOf(entryIn(one)), 'Not valid, says a script of the page; if it says why, then in the text beside it.']
    : [nidOf(one), one.validationMessage]);

/**
 * What the browser's own validation says against sending a form, or that of a field:
 * {invalid: [[nid, message], …]}.
 */
const invalid = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const form = formOf(element);
  if (form === null || sentForms.has(form)) return JSON.stringify({ invalid: [] });
  const failing = [...formElementsOf.call(form)].filter((one) => matches.call(one, ':invalid') && canFail(one));
  const told = hasAttribute.call(form, 'novalidate') ? [] : failing.slice(0, 5);
  return JSON.stringify({ invalid: told.map(complaint) });
};
