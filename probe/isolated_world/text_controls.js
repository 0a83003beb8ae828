// Text controls and editors. Code editors type into a textarea that is too small to be read, or into an element with an
// EditContext, and draw the text around it.
import {
  clientHeightOf, clientWidthOf, cut, getterOf, innerTextOf, localNameOf, matches, queryIn, querySelector, setOf,
} from './builtins.js';
import { frame, now } from './clock.js';
import { deepActive, flatParent, nearest } from './flat_tree.js';
import { elementOf, GONE_ANSWER } from './registry.js';
import { isInEditable, NATIVE_CONTROLS } from './roles.js';
import { clips, isScrollable, ownRect, scrollableAncestor, SEEN, sightOf } from './visibility.js';

/** @param {Element} element @param {string} [tag] */
export const isFileInput = (element, tag = localNameOf.call(element)) => tag === 'input' && element.type === 'file';

export const TEXTLESS = setOf('checkbox radio button submit reset image file hidden');
const TEXT_INSIDE = 'input:not([type=hidden]),textarea,[contenteditable]';

const editContextOf = getterOf(HTMLElement.prototype, 'editContext');

/**
 * Return the EditContext through which an element receives text; null for most elements.
 * @param {Element} element
 */
const contextOf = (element) => (element instanceof HTMLElement ? editContextOf?.call(element) ?? null : null);

/** @param {Element} element */
export const hasEditContext = (element) => contextOf(element) !== null;

/** @param {Element} element */
export const takesText = (element) => {
  const tag = localNameOf.call(element);
  if (tag === 'textarea') return true;
  return tag === 'input' ? !TEXTLESS.has(element.type) : isInEditable(element) || hasEditContext(element);
};

/**
 * Return the element, or the text control inside a widget.
 * @param {Element} element @returns {any}
 */
export const textControlOf = (element) => {
  if (takesText(element)) return element;
  const inner = querySelector.call(element, TEXT_INSIDE) ?? [...queryIn(element, '*')].find(hasEditContext) ?? null;
  return inner !== null && takesText(inner) ? inner : null;
};

const LEAST_READABLE = Object.freeze({ width: 10, height: 5 }); // px

/** @param {Element} element */
export const isUnreadable = (element) => {
  const { width, height } = ownRect(element);
  return width < LEAST_READABLE.width || height < LEAST_READABLE.height;
};

/**
 * Return whether a control receives keys for text that is drawn elsewhere: it has an EditContext, is too small to show
 * text, or is clipped by a tiny parent.
 * @param {Element} control
 */
export const isKeyCatcher = (control) => {
  if (hasEditContext(control)) return true;
  const parent = flatParent(control);
  const isTiny = parent !== null // by its client size, which is cheaper to read than its rectangle
    && (clientWidthOf.call(parent) < LEAST_READABLE.width || clientHeightOf.call(parent) < LEAST_READABLE.height);
  return (isUnreadable(control) || (isTiny && isUnreadable(parent) && clips(parent))) && sightOf(control) === SEEN;
};

/**
 * Return the element that shows the text of a control: itself, or the editor around a key catcher.
 * @param {Element} control
 */
const editorOf = (control) => {
  if (!isKeyCatcher(control)) return control;
  const first = hasEditContext(control) && innerTextOf.call(control) !== '' ? control : flatParent(control);
  return nearest(first, (node) => !isUnreadable(node)) ?? control;
};

/**
 * Return the lines of a text without empty lines, zero-width characters and trailing space.
 * @param {string} text
 */
const linesIn = (text) =>
  text.replace(/[\u200b\ufeff]/g, '').replace(/\u00a0/g, ' ').split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');

/** @param {string[]} lines */
const sorted = (lines) => lines.toSorted().join('\n'); // some editors position their lines themselves

/**
 * Compare the lines that are shown with typed lines: "same", "part" or "other".
 * @param {string[]} shown @param {string[]} wanted @param {boolean} replaced @param {boolean} isWhole
 */
