// Choosing among options, and setting the controls that no key fills. The events are those a browser fires for a
// person's choice; that they are not trusted is a limit of scripts, and frameworks do not mind.
// The lists of widgets made of ARIA: where they are, what they offer, and which option answers to what is wanted.
import {
  attribute, closest, collapse, contains, focusOn, getRootNode, localNameOf, matches, queryAll, setOf,
  textOf,
} from './builtins.js';
import { frame, now } from './clock.js';
import { checkedState, isAriaTrue, isDisabled } from './control_states.js';
import { deepActive, flatParent, openRoots, rootOf } from './flat_tree.js';
import { isAnimating } from './pending.js';
import { elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { attributeWords, CHECKABLE, roleOf } from './roles.js';
import { takesText, textControlOf } from './text_controls.js';
import { drawnRows, LONGEST_PAGING, newPager } from './virtual_lists.js';
import { isDrawn, letsThrough, SEEN, sightOf } from './visibility.js';

/** @param {Element} element */
export const dispatchChange = (element) => {
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
};

/** @param {any} a @param {any} b */
const sameText = (a, b) => collapse(a).toLowerCase() === collapse(b).toLowerCase();

/**
 * By value, then by what can be read, then by that without regard to case.
 * @param {any[]} options @param {string} wanted @returns {any}
 */
const optionFor = (options, wanted) =>
  options.find((option) => option.value === wanted)
  ?? options.find((option) => collapse(option.text) === collapse(wanted))
  ?? options.find((option) => sameText(option.text, wanted));

/** @param {any} subject */
const isInClosedGroup = ({ parentElement: group }) => group instanceof HTMLOptGroupElement && group.disabled;

/** @param {any} option */
const isOffered = (option) => !option.disabled && !isInClosedGroup(option);

const MOST_OFFERED = 50;

/** @param {any[]} options */
const offeredOptions = (options) => {
  const texts = options.slice(0, MOST_OFFERED).map(({ text }) => text);
  return { options: texts, count: options.length };
};

/**
 * What keeps `wanted` from being chosen: {error: "single"|"no option"|"option disabled", …}, or null.
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
  disabled: !isOffered(option),
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
 * {checked: "true"|"false"|"mixed"} or {error: "gone"|"not checkable"}.
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

const COMBOBOX = '[role=combobox]';

/**
 * The one combobox in the shadow root of a custom element; null if there is none, or several.
 * @param {Element} element
 */
const innerWidget = (element) => {
  const root = rootOf(element);
  const found = root === null ? [] : [...queryAll(root, COMBOBOX)];
  return found.length === 1 ? found[0] : null;
};

/**
 * What offers the options: the element, or a combobox that it is a part of or is built around.
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
 * The lists that an ARIA widget names, and those in it.
 * @param {Element} element
 */
const ownLists = (element) => {
  const named = ['aria-controls', 'aria-owns'].flatMap((name) => referenced(element, name));
  return [...new Set([...named, ...element.querySelectorAll(LISTS)])];
};

/**
 * The lists an ARIA widget offers its options in: its own, else every one that is seen.
 * @param {Element} element
 */
const listsOf = (element) => {
  if (matches.call(element, LISTS)) return [element];
  const own = ownLists(element);
  return own.length > 0 ? own : openRoots().flatMap((root) => [...queryAll(root, LISTS)]);
};

const SEARCH_NAME = /^(q|s|query|search|terms?|keywords?)$/i;

/** @param {Element} element */
const isSearch = (element) =>
  element.type === 'search' || closest.call(element, 'search,[role=search]') !== null
  || SEARCH_NAME.test(attribute(element, 'name') ?? '');

/**
 * Whether a text alone may be no answer to it: it has options to choose from, and takes no dates or words instead.
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
 * The options in a list, and those that a custom element is given from outside and shows in a slot of it.
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
const isAmongSeveral = (option) => {
  let node = option;
  while (node !== null && !isAriaTrue(node, 'aria-multiselectable')) node = flatParent(node);
  return node !== null;
};

/**
 * Rows that are drawn for a list, and lists of which several are or may be chosen.
 * @param {any} option @param {any[]} options
 */
const marksChosen = (option, options) =>
  isAmongSeveral(option) || !matches.call(option, CHOICES)
  || options.filter(({ chosen }) => chosen).length > 1;

/**
 * Where one types, the option that Enter would take is said to be selected; it is chosen only once it is clicked.
 * @param {Element} element @param {any} option @param {any[]} options
 */
const isReallyChosen = (element, option, options) =>
  option.chosen && (textControlOf(element) === null || marksChosen(option.element, options));

/**
 * Whether its list is open, with these options to be seen.
 * @param {Element} element @param {any[]} options
 */
const isListOpen = (element, options) => {
  const expanded = attribute(element, 'aria-expanded');
  return expanded === 'true' || (options.length > 0 && expanded !== 'false');
};

/**
 * Whether one may type into it to find an option: not into what only shows what is chosen.
 * @param {Element} element
 */
const isSearchable = (element) => takesText(element) && !element.readOnly && !letsThrough(element);

/**
 * Whether an open list has a field of its own to search it, and that has the focus.
 * @param {Element} element
 */
const hasSearchField = (element) => {
  const active = deepActive();
  return active !== null && active !== element && !contains.call(element, active) && isSearchable(active);
};

/**
 * {nid, chosen, open?} of the option that answers to `wanted` in an open ARIA list, else
 * {error, options, count, wanting?, search?, open?}; `wanting` if nothing but an option may do, `search` if what is
 * typed now searches the list.
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
 * Not while a list is being drawn: its options may be there already, and have no size.
 * @param {any} subject
 */
const isPickable = ({ error, nid }) => error !== 'no option' && (nid === undefined || isDrawn(elementOf(nid)));

const seenWhilePaging = new WeakMap(); // widget → texts of its options

/**
 * Add to an answer how many options were `seen` by scrolling, if those were more than are there now.
 * @param {any} answer @param {Element} element @param {boolean} more
 */
const withSeen = (answer, element, more) => {
  const seen = seenWhilePaging.get(element)?.size ?? 0;
  if (answer.error !== 'no option' || (seen <= answer.count && !more)) return answer;
  return { ...answer, seen: Math.max(seen, answer.count), ...(more ? { more: 1 } : {}) };
};

/**
 * Scroll on through the list; false at its end.
 * @param {{ turn: (options: Option[]) => boolean }} pages @param {Element} element
 */
const turnPage = (pages, element) => {
  const options = visibleChoices(element);
  const seen = seenWhilePaging.get(element);
  for (const { text } of options) seen.add(text);
  return pages.turn(options);
};

/**
 * Whether an open list offers something, and does not say that more is being loaded.
 * @param {any} subject @param {Element} element
 */
const offersOthers = ({ error, count }, element) =>
  error === 'no option' && count > 0 && !listsOf(element).some((list) => isAriaTrue(list, 'aria-busy'));

/**
 * The same, once such an option is there; with `early`, {early: 1} as soon as others are offered. After `wait` ms only what is found by `paging` ("top", or "on" from where the
 * list is) through the list: {…, seen?, more?} with `more` if there was no time to come to its end.
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
    if (early && offersOthers(answer, element)) return JSON.stringify({ ...answer, early: 1 });
    if (!seenWhilePaging.has(element)) seenWhilePaging.set(element, new Set());
    const isOver = now() >= last;
    if (isOver || (now() >= end && !turnPage(pages, element))) {
      return JSON.stringify(withSeen(answer, element, isOver && paging !== ''));
    }
    await frame();
  }
};

/**
 * Of a list of which several are chosen, those that are not wanted: {nids}.
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
 * Choose in a native select: {}, or {error, …}; {aria: "open"|"closed"|"editable", closing?} for any other widget, with
 * `closing` if it says that its list is closed, and options are still seen.
 * @param {number} nid @param {string[]} wanted @param {boolean} [only]
 */
export const choose = (nid, wanted, only = false) => {
  const element = findWidget(nid);
  if (element === null) return GONE_ANSWER;
  if (element instanceof HTMLSelectElement) {
    const options = nativeOptions(element);
    const answer = only ? choiceProblem(options, wanted, element.multiple) : chooseNative(element, wanted);
    return JSON.stringify(answer ?? {});
  }
  if (!HAVE_LISTS.has(roleOf(element, localNameOf.call(element)))) return JSON.stringify({ error: 'no list' });
  const isSeen = visibleChoices(element).length > 0;
  if (isSeen && attribute(element, 'aria-expanded') !== 'false') return JSON.stringify({ aria: 'open' });
  return JSON.stringify({ aria: isSearchable(element) ? 'editable' : 'closed', ...(isSeen ? { closing: 1 } : {}) });
};

const LONGEST_CLOSING = 500; // ms

/**
 * Whether a part of a widget is animated, be it in a shadow root of it.
 * @param {Element} element
 */
const isWidgetAnimated = (element) => isAnimating(openRoots(getRootNode.call(element)), LONGEST_CLOSING);

/**
 * Wait until a list that is being closed cannot be seen, or until nothing of it is animated: {}.
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
