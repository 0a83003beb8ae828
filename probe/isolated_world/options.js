// The options of a widget: of native selects, lists and trees made of ARIA roles, drawn rows, and groups of radio buttons.
import { accessibleName } from './accessible_names.js';
import {
  attribute, closest, collapse, contains, cut, folded, getRootNode, hasAttribute, localNameOf, matches, parentElementOf, queryAll,
  queryIn, querySelector, setOf, textOf,
} from './builtins.js';
import { checkedState, isAriaTrue, isDisabled } from './control_states.js';
import { offeredOptions } from './control_values.js';
import { allMatching, flatParent, holds, nearest, rootOf } from './flat_tree.js';
import { elementOf, nidOf } from './registry.js';
import { BUTTONS, referredBy, roleOf } from './roles.js';
import { DIALOGS } from './sight.js';
import { textControlOf } from './text_controls.js';
import { isDrawn, SEEN, sightOf } from './visibility.js';

/** @param {any} a @param {any} b */
const sameText = (a, b) => folded(collapse(a)) === folded(collapse(b));

/**
 * Find an option by value, by text, by text without regard to case, or by group and text: "Fruit / Orange".
 * @param {any[]} options @param {string} wanted @returns {any}
 */
export const optionFor = (options, wanted) =>
  options.find((option) => option.value === wanted)
  ?? options.find((option) => collapse(option.text) === collapse(wanted))
  ?? options.find((option) => sameText(option.text, wanted))
  ?? options.find(({ group, text }) =>
    group !== undefined && (sameText(`${group} / ${text}`, wanted) || sameText(`${group} > ${text}`, wanted)));

/**
 * Return the options of a select, or of the datalist of a field, whose options show their values.
 * @param {any} select
 */
export const nativeOptions = (select) => offeredOptions(select).map((/** @type {any} */ option) => {
  const isList = select instanceof HTMLDataListElement;
  const group = option.parentElement instanceof HTMLOptGroupElement ? option.parentElement : null;
  const disabled = option.disabled || group?.disabled === true;
  const { value, selected: chosen } = option;
  return { element: option, text: option.label || (isList ? value : ''), value, disabled, group: group?.label, chosen };
});

const LISTS = '[role=listbox],[role=tree],[role=grid],[role=menu]';
const CHOICES = '[role=option],[role=treeitem],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem]';
const ROW_OF_NODE = '[role=treeitem] [role=option]'; // the node itself once more
const OPENERS = '[aria-haspopup],[aria-expanded],[aria-controls]';
const HAVE_LISTS = setOf('listbox combobox tree grid button menu radio radiogroup');

/**
 * Return whether the element is or opens a list of options. A button needs an ARIA attribute that announces a popup:
 * otherwise, `select` could press "Delete".
 * @param {Element} element
 */
export const hasList = (element) => {
  const role = roleOf(element, localNameOf.call(element));
  return HAVE_LISTS.has(role) && (role !== 'button' || matches.call(element, OPENERS));
};

const COMBOBOX = '[role=combobox]';
const RADIOS = 'input[type=radio],[role=radio]';

/**
 * Return the widget that offers the options: the element, the list around an option, a combobox around it, or the only one
 * in its shadow root.
 * @param {Element} element
 */
export const widgetOf = (element) => {
  const role = roleOf(element, localNameOf.call(element));
  if (HAVE_LISTS.has(role)) return element;
  const list = role === 'treeitem' || role === 'option' ? closest.call(element, '[role=tree],[role=listbox]') : null;
  const around = list ?? closest.call(element, COMBOBOX);
  const inside = around === null && rootOf(element) !== null ? [...queryAll(rootOf(element), COMBOBOX)] : [];
  return around ?? (inside.length === 1 ? inside[0] : element);
};

/** @param {number} nid @returns {any} */
export const findWidget = (nid) => {
  const element = elementOf(nid);
  return element === null ? null : widgetOf(element);
};

/**
 * Return the lists that an ARIA widget references, and those inside it.
 * @param {Element} element
 */
export const ownLists = (element) => {
  const named = ['aria-controls', 'aria-owns'].flatMap((name) => referredBy(element, name));
  return [...new Set([...named, ...element.querySelectorAll(LISTS)])];
};

/**
 * Return the lists of an ARIA widget: its own, else those of the page.
 * @param {Element} element
 */
export const listsOf = (element) => {
  if (matches.call(element, LISTS)) return [element];
  const own = ownLists(element);
  return own.length > 0 ? own : allMatching(LISTS);
};

const CHECKBOX = 'input[type=checkbox],[role=checkbox]';

/**
 * Return the checkbox in an option, but not in an option inside it; null for none.
 * @param {Element} option
 */
const checkboxOf = (option) =>
  [...queryIn(option, CHECKBOX)].find((one) => closest.call(one, CHOICES) === option) ?? null;