const verdictOn = (shown, wanted, replaced, isWhole) => {
  const isShown = (/** @type {string} */ line) => shown.some((other) => other.includes(line));
  if (replaced ? sorted(shown) === sorted(wanted) : wanted.every(isShown)) return 'same';
  const isPart = replaced ? shown.length < wanted.length && shown.every((line) => wanted.includes(line)) : wanted.some(isShown);
  return isPart && shown.length > 0 && !isWhole ? 'part' : 'other';
};

const LONGEST_SHOWN = 300;

/**
 * Return whether an editor may hide lines: long texts are drawn as far as they are scrolled.
 * @param {Element} editor
 */
const mayScroll = (editor) => scrollableAncestor(editor) !== null || [editor, ...queryIn(editor, '*')].some(isScrollable);

/** @param {Element} control @param {string} text @param {boolean} replaced */
const compareShown = (control, text, replaced) => {
  const editor = editorOf(control);
  const all = linesIn(NATIVE_CONTROLS.has(localNameOf.call(editor)) ? editor.value : innerTextOf.call(editor));
  const [shown, wanted] = [all, linesIn(text)].map((lines) => // a number alone may be that of a line
    (editor === control ? lines : lines.filter((line) => !/^\s*\d+$/.test(line))));
  const inBoxes = editor !== control && all.join('') === text; // a character in each
  const isSame = inBoxes || (replaced && contextOf(control)?.text === text);
  const verdict = isSame ? 'same' : verdictOn(shown, wanted, replaced, !mayScroll(editor));
  return {
    verdict, shown: cut(shown.join('\n'), LONGEST_SHOWN), lines: shown.length, wanted: wanted.length,
    ...(editor === control ? {} : { around: 1 }),
  };
};

/**
 * Return whether a control may show another text than is typed into it. A part of a date has a number.
 * @param {Element} control
 */
export const isEditor = (control) => (isInEditable(control) && !matches.call(control, '[role=spinbutton]')) || isKeyCatcher(control);

/**
 * Return whether an editor may close brackets and indent lines at every key: it has no spell check.
 * @param {Element} control
 */
export const isCodeEditor = (control) => isKeyCatcher(control) || (isInEditable(control) && !control.spellcheck);

const CODE_FONT = /mono|courier|consolas|menlo/i;

/**
 * Return whether an editable element holds code rather than rich text.
 * @param {Element} control
 */
export const holdsCode = (control) => isCodeEditor(control) && CODE_FONT.test(getComputedStyle(control).fontFamily);

/**
 * Return whether a code editor may draw a part of its text only; its keys then reach the whole text.
 * @param {Element} control
 */
export const isWindowed = (control) => isKeyCatcher(control) || (holdsCode(control) && mayScroll(control));

/**
 * Compare the text that an editor shows with the typed text: {verdict: "same"|"part"|"other", shown,
 * lines, wanted, around?}, {} for a plain control, or {error: "gone"}. A missing text is looked for until
 * `wait` ms are over: editors draw late.
 * @param {number} nid @param {string} text @param {boolean} replaced @param {number} [wait]
 */
export const typedText = async (nid, text, replaced, wait = 300) => {
  const end = now() + wait;
  for (;;) {
    const element = nid === 0 ? deepActive() : elementOf(nid);
    if (element === null) return GONE_ANSWER;
    const control = textControlOf(element) ?? element;
    if (!isEditor(control)) return '{}';
    const answer = compareShown(control, text, replaced);
    if (answer.verdict === 'same' || now() >= end) return JSON.stringify(answer);
    await frame();
  }
};

/** @type {Readonly<Record<string, string>>} */
export const FORMATS = Object.freeze({
  date: 'YYYY-MM-DD',
  month: 'YYYY-MM',
  week: 'YYYY-Www',
  time: 'HH:MM',
  'datetime-local': 'YYYY-MM-DDTHH:MM',
  color: '#rrggbb',
  range: 'a number',
});

/** @param {Element} element */
export const isSetField = (element) => element instanceof HTMLInputElement && element.type in FORMATS;
