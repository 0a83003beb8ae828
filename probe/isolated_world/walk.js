// The walk over the flat tree: every element is visited once, in document order. Excluded parts (aria-hidden, inert) are
// left out. For each element, it is decided which row it has, and the context for its contents.
import {
  firstElementOf, getRootNode, hasAttribute, isSpaceOnly, localNameOf, nextElementOf, parentElementOf, queryAll, querySelector, setOf,
  textContentOf,
} from './builtins.js';
import {
  ALL_VEILED, CLIPS, FAINT, isCovered, isExcluded, isFlat, isHiddenFromAria, isOffPage, isTransparent, LINE_VEILED, ODD, PLACED,
  TEXT_VEILED, veilOf,
} from './sight.js';
import { answersClick, isClickable, listening, styleBelow } from './clickable.js';
import { noteHost, noteSuspect } from './closed_roots.js';
import { TYPED_BY_TAG } from './control_states.js';
import { MAX_DEPTH, rootOf } from './flat_tree.js';
import { placeControls } from './inline_controls.js';
import { watchRoot } from './mutations.js';
import { sightWithProxy } from './names.js';
import { watchScrolls } from './page_facts.js';
import { addRow, isOnlyCounted, pass, recordAction, recordStep, sameContext } from './pass.js';
import { nidOf } from './registry.js';
import { isDesigned, isEditableRoot, isFrame, isGridPart, PANELS, roleOf, tagFacts, WIDGETS } from './roles.js';
import { ariaHiddenRow, clickableRow, editableRole, editableRow, frameRow, hiddenFileRow, kindOf, rowOfKind } from './rows.js';
import { markShifted, mayBeShifted, numberItem, tokenFor } from './painted.js';
import { factsIn } from './sheets.js';
import { enterPart, NO_STRUCTURE, withPart } from './structure.js';
import { isFileInput } from './text_controls.js';
import { addLines, BLOCK, CLEAN, markInvisible, MIXED, noteGenerated, touchesText, writeLeaf, writeRuns } from './text_lines.js';
import { boxOf, GONE, isRendered, SEEN, sightOf } from './visibility.js';
import { linesOfCanvas } from './visible_text.js';

/**
 * Count an element without a row; return the context for its contents.
 * @param {Context} context @param {Element} element @param {string} tag @param {string} role
 * @param {boolean} editable
 */
const countBeyond = (context, element, tag, role, editable) => {
  const typed = TYPED_BY_TAG.has(tag);
  const key = JSON.stringify([context.counts, role, typed ? tag : '', typed ? element.type : '', editable]);
  pass.beyond.set(key, (pass.beyond.get(key) ?? 0) + 1);
  return { ...context, inside: context.inside || role !== 'generic' };
};

/** Return [landmark, role, tag, type, editable, count], …; tag and type only of input, select and textarea. */
export const beyondCounts = () => Array.from(pass.beyond, ([key, many]) => [...JSON.parse(key), many]);

export const ROOT_CONTEXT = Object.freeze({ row: 0, text: 0, counts: 0, inside: false, ariaHidden: false, away: false, pre: false, ...NO_STRUCTURE });

const TEXT_ROLES = setOf('textbox searchbox combobox');

/** @param {Context} context @param {any} made @param {string} kind */
const recordRow = (context, made, kind) => {
  if (made === null || (kind === 'h' && made.name === '')) return context;
  const { name, role, box, extra } = made; // an invisible helper of a widget only takes the focus
  const isHelper = kind === 'i' && name === '' && (box === 0 || (box[2] <= 1 && box[3] <= 1)) && extra.focused !== 1
    && (role === 'generic' || (extra.tag === 'input' && TEXT_ROLES.has(role)));
  if (isHelper) return context;
  if (context.part !== '' && (kind === 'i' || kind === 'c')) made.extra.as = context.part;
  addRow(context, made);
  return {
    ...context,
    row: made.nid,
    text: kind === 'l' || kind === 'f' || kind === 'g' ? made.nid : context.text,
    counts: made.extra.counts === undefined ? context.counts : made.nid,
    ariaHidden: context.ariaHidden || made.extra.aria_hidden === 1,
    inside: context.inside || (kind === 'i' && WIDGETS.has(made.role)),
    part: /** @type {PartRole} */ (''),
  };
};

