// What a tag decides before anything is computed: whether it starts a line of text, may have a row, is entered, may have text
// between its blocks, and which part of the structure it is.
import { setOf } from './builtins.js';

const INLINE = Object.freeze({ block: false, row: false, enter: true, runs: true, count: '', part: '' });
const TAGS = new Map();

/** @param {string} names @param {Partial<TagFacts>} facts */
const tags = (names, facts) => {
  for (const name of names.split(' ')) TAGS.set(name, Object.freeze({ ...(TAGS.get(name) ?? INLINE), ...facts }));
};

tags('address article aside blockquote body caption center dd details dialog dir div dl dt fieldset', { block: true });
tags('figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li', { block: true });
tags('listing main menu nav ol optgroup option p plaintext pre search section summary table tbody td', { block: true });
tags('tfoot th thead tr ul xmp', { block: true });
tags('a area button input select textarea summary h1 h2 h3 h4 h5 h6', { row: true });
tags('header footer nav main aside section form search', { row: true });
tags('fieldset details dialog article figure table ul ol dl menu', { row: true });
tags('table tbody thead tfoot tr', { runs: false }); // text directly in them is moved out by the parser
tags('p', { count: 'paragraphs' });
tags('ul ol dl menu', { count: 'lists' });
tags('img canvas', { count: 'images' });
tags('table', { count: 'tables', part: 'table' });
tags('tr', { part: 'row' });
tags('td th', { part: 'cell' });
tags('ul ol dl menu', { part: 'list' });
tags('li dd', { part: 'item' });
tags('dt', { part: 'term' });
tags('article', { part: 'article' });
tags('iframe frame', { row: true });
tags('head script style template noscript title desc metadata defs symbol datalist', { enter: false });
tags('iframe frame object embed video audio canvas select input textarea', { enter: false });

const CUSTOM = Object.freeze({ ...INLINE, row: true }); // the role of a custom element may be known to the browser alone

/** @param {string} tag */
export const tagFacts = (tag) => TAGS.get(tag) ?? (tag.includes('-') ? CUSTOM : INLINE);

export const NATIVE_CONTROLS = setOf('button input select textarea');

const FRAMES = setOf('iframe frame');

/** @param {Element} element @param {string} tag */
export const isFrame = (element, tag) =>
  FRAMES.has(tag) && (element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement);
