// The conditions of a wait, the state of an element, and waiting for a change of the page. Values, popovers and shadow roots
// change without a mutation and are polled.
import {
  collapse, ELEMENT, firstChildOf, folded, isScriptless, nextSiblingOf, nodeTypeOf, parentElementOf, plain, rootElementOf,
  sameList, TEXT, textContentOf,
} from './builtins.js';
import { later, now } from './clock.js';
import { isDisabled } from './control_states.js';
import { allMatching, openRoots } from './flat_tree.js';
import { observe } from './mutations.js';
import { proxyOf } from './names.js';
import { namedImages } from './painted.js';
import { byNumber } from './registry.js';
import { newSilentState } from './replay.js';
import { beginPass, endPass, newPass } from './pass.js';
import { ownText, writtenTexts } from './text_lines.js';
import { isDrawn, isRendered, SEEN, sightOf } from './visibility.js';
import { occurrencesIn } from './visible_text.js';

/** @param {any} root */
const textUnder = (root) => {
  const texts = [];
  for (let child = firstChildOf.call(root); child !== null; child = nextSiblingOf.call(child)) {
    if (nodeTypeOf.call(child) === TEXT) texts.push(child.data);
    else if (nodeTypeOf.call(child) === ELEMENT && isRendered(child)) texts.push(ownText(child));
  }
  return texts.join('\n');
};

/** Return all visible text, in shadow roots, of style sheets and names of images too; '' in a hidden frame. */
const shownText = () => {
  const root = rootElementOf.call(document);
  if (root === null || !isRendered(root)) return '';
  beginPass(newPass(false));
  const roots = openRoots();
  const written = writtenTexts(roots).filter(([element]) => sightOf(element) === SEEN).map(([, text]) => text);
  const images = namedImages('').map((/** @type {any} */ [, name]) => name);
  endPass();
  return collapse([...roots.map(textUnder), ...written, ...images].join('\n'));
};

/** Return the original text of the elements that style shows in another case. */
const textInOtherCase = () => {
  const isChanged = (/** @type {any} */ node) => node !== null && getComputedStyle(node).textTransform !== 'none';
  const outermost = allMatching('*').filter((one) => isChanged(one) && !isChanged(parentElementOf.call(one)) && isRendered(one));
  return collapse(outermost.map((one) => textContentOf.call(one)).join('\n'));
};

/**
 * Return {text, gone: whether these texts are shown, selector: whether it matches}. With a `reach`, the occurrences
 * of the texts (`occurrencesIn`).
 * @param {any} subject
 */
export const conditions = ({ text, gone, selector, reach = 0 }) => {
  const shown = text === undefined && gone === undefined ? '' : shownText();
  const shows = (/** @type {string | undefined} */ wanted) => {
    if (wanted === undefined) return false;
    const text = plain(collapse(wanted));
    const isWritten = !plain(shown).includes(text) && folded(shown).includes(folded(text));
    const searched = isWritten ? textInOtherCase() : shown;
    return occurrencesIn(searched, text, reach, plain(searched));
  };
  const finds = selector !== undefined && allMatching(selector).length > 0;
  return JSON.stringify({ text: shows(text), gone: shows(gone), selector: finds });
};

/** Return {shown, enabled} of an element. */
export const elementState = byNumber((element) => ({
  shown: isDrawn(element) || proxyOf(element) !== null,
  enabled: !isDisabled(element),
}));

const SCRIPTLESS_PAUSE = 100; // ms
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
  await (isScriptless() ? later(Math.min(ms, SCRIPTLESS_PAUSE)) : waitForChange(ms));
  return '{}';
};
