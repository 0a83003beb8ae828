// What is painted beside plain text: images, players, progress, numbers of list items, raised and lowered text.
import {
  attribute, closest, collapse, createRange, folded, hasAttribute, hasNameAttribute, localNameOf, matches, nodeTypeOf, parentElementOf,
  previousSiblingOf, queryIn, querySelector, remembered, setOf, TEXT, textContentOf,
} from './builtins.js';
import { allMatching, flatParent } from './flat_tree.js';
import { computedName } from './names.js';
import { pass } from './pass.js';
import { CELLS, HEADINGS, INTERACTIVE_INSIDE, tagFacts } from './roles.js';
import { isExcluded, isOpaque } from './sight.js';
import { hasArea, isRendered, ownRect } from './visibility.js';
import { ROW_LIKE, visibleWordsOf, wordsOf } from './visible_text.js';

/** @param {number} seconds */
const clockTime = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/**
 * Return what a player shows; not the time of one that plays, which changes all the time.
 * @param {any} media
 */
export const playerState = ({ paused, ended, currentTime, duration }) => {
  const end = Number.isFinite(duration) ? clockTime(duration) : '';
  if (!paused && !ended) return end === '' ? 'playing' : `playing, ${end} long`;
  return `paused ${clockTime(currentTime)}${end === '' ? '' : `/${end}`}`;
};

const LONGEST_SHOWN = 2_000;
const MEASURES = setOf('progress progressbar meter');
const SHOWN_ROLES = setOf('img image progressbar meter');

/** @param {string} word @param {string} name @param {string} value */
const tokenOf = (word, name, value) =>
  `[${[word, name && JSON.stringify(name), value].filter(Boolean).join(' ')}]`;

/** @param {any} element @param {string} tag */
const amountOf = (element, tag) => {
  const [now, least, most] = MEASURES.has(tag)
    ? [element.position === -1 ? null : element.value, element.min ?? 0, element.max]
    : ['now', 'min', 'max'].map((end) => attribute(element, `aria-value${end}`));
  const isShare = Number(least) === 0 && [1, 100].includes(Number(most ?? 100));
  if (now === null || isShare) return now === null ? '' : `${Math.round((now / (most ?? 100)) * 100)}%`;
  return `${now} of ${Number(least) === 0 ? '' : `${least} to `}${most}`;
};

/** @param {Element} element @param {string} tag @param {string} role */
const measureToken = (element, tag, role) => {
  const value = attribute(element, 'aria-valuetext') ?? amountOf(element, tag);
  const shown = MEASURES.has(tag) ? '' : visibleWordsOf(element, LONGEST_SHOWN); // native ones have text for old browsers
  return tokenOf(role.replace('bar', ''), computedName(element, tag), shown !== '' && shown.includes(value) ? shown : `${value} ${shown}`.trim());
};

const LEAST_WIDTH = 80;
const LEAST_HEIGHT = 24;
const LEAST_NAMED = 10_000; // px²
const LONGEST_CARD = 200; // characters beside an image that may repeat its name

