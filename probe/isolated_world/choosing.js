// Choosing options, in native selects and in ARIA lists. The events are those that a browser fires for a user's choice,
// but they are not trusted.
import {
  attribute, closest, collapse, contains, focusOn, getRootNode, localNameOf, matches, queryAll, setOf,
  textOf,
} from './builtins.js';
import { frame, now } from './clock.js';
import { checkedState, isAriaTrue, isDisabled } from './control_states.js';
import { deepActive, flatParent, openRoots, rootOf } from './flat_tree.js';
import { modalCover } from './modals.js';
import { isAnimating } from './pending.js';
import { elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { attributeWords, CHECKABLE, roleOf } from './roles.js';
import { takesText, textControlOf } from './text_controls.js';
import { drawnRows, LONGEST_PAGING, newPager } from './virtual_lists.js';
import { isDrawn, ignoresPointer, SEEN, sightOf } from './visibility.js';

/** @param {Element} element */
export const dispatchChange = (element) => {
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
};

/** @param {any} a @param {any} b */
const sameText = (a, b) => collapse(a).toLowerCase() === collapse(b).toLowerCase();

/**
 * Find an option by value, by text, or by text without regard to case.
 * @param {any[]} options @param {string} wanted @returns {any}
 */
const optionFor = (options, wanted) =>
  options.find((option) => option.value === wanted)
  ?? options.find((option) => collapse(option.text) === collapse(wanted))
  ?? options.find((option) => sameText(option.text, wanted));

/** @param {any} subject */
const isInClosedGroup = ({ parentElement: group }) => group instanceof HTMLOptGroupElement && group.disabled;

/** @param {any} option */
const isEnabledOption = (option) => !option.disabled && !isInClosedGroup(option);

const MOST_OFFERED = 50;

/** @param {any[]} options */
const offeredOptions = (options) => {
  const texts = options.slice(0, MOST_OFFERED).map(({ text }) => text);
  return { options: texts, count: options.length };
};

/**
 * Return the reason why `wanted` cannot be chosen: {error: "single"|"no option"|"option disabled", …}, or null.
 * @param {any[]} options @param {string[]} wanted @param {boolean} multiple
 */
const choiceProblem = (options, wanted, multiple) => {
  if (wanted.length > 1 && !multiple) return { error: 'single' };
  const unknown = wanted.find((one) => optionFor(options, one) === undefined);
  if (unknown !== undefined) return { error: 'no option', wanted: unknown, ...offeredOptions(options) };
  const closed = wanted.find((one) => optionFor(options, one).disabled);
  return closed === undefined ? null : { error: 'option disabled', wanted: closed };
};

/** @param {any} option */
const nativeOption = (option) => ({
  element: option,
  text: option.label,
  value: option.value,
  disabled: !isEnabledOption(option),
});

/** @param {any} select */
const nativeOptions = (select) => Array.from(select.options, nativeOption);

/** @param {any} select @param {string[]} wanted */
const chooseNative = (select, wanted) => {
  const options = nativeOptions(select);
  const problem = choiceProblem(options, wanted, select.multiple);
  if (problem !== null) return problem;
  const chosen = new Set(wanted.map((one) => optionFor(options, one).element));
  const changed = options.filter(({ element }) => element.selected !== chosen.has(element));
  for (const { element } of changed) element.selected = chosen.has(element);
  focusOn.call(select, { preventScroll: true });
  if (changed.length > 0) dispatchChange(select);
  return {};
};

/**
 * Return {checked: "true"|"false"|"mixed"} or {error: "gone"|"not checkable"}.
 * @param {number} nid
 */
export const checked = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const tag = localNameOf.call(element);
  if (!CHECKABLE.has(roleOf(element, tag))) return JSON.stringify({ error: 'not checkable' });
  return JSON.stringify({ checked: checkedState(element, tag) });
};

const LISTS = '[role=listbox],[role=tree],[role=grid],[role=menu]';
const CHOICES = '[role=option],[role=treeitem],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem]';

