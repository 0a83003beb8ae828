// Names of icons, for controls that have neither a name nor a text: from the title or symbol of an SVG, the file of an image,
// an attribute, a class, or the name for tests. They are guesses: a row has them in `icon`, not in its name.
import {
  attribute, attributeNamesOf, collapse, cut, firstElementOf, isSpaceOnly, localNameOf, queryIn, setOf, textContentOf,
} from './builtins.js';
import { rootOf } from './flat_tree.js';
import { attributeWords, referredBy } from './roles.js';

const MOST_PARTS = 10;
const LONGEST_ICON = 40;

/** Words of sizes, styles and layout, which name no icon. */
const STYLES = setOf('icon icons ico svg img root base inner outer wrap wrapper container content only item box control button btn xs sm md lg xl '
  + 'small medium large size fw solid regular light thin fill filled outline outlined round rounded sharp duotone brands '
  + 'line primary secondary success warning default danger inverse white black inherit active disabled hover focus '
  + 'visible hidden inline block flex fixed width spin font style css class');

/** First words of classes that say how an element is laid out. */
const UTILITIES = /^(|[a-z]|[mp][a-z]|text|bg|border|flex|grid|items|justify|rounded|font|gap|shadow|transition|group)$/;

/**
 * Return the words of an identifier that name something: "trash-alt_24px" and "TrashAlt2" are "trash alt".
 * @param {string} text
 */
const wordsIn = (text) => {
  const words = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z\d]+/)
    .map((word) => word.replace(/\d{1,2}$/, '')).filter((word) => /^[a-z]+$/.test(word));
  return cut(words.filter((word) => !STYLES.has(word)).join(' '), LONGEST_ICON);
};

/**
 * Return the words of the fragment of an address, or of its file.
 * @param {string | null} url
 */
const wordsOfAddress = (url) => {
  if (url === null || /^(data|blob):/i.test(url)) return '';
  const [address, fragment = ''] = url.split('#');
  const file = address.split('?')[0].split('/').at(-1) ?? '';
  return wordsIn(fragment) || wordsIn(file.split('.')[0]);
};

const ICON_VALUE = /^[\w:./ -]{1,60}$/;

/**
 * Return the words of an attribute that names an icon: `data-icon`, `name` of a custom element, `data-testid=TrashIcon`.
 * @param {Element} element
 */
const wordsOfAttributes = (element) => {
  const isCustom = localNameOf.call(element).includes('-');
  for (const name of attributeNamesOf.call(element)) {
    const value = attribute(element, name) ?? '';
    const isNaming = /(^|-)icon(-name)?$/.test(name) || (isCustom && name === 'name')
      || (name.startsWith('data-') && /[a-z]Icon$|-icon$/.test(value));
    const words = isNaming && ICON_VALUE.test(value) ? wordsIn(value.split(/[:/]/).at(-1) ?? '') : '';
    if (words !== '') return words;
  }
  return '';
};

/** @param {string} name */
const firstWord = (name) => name.split(/[-_:]/)[0];

/**
 * Return the words of a class with the word icon: "icon-trash", "btn-icon-trash".
 * @param {Element} element
 */
const wordsOfIconWord = (element) =>
  attributeWords(element, 'class').map((name) => wordsIn(/icons?[-_]+(.+)$/i.exec(name)?.[1] ?? '')).find(Boolean) ?? '';

/**
 * Return the words of the class of an icon: its first word is itself a class or begins several classes ("fa fa-trash"),
 * or it is the only class with several words of an <i>. `isPart` is false for the control
 * itself, several classes of which may begin alike.
 * @param {Element} element @param {boolean} isPart
 */
const wordsOfIconClass = (element, isPart) => {
  const names = attributeWords(element, 'class');
  const first = names.map(firstWord);
  const compound = names.filter((name, at) => first[at] !== name && !UTILITIES.test(first[at]));
  const isAlone = compound.length === 1 && localNameOf.call(element) === 'i';
  const isPaired = (/** @type {string} */ word) =>
    names.includes(word) || (isPart && first.filter((one) => one === word).length > 1);
  return compound.filter((name) => isAlone || isPaired(firstWord(name)))
    .map((name) => wordsIn(name.slice(firstWord(name).length))).find(Boolean) ?? '';
};

const GENERATED = /[A-Z]|\d[a-z]/; // a name with capitals, or digits between letters
const NAMES_FOR_TESTS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];

/**
 * Return the words of the name that the tests of the page use for an element: "main-menu-trigger".
 * @param {Element} element
 */
const wordsForTests = (element) => {
  const values = NAMES_FOR_TESTS.map((name) => attribute(element, name) ?? '').filter((value) => !GENERATED.test(value));
  return values.map(wordsIn).find(Boolean) ?? '';
};

/**
 * Return the words of what an element shows: a title, a symbol, the file or text of an image.
 * @param {Element} element
 */
const wordsOfPicture = (element) => {
  switch (localNameOf.call(element)) {
    case 'title': return cut(collapse(textContentOf.call(element)), LONGEST_ICON);
    case 'use': return wordsOfAddress(attribute(element, 'href') ?? attribute(element, 'xlink:href'));
    case 'img': return collapse(attribute(element, 'alt') ?? '') || wordsOfAddress(attribute(element, 'src'));
    case 'input': return wordsOfAddress(attribute(element, 'src'));
    default: return '';
  }
};

/** @param {any[]} elements @param {((element: Element) => string)[]} sources */
const firstWords = (elements, sources) =>
  sources.values().flatMap((source) => elements.values().map(source)).find((words) => words !== '') ?? '';

/**
 * Return the name of the icon in an element without a name; '' for none.
 * @param {Element} element
 */
export const iconOf = (element) => {
  const parts = [...queryIn(rootOf(element) ?? element, '*')].slice(0, MOST_PARTS);
  const all = [...parts, element];
  const isBare = firstElementOf.call(element) === null && isSpaceOnly(textContentOf.call(element)); // drawn by its style
  return firstWords(all, [wordsOfPicture, wordsOfAttributes, wordsOfIconWord])
    || firstWords(parts, [(part) => wordsOfIconClass(part, true)])
    || (isBare ? wordsOfIconClass(element, false) : '')
    || wordsForTests(element);
};

const TOOLTIP_ATTRIBUTE = /(^|-)(tooltip|title|tip|label)(-(text|content|title))?$/;
const NOT_A_TEXT = /^(true|false|top|bottom|left|right|auto|[\W\d_]*|[[{#.].*)$/i;
const LONGEST_TOOLTIP = 80;

/**
 * Return the description of an element without a name: the text that its ARIA attributes name, or an attribute that a
 * script shows as tooltip.
 * @param {Element} element
 */
export const tooltipOf = (element) => {
  const described = referredBy(element, 'aria-describedby').map((one) => collapse(textContentOf.call(one))).join(' ');
  const written = ['aria-description', 'aria-roledescription'].map((name) => collapse(attribute(element, name) ?? ''));
  const shown = attributeNamesOf.call(element).filter((name) => TOOLTIP_ATTRIBUTE.test(name) && !name.startsWith('aria-'))
    .map((name) => collapse(attribute(element, name) ?? '')).filter((text) => !NOT_A_TEXT.test(text));
  return cut([described, ...written, ...shown].find((text) => text !== '') ?? '', LONGEST_TOOLTIP);
};
