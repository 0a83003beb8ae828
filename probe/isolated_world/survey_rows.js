// The rows of a survey. A row is [depth, tag, nid, facts] or, of text, [depth, text, 0, 0], in document order. `facts`, 0
// for none, has role, name and states as in a capture, and the parts of a path: id, cls (a meaningful class), nth of its
// tag. Text has line breaks where they are shown. A brief survey has no paths, addresses, types and limits.
import {
  attribute, collapse, ELEMENT, firstElementOf, hasAttribute, hasAttributes, hasNameAttribute, isElement, isEmpty,
  isSpaceOnly, localNameOf, namespaceOf, nextElementOf, nodeTypeOf, RAGGED, remembered, setOf, TEXT, withoutBreaks,
} from './builtins.js';
import { addCurrent, addInteractive, addSort, addStates, copyState, isDisabled } from './control_states.js';
import { addControl, addNumber, optionText } from './control_values.js';
import { flatNodes, rootOf } from './flat_tree.js';
import { computedName, nameOf, sightWithProxy } from './names.js';
import { pass } from './pass.js';
import { nidOf } from './registry.js';
import {
  accessibleRole, browserRole, GROUPS, isEditableRoot, isFocusable, isFrame, LANDMARKS, nativeRole, roleOf, tagFacts, WIDGETS,
} from './roles.js';
import { editableRole, headingLevel, mayBeNamed } from './rows.js';
import {
  ALL_VEILED, isExcluded, isHiddenFromAria, isOpaque, isTransparent, LINE_VEILED, TEXT_VEILED, textVeilOf,
} from './sight.js';
import { generatedBy, INVISIBLE } from './text_lines.js';
import { clips, intersection, rectOf, SEEN, showsInside, sightOf, UNSEEN, viewportRect } from './visibility.js';
import { noteRoot } from './walk.js';

/** @param {Element} element @param {string} tag */
const isListBox = (element, tag) => tag === 'select' && nativeRole(element, tag) === 'listbox';

/** @param {any} row the cells of a row of the survey */
const addCells = (row) => { pass.rows.push(row); };

/** @param {any} option */
export const optionFacts = (option) => {
  /** @type {Extra} */
  const facts = { role: 'option', name: optionText(option) };
  if (option.selected) facts.selected = true;
  if (isDisabled(option)) facts.disabled = 1;
  return facts;
};

/** @param {any} parent @param {number} depth */
const surveyOptions = (parent, depth) => {
  for (let child = firstElementOf.call(parent); child !== null; child = nextElementOf.call(child)) {
    const tag = localNameOf.call(child);
    if ((tag !== 'option' && tag !== 'optgroup') || sightOf(child) !== SEEN) continue;
    if (depth > pass.maxDepth) {
      pass.cut = 1;
      return;
    }
    const facts = tag === 'option' ? optionFacts(child) : { role: 'group', name: collapse(child.label) };
    addCells([depth, tag, nidOf(child), facts]);
    if (tag === 'optgroup') surveyOptions(child, depth + 1);
  }
};

const NEVER_SHOWN = setOf('head script style template noscript title meta link base desc metadata defs symbol '
  + 'datalist');
const CLASS_BEGINNINGS = 'nav|menu|header|footer|sidebar|content|main|search|log-?in|cart|modal|btn|button|link|tab|'
  + 'card|list|item|form|primary|secondary|active|error';
