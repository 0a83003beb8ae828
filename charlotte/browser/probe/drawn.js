// Lists that only tell screen readers what is drawn beside them: their options have no size, often there are only
// those around the active one, and a click on what is drawn chooses.
const MOST_AROUND = 3; // how far what is drawn lies from the list, in ancestors

const childrenOf = (parent) => {
  const children = [];
  for (let child = firstElementOf.call(parent); child !== null; child = nextElementOf.call(child)) children.push(child);
  return children;
};

/** The first that is drawn in `holder`, but not in `list`, and says just one of `texts`. */
const rowIn = (holder, list, texts) =>
  [...queryIn(holder, '*')].find((one) =>
    !contains.call(list, one) && !contains.call(one, list) && texts.has(textOf(one, 200)) && isDrawn(one));

/** What is drawn for a list of these options: the row of one of them with its siblings, [] if there is none. */
const rowsDrawnFor = (list, options) => {
  const told = options.flatMap((one) => [attribute(one, 'aria-label') ?? '', textOf(one, 200)]);
  const texts = new Set(told.filter((text) => text !== ''));
  let holder = flatParent(list);
  for (let far = 0; far < MOST_AROUND && holder !== null && holder !== document.body; far += 1) {
    const row = rowIn(holder, list, texts);
    if (row !== undefined) return childrenOf(parentElementOf.call(row)).filter(isDrawn);
    holder = flatParent(holder);
  }
  return [];
};

const LONGEST_PAGING = 1500; // ms
const PAGE = 0.8; // of what is seen of a list at once

const isPaged = (element) =>
  scrollHeightOf.call(element) > clientHeightOf.call(element) + 1
  && !['visible', 'clip'].includes(getComputedStyle(element).overflowY);

const pagedAround = (element) => {
  for (let around = flatParent(element); around !== null && around !== document.body; around = flatParent(around)) {
    if (isPaged(around)) return around;
  }
  return null;
};

/** Long lists make options only as they are scrolled to: `turn` scrolls to the first, then on; false at the end. */
const newPages = () => {
  let scroller = null;
  const turn = (options) => {
    const isFirst = scroller === null;
    if (options.length === 0) return !isFirst; // they are being made
    scroller ??= pagedAround(options[0].element);
    if (scroller === null) return false;
    const before = scrollTopOf.call(scroller);
    scroller.scrollTop = isFirst ? 0 : before + PAGE * clientHeightOf.call(scroller);
    return isFirst || scrollTopOf.call(scroller) > before;
  };
  return { turn };
};