/** @param {Element} element @param {string} tag @param {Context} context @param {ClickStyle | null} style */
const recordClickable = (element, tag, context, style) => {
  if (!isClickable(element, tag, context, style)) return context;
  pass.clickables += 1;
  const role = roleOf(element, tag);
  // the one of several that can take the focus changes: all are what the focusable one is
  const isFocusedByScript = hasAttribute.call(element, 'tabindex') && !isGridPart(tag, role) && !PANELS.has(role);
  return isFocusedByScript
    ? recordRow(context, rowOfKind('i', element, tag, role), 'i')
    : recordRow(context, clickableRow(element, tag, style), 'c');
};

const CHOICES = setOf('option menuitem menuitemcheckbox menuitemradio'); // without a place: of a closed list

/** @param {Element} element @param {string} tag @param {Context} context @param {string} kind @param {string} role */
const recordSemantic = (element, tag, context, kind, role) => {
  const sight = CHOICES.has(role) && boxOf(element) === 0 ? GONE : sightWithProxy(element, tag);
  if (sight !== SEEN && isFileInput(element, tag)) return recordRow(context, hiddenFileRow(element), 'i');
  if (sight !== SEEN) return sight === GONE ? null : context;
  if (kind === 'c' && isOnlyCounted(element)) return context;
  return kind === 'i' && role !== 'heading' && isOnlyCounted(element)
    ? countBeyond(context, element, tag, role, false)
    : recordRow(context, rowOfKind(kind, element, tag, role), kind);
};

/**
 * Record an element if it is worth a row. Return the context for its contents, null if nothing in it is shown.
 * @param {Element} element @param {string} tag @param {Context} context @param {ClickStyle | null} style
 */
const recordElement = (element, tag, context, style) => {
  if (isFrame(element, tag)) {
    return recordStep(() => {
      const made = sightOf(element) === SEEN ? frameRow(element, tag) : null;
      return made && recordRow(context, made, 'd');
    }, sameContext);
  }
  const special = pass.special.has(element);
  if (special && isEditableRoot(element)) {
    return recordStep(() => (sightOf(element) !== SEEN ? context : isOnlyCounted(element)
      ? countBeyond(context, element, tag, editableRole(element), true)
      : recordRow(context, editableRow(element, tag), 'i')), sameContext);
  }
  if (special || tagFacts(tag).row) {
    const role = roleOf(element, tag);
    const kind = kindOf(element, tag, role, special);
    if (kind !== '') return recordStep(() => recordSemantic(element, tag, context, kind, role), sameContext);
  }
  if (!answersClick(element, tag, style)) return context;
  return recordStep(() => recordClickable(element, tag, context, style), sameContext);
};

const SPECIAL = '[role],[tabindex],[contenteditable],[onclick],[oncontextmenu],[aria-hidden="true" i],[inert],'
  + '[draggable="true" i],[style*="cursor"]';

/** @type {readonly any[]} */
const NO_BREAKS = Object.freeze([]);

/** @param {any} root */
export const noteRoot = (root) => {
  for (const element of queryAll(root, isDesigned() ? `${SPECIAL},body` : SPECIAL)) pass.special.add(element);
  pass.readsSortOrder ||= queryAll(root, '[aria-sort]').length > 0;
  pass.readsRowSpans ||= queryAll(root, '[rowspan]').length > 0;
  pass.modals.push(...queryAll(root, 'dialog:modal'));
  pass.sheets.push(...factsIn(root));
  if (pass.withText) noteGenerated(root);
  if (!pass.fillsCaches) return;
  pass.roots.push(root);
  watchScrolls(root);
  watchRoot(root);
};

/**
 * Exclude the text of an element from the lines around it.
 * @param {Element} element @param {string} tag
 */
const mute = (element, tag) => {
  pass.muted.add(element);
  return tagFacts(tag).block ? BLOCK : MIXED;
};

/**
 * Add a child to the breaks of its parent: null if all are clean, else [block, place after it, …].
 * @param {any} breaks @param {Element} child @param {number} flow
 */