const HAVE_LISTS = setOf('listbox combobox tree grid button menu');

const OPENERS = ['aria-haspopup', 'aria-expanded', 'aria-controls'];

/**
 * Return whether the element is or opens a list of options. A button has to say that it opens something: others,
 * such as "Delete", would be pressed in vain.
 * @param {Element} element
 */
const hasList = (element) => {
  const role = roleOf(element, localNameOf.call(element));
  return HAVE_LISTS.has(role) && (role !== 'button' || OPENERS.some((name) => attribute(element, name) !== null));
};

const COMBOBOX = '[role=combobox]';

/**
 * Return the only combobox in the shadow root of a custom element; null for none or several.
 * @param {Element} element
 */
const innerWidget = (element) => {
  const root = rootOf(element);
  const found = root === null ? [] : [...queryAll(root, COMBOBOX)];
  return found.length === 1 ? found[0] : null;
};

/**
 * Return the widget that offers the options: the element, or a combobox around it or inside it.
 * @param {Element} element
 */
const widgetOf = (element) => {
  const isWidget = HAVE_LISTS.has(roleOf(element, localNameOf.call(element)));
  return isWidget ? element : closest.call(element, COMBOBOX) ?? innerWidget(element) ?? element;
};

/** @param {number} nid @returns {any} */
const findWidget = (nid) => {
  const element = elementOf(nid);
  return element === null ? null : widgetOf(element);
};

/** @param {Element} element @param {string} name */
const referenced = (element, name) =>
  attributeWords(element, name)
    .map((id) => /** @type {any} */ (getRootNode.call(element)).getElementById?.(id) ?? null)
    .filter((found) => found !== null);

/**
 * Return the lists that an ARIA widget references, and those inside it.
 * @param {Element} element
 */
const ownLists = (element) => {
  const named = ['aria-controls', 'aria-owns'].flatMap((name) => referenced(element, name));
  return [...new Set([...named, ...element.querySelectorAll(LISTS)])];
};

/**
 * Return the lists of an ARIA widget: its own, else all visible lists.
 * @param {Element} element
 */
const listsOf = (element) => {
  if (matches.call(element, LISTS)) return [element];
  const own = ownLists(element);
  return own.length > 0 ? own : openRoots().flatMap((root) => [...queryAll(root, LISTS)]);
};

/** @param {Element} element */
const isSearch = (element) =>
  element.type === 'search' || closest.call(element, 'search,[role=search]') !== null;

/**
 * Return whether the widget needs an option: it has a list, no date dialog, and is not a search field.
 * @param {Element} element
 */
const wantsOption = (element) =>
  (ownLists(element).length > 0 || attribute(element, 'aria-expanded') === 'true')
  && attribute(element, 'aria-haspopup') !== 'dialog' && !isSearch(element);

/** @param {any} option */
const isChosen = (option) => ['aria-selected', 'aria-checked'].some((name) => attribute(option, name) === 'true');

/** @param {Element} element */
const ariaOption = (element) => ({
  element,
  nid: nidOf(element),
  text: attribute(element, 'aria-label') ?? textOf(element, 200),
  value: attribute(element, 'data-value') ?? attribute(element, 'value') ?? '',
  disabled: isDisabled(element),
  chosen: isChosen(element),
});

/** @param {any} list */
const slotted = (list) =>
  [...list.querySelectorAll('slot')].flatMap((slot) => slot.assignedElements({ flatten: true }));

/**
 * Return the options in a list, and those in the slots of a custom element.
 * @param {any} list
 */
const optionsIn = (list) => [
  ...list.querySelectorAll(CHOICES),
  ...slotted(list).flatMap((one) => [...(matches.call(one, CHOICES) ? [one] : []), ...one.querySelectorAll(CHOICES)]),
];

/** @param {any} list */
const choicesIn = (list) => {
  const options = optionsIn(list).filter((option) => sightOf(option) === SEEN);
  return options.some(isDrawn) ? options : [...drawnRows(list, options), ...options];
};

