// Choosing options, in native selects and in ARIA lists. The events are those that a browser fires for a user's choice,
// but they are not trusted.
import { attribute, closest, contains, focusOn, getBoundingClientRect, scrollTopOf } from './builtins.js';
import { frame, now, patient } from './clock.js';
import { isAriaTrue } from './control_states.js';
import { deepActive, nearest } from './flat_tree.js';
import { surfaceOf } from './hit_test.js';
import { editProblem } from './focus.js';
import { describeDialog, modalCover } from './modals.js';
import {
  dialogBefore, findWidget, hasList, isReallyChosen, isUnmarked, listsOf, marksChosen, nativeOptions,
  optionFor, ownLists, rowOf, visibleChoices, widgetOf,
} from './options.js';
import { byNumber, elementOf, GONE_ANSWER, nidOf } from './registry.js';
import { takesText } from './text_controls.js';
import { ignoresPointer, isDrawn, scrollableAncestor } from './visibility.js';

const MOST_OFFERED = 50;

/** @param {Element} element */
export const dispatchChange = (element) => {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
};

/**
 * Return the reason why `wanted` cannot be chosen: {error: "single"|"no option"|"option disabled", …}, or null.
 * @param {any[]} options @param {string[]} wanted @param {boolean} multiple
 */
const choiceProblem = (options, wanted, multiple) => {
  if (wanted.length !== 1 && !multiple) return { error: 'single' };
  const unknown = wanted.find((one) => optionFor(options, one) === undefined);
  const offered = { options: options.slice(0, MOST_OFFERED).map(({ text }) => text), count: options.length };
  if (unknown !== undefined) return { error: 'no option', wanted: unknown, ...offered };
  const closed = wanted.find((one) => optionFor(options, one).disabled);
  return closed === undefined ? null : { error: 'option disabled', wanted: closed };
};

/** @param {any} select @param {any[]} options @param {string[]} wanted */
const chooseNative = (select, options, wanted) => {
  const chosen = new Set(wanted.map((one) => optionFor(options, one).element));
  const changed = options.filter(({ element }) => element.selected !== chosen.has(element));
  for (const { element } of changed) element.selected = chosen.has(element);
  focusOn.call(select, { preventScroll: true });
  if (changed.length > 0) dispatchChange(select);
};

/**
 * Return whether the widget needs an option: it has a list, no date dialog, and is not a search field.
 * @param {Element} element
 */
const wantsOption = (element) =>
  (ownLists(element).length > 0 || attribute(element, 'aria-expanded') === 'true')
  && attribute(element, 'aria-haspopup') !== 'dialog'
  && element.type !== 'search' && closest.call(element, 'search,[role=search]') === null;

/**
 * Return whether text can be typed into a widget to find an option.
 * @param {Element} element
 */
const isSearchable = (element) => takesText(element) && !element.readOnly && !ignoresPointer(element);

/**
 * Find `wanted` in an open ARIA list: {nid, chosen, open?, dialog?}, else {error, options, count, wanting?, search?, open?,
 * dialog?}. `wanting` if only an option may be entered, `search` if typed text searches the list, `dialog` if the choice has
 * to be confirmed in it, or if it has no options.
 * @param {number} nid @param {string} wanted
 */
const pick = (nid, wanted) => {
  const element = findWidget(nid);
  if (element === null) return GONE_ANSWER;
  const options = visibleChoices(element);
  const expanded = attribute(element, 'aria-expanded');
  const open = expanded === 'true' || (options.length > 0 && expanded !== 'false') ? { open: 1 } : {};
  const problem = choiceProblem(options, [wanted], false);
  if (problem !== null) {
    const wanting = wantsOption(element) ? { wanting: 1 } : isSearchable(element) ? { free: 1 } : {};
    const active = deepActive(); // a search field of the open list
    const isSearching = active !== null && active !== element && !contains.call(element, active) && isSearchable(active);
    const front = options.length === 0 ? dialogBefore(element) : undefined;
    const dialog = front && describeDialog(front);
    return JSON.stringify({ ...problem, ...wanting, ...(isSearching ? { search: 1 } : {}), ...open, dialog });
  }
  const found = optionFor(options, wanted);
  const dialog = found.dialog && describeDialog(found.dialog);
  return JSON.stringify({ nid: nidOf(rowOf(found.element)), chosen: isReallyChosen(element, found, options), ...open, dialog });
};

