// Options at the end of a path: in folded nodes of a tree, or in the next column of a cascade.
import {
  attribute, closest, contains, getBoundingClientRect, hasAttribute, matches, parentElementOf,
  queryIn, querySelector,
} from './builtins.js';
import {
  findWidget, isReallyChosen, offeredOptions, optionFor, ownTextNodes, rowOf, visibleChoices,
} from './options.js';
import { rootOf } from './flat_tree.js';
import { elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { BUTTONS } from './roles.js';
import { isDrawn, rectOf } from './visibility.js';

/** @typedef {any} AnyOption */

const COLUMN = '[role=menu],[role=listbox],[role=tree],[role=group],ul,ol';

/** @param {Element} option */
const startOfText = (option) => {
  const [node] = ownTextNodes(option);
  if (node === undefined) return getBoundingClientRect.call(option);
  const range = document.createRange();
  range.selectNode(node);
  return range.getBoundingClientRect();
};

/**
 * Return the depth of a node of a flat tree: its level, or how far its text is indented; 0 for other options.
 * @param {Element} element
 */
const levelOf = (element) => {
  const level = attribute(element, 'aria-level');
  if (level !== null) return Number(level);
  return matches.call(element, '[role=treeitem]') ? 1 + Math.round(Math.max(0, startOfText(element).x)) : 0;
};

/**
 * Return the option around an option; null for none.
 * @param {AnyOption} option @param {AnyOption[]} options
 */
const holderOf = ({ element }, options) =>
  options.findLast((one) => one.element !== element && contains.call(one.element, element)) ?? null;

const OPENS = ['aria-expanded', 'aria-haspopup', 'aria-owns'];

/**
 * Return whether an option can only be the heading of a group: options of a listbox open nothing.
 * @param {AnyOption} option
 */
const isHeading = ({ element }) =>
  matches.call(element, '[role=listbox] [role=option]') && !OPENS.some((name) => hasAttribute.call(element, name));

/** @param {Element} element */
const columnOf = (element) => closest.call(parentElementOf.call(element), COLUMN);

/**
 * Return the options under a node of a flat tree: those that follow it with a greater level, of these the outermost.
 * @param {AnyOption} node @param {AnyOption[]} options
 */
const deeperRows = (node, options) => {
  const level = levelOf(node.element);
  const after = options.slice(options.indexOf(node) + 1);
  const end = after.findIndex(({ element }) => levelOf(element) <= level);
  const deeper = end === -1 ? after : after.slice(0, end);
  const least = Math.min(...deeper.map(({ element }) => levelOf(element)));
  return deeper.filter(({ element }) => levelOf(element) === least);
};

/**
 * Return the options of the column after that of an option, unless the option has options of its own.
 * @param {AnyOption} node @param {AnyOption[]} options
 */
const nextColumn = (node, options) => {
  const columns = [...new Set(options.map(({ element }) => columnOf(element)))];
  const next = columns[columns.indexOf(columnOf(node.element)) + 1];
  return next === undefined ? [] : options.filter(({ element }) => columnOf(element) === next);
};

/**
 * Return the options that belong to an opened option.
 * @param {AnyOption} node @param {AnyOption[]} options
 */
const optionsUnder = (node, options) => {
  const inside = options.filter((one) => holderOf(one, options) === node);
  if (inside.length > 0) return inside;
  if (isHeading(node)) return options.slice(options.indexOf(node) + 1);
  if (levelOf(node.element) > 0) return deeperRows(node, options);
  return nextColumn(node, options);
};

/** @param {AnyOption[]} options */
const outermost = (options) => {
  const free = options.filter((one) => holderOf(one, options) === null);
  const levels = free.map(({ element }) => levelOf(element));
  const least = Math.min(...levels);
  if (least < Math.max(...levels)) return free.filter(({ element }) => levelOf(element) === least);
  const column = free.length === 0 || least > 0 ? null : columnOf(free[0].element);
  return column === null ? free : free.filter(({ element }) => columnOf(element) === column);
};

/**
 * Return whether the options under a node are visible: it is expanded, or was clicked and has no such state.
 * @param {AnyOption} node @param {number[]} opened
 */
const isOpened = ({ element, nid }, opened) => {
  if (isHeading({ element })) return true;
  const expanded = attribute(element, 'aria-expanded');
  return expanded === 'true' || (opened.includes(nid) && expanded === null);
};

/**
 * Follow a path through the options that are shown: the option at its end, or the node to be opened next.
 * @param {AnyOption[]} options @param {string[]} parts @param {number[]} opened
 * @returns {{ found?: AnyOption, node?: AnyOption, missing?: number, scope?: AnyOption[] }}
 */
const follow = (options, parts, opened) => {
  let scope = outermost(options);
  for (const [depth, part] of parts.entries()) {
    const found = optionFor(scope, part);
    if (found === undefined) return { missing: depth, scope };
    if (depth === parts.length - 1) return { found };
    if (!isOpened(found, opened)) return { node: found };
    scope = optionsUnder(found, options);
    if (scope.length === 0) return { node: found };
  }
  return {};
};

/**
 * Find the option at the end of a path: {nid, chosen}, {unfold: number of the node to be opened next}, or {error:
 * "no path"|"no option"|"option disabled", wanted, options, count, within?}.
 * @param {number} nid @param {string[]} parts @param {number[]} opened
 */
export const pickPath = (nid, parts, opened) => {
  const element = findWidget(nid);
  if (element === null) return GONE_ANSWER;
  const options = visibleChoices(element);
  const { found, node, missing, scope = [] } = follow(options, parts, opened);
  if (node !== undefined) return JSON.stringify({ unfold: node.nid });
  if (found === undefined) {
    const depth = missing ?? 0;
    const within = parts.slice(0, depth).join(' / ');
    return JSON.stringify({ error: depth === 0 ? 'no path' : 'no option', wanted: parts[depth], within, ...offeredOptions(scope) });
  }
  if (found.disabled) return JSON.stringify({ error: 'option disabled', wanted: parts.at(-1) });
  return JSON.stringify({ nid: nidOf(rowOf(found.element)), chosen: isReallyChosen(element, found, options) });
};

const LARGEST_TOGGLER = 48; // px

const PARTS = 'button,[role=button],span,i,div,svg';
const PICTURES = 'svg,img,i';

/** @param {any} element */
const hasPicture = (element) => matches.call(element, PICTURES) || querySelector.call(element, PICTURES) !== null;

const CHECKERS = 'input,[role=checkbox],label';

/**
 * Return the number of what opens a node: a small element before its text that is no checkbox, else the node.
 * @param {number} nid
 */
export const togglerOf = (nid) => {
  const option = elementOf(nid);
  if (option === null) return GONE_ANSWER;
  const text = startOfText(option);
  const isToggler = (/** @type {any} */ one) => {
    const rect = rectOf(one);
    return rect !== null && isDrawn(one) && rect.width <= LARGEST_TOGGLER && rect.height <= LARGEST_TOGGLER
      && rect.x + rect.width <= text.x + 1 && rect.y < text.y + text.height && rect.y + rect.height > text.y
      && closest.call(one, CHECKERS) === null && querySelector.call(one, CHECKERS) === null;
  };
  const isTree = matches.call(option, '[role=treeitem]') || hasAttribute.call(option, 'aria-expanded');
  const parts = [option, rootOf(option)].flatMap((root) => (root === null ? [] : [...queryIn(root, PARTS)]));
  const found = isTree ? parts.filter(isToggler) : [];
  const toggler = found.find((one) => matches.call(one, BUTTONS)) ?? found.find(hasPicture) ?? found.at(-1);
  return JSON.stringify({ nid: nidOf(toggler ?? rowOf(option)) });
};
