// Waiting for a change: of conditions, of an element's state, or of the page. Conditions are checked in a frame after changes
// of the DOM. Values, popovers and shadow roots change without a mutation and are polled.
import {
  collapse, ELEMENT, firstChildOf, isScriptless, nextSiblingOf, nodeTypeOf, queryAll, rootElementOf, sameList, TEXT,
} from './builtins.js';
import { frame, later, now } from './clock.js';
import { isDisabled } from './control_states.js';
import { openRoots } from './flat_tree.js';
import { observe } from './mutations.js';
import { proxyOf } from './names.js';
import { elementOf, GONE_ANSWER } from './registry.js';
import { newSilentState } from './replay.js';
import { ownText } from './text_lines.js';
import { isDrawn, isRendered } from './visibility.js';
import { occurrencesIn } from './visible_text.js';

const LOOK_AGAIN = 100; // ms; changes without a mutation (values, style rules) are found then
const EXPENSIVE = 4; // ms; a longer check is followed by a pause

/** @param {number} ms */
const nextMutation = (ms) => /** @type {Promise<void>} */ (new Promise((resolve) => {
  const observer = new MutationObserver(() => done());
  const late = setTimeout(() => done(), ms);
  const done = () => {
    observer.disconnect();
    clearTimeout(late);
    resolve();
  };
  observe(observer);
}));

/**
 * Wait until the DOM changes, but at most for `ms`; without scripts, no change is reported.
 * @param {number} ms
 */
const nextChange = (ms) => (isScriptless() ? later(Math.min(ms, LOOK_AGAIN)) : nextMutation(ms));

/**
 * Wait until `look` returns another value than `known`, or `ms` are over; return the value.
 * @param {() => string} look @param {string} known @param {number} ms
 */
const waitForOther = async (look, known, ms) => {
  const end = now() + ms;
  for (;;) {
    const start = now();
    const seen = look();
    if (seen !== known || now() >= end) return seen;
    const took = now() - start;
    await nextChange(Math.min(LOOK_AGAIN, Math.max(end - now(), 0)));
    await (took > EXPENSIVE ? later(EXPENSIVE * took) : frame());
  }
};

/** @param {any} root */
const textUnder = (root) => {
  const texts = [];
  for (let child = firstChildOf.call(root); child !== null; child = nextSiblingOf.call(child)) {
    if (nodeTypeOf.call(child) === TEXT) texts.push(child.data);
    else if (nodeTypeOf.call(child) === ELEMENT && isRendered(child)) texts.push(ownText(child));
  }
  return texts.join('\n');
};

/** Return all visible text, in shadow roots too; '' in a hidden frame. */
const shownText = () => {
  const root = rootElementOf.call(document);
  return root !== null && isRendered(root) ? collapse(openRoots().map(textUnder).join('\n')) : '';
};

/** @param {string} css */
const matchesSome = (css) => openRoots().some((root) => queryAll(root, css).length > 0);

/**
 * Return {text, gone: whether these texts are shown, selector: whether it matches}. With a `reach`, the occurrences
 * of the texts (`occurrencesIn`).
 * @param {any} subject
 */
const checkConditions = ({ text, gone, selector, reach = 0 }) => {
  const shown = text === undefined && gone === undefined ? '' : shownText();
  const shows = (/** @type {string | undefined} */ wanted) => wanted !== undefined && occurrencesIn(shown, collapse(wanted), reach);
  const finds = selector !== undefined && matchesSome(selector);
  return JSON.stringify({ text: shows(text), gone: shows(gone), selector: finds });
};

/** @param {string} wanted @param {string} [known] @param {number} [ms] */
export const watch = (wanted, known = '', ms = 0) => waitForOther(() => checkConditions(wanted), known, ms);

/** @param {number} nid */
const readElementState = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  return JSON.stringify({
    shown: isDrawn(element) || proxyOf(element) !== null,
    enabled: !isDisabled(element),
  });
};

/**
 * Wait for another {shown, enabled} or {error: "gone"} than `known`.
 * @param {number} nid @param {string} [known] @param {number} [ms]
 */
export const elementState = (nid, known = '', ms = 0) => waitForOther(() => readElementState(nid), known, ms);

const POLL_INTERVAL = 50; // ms between two looks
const POLL_PAUSE_FACTOR = 20; // times the duration of a check

/** @param {number} ms */
const waitForChange = (ms) => /** @type {Promise<void>} */ (new Promise((resolve) => {
  const end = now() + ms;
  const roots = openRoots();
  const look = newSilentState(roots);
  const known = look();
  const observer = new MutationObserver(() => done());
  let next = 0;
  const done = () => {
    observer.disconnect();
    clearTimeout(next);
    resolve();
  };
  const check = () => {
    const start = now();
    if (start >= end || !sameList(look(), known)) done();
    else next = setTimeout(check, Math.max(POLL_INTERVAL, POLL_PAUSE_FACTOR * (now() - start)));
  };
  observe(observer, roots);
  next = setTimeout(check, Math.min(POLL_INTERVAL, ms));
}));

/**
 * Wait until the page may have changed: {}. Without scripts, it may always have changed.
 * @param {number} ms
 */
export const changed = async (ms) => {
  await (isScriptless() ? later(Math.min(ms, LOOK_AGAIN)) : waitForChange(ms));
  return '{}';
};