const withBreak = (breaks, child, flow) => {
  if (flow === CLEAN) return breaks;
  if (flow === MIXED) return breaks ?? NO_BREAKS;
  if (breaks === null || breaks === NO_BREAKS) return [child, pass.visited];
  breaks.push(child, pass.visited);
  return breaks;
};

/**
 * Prepare the document, and the shadow roots around an element, for a walk that begins there.
 * @param {any} element
 */
export const noteRootsOf = (element) => {
  noteRoot(document);
  let /** @type {any} */ tree = element === null ? document : getRootNode.call(element);
  for (; tree.host !== undefined; tree = getRootNode.call(tree.host)) noteRoot(tree);
};

/** @param {Element} element @param {string} tag @param {Context} context @param {ClickStyle | null} style */
const visitChildren = (element, tag, context, style) => {
  if (tag === 'slot' && element.assignedNodes().length > 0) {
    return element.assignedElements().reduce((/** @type {any} */ breaks, /** @type {Element} */ child) =>
      withBreak(breaks, child, visit(child, context, style)), NO_BREAKS);
  }
  if (tag === 'slot') return visitSiblings(firstElementOf.call(element), context, style) ?? NO_BREAKS;
  const root = rootOf(element);
  if (root !== null) {
    noteRoot(root);
    return visitSiblings(root.firstElementChild, context, style) ?? NO_BREAKS;
  }
  noteSuspect(element, tag);
  noteHost(element, tag);
  return visitSiblings(firstElementOf.call(element), context, style);
};

/** @param {Element} element @param {string} tag @param {any} breaks @param {ClickStyle | null} style */
const finishInline = (element, tag, breaks, style) => {
  const isShifted = mayBeShifted(element, tag, style) && recordStep(() => markShifted(element), Object.is) !== '';
  const isMixed = isShifted || pass.generated.has(element) || (tag === 'button' && touchesText(element, tag));
  if (breaks === null) return isMixed ? MIXED : CLEAN;
  pass.mixed.add(element);
  return MIXED;
};

/** @param {Element} element @param {string} tag @param {any} breaks @param {number} place @param {Context} context */
const finishBlock = (element, tag, breaks, place, context) => {
  if (breaks !== null && !tagFacts(tag).runs) return;
  recordAction(() => {
    const from = pass.texts.length;
    if (breaks === null) writeLeaf(element, place, context);
    else writeRuns(element, breaks, place, context);
    placeControls(element, breaks, place, from);
    if (pass.texts.length > from && pass.opaque !== element && isTransparent(element)) markInvisible(from);
  });
};

/**
 * Visit the contents of an element and write the lines that end with it; return how it affects its parent's line.
 * @param {Element} element @param {string} tag @param {any} inner @param {any} outer
 * @param {ClickStyle | null} style
 */
const visitInside = (element, tag, inner, outer, style) => {
  const place = pass.visited;
  const context = tag === 'pre' ? { ...inner, pre: true } : inner;
  const below = context.inside || context.pre ? null : style;
  if (tag === 'details' && !hasAttribute.call(element, 'open')) {
    const summary = querySelector.call(element, ':scope > summary'); // the rest is hidden
    if (summary !== null) visit(summary, context, below);
    return BLOCK;
  }
  const found = visitChildren(element, tag, context, below);
  const breaks = pass.veiled.has(element) ? found ?? NO_BREAKS : found;
  if (!pass.withText) return CLEAN;
  const isDrawing = tag === 'svg' && parentElementOf.call(element) === null; // a document of its own
  const block = isDrawing || tagFacts(tag).block || context.text !== outer.text || (breaks !== null && breaks.length > 0);
  if (!block) return finishInline(element, tag, breaks, style);
  finishBlock(element, tag, breaks, place, context);
  if (tag === 'li') recordAction(() => numberItem(element, place));
  return BLOCK;
};

/**
 * Write what stands for an element without text: the rows in a canvas, else a token, in the line around it if it is small; return which.
 * @param {Element} element @param {string} tag @param {Context} context @param {boolean} isListed @param {boolean} special
 */