/** @param {Element} element */
const visibleChoices = (element) => listsOf(element).flatMap(choicesIn).map(ariaOption);

/** @param {any} option */
const isMultiselectable = (option) => {
  let node = option;
  while (node !== null && !isAriaTrue(node, 'aria-multiselectable')) node = flatParent(node);
  return node !== null;
};

/**
 * Return whether `aria-selected` means chosen: in a drawn row, a list with several choices, or a multi-select list.
 * @param {any} option @param {any[]} options
 */
const marksChosen = (option, options) =>
  isMultiselectable(option) || !matches.call(option, CHOICES)
  || options.filter(({ chosen }) => chosen).length > 1;

/**
 * Return whether an option is chosen. In an editable combobox, `aria-selected` only marks the option that Enter would
 * take.
 * @param {Element} element @param {any} option @param {any[]} options
 */
const isReallyChosen = (element, option, options) =>
  option.chosen && (textControlOf(element) === null || marksChosen(option.element, options));

/**
 * Return whether the list is open and shows these options.
 * @param {Element} element @param {any[]} options
 */
const isListOpen = (element, options) => {
  const expanded = attribute(element, 'aria-expanded');
  return expanded === 'true' || (options.length > 0 && expanded !== 'false');
};

/**
 * Return whether text can be typed into a widget to find an option.
 * @param {Element} element
 */
const isSearchable = (element) => takesText(element) && !element.readOnly && !ignoresPointer(element);

/**
 * Return whether a search field of the open list has the focus.
 * @param {Element} element
 */
const hasSearchField = (element) => {
  const active = deepActive();
  return active !== null && active !== element && !contains.call(element, active) && isSearchable(active);
};

/**
 * Find `wanted` in an open ARIA list: {nid, chosen, open?}, else {error, options, count, wanting?, search?, open?}.
 * `wanting` if only an option may be entered, `search` if typed text searches the list.
 * @param {number} nid @param {string} wanted
 */
const pick = (nid, wanted) => {
  const element = findWidget(nid);
  if (element === null) return GONE_ANSWER;
  const options = visibleChoices(element);
  const open = isListOpen(element, options) ? { open: 1 } : {};
  const problem = choiceProblem(options, [wanted], false);
  if (problem !== null) {
    const wanting = wantsOption(element) ? { wanting: 1 } : {};
    const search = hasSearchField(element) ? { search: 1 } : {};
    return JSON.stringify({ ...problem, ...wanting, ...search, ...open });
  }
  const found = optionFor(options, wanted);
  return JSON.stringify({ nid: found.nid, chosen: isReallyChosen(element, found, options), ...open });
};

/**
 * Return whether the option can be clicked: while a list is drawn, its options have no size.
 * @param {any} subject
 */
const isPickable = ({ error, nid }) => error !== 'no option' && (nid === undefined || isDrawn(elementOf(nid)));

const seenWhilePaging = new WeakMap(); // widget → texts of its options

/**
 * Add the number of options that were `seen` by scrolling, if it is larger than the number in the list now.
 * @param {any} answer @param {Element} element @param {boolean} more
 */
const withSeen = (answer, element, more) => {
  const seen = seenWhilePaging.get(element)?.size ?? 0;
  if (answer.error !== 'no option' || (seen <= answer.count && !more)) return answer;
  return { ...answer, seen: Math.max(seen, answer.count), ...(more ? { more: 1 } : {}) };
};

/**
 * Scroll on through the list; return false at its end.
 * @param {{ turn: (options: Option[]) => boolean }} pages @param {Element} element
 */
const turnPage = (pages, element) => {
  const options = visibleChoices(element);
  const seen = seenWhilePaging.get(element);
  for (const { text } of options) seen.add(text);
  return pages.turn(options);
};

/**
 * Return whether an open list offers other options and is not loading more.
 * @param {any} subject @param {Element} element
 */
