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

/** {checked: "true"|"false"|"mixed"} or {error: "gone"|"not checkable"}. */
const checked = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const tag = localNameOf.call(element);
  if (!CHECKABLE.has(roleOf(element, tag))) return JSON.stringify({ error: 'not checkable' });
  return JSON.stringify({ checked: checkedState(element, tag) });
};