/** @param {string} text */
const spaced = (text) => ` ${folded(text).replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

const cards = new WeakMap(); // by pass, the text beside images

/** @param {Element} element @returns {string} */
const cardOf = (element) => remembered(remembered(cards, pass, () => new Map()), element, () => spaced(wordsOf(element, LONGEST_CARD, 4 * LONGEST_CARD, 'svg')));

/** @param {any} element @param {string} tag */
const imageToken = (element, tag) => {
  const { width, height } = ownRect(element);
  const isNamed = hasNameAttribute(element) || (attribute(element, 'alt') ?? '') !== '' || (tag === 'svg' && querySelector.call(element, ':scope > title') !== null);
  const isIcon = width < LEAST_WIDTH || height < LEAST_HEIGHT;
  if ((isIcon && !isNamed) || attribute(element, 'alt') === '') return '';
  if (tag === 'video' && element.readyState === 0 && !hasAttribute.call(element, 'poster')) return '';
  if (tag === 'svg' ? querySelector.call(element, 'text') !== null : tagFacts(tag).enter && visibleWordsOf(element, 1) !== '') return '';
  const name = collapse(tag === 'svg' || hasNameAttribute(element) ? computedName(element, tag) : attribute(element, 'alt') ?? '');
  if (name === '' && element.complete === true && element.naturalWidth === 0) return ''; // it could not be loaded
  const isSmall = isIcon || (name !== '' && width * height < LEAST_NAMED);
  if (isSmall && (name === '' || closest.call(element, `label,legend,${HEADINGS}`) !== null || querySelector.call(element, INTERACTIVE_INSIDE) !== null)) return '';
  const parent = flatParent(element) ?? element;
  const around = matches.call(parent, `${ROW_LIKE},${CELLS}`) ? parent : flatParent(parent) ?? parent;
  if (name !== '' && cardOf(around).includes(spaced(name))) return '';
  const word = tag === 'canvas' || tag === 'video' ? tag : 'image';
  return tokenOf(word, name, isSmall ? '' : `${Math.round(width)}×${Math.round(height)}`);
};

/**
 * Return the token that stands for an element without text: '' for none, as for images that are small and have no name, or that
 * their author or a name that the text beside them repeats makes decoration.
 * @param {Element} element @param {string} tag @param {boolean} special
 */
export const tokenFor = (element, tag, special) => {
  const role = special ? attribute(element, 'role')?.trim().toLowerCase() ?? '' : '';
  const isShown = SHOWN_ROLES.has(role) || (role === '' && tagFacts(tag).shown);
  if (!isShown || !isOpaque(element) || !hasArea(ownRect(element))) return '';
  if (!MEASURES.has(role || tag)) return imageToken(element, tag);
  return querySelector.call(element, INTERACTIVE_INSIDE) === null ? measureToken(element, tag, role || tag) : '';
};

/**
 * Return the visible images whose names contain a text, each with its name.
 * @param {string} wanted @returns {any}
 */
export const namedImages = (wanted) => allMatching('img[alt],[role=img],[role=image],svg')
  .filter((element) => !isExcluded(element)).map((element) => [element, JSON.parse(/".*"/.exec(tokenFor(element, localNameOf.call(element), true))?.[0] ?? '""')])
  .filter(([, name]) => folded(name).includes(wanted));

const BULLET = /^(?:disc|circle|square)$/; // read first, because the style of a ::before costs much
const UNNUMBERED = /^(?:none|disc|circle|square|disclosure.*|".*)$/;
const COUNTER = /counters?\(([\w-]+)(?:, (?:".*?", )?([\w-]+))?\)/;

/** @param {any} list @param {Element} item */
const numberingOf = (list, item) => {
  const { display, listStyleType } = getComputedStyle(item);
  if (display === 'list-item' && BULLET.test(listStyleType)) return null;
  const [, counter = '', style = 'decimal'] = COUNTER.exec(getComputedStyle(item, '::before').content) ?? [];
  const reset = getComputedStyle(list).counterReset.split(' ');
  if (counter !== '') return { style, next: Number(reset[reset.indexOf(counter) + 1] || 0) + 1, step: 1 };
  if (display !== 'list-item' || UNNUMBERED.test(listStyleType)) return null;
  const first = list.reversed ? queryIn(list, ':scope > li').length : 1;
  return { style: listStyleType, next: hasAttribute.call(list, 'start') ? list.start : first, step: list.reversed ? -1 : 1 };
};

/**
 * Add the number of a list item to its first line, with the style in which it is painted.
 * @param {any} item @param {number} place
 */
export const numberItem = (item, place) => {
  const list = parentElementOf.call(item);
  if (list === null || pass.lists.get(list) === null || !isRendered(item)) return;
  if (!pass.lists.has(list)) pass.lists.set(list, numberingOf(list, item));
  const numbering = pass.lists.get(list);
  if (numbering === null) return;
  const number = hasAttribute.call(item, 'value') ? item.value : numbering.next;
  numbering.next = number + numbering.step;
  const [first] = pass.texts.slice(pass.texts.findLastIndex((text) => text.place < place) + 1).sort((a, b) => a.place - b.place);
  if (first !== undefined) first.row[2] = [`${number} ${numbering.style}`, ...[first.row[2] ?? -1].flat()];
};

const WORD_END = /[\p{L}\p{N})\]%]$/u;
const WORD_START = /^[\p{L}\p{N}+\-\u2212]/u;
const ONE_WORD = /^[+\-\u2212]?[\p{L}\p{N}.,]+$/u;
const DESCENT = 0.22; // of the height of a line of text, below its base line
const LEAST_SHIFT = 0.12; // of the height of the text before

/**
 * Return the node whose text the text of an element continues without a space; null for none.
 * @param {Element} element
 */
const wordBefore = (element) => {
  let [before, node] = [previousSiblingOf.call(element), element];
  while (before === null && (node = flatParent(node)) !== null && !tagFacts(localNameOf.call(node)).block) before = previousSiblingOf.call(node);
  const isText = before !== null && nodeTypeOf.call(before) === TEXT;
  if (!isText && (!(before instanceof Element) || tagFacts(localNameOf.call(before)).block)) return null;
  const joins = WORD_END.test((isText ? before.data : textContentOf.call(before)).slice(-1)) && WORD_START.test(textContentOf.call(element));
  return joins ? before : null;
};

/**
 * Return whether the text of an element may be painted higher or lower than the word that it continues.
 * @param {Element} element @param {string} tag @param {ClickStyle | null} style
 */
export const mayBeShifted = (element, tag, style) => {
  if (tag === 'sup' || tag === 'sub') return true;
  const isPlain = style?.isShifted === false && !hasAttribute.call(element, 'style');
  if (isPlain || tagFacts(tag).row || wordBefore(element) === null) return false;
  const { verticalAlign, position, transform } = getComputedStyle(element);
  return verticalAlign !== 'baseline' || position === 'relative' || transform !== 'none';
};

/** @param {any} node */
const rectsOfText = (node) => {
  const range = createRange.call(document);
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter(hasArea);
};

/**
 * Mark text that is painted higher or lower than the word that it continues, such as an exponent; return the mark.
 * @param {Element} element
 */
export const markShifted = (element) => {
  const word = wordBefore(element);
  if (word === null || querySelector.call(element, INTERACTIVE_INSIDE) !== null) return '';
  const [before, now] = [rectsOfText(word).at(-1), rectsOfText(element)[0]];
  if (before === undefined || now === undefined || now.height > before.height * 1.05) return '';
  const shift = (before.bottom - DESCENT * before.height - now.bottom + DESCENT * now.height) / before.height;
  if (Math.abs(shift) < LEAST_SHIFT || !getComputedStyle(element).display.startsWith('inline')) return '';
  const mark = shift > 0 ? '^' : '_';
  const isWord = ONE_WORD.test(collapse(textContentOf.call(element)));
  pass.shifted.set(element, isWord ? { before: mark, after: '' } : { before: `${mark}(`, after: ')' });
  return mark;
};