const offersOtherOptions = ({ error, count }, element) =>
  error === 'no option' && count > 0 && !listsOf(element).some((list) => isAriaTrue(list, 'aria-busy'));

/**
 * Wait for an option as `pick` does, up to `wait` ms; then search by scrolling through the list (`paging`: "top", or
 * "on" from the present position). `early` returns as soon as other options are offered. `more` means that there was
 * no time to reach the end of the list.
 * @param {number} nid @param {string} wanted @param {number} wait @param {string} [paging]
 * @param {boolean} [early]
 */
export const pickWithin = async (nid, wanted, wait, paging = '', early = false) => {
  const end = now() + wait;
  const last = end + (paging === '' ? 0 : LONGEST_PAGING);
  const pages = newPager(paging === 'on');
  if (paging === 'top') seenWhilePaging.delete(findWidget(nid));
  for (;;) {
    const answer = JSON.parse(pick(nid, wanted));
    const element = findWidget(nid);
    if (element === null || isPickable(answer)) return JSON.stringify(answer);
    if (early && offersOtherOptions(answer, element)) return JSON.stringify({ ...answer, early: 1 });
    if (!seenWhilePaging.has(element)) seenWhilePaging.set(element, new Set());
    const isOver = now() >= last;
    if (isOver || (now() >= end && !turnPage(pages, element))) {
      return JSON.stringify(withSeen(answer, element, isOver && paging !== ''));
    }
    await frame();
  }
};

/**
 * Return {nids} of the options of a multi-select list that are chosen and not wanted.
 * @param {number} nid @param {string[]} wanted
 */
export const surplus = (nid, wanted) => {
  const element = findWidget(nid);
  if (element === null) return GONE_ANSWER;
  const options = element instanceof HTMLSelectElement ? [] : visibleChoices(element);
  const kept = new Set(wanted.map((one) => optionFor(options, one)));
  const others = options.filter((one) => one.chosen && marksChosen(one.element, options) && !kept.has(one));
  return JSON.stringify({ nids: others.map(({ nid: other }) => other) });
};

/**
 * Choose in a native select: {}, or {error, …}. Return {aria: "open"|"closed"|"editable", closing?} for any other
 * widget; `closing` if the list is marked closed while its options are still visible.
 * @param {number} nid @param {string[]} wanted @param {boolean} [only]
 */
export const choose = (nid, wanted, only = false) => {
  const element = findWidget(nid);
  if (element === null) return GONE_ANSWER;
  if (element instanceof HTMLSelectElement) {
    const cover = modalCover(element);
    if (cover !== null) return JSON.stringify(cover);
    const options = nativeOptions(element);
    const answer = only ? choiceProblem(options, wanted, element.multiple) : chooseNative(element, wanted);
    return JSON.stringify(answer ?? {});
  }
  if (!hasList(element)) return JSON.stringify({ error: 'no list' });
  const isSeen = visibleChoices(element).length > 0;
  if (isSeen && attribute(element, 'aria-expanded') !== 'false') return JSON.stringify({ aria: 'open' });
  return JSON.stringify({ aria: isSearchable(element) ? 'editable' : 'closed', ...(isSeen ? { closing: 1 } : {}) });
};

const LONGEST_CLOSING = 500; // ms

/**
 * Return whether a part of a widget is animated, in its shadow roots too.
 * @param {Element} element
 */
const isWidgetAnimated = (element) => isAnimating(openRoots(getRootNode.call(element)), LONGEST_CLOSING);

/**
 * Wait until the options of a closing list are hidden or its animations have ended: {}.
 * @param {number} nid
 */
export const awaitClosed = async (nid) => {
  const end = now() + LONGEST_CLOSING;
  const isClosing = (/** @type {any} */ element) => element !== null && visibleChoices(element).length > 0 && isWidgetAnimated(element);
  do await frame();
  while (now() < end && isClosing(findWidget(nid)));
  await frame();
  return '{}';
};
