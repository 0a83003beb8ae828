// The row that an element lies in, by what it says: that tells apart what a selector finds and what is called the same.
const LONGEST_ROW = 200; // characters
const LONGEST_PAGE = 20000;
const MOST_ROWS = 300; // of an answer: reading one takes a twentieth of a millisecond
const NO_LANDMARKS = new Set();

/** A function that lists all elements with the tag and the text of one, in document order. */
const newAlike = () => {
  const known = new Map();
  const groups = (root, tag) => {
    const all = [...queryAll(root, CSS.escape(tag))];
    return Map.groupBy(all, (element) => textContentOf.call(element));
  };
  return (element) => {
    const root = getRootNode.call(element);
    const tags = known.get(root) ?? new Map();
    known.set(root, tags);
    const tag = localNameOf.call(element);
    if (!tags.has(tag)) tags.set(tag, groups(root, tag));
    return tags.get(tag).get(textContentOf.call(element)) ?? [element];
  };
};

/** What lies around an element and around none that is like it, or is a row; null where it is the only one. */
const rowAround = (element, alike) => {
  const twins = alike(element);
  const [before, after] = [-1, 1].map((step) => twins[twins.indexOf(element) + step]);
  const row = parentElementOf.call(element)?.closest(TOGETHER) ?? null;
  if (row !== null && !holds(row, before) && !holds(row, after)) return row;
  return twins.length < 2 ? null : placeOfTwin(element, before, after, NO_LANDMARKS);
};

/** The start of what the row of an element says, '' where nothing tells it from others. */
const textAround = (element, alike) => {
  const row = rowAround(element, alike);
  return row === null || row === element ? '' : wordsOf(row, LONGEST_ROW);
};

/** {same}: whether the row of an element says this; the only one that is left needs no row around it, but the text. */
const isAround = (nid, text) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  const row = rowAround(element, newAlike());
  const same = row === null
    ? wordsOf(document.body, LONGEST_PAGE).includes(text)
    : wordsOf(row, LONGEST_ROW) === text;
  return JSON.stringify({ same });
};
