// What the rules of style sheets may do: write or strike out text, and make elements look other than what is around them.
// To read the rules once is cheaper than to read the style of every element.
import { adoptedOf, attribute, hasAttribute, hasAttributes, idOf, isSpaceOnly, styleSheetsOf, textContentOf } from './builtins.js';
import { rootOf } from './flat_tree.js';
import { pass } from './pass.js';

const SPEAKING = /attr\(|"[^"]*[\p{L}\p{N}]/u;
const SIGNING = /"[^"]*\p{S}/u;

// What rules may change: what hides text, what lies behind it, its colour or the cursor, and its height in a line.
const ALL_LOOKS = 15;
export const [SHAPED, PAINTED, TINTED, SHIFTED] = [1, 2, 4, 8];
const DECLARATIONS = /** @type {[RegExp, number][]} */ ([
  [new RegExp('(?:^|; )(?:all:|animation|clip|filter|opacity|overflow(?:-[xy])?:|scale:|transform:|position: (?:[^rs]|revert)'
    + '|(?:margin|inset|left|top|text-indent)[^;]*(?:-\\d\\d|\\()|font[^;]*[ :](?:0(?!\\.[1-9])|1px|1%|\\.0|[\\w-]*\\())'), SHAPED],
  [/(?:^|; )(?:all:|animation|background)/, PAINTED],
  [/(?:^|; )(?:all:|animation|color|cursor|-webkit-text-fill)/, TINTED],
  [/(?:^|; )(?:all:|animation|transform:|vertical-align|position: [^afs])/, SHIFTED],
]);
const BY_BROWSER = new Map(Object.entries({
  html: ALL_LOOKS, dialog: ALL_LOOKS, hr: ALL_LOOKS, object: ALL_LOOKS, marquee: ALL_LOOKS,
  button: 6, mark: 6, permission: 6, geolocation: 6, a: 4, label: 4, input: 4, select: 4, textarea: 4,
}));
const ANY = '*';
const known = new WeakMap(); // facts by style sheet

/** @param {any} root @returns {any[]} */
const sheetsOf = (root) => (root === document ? [...styleSheetsOf.call(root), ...adoptedOf.call(root)]
  : [...root.styleSheets, ...root.adoptedStyleSheets]);

/** @param {any} sheet @returns {any} */
const rulesOf = (sheet) => {
  try {
    return sheet.cssRules;
  } catch {
    return [null]; // of another origin
  }
};

/**
 * Return a fingerprint of the style rules: the document and its mode, its sheets with first and last rules, the window size.
 * @param {any[]} roots
 */
export const rulesNow = (roots) => [document, document.designMode, innerWidth, innerHeight, ...roots.flatMap(sheetsOf).flatMap((sheet) => {
  const rules = rulesOf(sheet);
  return [sheet, sheet.disabled, rules.length, rules[0], rules[rules.length - 1]];
})];

/**
 * Return, for each of some selectors, a class, an id or a tag of each element to which it applies; `ANY` if it names none.
 * @param {string} selectors
 */
const subjectsOf = (selectors) => {
  const plain = selectors.replaceAll(/\\3(\d) /g, '$1').replaceAll(/"(?:[^"\\]|\\.)*"|\\.|[^ -~]|\[[^\]]*\]/g, '').replaceAll(':root', 'html');
  const flat = [1, 2, 3].reduce((text) => text.replaceAll(/\([^()]*\)/g, ''), plain).toLowerCase();
  return flat.split(',').map((one) => {
    const last = one.trim().split(/[\s>+~]+/).at(-1) ?? '';
    if (/^:host|::(?!slotted|part)/.test(last)) return ''; // hosts are measured in any case
    return /[()"\]]|::/.test(last) ? ANY : (/(?<=[.#])[\w-]+/.exec(last) ?? /^[\w-]+/.exec(last) ?? ANY)[0];
  });
};

/** @param {any} rules @param {any} facts @param {string} [around] the selectors of the rule around them */
const readRules = (rules, facts, around = '') => {
  for (const rule of rules) {
    const isUnknown = rule === null;
    const selector = isUnknown ? ANY : rule.selectorText?.replaceAll('&', `:is(${around || ':root'})`) ?? around;
    const css = isUnknown ? 'all:' : selector === '' ? '' : rule.style?.cssText ?? '';
    const bare = selector.replaceAll(/::?(?:before|after)\b/g, '');
    const speaks = bare !== selector && SPEAKING.test(rule.style?.content); // a rule in a rule may have no style
    if (bare !== selector && !speaks && SIGNING.test(rule.style?.content)) facts.writers.push(`:is(${bare}):empty`);
    const crosses = bare !== selector && rule.style?.position === 'absolute' && rule.style.top.endsWith('%');
    if (speaks || crosses || css.includes('line-through')) facts.writers.push(bare);
    const kinds = DECLARATIONS.reduce((sum, [pattern, kind]) => sum + (pattern.test(css) ? kind : 0), 0);
    for (const subject of kinds === 0 ? [] : subjectsOf(selector)) facts.looks.set(subject, facts.looks.get(subject) | kinds);
    if (rule instanceof CSSImportRule) readRules(rulesOf(rule.styleSheet), facts);
    else if (rule?.cssRules?.length > 0) readRules(rule.cssRules, facts, selector);
  }
};

/**
 * Return the facts of each style sheet: the selectors of elements for which it writes or strikes out text, and which looks its
 * rules change, by a class, id or tag.
 * @param {any} root @returns {SheetFacts[]}
 */
export const factsIn = (root) => sheetsOf(root).map((sheet) => {
  const [rules, found] = [rulesOf(sheet), known.get(sheet)];
  const last = rules[rules.length - 1];
  if (found !== undefined && found.count === rules.length && found.last === last) return found;
  const facts = { count: rules.length, last, writers: [], looks: new Map() };
  readRules(rules, facts);
  known.set(sheet, facts);
  return facts;
});

/** @param {string} names classes or an id, as in `subjectsOf` */
const plainNames = (names) => (/^[a-z\d_ -]*$/.test(names) ? names : names.toLowerCase().replaceAll(/\s+/g, ' ').replaceAll(/[^\w -]/g, '')).split(' ');

/**
 * Return in what an element may look other than what is around it, by the rules for its tag, id and classes.
 * @param {Element} element @param {string} tag
 */
export const ownLooks = (element, tag) => {
  const isDrawing = !(element instanceof HTMLElement) && (hasAttribute.call(element, 'cursor') || !isSpaceOnly(textContentOf.call(element)));
  if (isDrawing || hasAttribute.call(element, 'style') || rootOf(element) !== null) return ALL_LOOKS;
  const names = [ANY, tag, ...(hasAttributes.call(element) ? plainNames(`${idOf.call(element)} ${attribute(element, 'class') ?? ''}`) : [])];
  let kinds = BY_BROWSER.get(tag) ?? 0;
  for (const { looks } of pass.sheets) for (const name of names) kinds |= looks.get(name);
  return kinds;
};
