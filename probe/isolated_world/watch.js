// watch() and standing(): promises that are kept as soon as something is not as it was known, or after
// `ms` all the same. What is looked at is looked at after changes of the DOM, in a frame.
// changed(): a promise that is kept as soon as the page may read otherwise. Besides mutations of the DOM, of which the
// browser tells, that is what scripts can do without one: give a field a value, show a popover, attach a shadow root.
import {
  collapse, ELEMENT, firstChildOf, isScriptless, nextSiblingOf, nodeTypeOf, queryAll, rootElementOf,
  sameList, TEXT,
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

const LOOK_AGAIN = 100; // ms; what changes without a mutation (a value, a rule of a style sheet) is seen then
const EXPENSIVE = 4; // ms; a look that takes longer is followed by a rest of several times as long

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
 * Until the DOM changes, but at most for `ms`; where we are not told of changes, it may always have changed.
 * @param {number} ms
 */
const nextChange = (ms) => (isScriptless() ? later(Math.min(ms, LOOK_AGAIN)) : nextMutation(ms));

/**
 * What `look` gives, as soon as that is not `known`.
 * @param {() => string} look @param {string} known @param {number} ms
 */
const waitForOther = async (look, known, ms) => {
  const end = now() + ms;
  for (;;) {
    const begun = now();
    const seen = look();
    if (seen !== known || now() >= end) return seen;
    const took = now() - begun;
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

/** All text that is shown, in shadow roots too; none in a frame that is not shown itself. */
const shownText = () => {
  const root = rootElementOf.call(document);
  return root !== null && isRendered(root) ? collapse(openRoots().map(textUnder).join('\n')) : '';
};

/** @param {string} css */
const matchesSome = (css) => openRoots().some((root) => queryAll(root, css).length > 0);

/**
 * {text, gone: whether these texts are shown, selector: whether it finds something}; of what is asked only. With a
 * `reach`, where the texts are shown (`occurrencesIn`).
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
 * A promise of {shown, enabled} or {error: "gone"}.
 * @param {number} nid @param {string} [known] @param {number} [ms]
 */
export const elementState = (nid, known = '', ms = 0) => waitForOther(() => readElementState(nid), known, ms);

const POLL_INTERVAL = 50; // ms between two looks
const POLL_PAUSE_FACTOR = 20; // times as long as a look takes

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
    const begun = now();
    if (begun >= end || !sameList(look(), known)) done();
    else next = setTimeout(check, Math.max(POLL_INTERVAL, POLL_PAUSE_FACTOR * (now() - begun)));
  };
  observe(observer, roots);
  next = setTimeout(check, Math.min(POLL_INTERVAL, ms));
}));

/**
 * A promise of {}; where no script is run, the page may always have changed.
 * @param {number} ms
 */
export const changed = async (ms) => {
  await (isScriptless() ? later(Math.min(ms, LOOK_AGAIN)) : waitForChange(ms));
  return '{}';
};
