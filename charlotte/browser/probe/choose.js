// Choosing among options, and setting the controls that no key fills. The events are those a browser fires for a
// person's choice; that they are not trusted is a limit of scripts, and frameworks do not mind.
const fire = (element) => {
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
};

const sameText = (a, b) => collapse(a).toLowerCase() === collapse(b).toLowerCase();

/** By value, then by what can be read, then by that without regard to case. */
const optionFor = (options, wanted) =>
  options.find((option) => option.value === wanted)
  ?? options.find((option) => collapse(option.text) === collapse(wanted))
  ?? options.find((option) => sameText(option.text, wanted));

const isInClosedGroup = ({ parentElement: group }) => group instanceof HTMLOptGroupElement && group.disabled;

const isOffered = (option) => !option.disabled && !isInClosedGroup(option);

const MOST_OFFERED = 50;

const offered = (options) => {
  const texts = options.slice(0, MOST_OFFERED).map(({ text }) => text);
  return { options: texts, count: options.length };
};

/** What keeps `wanted` from being chosen: {error: "single"|"no option"|"option disabled", …}, or null. */
const choiceProblem = (options, wanted, multiple) => {
  if (wanted.length > 1 && !multiple) return { error: 'single' };
  const unknown = wanted.find((one) => optionFor(options, one) === undefined);
  if (unknown !== undefined) return { error: 'no option', wanted: unknown, ...offered(options) };
  const closed = wanted.find((one) => optionFor(options, one).disabled);
  return closed === undefined ? null : { error: 'option disabled', wanted: closed };
};

const nativeOption = (option) => ({
  element: option,
  text: option.label,
  value: option.value,
  disabled: !isOffered(option),
});

const nativeOptions = (select) => Array.from(select.options, nativeOption);

const chooseNative = (select, wanted) => {
  const options = nativeOptions(select);
  const problem = choiceProblem(options, wanted, select.multiple);
  if (problem !== null) return problem;
  const chosen = new Set(wanted.map((one) => optionFor(options, one).element));
  const changed = options.filter(({ element }) => element.selected !== chosen.has(element));
  for (const { element } of changed) element.selected = chosen.has(element);
  focusOn.call(select, { preventScroll: true });
  if (changed.length > 0) fire(select);
  return {};
};

const LISTS = '[role=listbox],[role=tree],[role=grid],[role=menu]';
const CHOICES = '[role=option],[role=treeitem],[role=menuitemradio],[role=menuitem]';

const referenced = (element, name) =>
  words(element, name)
    .map((id) => getRootNode.call(element).getElementById?.(id) ?? null)
    .filter((found) => found !== null);

/** The lists that an ARIA widget names, and those in it. */
const ownLists = (element) =>
  [...referenced(element, 'aria-controls'), ...referenced(element, 'aria-owns'), ...element.querySelectorAll(LISTS)];

/** The lists an ARIA widget offers its options in: its own, else every one that is seen. */
const listsOf = (element) => {
  if (matches.call(element, LISTS)) return [element];
  const own = ownLists(element);
  return own.length > 0 ? own : openRoots().flatMap((root) => [...queryAll(root, LISTS)]);
};

const SEARCH_NAME = /^(q|s|query|search|terms?|keywords?)$/i;

const isSearch = (element) =>
  element.type === 'search' || closest.call(element, 'search,[role=search]') !== null
  || SEARCH_NAME.test(attribute(element, 'name') ?? '');

/** Whether a text alone may be no answer to it: it has options to choose from, and does not search for words. */
const wantsOption = (element) =>
  (ownLists(element).length > 0 || attribute(element, 'aria-expanded') === 'true') && !isSearch(element);

const isChosen = (option) => ['aria-selected', 'aria-checked'].some((name) => attribute(option, name) === 'true');

const ariaOption = (element) => ({
  element,
  nid: nidOf(element),
  text: attribute(element, 'aria-label') ?? textOf(element, 200),
  value: attribute(element, 'data-value') ?? attribute(element, 'value') ?? '',
  disabled: isDisabled(element),
  chosen: isChosen(element),
});

const seenChoices = (element) =>
  listsOf(element)
    .flatMap((list) => [...list.querySelectorAll(CHOICES)])
    .filter((option) => sightOf(option) === SEEN)
    .map(ariaOption);

/** Where one types, the option that Enter would take is said to be selected; it is chosen only once it is clicked. */
const isTaken = (element, option) =>
  option.chosen
  && (textControlOf(element) === null || closest.call(option.element, '[aria-multiselectable=true]') !== null);

/**
 * {nid, chosen} of the option that answers to `wanted` in an open ARIA list, else {error, options, count, wanting?};
 * `wanting` if nothing but an option may do.
 */
const pick = (nid, wanted) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const options = seenChoices(element);
  const problem = choiceProblem(options, [wanted], false);
  if (problem !== null) return JSON.stringify({ ...problem, ...(wantsOption(element) ? { wanting: 1 } : {}) });
  const found = optionFor(options, wanted);
  return JSON.stringify({ nid: found.nid, chosen: isTaken(element, found) });
};

/** The same, once such an option is there, or `wait` ms have passed. */
const pickSoon = async (nid, wanted, wait) => {
  const end = now() + wait;
  for (;;) {
    const answer = pick(nid, wanted);
    if (JSON.parse(answer).error !== 'no option' || now() >= end) return answer;
    await frame();
  }
};

/** Choose in a native select: {}, or {error, …}; {aria: "open"|"closed"|"editable"} for any other widget. */
const choose = (nid, wanted, only = false) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  if (element instanceof HTMLSelectElement) {
    const options = nativeOptions(element);
    const answer = only ? choiceProblem(options, wanted, element.multiple) : chooseNative(element, wanted);
    return JSON.stringify(answer ?? {});
  }
  const role = roleOf(element, localNameOf.call(element));
  const mayHaveList = ['listbox', 'combobox', 'tree', 'grid', 'button', 'menu'].includes(role);
  if (!mayHaveList) return JSON.stringify({ error: 'no list' });
  const isOpen = seenChoices(element).length > 0 && attribute(element, 'aria-expanded') !== 'false';
  if (isOpen) return JSON.stringify({ aria: 'open' });
  return JSON.stringify({ aria: takesText(element) ? 'editable' : 'closed' });
};


/** {checked: "true"|"false"|"mixed"} or {error: "gone"|"not checkable"}. */
const checked = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const tag = localNameOf.call(element);
  if (!CHECKABLE.has(roleOf(element, tag))) return JSON.stringify({ error: 'not checkable' });
  return JSON.stringify({ checked: checkedState(element, tag) });
};