/** @param {any} option */
const isChosen = (option) => {
  const box = checkboxOf(option);
  return isAriaTrue(option, 'aria-selected') || isAriaTrue(option, 'aria-checked')
    || (box !== null && checkedState(box, localNameOf.call(box)) === 'true');
};

/**
 * Return whether a drawn row has no state for being chosen.
 * @param {any} option
 */
export const isUnmarked = ({ element, radio }) =>
  radio !== 1 && !matches.call(element, CHOICES) && checkboxOf(element) === null
  && !['aria-selected', 'aria-checked'].some((name) => hasAttribute.call(element, name));

const LONGEST_OPTION = 200;

/**
 * Return the option that a text belongs to.
 * @param {any} text
 */
const nearestNode = (text) => {
  const found = closest.call(parentElementOf.call(text), CHOICES);
  return found !== null && matches.call(found, ROW_OF_NODE) ? closest.call(found, '[role=treeitem]') : found;
};

/**
 * Return the texts of an option that are not in buttons or in the options inside it.
 * @param {Element} option
 */
const ownTextNodes = (option) => {
  const walker = document.createTreeWalker(option, NodeFilter.SHOW_TEXT);
  const found = /** @type {any[]} */ ([]);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) found.push(node);
  return found.filter((node) =>
    collapse(node.data) !== '' && nearestNode(node) === option && closest.call(parentElementOf.call(node), BUTTONS) === null);
};

/**
 * Return the text of an option without the texts of the options inside it.
 * @param {Element} element
 */
const optionText = (element) => {
  const label = attribute(element, 'aria-label');
  if (label !== null) return label;
  const isPlain = !matches.call(element, '[role=treeitem]') && querySelector.call(element, CHOICES) === null;
  if (isPlain) return textOf(element, LONGEST_OPTION);
  return cut(collapse(ownTextNodes(element).map(({ data }) => data).join('')), LONGEST_OPTION);
};

/**
 * Return the part of an option to be clicked: an option with others inside it is clicked at its own text.
 * @param {any} element
 */
export const rowOf = (element) => {
  if (querySelector.call(element, CHOICES) === null) return element;
  let row = ownTextNodes(element)[0]?.parentElement ?? element;
  while (row !== element && parentElementOf.call(row) !== element && querySelector.call(parentElementOf.call(row), CHOICES) === null) {
    row = parentElementOf.call(row);
  }
  return row;
};

/**
 * Return the innermost part of an option around the start of its own text, else the option.
 * @param {any} element
 */
export const textPartOf = (element) => ownTextNodes(element)[0]?.parentElement ?? element;

/** @param {Element} element */
const ariaOption = (element) => ({
  element,
  nid: nidOf(element),
  text: optionText(element) || collapse(accessibleName(element)), // in slots, or an image
  value: attribute(element, 'data-value') ?? attribute(element, 'value') ?? '',
  get disabled() { return isDisabled(element); }, // of few of them
  get chosen() { return isChosen(element); },
});

/**
 * Return the options below a list: in its tree, in its slots, or else in the shadow roots of custom elements.
 * @param {any} list @returns {any[]}
 */
const optionsIn = (list) => {
  const slotted = [...list.querySelectorAll('slot')].flatMap((slot) => slot.assignedElements({ flatten: true }));
  const found = [
    ...[...list.querySelectorAll(CHOICES)].filter((one) => !matches.call(one, ROW_OF_NODE)),
    ...slotted.flatMap((one) => (matches.call(one, CHOICES) ? [one, ...optionsIn(one)] : optionsIn(one))),
  ];
  if (found.length > 0) return found;
  const inside = [...(list instanceof Element ? [list] : []), ...list.querySelectorAll('*')];
  const hosts = inside.filter((one) => localNameOf.call(one).includes('-'));
  return [...new Set(hosts.map(rootOf).filter((root) => root !== null).flatMap(optionsIn))];
};

const MAX_DISTANCE = 3; // ancestors between a list and its visible rows

/** @param {any} parent */
const childrenOf = (parent) => [...queryIn(parent, ':scope > *')];

const rowParents = new WeakMap(); // list → parent of its visible rows, which may show other options later

/** @param {any} list @param {any[]} options */
const findRows = (list, options) => {
  const readable = options.flatMap((one) => [attribute(one, 'aria-label') ?? '', textOf(one, 200)]);
  const texts = new Set(readable.filter((text) => text !== ''));
  let holder = flatParent(list);
  for (let far = 0; far < MAX_DISTANCE && holder !== null && holder !== document.body; far += 1) {
    const row = [...queryIn(holder, '*')].find((one) =>
      !contains.call(list, one) && !contains.call(one, list) && texts.has(textOf(one, 200)) && isDrawn(one));
    if (row !== undefined) {
      rowParents.set(list, parentElementOf.call(row));
      return childrenOf(parentElementOf.call(row)).filter(isDrawn);
    }
    holder = flatParent(holder);
  }
  return [];
};