const MEANINGFUL_CLASS = new RegExp(`^(?:(?:${CLASS_BEGINNINGS})[\\w-]*|container|wrapper|row|col|grid)$`);
const LANGUAGE_CLASS = /(?:^|\s)(?:language|lang|highlight)-(?:source-)?([\w+#]+)/;
const LIMITS = ['minlength', 'maxlength', 'pattern'];
const LONGEST_ADDRESS = 2_000;
const PLAIN_INLINE = /^(inline|contents|none|ruby|math)/;
const FORMULAS = 'http://www.w3.org/1998/Math/MathML';

/** @param {Extra} facts @param {Element} element */
export const addClasses = (facts, element) => {
  const names = attribute(element, 'class');
  if (names === null || names.length < 3) return;
  const meant = names.split(/\s+/).find((name) => name.length > 2 && name.length < 26 && MEANINGFUL_CLASS.test(name));
  if (meant !== undefined) facts.cls = meant;
  const language = LANGUAGE_CLASS.exec(names);
  if (language !== null) facts.lang = language[1];
};

const ROW_SCOPES = setOf('row rowgroup');

/**
 * Return whether a header cell is the header of its row: by its scope, or else for the browser.
 * @param {Element} cell
 */
const isRowHeader = (cell) => {
  const scope = attribute(cell, 'scope')?.toLowerCase() ?? '';
  if (scope !== '') return ROW_SCOPES.has(scope) && !hasAttribute.call(cell, 'role');
  return browserRole(cell) === 'rowheader';
};

/** @param {Element} element @param {string} tag @param {boolean} special */
const surveyRole = (element, tag, special) => {
  if (special && isEditableRoot(element)) return editableRole(element);
  if (isFrame(element, tag)) return 'iframe';
  if (tag === 'th' && isRowHeader(element)) return 'rowheader';
  if (!special && !tagFacts(tag).row) return '';
  return pass.brief ? accessibleRole(element, tag) : roleOf(element, tag);
};

/** @param {Element} element @param {string} tag @param {string} role */
const surveyName = (element, tag, role) => {
  if (role === 'iframe') return nameOf(element, tag, role) || attribute(element, 'name') || '';
  if (WIDGETS.has(role) || role === 'heading') return nameOf(element, tag, role);
  if (tag === 'img' || role === 'img') return computedName(element, tag);
  const named = LANDMARKS.has(role) || (GROUPS.has(role) ? mayBeNamed(element, tag) : hasNameAttribute(element));
  return named && role !== '' ? computedName(element, tag) : '';
};

/** @param {Extra} facts @param {Element} element @param {string} tag @param {string} role @param {boolean} special */
const addWidget = (facts, element, tag, role, special) => {
  if (special && isEditableRoot(element)) facts.editable = 1;
  if (pass.brief) {
    const value = tag === 'a' || tag === 'area' ? '' : addControl({ editable: facts.editable }, element, tag, role);
    if (value !== '') facts.value = value;
    addStates(facts, element, tag, role);
    return;
  }
  addInteractive(facts, element, tag, role);
  delete facts.options;
  if (tag !== 'input' && tag !== 'textarea') return;
  for (const limit of LIMITS) addNumber(facts, limit, attribute(element, limit));
};

/** @param {Extra} facts @param {Element} element @param {string} tag @param {string} role @param {boolean} special */
const addParticulars = (facts, element, tag, role, special) => {
  if (WIDGETS.has(role)) addWidget(facts, element, tag, role, special);
  else {
    copyState(facts, 'expanded', attribute(element, 'aria-expanded'));
    addCurrent(facts, element);
    if (hasAttribute.call(element, 'aria-sort')) addSort(facts, element);
  }
  if (role === 'heading') {
    facts.level = headingLevel(element, tag);
    if (tag.length !== 2 && !hasAttribute.call(element, 'aria-level')) facts.levelImplied = 1;
  }
  if ((special && isFocusable(element)) || isListBox(element, tag)) facts.focusable = 1;
  if (tag === 'td' || tag === 'th') {
    if (element.colSpan > 1) facts.columns = element.colSpan;
    if (hasAttribute.call(element, 'rowspan')) facts.rows = element.rowSpan;
  }
  if (tag === 'li' && hasAttribute.call(element, 'value')) facts.number = element.value;
  if (tag === 'ol' && element.reversed) facts.reversed = 1;
  if (tag === 'ol' && hasAttribute.call(element, 'start')) facts.start = element.start;
  if (tag === 'img' && element.src !== '') {
    const { src } = element;
    facts.src = src.length > LONGEST_ADDRESS || src.startsWith('data:') ? '' : src;
  }
};

/** @param {Element} element @param {string} tag @param {boolean} special */
export const surveyFacts = (element, tag, special) => {
  /** @type {Extra} */
  const facts = {};
  if (!hasAttributes.call(element) && !tagFacts(tag).row && tag !== 'img') return facts;
  if (!pass.brief) {
    addNumber(facts, 'id', attribute(element, 'id'));
    addClasses(facts, element);
  }
  const role = surveyRole(element, tag, special);
  if (role !== '') facts.role = role;
  const name = surveyName(element, tag, role);
  if (name !== '') facts.name = name;
  addParticulars(facts, element, tag, role, special);
  return facts;
};

/**
 * Mark an element that a style makes a block; in the tree, a widget always has a line of its own.
 * @param {Extra} facts @param {Element} element @param {string} tag
 */
const addDisplay = (facts, element, tag) => {
  if (tagFacts(tag).block || (pass.brief && WIDGETS.has(facts.role))) return;
  if (tag !== 'math' && namespaceOf.call(element) === FORMULAS) return; // a part of a formula stands in a line
  if (!PLAIN_INLINE.test(getComputedStyle(element).display)) facts.block = 1;
};

/**
 * Return a counter of the position among children of a tag; 0 for an only child.
 * @param {any[]} nodes
 */
export const positions = (nodes) => {
  const [totals, passed] = [new Map(), new Map()];
  const count = (/** @type {Map<string, number>} */ counts, /** @type {string} */ tag) =>
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  for (const node of nodes) if (isElement(node)) count(totals, localNameOf.call(node));
  return (/** @type {string} */ tag) => (count(passed, tag) && totals.get(tag) > 1 ? passed.get(tag) : 0);
};

/**
 * Add a row of text. In a brief survey, whitespace at the edge of a block is omitted.
 * @param {string} text @param {number} depth @param {any} inside @param {Element} element
 */
const surveyText = (text, depth, inside, element) => {
  if (text === '') return;
  if (inside.mark !== '' && !isSpaceOnly(text) && pass.isAfterBlock) addCells([depth, inside.mark, 0, 0]);
  const between = pass.isAfterBlock && isSpaceOnly(text);
  if (pass.brief && between && !inside.pre) return;
  pass.isAfterBlock = false;
  const mayBreak = !inside.pre && text.includes('\n') && !between; // styles are expensive and are read once per element
  const kept = inside.pre || (mayBreak
    && remembered(pass.keeping, element, () => getComputedStyle(element).whiteSpaceCollapse !== 'collapse'));
  addCells([depth, kept || !RAGGED.test(text) ? text : withoutBreaks(text).replaceAll(/\s+/g, ' '), 0, 0]);
};

/**
 * @param {Element} element @param {string} tag @param {number} depth @param {number} place @param {boolean} hidden
 * @param {boolean} inPre
 */
const addSurveyed = (element, tag, depth, place, hidden, inPre) => {
  const facts = surveyFacts(element, tag, pass.special.has(element));
  if (place > 0) facts.nth = place;
  if (hidden) facts.hidden = 1;
  else if (!inPre) addDisplay(facts, element, tag);
  addCells([depth, tag, nidOf(element), isEmpty(facts) ? 0 : facts]);
};

/**
 * Return the context inside an element: `isSeen`, whether it is at least partly in the viewport and in the scrolling
 * boxes around it, and `clip`, what these show. A part of a line is where its block is.
 * @param {Element} element @param {any} inside
 */
const seenFrom = (element, inside) => {
  const { display, position } = getComputedStyle(element);
  const outer = position === 'fixed' ? viewportRect() : inside.clip;
  if ((display === 'inline' || display === 'contents') && !pass.special.has(element)) return inside;
  const rect = rectOf(element);
  if (rect === null) return { ...inside, clip: outer };
  const part = intersection(rect, outer);
  return { ...inside, isSeen: part.width > 0 && part.height > 0, clip: clips(element) ? part : outer };
};

/** @param {Element} element @param {number} depth @param {any} around @param {(tag: string) => number} nth */
export const surveyElement = (element, depth, around, nth) => {
  const tag = localNameOf.call(element);
  const place = nth(tag);
  if (NEVER_SHOWN.has(tag)) return;
  const sight = sightWithProxy(element, tag);
  const hidden = sight !== SEEN || ((tag === 'a' || pass.special.has(element))
    && ((pass.brief && isHiddenFromAria(element)) || isExcluded(element)));
  const reads = !pass.brief && !pass.withHidden && depth > 0;
  const veil = reads && !hidden && hasAttributes.call(element) ? textVeilOf(element) : 0;
  if (veil === ALL_VEILED) return;
  if (hidden && !pass.withHidden && depth > 0) {
    if (sight === UNSEEN) surveyInside(element, depth, { ...around, shown: false });
    return;
  }
  const inside = pass.inView && depth > 0 ? seenFrom(element, around) : around;
  if (!inside.isSeen) {
    surveyInside(element, depth, { ...inside, shown: false });
    return;
  }
  if (depth > pass.maxDepth) {
    pass.cut = 1;
    return;
  }
  addSurveyed(element, tag, depth, place, hidden, inside.pre);
  const { block, enter } = tagFacts(tag);
  pass.isAfterBlock = block;
  if (pass.brief && isListBox(element, tag)) surveyOptions(element, depth + 1);
  if (!enter) return;
  const shown = (sight === SEEN && veil !== LINE_VEILED) || pass.withHidden;
  const mark = inside.mark || (reads && !isOpaque(element) && isTransparent(element) ? INVISIBLE : '');
  const pre = inside.pre || tag === 'pre';
  surveyInside(element, depth + 1, { ...inside, shown, mark, pre, veiled: veil === TEXT_VEILED });
  pass.isAfterBlock = block;
};

/** @param {Element} element @param {number} depth @param {any} inside */
const surveyInside = (element, depth, inside) => {
  const { before, after } = generatedBy(element);
  const root = rootOf(element);
  if (root !== null) noteRoot(root);
  surveyText(before, depth, inside, element);
  const nodes = flatNodes(element);
  const nth = pass.brief ? () => 0 : positions(nodes);
  const only = element === pass.part.root ? pass.part.nodes : null;
  const hasText = nodes.some((/** @type {any} */ node) => nodeTypeOf.call(node) === TEXT && !isSpaceOnly(node.data));
  const reads = inside.shown && !inside.veiled && (pass.withHidden || !hasText || showsInside(element)); // the style is read only for text
  for (const node of nodes) {
    const type = nodeTypeOf.call(node);
    if (only !== null && !only.has(node)) {
      if (type === ELEMENT) nth(localNameOf.call(node));
    } else if (type === TEXT && reads) surveyText(node.data, depth, inside, element);
    else if (type === ELEMENT) surveyElement(node, depth, inside, nth);
  }
  surveyText(after, depth, inside, element);
};
