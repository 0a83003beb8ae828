// Rows of the capture: interactive elements, headings, landmarks, forms, groups, clickable elements and frames.
import { boxlessName } from './accessible_names.js';
import {
  attribute, collapse, firstChildOf, formActionOf, formMethodOf, hasAttribute, hasNameAttribute, isSpaceOnly, localNameOf,
  nodeTypeOf, setOf, TEXT, textContentOf,
} from './builtins.js';
import { isHeadRow, onlyHasMenu } from './clickable.js';
import { addCurrent, addInteractive, addSort, addStates } from './control_states.js';
import { rootOf } from './flat_tree.js';
import { formatsOf } from './formats.js';
import { iconOf, tooltipOf } from './icons.js';
import { computedName, isFocusedContainer, knownLabel, nameOf, noteSize, proxyOf } from './names.js';
import { newCounts, pass, siblingIndex } from './pass.js';
import { nidOf } from './registry.js';
import {
  browserRole, clickableRole, DIALOGS, GROUPS, isFocusable, isGridPart, LANDMARKS, NAMED_LANDMARKS, PANELS, WIDGETS,
} from './roles.js';
import { isHiddenFromAria } from './sight.js';
import { playerState } from './painted.js';
import { boxOf, contentBox, rounded } from './visibility.js';
import { nearbyText } from './visible_text.js';

/** @param {Element} element @param {string} role @param {string} name @param {Extra} extra @param {Box} [box] */
const row = (element, role, name, extra, box = boxOf(element)) => {
  noteSize(element, box);
  const mark = isHiddenFromAria(element) ? 'aria-hidden' : '';
  if (mark !== '') extra.aria_hidden = 1;
  return { nid: nidOf(element), role: extra.k === 'l' || extra.k === 'g' ? mark || role : role, name, box, extra };
};

/**
 * Return the row of a part that is hidden from accessibility, but not from sight, and that has no other row.
 * @param {Element} element
 */
export const ariaHiddenRow = (element) => row(element, 'aria-hidden', '', { k: 'l', counts: newCounts() });

/** @param {Extra} extra @param {Element} element @param {string} role */
const addSibling = (extra, element, role) => {
  const index = siblingIndex(element, role);
  if (index > 0) extra.sib = index;
};

/** @param {Element} element @param {string} [tag] */
export const headingLevel = (element, tag = localNameOf.call(element)) => {
  const level = Number.parseInt(attribute(element, 'aria-level') ?? '', 10);
  if (level >= 1) return Math.min(level, 6);
  return tag.length === 2 && tag[0] === 'h' ? Number(tag[1]) : 2;
};

const NATIVE_FIELDS = setOf('input select textarea');
const ENTRIES = setOf('textbox searchbox combobox listbox spinbutton slider');

/**
 * Return the name; if it is empty, add what may stand for it: an icon, a tooltip, and the nearby text.
 * @param {Extra} extra @param {Element} element @param {string} role @param {string} name
 */
const withHints = (extra, element, role, name) => {
  if (name !== '') return name;
  if (!ENTRIES.has(role) && !isFocusedContainer(element, role)) {
    const [icon, tip] = [iconOf(element), extra.title === undefined ? tooltipOf(element) : ''];
    if (icon !== '') extra.icon = icon;
    if (tip !== '') extra.title = tip;
  }
  const near = nearbyText(element);
  if (near !== '') extra.near = near;
  return name;
};

const SHORT_NAME = 2; // characters of a name that explains little: "×", "S"

/** @param {Element} element */
const hasTextInside = (element) => {
  const first = firstChildOf.call(element);
  if (first === null) return rootOf(element) !== null;
  return (nodeTypeOf.call(first) === TEXT && !isSpaceOnly(first.data)) || !isSpaceOnly(textContentOf.call(element));
};

/**
 * Mark an element whose name is not its text: no line of text repeats the name.
 * @param {Extra} extra @param {Element} element @param {string} tag
 */
const markUnwrittenName = (extra, element, tag) => {
  if (!NATIVE_FIELDS.has(tag) && !hasTextInside(element)) extra.unwritten = 1;
};

/** @param {Element} element @param {string} tag @param {string} role @param {Extra} [extra] */
const interactiveRow = (element, tag, role, extra = {}) => {
  addSibling(extra, element, role);
  if (role === 'heading') extra.level = headingLevel(element, tag);
  addInteractive(extra, element, tag, role);
  if (role === 'player') extra.player = playerState(element);
  if (element === pass.active) extra.focused = 1;
  const box = boxOf(proxyOf(element, tag) ?? element);
  if (box === 0) extra.hidden = 1;
  const name = nameOf(element, tag, role);
  const title = collapse(attribute(element, 'title') ?? ''); // that of most links only repeats their target
  if (!name.includes(title) && (tag !== 'a' || name.length <= SHORT_NAME)) extra.title = title;
  markUnwrittenName(extra, element, tag);
  return row(element, role, withHints(extra, element, role, name), extra, box);
};

/** @param {Element} element */
export const editableRole = (element) => {
  const role = browserRole(element);
  return WIDGETS.has(role) ? role : 'textbox';
};