const LONGEST_PAGING = 1500; // ms
const PAGE = 0.8; // of the visible part of a list

/**
 * Return whether options are drawn at both ends of the visible part, so that none is skipped.
 * @param {DOMRect} view @param {DrawnOption[]} drawn
 */
const isFilled = ({ top, bottom, height }, drawn) => {
  const edge = height * (1 - PAGE);
  return [top, bottom - edge].every((from) => drawn.some(({ rect }) => rect.top < from + edge && rect.bottom > from));
};

/**
 * Return the end of the options that are drawn without a gap from the visible part on. Options with equal texts may be
 * placeholders.
 * @param {DOMRect} view @param {DrawnOption[]} drawn
 */
const endOfDrawn = ({ top, bottom }, drawn) => {
  const below = drawn.filter(({ rect }) => rect.bottom > top).sort((one, other) => one.rect.top - other.rect.top);
  let end = bottom;
  let before = '';
  for (const { rect, text } of below) {
    const isNext = rect.top - end < rect.height && text !== '' && text !== before;
    if (rect.top >= bottom && !isNext) break;
    end = Math.max(end, rect.bottom);
    before = text;
  }
  return end;
};

const DRAW_FRAMES = 20; // frames that a list may take to draw the options it was scrolled to
const IDLE_FRAMES = 12; // frames at the end of a list in which nothing is added to it

/**
 * Create {turn, seen}: a function that scrolls through a virtual list, to the top, unless it `goesOn`, then past the options
 * that are drawn, and the texts of all options it was given; it returns false at the end. A list may grow after it was scrolled.
 * @param {boolean} goesOn
 */
const newPager = (goesOn) => {
  /** @type {any} */
  let scroller = null;
  let starts = !goesOn;
  let resting = 0;
  let farthest = -1; // lists that estimate their height jump back at their end
  let waiting = 0;
  const seen = new Set();
  const scrollTo = (/** @type {number} */ place) => {
    scroller.scrollTop = place;
    return scrollTopOf.call(scroller);
  };
  const turn = (/** @type {Option[]} */ options) => {
    for (const { text } of options) seen.add(text);
    if (options.length === 0) return scroller !== null; // the options are being drawn
    scroller ??= scrollableAncestor(options[0].element);
    if (scroller === null) return false;
    const view = getBoundingClientRect.call(scroller);
    const drawn = options.map(({ element, text, value }) => ({ rect: getBoundingClientRect.call(element), text, value }))
      .filter(({ rect }) => rect.height > 0);
    if (starts) {
      starts = false;
      farthest = scrollTo(0);
      return true;
    }
    waiting = isFilled(view, drawn) ? 0 : waiting + 1;
    if (waiting % DRAW_FRAMES > 0) return true;
    const reached = scrollTo(scrollTopOf.call(scroller) + endOfDrawn(view, drawn) - view.top - (1 - PAGE) * view.height);
    resting = reached > farthest + 1 ? 0 : resting + 1;
    farthest = Math.max(farthest, reached);
    return resting < IDLE_FRAMES;
  };
  return { turn, seen };
};

const pagers = new WeakMap(); // widget → pager

/**
 * Return the pager of a widget: a new one for "top", that of the search before for "on".
 * @param {any} element @param {string} paging
 */
const pagerOf = (element, paging) => {
  const pager = (paging === 'on' ? pagers.get(element) : undefined) ?? newPager(paging === 'on');
  pagers.set(element, pager);
  return pager;
};

/**
 * Add the number of options that were `seen` by scrolling, if it is larger than the number in the list now.
 * @param {any} answer @param {number} seen @param {boolean} more
 */
