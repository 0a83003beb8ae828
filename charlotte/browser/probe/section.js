// What a heading is the heading of: the element that holds nothing else of its rank, or else the siblings up to
// the next heading of that rank.
const TITLE_PARTS = setOf('header hgroup');

const isHeading = (element) => roleOf(element, localNameOf.call(element)) === 'heading';

const rankOf = (heading) => headingLevel(heading, localNameOf.call(heading));

const headingsIn = (element) => {
  const inside = Array.from(queryIn(element, HEADINGS));
  return matches.call(element, HEADINGS) ? [element, ...inside] : inside;
};

/** Whether another heading in the element begins a section of its own beside or above that of `heading`. */
const endsSection = (element, heading) =>
  headingsIn(element).some((other) => other !== heading && rankOf(other) <= rankOf(heading));

/** The largest element around a heading in which nothing else is of its rank. */
const ownPart = (heading) => {
  let part = heading;
  for (let node = flatParent(heading); node !== null && node !== bodyOf(); node = flatParent(node)) {
    if (endsSection(node, heading)) break;
    part = node;
  }
  return part;
};

/** Whether an element says no more than the heading: what belongs to it comes after. */
const isTitle = (part, heading) => {
  const tag = localNameOf.call(part);
  return part === heading || (TITLE_PARTS.has(tag) && roleOf(part, tag) !== 'banner')
    || collapse(textContentOf.call(part)) === collapse(textContentOf.call(heading));
};

const siblingsFrom = (part, heading) => {
  const nodes = new Set([part]);
  for (let node = nextSiblingOf.call(part); node !== null; node = nextSiblingOf.call(node)) {
    if (node instanceof Element && endsSection(node, heading)) break;
    nodes.add(node);
  }
  return nodes;
};

/** Where a survey of the element begins: {root, nodes: those of its children that count, null for all}. */
const surveyedPart = (element) => {
  if (element === null || !isHeading(element)) return { root: element, nodes: null };
  const part = ownPart(element);
  const parent = flatParent(part);
  if (parent === null || !isTitle(part, element)) return { root: part, nodes: null };
  return { root: parent, nodes: siblingsFrom(part, element) };
};