/**
 * Return the visible rows that represent a list of options: the row of one option with its siblings, [] for none.
 * @param {any} list @param {any[]} options
 */
const drawnRows = (list, options) => {
  const known = rowParents.get(list);
  const rows = known === undefined ? [] : childrenOf(known).filter(isDrawn);
  return rows.length > 0 ? rows : findRows(list, options);
};

/** @param {any} list */
const choicesIn = (list) => {
  const options = optionsIn(list).filter((option) => sightOf(option) === SEEN);
  return options.some(isDrawn) ? options : [...drawnRows(list, options), ...options];
};

/**
 * Return the radio buttons of a group, or of the group of a radio button; [] for other elements.
 * @param {Element} element @returns {any[]}
 */
const radiosOf = (element) => {
  if (element instanceof HTMLInputElement && element.type === 'radio') {
    const { form, name } = element;
    const all = [...queryAll(getRootNode.call(element), 'input[type=radio]')];
    return name === '' ? [element] : all.filter((one) => one.form === form && one.name === name);
  }
  if (!matches.call(element, '[role=radio],[role=radiogroup]')) return [];
  let group = closest.call(element, '[role=radiogroup]') ?? parentElementOf.call(element);
  while (group !== null && !matches.call(group, '[role=radiogroup]') && queryIn(group, RADIOS).length < 2) {
    group = parentElementOf.call(group);
  }
  return group === null ? [element] : [...queryIn(group, RADIOS)];
};

/** @param {Element} element */
const radioOption = (element) => ({
  element,
  nid: nidOf(element),
  text: collapse(accessibleName(element)),
  value: element instanceof HTMLInputElement ? element.value : attribute(element, 'data-value') ?? attribute(element, 'aria-posinset') ?? '',
  disabled: isDisabled(element),
  chosen: checkedState(element, localNameOf.call(element)) === 'true',
  radio: 1,
});

/** @param {Element} element @returns {any} the dialog that a widget refers to, or the modal one in front; undefined for none */
export const dialogBefore = (element) =>
  referredBy(element, 'aria-controls').find((one) => matches.call(one, DIALOGS) && isDrawn(one))
  ?? allMatching('[aria-modal=true],dialog:modal').findLast((one) => isDrawn(one) && !holds(one, element));

const DIALOG_CHOICES = `${RADIOS},${CHECKBOX}`;
const CONFIRMING = `:is(${BUTTONS}):not(${DIALOG_CHOICES})`;

/**
 * Return the options that a widget shows: those of its lists, else those of the dialog that it has opened, with the
 * dialog if they have to be confirmed there.
 * @param {Element} element @returns {any[]}
 */
export const visibleChoices = (element) => {
  const radios = radiosOf(element).map(radioOption);
  const found = radios.length > 0 ? radios : listsOf(element).flatMap(choicesIn).map(ariaOption);
  const dialog = found.length === 0 && isAriaTrue(element, 'aria-expanded') ? dialogBefore(element) : undefined;
  if (dialog === undefined) return found;
  const last = [...queryIn(dialog, CONFIRMING)].some(isDrawn) ? { dialog } : {};
  return [...queryIn(dialog, DIALOG_CHOICES)].filter(isDrawn).map((one) => ({ ...radioOption(one), ...last }));
};

/**
 * Return the options of a native select, or of a list or radio group on the page that marks what is chosen; [] for others.
 * @param {Element} element @returns {any[]}
 */
export const markedChoices = (element) => {
  if (element instanceof HTMLSelectElement) return nativeOptions(element);
  const isShown = radiosOf(element).length > 0 || matches.call(element, LISTS);
  const options = isShown ? visibleChoices(element) : [];
  return options.some(({ element: one, radio }) => radio === 1 || matches.call(one, '[aria-selected],[aria-checked]')) ? options : [];
};

/**
 * Return whether `aria-selected` means chosen: in a drawn row, a list with several choices, or a multi-select list.
 * @param {any} option @param {any[]} options
 */
export const marksChosen = (option, options) =>
  nearest(option, (node) => isAriaTrue(node, 'aria-multiselectable')) !== null
  || checkboxOf(option) !== null || !matches.call(option, CHOICES)
  || options.filter(({ chosen }) => chosen).length > 1;

/**
 * Return whether an option is chosen. In an editable combobox, `aria-selected` only marks the option that Enter would
 * take.
 * @param {Element} element @param {any} option @param {any[]} options
 */
export const isReallyChosen = (element, option, options) =>
  option.chosen && (textControlOf(element) === null || marksChosen(option.element, options));