const withSeen = (answer, seen, more) => {
  if (answer.error !== 'no option' || (seen <= answer.count && !more)) return answer;
  return { ...answer, seen: Math.max(seen, answer.count), ...(more ? { more: 1 } : {}) };
};

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
  const { turn, seen } = pagerOf(findWidget(nid) ?? document, paging);
  for (;;) {
    const answer = JSON.parse(pick(nid, wanted));
    const element = findWidget(nid);
    // while a list is drawn, its options have no size, but those of a group have labels
    const isPickable = answer.error !== 'no option' && (answer.nid === undefined || surfaceOf(elementOf(answer.nid)) !== null);
    if (element === null || isPickable) return JSON.stringify(answer);
    const offersOthers = early && answer.error === 'no option' && answer.count > 0
      && !listsOf(element).some((list) => isAriaTrue(list, 'aria-busy')); // it is not loading more
    if (offersOthers) return JSON.stringify({ ...answer, early: 1 });
    const isOver = now() >= last;
    if (isOver || (now() >= end && !turn(visibleChoices(element)))) {
      return JSON.stringify(withSeen(answer, seen.size, isOver && paging !== ''));
    }
    await frame();
  }
};

/**
 * Return the options that are chosen and not wanted, nor around or inside an option that is wanted.
 * @param {any[]} options @param {string[]} wanted
 */
const surplusIn = (options, wanted) => {
  const kept = wanted.map((one) => optionFor(options, one)).filter((one) => one !== undefined);
  const isKept = (/** @type {any} */ { element }) =>
    kept.some((one) => contains.call(element, one.element) || contains.call(one.element, element));
  return options.filter((one) => one.chosen && marksChosen(one.element, options) && !isKept(one));
};

/**
 * Return {nids} of the options of a multi-select list that are chosen and not wanted, {unmarked: 1} if the list does
 * not show which are. With `paging` ("top", or "on"),
 * scroll through the list until one is drawn; `more` if there was no time to reach its end.
 * @param {number} nid @param {string[]} wanted @param {string} [paging]
 */
export const surplus = async (nid, wanted, paging = '') => {
  const end = now() + LONGEST_PAGING;
  const { turn } = pagerOf(findWidget(nid) ?? document, paging);
  for (;;) {
    const element = findWidget(nid);
    if (element === null) return GONE_ANSWER;
    const options = element instanceof HTMLSelectElement ? [] : visibleChoices(element);
    const drawn = options.filter((one) => isDrawn(one.element));
    if (drawn.length > 0 && drawn.every(isUnmarked)) return JSON.stringify({ nids: [], unmarked: 1 });
    const nids = surplusIn(options, wanted).map((other) => nidOf(rowOf(other.element)));
    if (nids.length > 0 || paging === '' || !turn(options)) return JSON.stringify({ nids });
    if (now() >= end) return JSON.stringify({ nids, more: 1 });
    await frame();
  }
};

/** Choose in a native select: {}, or {error, …}. Return {aria: "open"|"closed"|"editable", inside?} for any other widget. */
export const choose = byNumber((given, wanted, only = false) => {
  const element = widgetOf(given);
  const select = element instanceof HTMLInputElement ? element.list : element; // or the datalist of a field
  if (select instanceof HTMLSelectElement || select instanceof HTMLDataListElement) {
    const options = nativeOptions(select);
    const refused = select === element ? '' : editProblem(element);
    const problem = modalCover(element) ?? (refused === '' ? choiceProblem(options, wanted, select.multiple === true) : { error: refused });
    if (problem !== null) return { ...problem, ...(select === element ? {} : { free: 1 }) };
    if (!only && select === element) chooseNative(element, options, wanted);
    else if (!only) {
      focusOn.call(element, { preventScroll: true });
      const { value } = optionFor(options, wanted[0]);
      if (element.value !== value) dispatchChange(Object.assign(element, { value }));
    }
    return {};
  }
  if (!hasList(element)) return { error: 'no list' };
  const options = attribute(element, 'aria-expanded') === 'false' ? [] : visibleChoices(element);
  if (options.length === 0) return { aria: isSearchable(element) ? 'editable' : 'closed' };
  const isInside = nearest(options[0].element, (node) => node === element) !== null;
  return { aria: 'open', ...(isInside ? { inside: 1 } : {}) }; // a press on the element may choose an option
});

/** Choose as soon as an option is there that a page adds late. */
export const chooseLate = patient(choose, new Set(['no option']));