const writeShown = (element, tag, context, isListed, special) => {
  const place = pass.visited;
  const rows = tag === 'canvas' ? linesOfCanvas(element) : [];
  const token = rows.length > 0 || isListed ? '' : tokenFor(element, tag, special);
  addLines(rows, place, context);
  if (token.endsWith('"]') && token.startsWith('[image') && !tagFacts(tag).block) {
    pass.shifted.set(element, { before: ` ${token} `, after: '' });
    pass.controls.push([place, -nidOf(element)]);
    return 'in line';
  }
  if (token !== '') pass.texts.push({ place, row: [context.row, token, [context.cell, -nidOf(element), 0, [...token].length]] });
  return rows.length > 0 ? 'rows' : token.slice(1, 6);
};

/** @param {Element} element @param {Context} around @param {any} parentStyle */
const visitElement = (element, around, parentStyle) => {
  const tag = localNameOf.call(element);
  const facts = tagFacts(tag);
  const special = pass.special.has(element);
  const context = withPart(around, element, tag, special);
  const style = parentStyle === null ? null : styleBelow(parentStyle, element, tag);
  const isAriaHidden = special && isHiddenFromAria(element);
  if ((special || tag === 'a') && (isAriaHidden ? recordStep(() => isExcluded(element, style?.own), Object.is) : isExcluded(element))) {
    return isSpaceOnly(textContentOf.call(element)) ? CLEAN : mute(element, tag);
  }
  if (facts.count !== '') {
    recordAction(() => { if (isRendered(element)) (pass.countsOf.get(context.counts) ?? pass.counts)[facts.count] += 1; });
  }
  const odd = style === null || !facts.enter ? 0 : style.odd;
  const isOdd = (odd & ODD) !== 0 || ((odd & FAINT) !== 0 && !isCovered()) || ((odd & CLIPS) !== 0 && isFlat(element));
  const veil = isOdd ? recordStep(() => veilOf(element, (odd & FAINT) !== 0), Object.is) : 0;
  if (veil === ALL_VEILED) return mute(element, tag);
  if (veil === TEXT_VEILED) pass.veiled.add(element);
  const plain = !facts.row && !special && style?.own !== true && !listening.has(element);
  let inner = plain ? context : recordElement(element, tag, context, style);
  if (isAriaHidden && inner === context && !context.ariaHidden) inner = recordStep(() => recordRow(context, ariaHiddenRow(element), 'l'), sameContext);
  if (inner === null) return mute(element, tag);
  const mayBeShown = pass.withText && (facts.shown || special) && !context.inside && !inner.away;
  const shown = mayBeShown ? recordStep(() => writeShown(element, tag, inner, inner !== context, special), Object.is) : '';
  if (shown === 'in line') return MIXED;
  if (shown !== '' && !(shown === 'image' && facts.enter)) return BLOCK;
  if (facts.enter) {
    const isAway = veil === LINE_VEILED || ((odd & PLACED) !== 0 && recordStep(() => isOffPage(element), Object.is));
    if (isAway) inner = { ...inner, away: true };
    const flow = visitInside(element, tag, enterPart(element, context, inner), context, style);
    if (isAway && !facts.block) return mute(element, tag);
    return shown === '' ? flow : BLOCK;
  }
  if (isFrame(element, tag)) return BLOCK; // the lines of the inner document follow
  const isField = tag === 'input' || tag === 'textarea'; // innerText would include them, or join the words around them
  return tag === 'select' || (isField && touchesText(element, tag)) ? mute(element, tag) : CLEAN;
};

/**
 * Skip and count an element that fails: one element must not prevent the capture.
 * @param {Element} element
 */
const skip = (element) => {
  pass.skipped += 1;
  pass.muted.add(element);
  return MIXED;
};

/** @param {Element} element @param {Context} context @param {ClickStyle | null} style */
export const visit = (element, context, style) => {
  pass.visited += 1;
  if (pass.depth >= MAX_DEPTH) return skip(element);
  pass.depth += 1;
  try {
    return visitElement(element, context, style);
  } catch {
    return skip(element);
  } finally {
    pass.depth -= 1;
  }
};

/** @param {any} first @param {Context} context @param {ClickStyle | null} style */
const visitSiblings = (first, context, style) => {
  let breaks = null;
  for (let child = first; child !== null; child = nextElementOf.call(child)) {
    breaks = withBreak(breaks, child, visit(child, context, style));
  }
  return breaks;
};
