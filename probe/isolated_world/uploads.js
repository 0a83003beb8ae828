// File inputs of elements, and drop targets.
import { closest, dispatchEventOf, elementsIn, hasAttribute, isScriptless, matches } from './builtins.js';
import { isDisabled } from './control_states.js';
import { byNumber, elementOf, GONE_ANSWER, nidOf, reportedBy, requestReports } from './registry.js';
import { isFileInput } from './text_controls.js';

/**
 * Return the element, the file input of its label, or the only one inside it or in the form that it submits.
 * @param {any} element
 */
const fileInputOf = (element) => {
  if (isFileInput(element)) return element;
  const labelled = closest.call(element, 'label')?.control ?? null;
  if (labelled !== null && isFileInput(labelled)) return labelled;
  const form = matches.call(element, ':is(button,input):is([type=submit],[type=image],button:not([type]))') ? element.form : null;
  const inputs = [...elementsIn.call(form ?? element, 'input')].filter((one) => isFileInput(one));
  return inputs.length === 1 ? inputs[0] : null;
};

const dropping = reportedBy('charlotte:drops');

/**
 * Return {nid, multiple?, webkitdirectory?} of the file input of an element; without one, {drops: 1} if it listens for
 * drops, else {}; or {error: "disabled"}.
 */
export const fileInput = byNumber((element) => {
  const input = fileInputOf(element);
  if (input === null) {
    requestReports();
    dispatchEventOf.call(document, new Event('charlotte:gives')); // a press may open a picker
    return dropping.has(element) || hasAttribute.call(element, 'ondrop') ? { drops: 1 } : {};
  }
  if (isDisabled(input)) return { error: 'disabled' };
  return { nid: nidOf(input), ...(input.multiple ? { multiple: 1 } : {}), ...(input.webkitdirectory ? { webkitdirectory: 1 } : {}) };
});

/** @type {any} */
let lastDragOver = null;

/** @param {any} event */
const noteDragOver = (event) => { lastDragOver = event; };

/** Store the last dragover event of the element's document from now on. */
export const watchDrop = byNumber(() => {
  lastDragOver = null;
  if (!isScriptless()) addEventListener('dragover', noteDragOver, true);
  return {};
});

/**
 * Return {taken: whether the page accepts the last dragover}, and stop watching.
 * @param {number} nid
 */
export const isDropTaken = (nid) => {
  removeEventListener('dragover', noteDragOver, true);
  return elementOf(nid) === null ? GONE_ANSWER : JSON.stringify({ taken: lastDragOver?.defaultPrevented === true });
};