/** @param {Element} element @param {string} tag */
export const editableRow = (element, tag) =>
  interactiveRow(element, tag, editableRole(element), { editable: 1, ...formatsOf(element) });

/**
 * Return the row of a hidden file input behind a custom button: it can still receive files.
 * @param {Element} element
 */
export const hiddenFileRow = (element) => {
  /** @type {Extra} */
  const extra = { hidden: 1 };
  addSibling(extra, element, 'button');
  addInteractive(extra, element, 'input', 'button');
  return row(element, 'button', computedName(element, 'input') || boxlessName(element), extra, 0);
};

/** @param {Element} element @param {string} tag @param {string} role */
const headingRow = (element, tag, role) => {
  /** @type {Extra} */
  const extra = { k: 'h', level: headingLevel(element, tag) };
  addSibling(extra, element, role);
  return row(element, role, nameOf(element, tag, role), extra);
};

/**
 * Return the row of a landmark or a group; most have one only with a name.
 * @param {string} kind @param {Element} element @param {string} tag @param {string} role
 */
const areaRow = (kind, element, tag, role) => {
  const name = computedName(element, tag);
  const isLandmark = kind === 'l';
  if (name === '' && (isLandmark ? NAMED_LANDMARKS.has(role) : !DIALOGS.has(role))) return null;
  return row(element, role, name, isLandmark ? { k: 'l', counts: newCounts() } : { k: 'g' });
};

/** @param {any} form @param {string} browsers */
const formRow = (form, browsers) => {
  const name = computedName(form, 'form');
  const role = browsers === 'search' ? 'search' : 'form';
  /** @type {Extra} */
  const extra = { k: 'f' };
  const method = formMethodOf.call(form);
  if (method !== 'dialog') { // closes a dialog without a submission
    extra.method = method.toUpperCase();
    if (hasAttribute.call(form, 'action')) extra.action = formActionOf.call(form);
  }
  if (name !== '') extra.named = 1;
  if (name !== '' || role === 'search') {
    extra.landmark = 1;
    extra.counts = newCounts();
  }
  return row(form, role, name, extra);
};

/** @param {Element} element @param {string} tag */
export const mayBeNamed = (element, tag) =>
  tag === 'fieldset' || tag === 'figure' || hasNameAttribute(element) || (tag === 'table' && element.caption !== null);

/** @param {Element} element @param {string} tag @param {ClickStyle | null} [style] */
export const clickableRow = (element, tag, style) => {
  /** @type {Extra} */
  const extra = { k: 'c', tag };
  const role = clickableRole(element);
  if (onlyHasMenu(element, style)) extra.click = 'right';
  if (role === 'clickable') {
    addSort(extra, element);
    addCurrent(extra, element);
  } else addStates(extra, element, tag, role);
  if (element === pass.active) extra.focused = 1;
  markUnwrittenName(extra, element, tag);
  const box = boxOf(element);
  return row(element, role, withHints(extra, element, role, knownLabel(element, box)), extra, box);
};

/**
 * Return the kind of row of an element; '' for none.
 * @param {Element} element @param {string} tag @param {string} role @param {boolean} special
 */
export const kindOf = (element, tag, role, special) => {
  if (WIDGETS.has(role)) return 'i';
  if (tag === 'form') return 'f';
  if (LANDMARKS.has(role)) return 'l';
  if (special && isFocusable(element) && !PANELS.has(role)) {
    if (!isGridPart(tag, role)) return 'i';
    return isHeadRow(element, tag) ? '' : 'c';
  }
  if (role === 'heading') return 'h';
  return GROUPS.has(role) && (DIALOGS.has(role) || mayBeNamed(element, tag)) ? 'g' : '';
};

/** @param {string} kind @param {Element} element @param {string} tag @param {string} role */
export const rowOfKind = (kind, element, tag, role) => {
  switch (kind) {
    case 'i': return interactiveRow(element, tag, role || 'generic');
    case 'h': return headingRow(element, tag, role);
    case 'f': return formRow(element, role);
    case 'c': return clickableRow(element, tag);
    default: return areaRow(kind, element, tag, role);
  }
};

const MIN_SHOWN = 2; // px; smaller frames only count visits

/**
 * Return the row of a visible frame; the document inside has rows of its own.
 * @param {any} frame @param {string} tag
 */
export const frameRow = (frame, tag) => {
  const box = boxOf(frame);
  const inner = rounded(contentBox(frame));
  if (box === 0 || inner[2] < MIN_SHOWN || inner[3] < MIN_SHOWN) return null;
  /** @type {Extra} */
  const extra = { k: 'd', inner: [inner[0] - box[0], inner[1] - box[1], inner[2], inner[3]] }; // moves along
  if (frame === pass.active) extra.focused = 1;
  if (frame.loading === 'lazy' && (box[1] > innerHeight || box[1] + box[3] < 0)) extra.lazy = 1;
  return row(frame, 'iframe', nameOf(frame, tag) || attribute(frame, 'name') || '', extra, box);
};
